"""Reads a price sheet: EA, MCA, older EA, a zip of their CSV parts, or a list made by hand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from math import isnan
from typing import BinaryIO, cast

import pandas as pd

from advisor.engine.catalogue import Catalogue
from advisor.engine.prices import OWN_SOURCE, Price, PriceKey
from advisor.engine.readers.archive import BadArchive
from advisor.engine.readers.containers import refuse_container
from advisor.engine.readers.delimited import read_raw
from advisor.engine.readers.head import Head, count_records, read_head
from advisor.engine.readers.problems import Problems
from advisor.engine.readers.reading import Problem
from advisor.engine.readers.text import detect
from advisor.engine.sheets import columns
from advisor.engine.sheets.archive import is_zip, parts
from advisor.engine.sheets.by_hand import judge_by_hand
from advisor.engine.sheets.meters import judge_meters
from advisor.engine.sheets.rows import Judged
from advisor.engine.sheets.settle import Settled, settle
from advisor.engine.sheets.sheet import PriceSheet

HOW = (
    "Download the price sheet from Cost Management + Billing as CSV, or make a list with the columns size, region, os, "
    "price_model, hourly_price and currency."
)
_REFUSED = {
    "empty": "The file is empty.",
    "workbook": "This is an Excel workbook. Save its sheet as “CSV UTF-8”.",
    "xls": "This is an old Excel workbook. Save its sheet as “CSV UTF-8”.",
    "gzip": "This is a gzip file. Unpack it (gunzip) and choose the file inside.",
    "parquet": "This is a parquet file. Export it as CSV.",
}
_BILLING_PERIOD = re.compile(r"billing period\s*[-:]?\s*(\d{4})-?(\d{2})", re.IGNORECASE)
_PREAMBLE_CHARACTERS = 2_000


class _Refused(Exception):
    """A file that is no price sheet: kind and message."""

    def __init__(self, kind: str, message: str, rows: int = 0) -> None:
        super().__init__(message)
        self.kind, self.rows = kind, rows


@dataclass(kw_only=True)
class _Part:
    """One file, or one file of a zip, as judged."""

    format: str
    encoding: str
    delimiter: str | None
    judged: Judged
    rows: int
    errors: int
    billing_day: date | None
    problems: Problems


def read_price_sheet(
    name: str, stream: BinaryIO, catalogue: Catalogue, *, currency: str | None = None, as_of: date | None = None
) -> PriceSheet:
    """Read a price sheet from a seekable stream that is never held in memory as a whole.

    `currency` and `as_of` hold where the sheet does not say them itself. Bad content never raises: a file without
    prices answers `usable` False and a problem that says why.
    """
    read: list[_Part] = []
    refused: list[tuple[str, _Refused]] = []
    try:
        for part, source in _sources(name, stream):
            try:
                read.append(_read_part(part, source, catalogue))
            except _Refused as error:
                refused.append((part, error))
    except BadArchive as error:
        return _refusal(name, [("", _Refused("bad_archive", str(error)))])
    except _Refused as error:
        return _refusal(name, [("", error)])
    if not read:
        return _refusal(name, refused)
    problems = _together(read, refused)
    rows = pd.concat([part.judged.prices for part in read], ignore_index=True)
    billing_day = next((part.billing_day for part in read if part.billing_day), None)
    settled = settle(rows, problems, currency=currency, billing_day=billing_day, as_of=as_of)
    return _sheet(name, read, settled, problems, sum(error.rows for _, error in refused))


def _sources(name: str, stream: BinaryIO) -> Iterator[tuple[str, BinaryIO]]:
    """The file itself, or the CSV files of a zip, each with its name in the zip."""
    if is_zip(stream):
        yield from parts(stream)
        return
    refused = refuse_container(name, stream)
    if refused is not None:
        said = refused.problems[0]
        what = "empty" if said.kind == "empty_file" else refused.format
        raise _Refused(said.kind, f"{_REFUSED.get(what, 'This is no text.')} {HOW}")
    yield "", stream


def _read_part(part: str, stream: BinaryIO, catalogue: Catalogue) -> _Part:
    decoding = detect(stream)
    if decoding is None:
        raise _Refused("not_text", f"The file is not text. {HOW}")
    head = read_head(part, stream, decoding, catalogue, columns.known_name)
    table, problems = head.table, Problems()
    meters = columns.meter_layout(table) if table else None
    layout = meters or (columns.hand_layout(table) if table else None)
    if table is None or layout is None:
        raise _Refused("no_price_sheet", _missing(head), count_records(head))
    raw, spoilt = read_raw(head, layout, problems)
    judge = judge_meters if meters else judge_by_hand
    judged = judge(raw, layout, catalogue, problems, delimiter=table.delimiter)
    return _Part(
        format=columns.METERS if meters else columns.BY_HAND,
        encoding=decoding.label,
        delimiter=table.delimiter,
        judged=replace(judged, prices=judged.prices.assign(part=part)),
        rows=len(raw.lines) + spoilt,
        errors=judged.errors + spoilt,
        billing_day=_billing_day(head.text),
        problems=_placed(problems, part),
    )


def _missing(head: Head) -> str:
    if head.is_json:
        return f"This is JSON, which is not read as a price sheet. {HOW}"
    if head.table is None:
        return f"This is no table. {HOW}"
    keys = head.table.keys
    if {"meterid", "metername"} & keys:
        return f"The price sheet lacks a column: {columns.METER_TITLES} are needed."
    return f"This is no price sheet: the columns {columns.HAND_TITLES} are needed. {HOW}"


def _billing_day(text: str) -> date | None:
    """The first day of the billing period that the line above an older EA sheet names."""
    found = _BILLING_PERIOD.search(text[:_PREAMBLE_CHARACTERS])
    if found is None or not (1 <= int(found[2]) <= 12 and int(found[1]) > 2000):
        return None
    return date(int(found[1]), int(found[2]), 1)


def _placed(problems: Problems, part: str) -> Problems:
    """The problems of a file of a zip, each with that file's name."""
    if part:
        for kept in (problems.errors, problems.warnings):
            kept[:] = [replace(problem, sheet=part, message=f"{part}: {problem.message}") for problem in kept]
    return problems


