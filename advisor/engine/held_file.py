"""Reads a list of held commitments: a hand-made CSV, or the list of reservations that the Azure portal exports."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from difflib import get_close_matches
from functools import partial
from typing import BinaryIO, TypeVar

from advisor.engine.catalogue import Catalogue, squash
from advisor.engine.held import HOURS_PER_YEAR, HeldCommitment, HeldKind
from advisor.engine.readers.head import body_records, read_head
from advisor.engine.readers.names import Kind, canonical_region, classify_size
from advisor.engine.readers.numbers import read_numbers
from advisor.engine.readers.problems import shown
from advisor.engine.readers.reading import Problem
from advisor.engine.readers.records import Record
from advisor.engine.readers.text import BLANKS, detect, header_keys
from advisor.engine.readers.words import words_of

#: The columns of a hand-made list, in the order in which a template has them.
COLUMNS = ("order", "kind", "size", "region", "term", "end", "quantity", "bought", "hourly_price", "total", "currency")
#: More commitments than any list of one company has.
MOST_ROWS = 1_000
ORDER_CHARACTERS = 100
_NAMES = {
    "order": "order, reservation order id, order id, reservation id, savings plan order id, savings plan id, name",
    "kind": "kind, type, benefit type, resource type, reserved resource type",
    "size": "size, product name, product, sku, sku name, arm sku name, vm size",
    "region": "region, location",
    "term": "term, years, term in years",
    "end": "end, ends, end date, expiration date, expiry date, expiry, expires, expires on",
    "quantity": "quantity, count, qty, instances, vms",
    "bought": "bought, bought on, purchase date, purchased, start, start date, effective date",
    "hourly_price": "hourly price, price per hour, hourly commitment, commitment per hour, hourly rate, commitment",
    "total": "total, total price, total cost, total commitment",
    "currency": "currency, currency code, billing currency",
    "status": "status, state, provisioning state",
}
_TERMS = {
    1: words_of("p1y, 1, 1y, 1 year, one year, 12, 12 months, p12m, 1-year"),
    3: words_of("p3y, 3, 3y, 3 years, 3 year, three years, three year, 36, 36 months, p36m, 3-year"),
    5: words_of("p5y, 5, 5y, 5 years, 5 year, five years, five year, 60, 60 months, p60m, 5-year"),
}
_TERM_OF = {squash(word): years for years, words in _TERMS.items() for word in words}
_KIND_OF: Mapping[str, HeldKind] = {
    **dict.fromkeys(
        map(squash, words_of("reservation, reserved, ri, reserved instance, VirtualMachines, virtual machines, vm")),
        "reservation",
    ),
    **dict.fromkeys(
        map(
            squash, words_of("savings plan, savings_plan, sp, compute savings plan, savings plan for compute, compute")
        ),
        "savings_plan",
    ),
}
#: Words of a state in which nothing is held any more.
_GONE = words_of("cancel, expire, fail, refund, exchanged, split, merged, returned")
_DAY = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ].*)?", re.DOTALL)

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldReading:
    """One list as read: rows_read = read + skipped + error rows. `held` has each commitment once."""

    file: str
    held: tuple[HeldCommitment, ...] = ()
    rows_read: int = 0
    skipped: int = 0  # rows that hold nothing for GPU machines: other products, cancelled orders
    error_rows: int = 0
    problems: tuple[Problem, ...] = ()


class _Bad(Exception):
    """A cell that cannot be used."""

    def __init__(self, column: str, value: str, message: str, suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.column, self.value, self.suggestions = column, value, suggestions


class _Faults(Exception):
    """Everything that is wrong in one row."""

    def __init__(self, faults: list[_Bad]) -> None:
        super().__init__()
        self.faults = faults


class _Skip(Exception):
    """A row about something else."""


@dataclass(slots=True)
class _Table:
    header: tuple[str, ...]
    delimiter: str
    columns: Mapping[str, int]
    records: list[Record] = field(default_factory=list)

    def text(self, record: Record, name: str) -> str:
        place = self.columns.get(name)
        return "" if place is None or place >= len(record.cells) else record.cells[place].strip(BLANKS)


def read_held(name: str, stream: BinaryIO, catalogue: Catalogue) -> HeldReading:
    """Read commitments from a seekable stream. Bad content never raises: a bad row costs that row and is reported."""
    decoding = detect(stream)
    head = read_head(name, stream, decoding, catalogue) if decoding else None
    if head is None or head.table is None:
        return _refused(name, "not_text", f"This is no table of text. Use a CSV with the columns {', '.join(COLUMNS)}.")
    columns = _columns(head.table.header)
    missing = [needed for needed in ("end", "term") if needed not in columns]
    if missing or head.table.headless:
        message = (
            f"The first line must name the columns{', and it lacks ' + ' and '.join(missing) if missing else ''}. "
            f"Use {','.join(COLUMNS)}, or the list of reservations that the Azure portal exports."
        )
        return _refused(name, "missing_column", message)
    table = _Table(header=head.table.header, delimiter=head.table.delimiter, columns=columns)
    problems: list[Problem] = []
    for record in body_records(head):
        if record.blank:
            continue
        if len(table.records) == MOST_ROWS:
            message = f"Only the first {MOST_ROWS:,} rows are read; no company holds more commitments for GPUs."
            problems.append(Problem(kind="too_many_rows", severity="error", line=record.line, message=message))
            break
        table.records.append(record)
    return _read(name, table, catalogue, problems)


def _columns(header: tuple[str, ...]) -> dict[str, int]:
    """Where each field stands; of several columns for one field the one that is named first in `_NAMES`."""
    keys = [header_keys(cell) for cell in header]
    found = {}
    for name, words in _NAMES.items():
        wanted = [squash(name), *map(squash, words_of(words))]
        places = [(wanted.index(key), place) for place, all_of in enumerate(keys) for key in all_of if key in wanted]
        if places:
            found[name] = min(places)[1]
    return found


def _refused(name: str, kind: str, message: str) -> HeldReading:
    return HeldReading(file=name, problems=(Problem(kind=kind, severity="error", message=message),))


def _read(name: str, table: _Table, catalogue: Catalogue, problems: list[Problem]) -> HeldReading:
    numbers = {
        column: read_numbers([table.text(r, column) for r in table.records], delimiter=table.delimiter)
        for column in ("quantity", "hourly_price", "total")
    }
    held: dict[HeldCommitment, None] = {}
    skipped = errors = 0
    for place, record in enumerate(table.records):
        figures = {
            column: None
            if found.bad[place] or found.values[place] != found.values[place]
            else float(found.values[place])
            for column, found in numbers.items()
        }
        bad = {column for column, found in numbers.items() if found.bad[place]}
        try:
            if record.fault:
                text = " ".join(record.cells)
                raise _Faults([_Bad("", text, "the line is no record: a quotation mark is not closed")])
            one = _commitment(table, record, figures, bad, catalogue)
        except _Skip:
            skipped += 1
        except _Faults as error:
            errors += 1
            problems.extend(_problem(record.line, fault, table) for fault in error.faults)
        else:
            if one in held:
                skipped += 1
                message = f"Line {record.line}: the same commitment stands above; it is counted once."
                problems.append(Problem(kind="twice", severity="warning", line=record.line, message=message))
            held[one] = None
    return HeldReading(
        file=name,
        held=tuple(held),
        rows_read=len(table.records),
        skipped=skipped,
        error_rows=errors,
        problems=tuple(problems),
    )


def _problem(line: int, error: _Bad, table: _Table) -> Problem:
    place = table.columns.get(error.column)
    column = table.header[place] if place is not None else error.column
    near = f" Did you mean {' or '.join(error.suggestions)}?" if error.suggestions else ""
    what = f"{error}.{near}"
    found = f" {shown(column)} is {shown(error.value)!r}:" if error.value else ""
    return Problem(
        kind=f"bad_{error.column or 'row'}",
        severity="error",
        line=line,
        column=shown(column) or None,
        value=shown(error.value) or None,
        message=f"Line {line}:{found} {what}",
        suggestions=error.suggestions,
        parameters=(("what", what),),  # alone, for a page that shows it beside its field
    )


def _commitment(
    table: _Table, record: Record, figures: Mapping[str, float | None], bad: set[str], catalogue: Catalogue
) -> HeldCommitment:
    """The commitment of one row; raises _Skip, or _Faults with everything that is wrong in the row."""
    if any(word in squash(table.text(record, "status")) for word in _GONE):
        raise _Skip
    faults = [_Bad(name, table.text(record, name), "write a number, for example 1.25") for name in sorted(bad)]

    def cell(parse: Callable[[str], T], name: str, missing: T) -> T:
        try:
            return parse(table.text(record, name))
        except _Bad as fault:
            faults.append(fault)
            return missing

    kind: HeldKind = cell(_kind, "kind", "reservation")
    years = cell(_term, "term", 1)
    ends = cell(partial(_day, "end"), "end", date.max)
    bought = cell(partial(_day_or_none, "bought"), "bought", None)
    currency = cell(_currency, "currency", None)
    size = region = None
    if kind == "reservation":
        size = cell(partial(_size, catalogue), "size", None)
        where = ", ".join(filter(None, (table.text(record, "region"), table.text(record, "size"))))
        region = cell(lambda text: _region(catalogue, text, where), "region", None)
    quantity = figures["quantity"] if kind == "reservation" and figures["quantity"] is not None else 1.0
    if quantity != int(quantity):
        faults.append(_Bad("quantity", table.text(record, "quantity"), "write a whole number of machines"))
    price = figures["hourly_price"]
    if price is None and figures["total"] is not None and quantity >= 1:
        price = figures["total"] / (HOURS_PER_YEAR * years * quantity)
    if price is None and kind == "savings_plan" and not bad:
        faults.append(_Bad("hourly_price", "", "a savings plan needs its hourly_price, the amount for an hour"))
    if faults:
        raise _Faults(faults)
    try:
        return HeldCommitment(
            order=table.text(record, "order")[:ORDER_CHARACTERS] or f"line {record.line}",
            kind=kind,
            years=years,
            ends=ends,
            quantity=int(quantity),
            size=size,
            region=region,
            bought=bought,
            hourly_price=price,
            currency=currency,
        )
    except ValueError as error:
        raise _Faults([_Bad("", "", str(error))]) from error


def _kind(text: str) -> HeldKind:
    if not text:
        return "reservation"
    kind = _KIND_OF.get(squash(text))
    if kind is not None:
        return kind
    near = get_close_matches(squash(text), ("reservation", "savingsplan"), n=1, cutoff=0.7)
    if near:
        word = "savings_plan" if near[0] == "savingsplan" else near[0]
        raise _Bad("kind", text, "write reservation or savings_plan", (word,))
    raise _Skip  # SqlDatabases, Cosmos DB …


def _term(text: str) -> int:
    years = _TERM_OF.get(squash(text))
    if years is None:
        raise _Bad("term", text, "a term is 1, 3 or 5 years: P1Y, P3Y, P5Y")
    return years


def _day(column: str, text: str) -> date:
    found = _DAY.fullmatch(text)
    if found:
        try:
            return date(*map(int, found.groups()))
        except ValueError:
            pass
    raise _Bad(column, text, "write a day as 2027-11-30")


def _currency(text: str) -> str | None:
    if text and not (len(text) == 3 and text.isascii() and text.isalpha()):
        raise _Bad("currency", text, "write a code of three letters, for example EUR")
    return text.upper() or None


def _day_or_none(column: str, text: str) -> date | None:
    return _day(column, text) if text else None


def _parts(text: str) -> list[str]:
    """A product name and what its commas divide: `Reserved VM Instance, Standard_NC6s_v3, EU West, 3 Years`."""
    return [text, *(part.strip(BLANKS) for part in text.split(","))]


def _size(catalogue: Catalogue, text: str) -> str:
    for part in _parts(text):
        found = classify_size(part, catalogue)
        if found.kind is Kind.GPU and found.name:
            return found.name
        if found.kind in (Kind.OTHER, Kind.NOT_GPU):
            raise _Skip
    if catalogue.looks_like_n_series(text):
        raise _Bad("size", text, "no such N-series size is known", catalogue.nearest_sizes(text))
    raise _Bad("size", text, "a reservation needs its size, for example Standard_NC6s_v3")


def _region(catalogue: Catalogue, text: str, where: str) -> str:
    """The region of a reservation: its own cell, else a part of the product name."""
    for part in _parts(where):
        if part and (name := canonical_region(part, catalogue)):
            return name
    near = catalogue.nearest_regions(text) if text else ()
    raise _Bad("region", text, "a reservation needs its region, for example westeurope", near)
