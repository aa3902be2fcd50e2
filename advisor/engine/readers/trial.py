"""What a mapping makes of the first rows of a table, row by row, before it is used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.mapping import ColumnMapping
from advisor.engine.readers.problems import shown
from advisor.engine.readers.reading import Problem, Reading
from advisor.engine.readers.records import Record
from advisor.engine.readers.summary import Json, gpu_summary
from advisor.engine.readers.text import BLANKS
from advisor.engine.readers.tops import TableTop, try_mapping

ROWS_SHOWN = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedRow:
    """One row as read: a GPU machine with what is known of it, another one, or refused with the reasons.

    What is not said is None. `hours` are those of the row as the file has them, of each machine where `per_vm`.
    """

    line: int
    verdict: Literal["gpu", "other", "refused"]
    size: str  # as written, where it is no GPU size
    name: str | None = None
    region: str | None = None
    count: int | None = None
    deallocated: int = 0
    hours: float | None = None
    per_vm: bool = False
    os: str | None = None
    price_model: str | None = None
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """The first rows read with a mapping; `whole`: there are no more. `refusal` says why none could be read."""

    reading: Reading
    whole: bool
    rows: tuple[TriedRow, ...]
    sizes: tuple[Json, ...]  # GPU machines by size and region, as in inspect
    refusal: str | None


def trial(name: str, top: TableTop, catalogue: Catalogue, mapping: ColumnMapping) -> Trial:
    """Read the first rows with the mapping, by the reader that reads the whole file."""
    reading, whole = try_mapping(name, top, catalogue, mapping)
    places = {field: place for place, field in mapping.places(top.table.header).items()}
    rows = tuple(_rows(top, reading, places.get("size")))
    errors = [problem.message for problem in reading.problems if problem.severity == "error"]
    refusal = None if reading.usable else next(iter(errors), "No row could be read.")
    return Trial(reading=reading, whole=whole, rows=rows, sizes=tuple(gpu_summary(reading.kinds)), refusal=refusal)


def _rows(top: TableTop, reading: Reading, size_place: int | None) -> Iterator[TriedRow]:
    fleet = reading.fleet.head(ROWS_SHOWN)
    plain = fleet.astype(object).where(fleet.notna(), None)
    machines = {int(row["line"]): row for row in plain.to_dict("records") if row["line"] is not None}
    wrong: dict[int, list[Problem]] = {}
    for problem in reading.problems:
        if problem.severity == "error" and problem.line is not None:
            wrong.setdefault(problem.line, []).append(problem)
    for record in [record for record in top.records(ROWS_SHOWN * 2) if not record.blank][:ROWS_SHOWN]:
        yield _row(record, machines.get(record.line), wrong.get(record.line, []), size_place)


def _row(record: Record, machine: dict[Any, Any] | None, wrong: list[Problem], size_place: int | None) -> TriedRow:
    cells = record.cells
    written = shown(cells[size_place].strip(BLANKS)) if size_place is not None and size_place < len(cells) else ""
    if wrong:
        why = tuple(problem.message for problem in wrong)
        return TriedRow(line=record.line, verdict="refused", size=written, why=why)
    if machine is None:
        return TriedRow(line=record.line, verdict="other", size=written)
    return TriedRow(
        line=record.line,
        verdict="gpu",
        size=machine["size"],
        name=None if machine["name"] is None else shown(machine["name"]),
        region=machine["region"],
        count=int(machine["count"]),
        deallocated=int(machine["deallocated"]),
        hours=None if pd.isna(machine["hours"]) else float(machine["hours"]),
        per_vm=bool(machine["hours_per_vm"]),
        os=machine["os"],
        price_model=machine["price_model"],
    )