def _together(read: list[_Part], refused: list[tuple[str, _Refused]]) -> Problems:
    everything = Problems()
    for problem in _refusals(refused):
        everything.add(problem)
    for part in read:
        for problem in (*part.problems.errors, *part.problems.warnings):
            everything.add(problem)
        everything.unlisted += part.problems.unlisted
    return everything


def _refusals(refused: list[tuple[str, _Refused]]) -> Iterator[Problem]:
    for part, error in refused:
        message = f"{part}: {error}" if part else str(error)
        yield Problem(kind=error.kind, severity="error", message=message, sheet=part or None, rows=error.rows)


def _refusal(name: str, refused: list[tuple[str, _Refused]]) -> PriceSheet:
    rows, problems = sum(error.rows for _, error in refused), tuple(_refusals(refused))
    return PriceSheet(file=name, format="unknown", rows_read=rows, error_rows=rows, problems=problems)


def _sheet(name: str, read: list[_Part], settled: Settled, problems: Problems, refused_rows: int) -> PriceSheet:
    others = sum((part.judged.others for part in read), Counter[str]()) + settled.others
    needs = tuple(what for what in ("currency", "as_of") if getattr(settled, what) is None)
    priced, rows = len(settled.prices), sum(part.rows for part in read) + refused_rows
    if not priced:
        message = "The sheet holds no price of a GPU machine that can be used."
        problems.add(Problem(kind="no_prices", severity="error", message=message))
    elif needs:
        problems.add(Problem(kind="not_said", severity="error", message=_NOT_SAID[needs]))
    listed, left_out = problems.listed()
    first = read[0]
    return PriceSheet(
        file=name,
        format=first.format,
        encoding=first.encoding,
        delimiter=first.delimiter,
        usable=priced > 0 and not needs,
        currency=settled.currency,
        as_of=settled.as_of,
        rows_read=rows,
        priced_rows=priced,
        other_rows=sum(others.values()),
        error_rows=sum(part.errors for part in read) + settled.errors + refused_rows,
        prices=_prices(name, settled, first.format == columns.BY_HAND),
        others=dict(others),
        needs=needs if priced else (),
        problems=listed,
        problems_left_out=left_out,
    )


_NOT_SAID = {
    ("currency",): "The sheet does not say its currency: state it, or add a column currency.",
    ("as_of",): "The sheet does not say of which day its prices are: state the day, or add a column as_of.",
    ("currency", "as_of"): "The sheet says neither its currency nor the day of its prices: state both.",
}


def _prices(name: str, settled: Settled, dated: bool) -> Mapping[PriceKey, Price]:
    """The prices by key; each row of a list made by hand may have a day of its own."""
    day = settled.as_of
    if day is None:
        return {}
    source = f"{OWN_SOURCE} {name}"
    table = settled.prices
    keys = zip(table["size"], table["region"], table["os"], table["price_model"], strict=True)
    starts = table["start"].tolist()
    return {
        cast(PriceKey, key): Price(
            size=key[0],
            region=key[1],
            os=key[2],
            price_model=key[3],
            hourly_price=float(hourly),
            as_of=day if not dated or isnan(start) else date.fromordinal(int(start)),
            source=source,
        )
        for key, hourly, start in zip(keys, table["hourly"].tolist(), starts, strict=True)
    }
