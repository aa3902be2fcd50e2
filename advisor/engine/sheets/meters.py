"""Azure's own price sheets: a row per meter, offer and kind of price; what is a GPU machine's price per hour."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from advisor.engine.catalogue import Catalogue, squash
from advisor.engine.readers.fields import Parser
from advisor.engine.readers.fields import currency as read_currency
from advisor.engine.readers.names import Kind, SizeName, classify_size, classify_sizes
from advisor.engine.readers.numbers import DecimalMark
from advisor.engine.readers.problems import Problems
from advisor.engine.readers.rows import Options, RowReport, judge_regions, parse_field, report_sizes
from advisor.engine.readers.table import Factor, Layout, Mask, RawTable
from advisor.engine.readers.text import BLANKS
from advisor.engine.sheets import fields
from advisor.engine.sheets.rows import Judged, Sorter, looked_up, table_of

#: What a product or a sub-category says: letters that are in it, and how exactly.
_MARKS = {
    "windows": ("win", re.compile(r"\bwin(?:dows)?\s*(?:-|$)")),
    "promo": ("promo", re.compile(r"\bpromo\b")),
    "dedicated": ("dedicated", re.compile(r"\bdedicated\b")),
    "dev_test": ("test", re.compile(r"\bdev\s*[/-]?\s*test\b")),
}
_LOW_PRIORITY = re.compile(r"\slow priority$", re.IGNORECASE)
_EXPIRED = re.compile(r"\s-\s*expired$", re.IGNORECASE)
#: Offers for development and test: Enterprise and pay-as-you-go (azure.microsoft.com/offers).
_DEV_TEST_OFFERS = frozenset({"msazr0148p", "msazr0023p"})
_RESERVED = re.compile(r"Reserved VM Instance,\s*([^,]+?),\s*([^,]+?),", re.IGNORECASE)
#: Meters write the RTX PRO 6000 in short (NC128dsxlRTX6Kv6), and leave out the version of a series that has one only.
_RTX = re.compile(r"RTX6K", re.IGNORECASE)


def judge_meters(
    table: RawTable, layout: Layout, catalogue: Catalogue, problems: Problems, *, delimiter: str | None
) -> Judged:
    """The rows of a meter sheet: prices per hour of GPU machines, other rows and error rows.

    Price per hour = UnitPrice / hours of the UnitOfMeasure; of a reservation UnitPrice / hours of its term, since it
    is the price of the whole term. Dev/test prices, low priority and dedicated hosts are other rows.
    """
    rows = _Meters(table, layout, catalogue, problems, delimiter)
    return rows.judge()


class _Meters:
    def __init__(
        self, table: RawTable, layout: Layout, catalogue: Catalogue, problems: Problems, delimiter: str | None
    ) -> None:
        self.table, self.layout, self.catalogue, self.delimiter = table, layout, catalogue, delimiter
        self.report = RowReport(table, layout, problems)
        self.sorter = Sorter(rows=len(table.lines))
        self.nothing: Mask = np.zeros(len(table.lines), dtype=np.bool_)
        self.marks: dict[str, Mask] = {}

    def judge(self) -> Judged:
        sort = self.sorter
        sort.out("no_vm", ~self.flag("category", lambda text: squash(text[:60]) == "virtualmachines"))
        meter = self.column("size")
        names, kinds = self.names(meter)
        self.marks = self.product_marks(sort.left & (kinds == Kind.GPU))
        self.promo(names, kinds)
        unknown = sort.left & (kinds == Kind.UNKNOWN)
        sort.out("not_gpu", kinds == Kind.NOT_GPU)
        sort.out("no_gpu", ~unknown & (kinds != Kind.GPU))
        self.leave_out(meter)
        report_sizes(self.report, meter, kinds, ~(unknown & sort.left), self.catalogue)
        kind = self.kinds()
        model, block = self.models(meter, kind)
        price = self.numbers("price", fields.price, missing="the price is empty.")
        regions = self.regions()
        start, end = (self.numbers(name, fields.day) for name in ("start", "end"))
        sort.out("tier", np.nan_to_num(self.numbers("tier", fields.tier)) > 0)
        columns = {
            "size": names,
            "region": regions,
            "os": np.where(self.marks["windows"], "windows", "linux"),
            "price_model": model,
            "hourly": price / block,
            "currency": self.currencies(),
            "start": start,
            "end": end,
        }
        keep = sort.left & ~self.report.bad
        return Judged(
            prices=table_of(self.table.lines, keep, columns),
            others=sort.others,
            errors=int((sort.left & self.report.bad).sum()),
        )

    def column(self, name: str) -> Factor:
        """The column of a field that every meter sheet has."""
        return self.table.columns[self.layout.fields[name]]

    def flag(self, name: str, test: Any) -> Mask:
        """Rows whose text passes `test`; none where the sheet has no such column."""
        column = self.table.factor(self.layout, name)
        return self.nothing if column is None else column.flag(test)

    def product_marks(self, rows: Mask) -> dict[str, Mask]:
        """For each of _MARKS, which of `rows` say so in their sub-category or product; a text is read once."""
        found = dict.fromkeys(_MARKS, self.nothing)
        for name in ("subcategory", "product"):
            column = self.table.factor(self.layout, name)
            if column is None:
                continue
            used = np.unique(column.codes[rows]).tolist()
            texts = [column.values[code][:300].strip(BLANKS).lower() for code in used]
            for mark, (letters, pattern) in _MARKS.items():
                pairs = zip(used, texts, strict=True)
                says = [code for code, text in pairs if letters in text and pattern.search(text)]
                if says:
                    flags = np.zeros(len(column.values), dtype=np.bool_)
                    flags[says] = True
                    found[mark] = found[mark] | (flags[column.codes] & rows)
        return found

    def names(self, meter: Factor) -> tuple[Any, Any]:
        """The canonical size and the kind of each row, looked up once per meter name of a virtual machine."""
        used = np.unique(meter.codes[self.sorter.left])
        texts = [_EXPIRED.sub("", meter.values[code].strip(BLANKS)) for code in used]
        found = [SizeName(Kind.NO_SIZE)] * len(meter.values)
        for code, name in zip(used, classify_sizes(texts, self.catalogue), strict=True):
            text = meter.values[code].strip(BLANKS)
            found[code] = _other_spelling(text, self.catalogue) if name.kind == Kind.UNKNOWN else name
        names = looked_up(meter, [name.name for name in found])
        kinds = np.array([int(name.kind) for name in found] or [0], dtype=np.int8)[meter.codes]
        return names, kinds

    def promo(self, names: Any, kinds: Any) -> None:
        """A Promo product is a size of its own: its meters are called like those of the plain size."""
        promo = self.marks["promo"]
        for name in set(names[promo]):
            rows = promo & (names == name)
            promoted = self.catalogue.canonical_size(f"{name}_Promo") if not str(name).endswith("_Promo") else name
            names[rows] = promoted
            if promoted is None:
                kinds[rows] = Kind.UNKNOWN

    def leave_out(self, meter: Factor) -> None:
        """Rows that name a GPU size and are no price that a VM could be billed."""
        sort = self.sorter
        sort.out("dedicated", self.marks["dedicated"])
        sort.out("low_priority", meter.flag(lambda text: bool(_LOW_PRIORITY.search(text.strip(BLANKS)))))
        sort.out("expired", meter.flag(lambda text: bool(_EXPIRED.search(text.strip(BLANKS)))))
        sort.out("dev_test", self.flag("offer", lambda text: squash(text[:60]) in _DEV_TEST_OFFERS))
        sort.out("dev_test", self.flag("offer", lambda text: "devtest" in squash(text[:60])))
        sort.out("dev_test", self.marks["dev_test"])

    def kinds(self) -> Any:
        """What each row prices: consumption, reservation or savings plan; dev/test goes out."""
        column = self.table.factor(self.layout, "type")
        if column is None:
            return np.full(len(self.table.lines), "consumption", dtype=object)
        parsed = parse_field(self.report, "type", self.sorter.left, DecimalMark(), fields.price_kind)
        found = looked_up(column, parsed.values)
        self.sorter.out("dev_test", found == "dev_test")
        return found

    def models(self, meter: Factor, kind: Any) -> tuple[Any, Any]:
        """The price model of each row, and the hours that its price is for."""
        spot = meter.flag(lambda text: text.strip(BLANKS).lower().endswith(" spot"))
        model = np.where(spot, "spot", "payg").astype(object)
        unit = self.numbers("unit", fields.unit, rows=kind != "reservation", missing="the unit is empty.")
        committed = (kind == "reservation") | (kind == "savings_plan")
        if not committed.any():
            return model, unit
        years = self.numbers("term", fields.term, rows=committed, missing="a commitment needs a term.")
        self.sorter.out("other_term", committed & ~np.isnan(years) & ~np.isin(years, list(fields.TERM_HOURS)))
        for (what, term), name in fields.COMMITTED.items():
            model[(kind == what) & (years == term)] = name
        for term, hours in fields.TERM_HOURS.items():
            unit = np.where((kind == "reservation") & (years == term), hours, unit)
        return model, unit

    def numbers(self, name: str, parser: Parser, *, rows: Mask | None = None, missing: str = "") -> Any:
        """A column of numbers, NaN where empty; with `missing` an empty cell of `rows` spoils its row."""
        column = self.table.factor(self.layout, name)
        wanted = self.sorter.left if rows is None else self.sorter.left & rows
        if column is None:
            found = np.full(len(self.table.lines), np.nan)
        else:
            found = fields.numbers_of(
                parse_field(self.report, name, wanted, DecimalMark(self.delimiter), parser), column.codes
            )
        if missing:
            empty = self.nothing | True if column is None else column.flag(lambda text: not text.strip(BLANKS))
            for row in self.report.spoil(wanted & empty):
                self.report.row(f"missing_{name}", row, name, missing)
        return found

    def regions(self) -> Any:
        """The ARM name of each row's region; a reservation may name it in its product only."""
        column = self.column("region")
        product = self.table.factor(self.layout, "product")
        blank = self.sorter.left & column.flag(lambda text: not text.strip(BLANKS))
        named: dict[int, str] = {}
        if product is not None:
            for row in np.flatnonzero(blank).tolist():
                found = _RESERVED.search(product.cell(row)[:300])
                region = self.catalogue.canonical_region(found[2]) if found else None
                if region:
                    named[row] = region
        wanted = self.sorter.left.copy()
        wanted[list(named)] = False
        regions = looked_up(column, judge_regions(self.report, wanted, self.catalogue, Options()) or [])
        for row, region in named.items():
            regions[row] = region
        return regions

    def currencies(self) -> Any:
        column = self.table.factor(self.layout, "currency")
        if column is None:
            return np.full(len(self.table.lines), "", dtype=object)
        parsed = parse_field(self.report, "currency", self.sorter.left, DecimalMark(), read_currency)
        return looked_up(column, [value or "" for value in parsed.values])


def _other_spelling(text: str, catalogue: Catalogue) -> SizeName:
    """A meter name that no size is called: the same with what meters shorten or leave out."""
    spot = " Spot" if text.lower().endswith(" spot") else ""
    plain = _EXPIRED.sub("", text.removesuffix(text[len(text) - len(spot) :]) if spot else text)
    for spelling in (_RTX.sub("RTXPRO6000BSE", plain), f"{plain}_v1"):
        found = classify_size(spelling + spot, catalogue)
        if found.kind == Kind.GPU:
            return found
    return SizeName(Kind.UNKNOWN)
