"""Several readings as one: the sheets of a workbook, the files of a zip. Every row counts where its own part put it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from advisor.engine.columns import FLEET
from advisor.engine.gpu_use import GpuUse
from advisor.engine.readers.fleet_table import empty_fleet
from advisor.engine.readers.ignored import merge_ignored
from advisor.engine.readers.manifest import parts_told
from advisor.engine.readers.problems import LISTED
from advisor.engine.readers.reading import Problem, Reading
from advisor.engine.readers.together import pool_readings

#: What a row may be said to lack and still be a row of a list of machines.
_ROW_ERRORS = frozenset({"unknown_size", "missing_region", "unknown_region", "bad_number", "out_of_range", "bad_value"})

_BESIDE_COSTS = Problem(
    kind="list_beside_costs",
    severity="warning",
    message="a list of machines beside a cost export is not counted. Hand it in as a file of its own with the export.",
)
#: The kind of problem of a part that a person left out: nothing is said of its machines.
NOT_CHOSEN = "not_chosen"
#: Formats of a table that nobody recognised: what is said of a named format says more.
_ANY = frozenset({"hand-list", "unknown"})


def join_readings(name: str, parts: Sequence[tuple[str, Reading]], *, what: str, notes: Sequence[str] = ()) -> Reading:
    """The parts that hold machines as one Reading named `name`; `what` names a part: Sheet, File.

    Parts without machines are named in a note. Where no part has any, the answer is the refusal of one of a named
    format, else of the fullest.
    """
    parts = _with_usage_as_one(parts)
    used = [(title, reading) for title, reading in parts if _has_machines(reading)]
    if not used:
        title, fullest = max(parts, key=lambda part: (part[1].format not in _ANY, part[1].rows_read))
        said_of = tuple(_placed(problem, title, what) for problem in fullest.problems)
        kept = _utilisation(parts)
        return replace(fullest, file=name, problems=said_of, notes=(*fullest.notes, *notes), utilisation=kept)
    rest = [title for title, reading in parts if not _has_machines(reading) and not _left_out(reading)]
    named = ", ".join(f"“{title}”" for title in rest[:8]) + (f" and {len(rest) - 8} more" if len(rest) > 8 else "")
    said = [f"{what}s without machines are not read: {named}."] if rest else []
    problems = [_placed(problem, title, what) for title, reading in used for problem in reading.problems]
    problems.sort(key=lambda problem: problem.severity != "error")
    first = max((reading for _, reading in used), key=lambda reading: reading.gpu_rows)
    same = {(reading.encoding, reading.delimiter) for _, reading in used} == {(first.encoding, first.delimiter)}
    return Reading(
        file=name,
        format=first.format,
        encoding=first.encoding if same else None,
        delimiter=first.delimiter if same else None,
        usable=any(reading.usable for _, reading in used),
        rows_read=sum(reading.rows_read for _, reading in used),
        gpu_rows=sum(reading.gpu_rows for _, reading in used),
        other_rows=sum(reading.other_rows for _, reading in used),
        error_rows=sum(reading.error_rows for _, reading in used),
        fleet=_fleet([reading.fleet for _, reading in used]),
        problems=tuple(problems[:LISTED]),
        problems_left_out=sum(reading.problems_left_out for _, reading in used) + max(0, len(problems) - LISTED),
        notes=tuple(dict.fromkeys([*(note for _, reading in used for note in reading.notes), *said, *notes])),
        ignored=merge_ignored(entry for _, reading in used for entry in reading.ignored),
        quota=tuple(line for _, reading in parts for line in reading.quota),
        utilisation=_utilisation(parts),
        period=next((reading.period for _, reading in used if reading.period), None),
        ledger=next((reading.ledger for _, reading in used if reading.ledger), None),
    )


def _utilisation(parts: Sequence[tuple[str, Reading]]) -> tuple[GpuUse, ...]:
    return tuple(use for _, reading in parts for use in reading.utilisation)


def _with_usage_as_one(parts: Sequence[tuple[str, Reading]]) -> Sequence[tuple[str, Reading]]:
    """Parts of a cost export pooled: machines once, hours by day. Lists beside them have other hours and stay out."""
    usage = [reading for _, reading in parts if reading.ledger is not None]
    if not usage:
        return parts
    pooled = iter(pool_readings(usage, [r.ledger for r in usage if r.ledger is not None], f"{len(usage)} files"))
    if len(usage) == 1:
        pooled = iter(usage)
    files = [title for title, reading in parts if reading.ledger is not None]
    told = tuple(problem for _, reading in parts if (problem := parts_told(reading, files)))
    found = []
    for title, reading in parts:
        if reading.ledger is not None:
            one = next(pooled)
            found.append((title, replace(one, problems=(*told, *one.problems))))
            told = ()
        else:
            found.append((title, reading if reading.fleet.empty else without_machines(reading, _BESIDE_COSTS)))
    return found


def _has_machines(reading: Reading) -> bool:
    return reading.usable or any(problem.kind in _ROW_ERRORS for problem in reading.problems)


def _left_out(reading: Reading) -> bool:
    return any(problem.kind == NOT_CHOSEN for problem in reading.problems)


def _placed(problem: Problem, title: str, what: str) -> Problem:
    """The problem with the part it is about; in a sheet a line is a row."""
    message = problem.message
    if what == "Sheet" and message.startswith("Line "):
        message = f"row {message.removeprefix('Line ')}"
    return replace(problem, sheet=problem.sheet or title, message=f"{what} “{title}”: {message}")


def _fleet(fleets: Sequence[pd.DataFrame]) -> pd.DataFrame:
    filled = [fleet for fleet in fleets if len(fleet)]
    if len(filled) < 2:
        return filled[0] if filled else empty_fleet()
    plain = [
        fleet.astype({column.name: "object" for column in FLEET if column.dtype == "category"}) for fleet in filled
    ]
    table = pd.concat(plain, ignore_index=True)
    return table.astype({column.name: column.dtype for column in FLEET})


def without_machines(reading: Reading, problem: Problem) -> Reading:
    """The same rows as other rows: their machines are counted elsewhere, which `problem` says."""
    return replace(
        reading,
        gpu_rows=0,
        other_rows=reading.gpu_rows + reading.other_rows,
        fleet=empty_fleet(),
        problems=(*(p for p in reading.problems if p.severity == "error" and p.line is not None), problem),
    )
