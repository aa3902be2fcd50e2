"""A price list made by hand: size, region and hourly price, and where they matter system, price model and currency."""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.fields import PARSERS, Parser
from advisor.engine.readers.names import Kind, classify_sizes
from advisor.engine.readers.numbers import DecimalMark
from advisor.engine.readers.problems import Problems
from advisor.engine.readers.rows import Options, RowReport, judge_regions, parse_field, report_sizes
from advisor.engine.readers.table import Layout, Mask, RawTable
from advisor.engine.readers.text import BLANKS
from advisor.engine.sheets import fields
from advisor.engine.sheets.rows import Judged, Sorter, looked_up, table_of

#: What a list without such a column, or an empty cell of it, is taken to mean.
DEFAULTS = {"os": "linux", "price_model": "payg", "currency": ""}


def judge_by_hand(
    table: RawTable, layout: Layout, catalogue: Catalogue, problems: Problems, *, delimiter: str | None
) -> Judged:
    """The rows of a list: prices per hour of GPU machines as written, other rows and error rows.

    Without a system a price is one of Linux, without a price model one of pay as you go; both are said once.
    """
    report, sorter = RowReport(table, layout, problems), Sorter(rows=len(table.lines))
    size = table.columns[layout.fields["size"]]
    names = classify_sizes(size.values, catalogue)
    kinds = np.array([int(name.kind) for name in names] or [0], dtype=np.int8)[size.codes]
    sorter.out("not_gpu", kinds == Kind.NOT_GPU)
    sorter.out("no_gpu", (kinds == Kind.OTHER) | (kinds == Kind.TOTAL))
    report_sizes(report, size, kinds, ~sorter.left | (kinds == Kind.GPU), catalogue)
    region = table.columns[layout.fields["region"]]
    regions = looked_up(region, judge_regions(report, sorter.left, catalogue, Options()) or [])
    price = table.columns[layout.fields["price"]]
    parsed = parse_field(report, "price", sorter.left, DecimalMark(delimiter), fields.price)
    for row in report.spoil(sorter.left & price.flag(lambda text: not text.strip(BLANKS))):
        report.row("missing_price", row, "price", "the price is empty.")
    told = {name: _told(name, table, layout, report, sorter.left) for name in DEFAULTS}
    model = told["price_model"]
    model[(model == "payg") & looked_up(size, [name.spot for name in names]).astype(bool)] = "spot"
    columns = {
        "size": looked_up(size, [name.name for name in names]),
        "region": regions,
        "os": told["os"],
        "price_model": model,
        "hourly": fields.numbers_of(parsed, price.codes),
        "currency": told["currency"],
        "start": _days(table, layout, report, sorter.left),
        "end": np.full(len(table.lines), np.nan),
    }
    keep = sorter.left & ~report.bad
    errors = int((sorter.left & report.bad).sum())
    return Judged(prices=table_of(table.lines, keep, columns), others=sorter.others, errors=errors)


def _told(name: str, table: RawTable, layout: Layout, report: RowReport, rows: Mask) -> Any:
    """A column of words, with its default where a cell is empty or the list has no such column."""
    column = table.factor(layout, name)
    if column is None:
        if DEFAULTS[name]:
            message = f"The list has no column {name}: every price is read as one of {DEFAULTS[name]}."
            report.whole("assumed_" + name, message)
        return np.full(len(table.lines), DEFAULTS[name], dtype=object)
    parser: Parser = PARSERS[name]
    parsed = parse_field(report, name, rows, DecimalMark(), parser)
    return looked_up(column, [value or DEFAULTS[name] for value in parsed.values])


def _days(table: RawTable, layout: Layout, report: RowReport, rows: Mask) -> Any:
    column = table.factor(layout, "start")
    if column is None:
        return np.full(len(table.lines), np.nan)
    return fields.numbers_of(parse_field(report, "start", rows, DecimalMark(), fields.day), column.codes)
