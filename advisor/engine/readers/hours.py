"""The hours column of a list: per VM or of the whole row, and what is said about values that cannot be."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from advisor.engine.readers.problems import Problems
from advisor.engine.readers.reading import Problem
from advisor.engine.readers.rows import HoursReading, Judged
from advisor.engine.readers.table import Mask

HOURS_IN_MONTH_MAX = 744.0  # 31 days of 24 hours

Floats = NDArray[np.float64]


def column_floats(judged: Judged, name: str, rows: Mask) -> Floats:
    """The values of a numeric field on `rows`, NaN where it is not said or the file has no such column."""
    if name not in judged.parsed:
        return np.full(int(rows.sum()), np.nan)
    values = [np.nan if value is None else float(value) for value in judged.parsed[name].values]
    column = judged.table.columns[judged.layout.fields[name]]
    return np.array(values or [np.nan], dtype=np.float64)[column.codes[rows]]


def read_hours(
    judged: Judged, count: NDArray[np.int64], reading: HoursReading | None, problems: Problems
) -> tuple[Floats, Mask]:
    """Hours of each GPU row as written, and whether they are per VM.

    Per VM: what the user says (`reading`); a column whose name says so; else a value of at most 744 beside a count
    above 1, about which there is one warning with both readings. Where a row fills both columns, the per-VM one counts.
    A row whose machines would run more than 744 hours each gets a warning.
    """
    each = column_floats(judged, "hours_per_vm", judged.gpu)
    total = column_floats(judged, "hours", judged.gpu)
    named = ~np.isnan(each)
    hours = np.where(named, each, total)
    with np.errstate(invalid="ignore"):
        guessed = ~named & (count > 1) & (hours > 0) & (hours <= HOURS_IN_MONTH_MAX)
    known = ~np.isnan(hours)
    if reading is not None:
        per_vm = known & (reading == "per-vm")
    else:
        per_vm = named | guessed
        _warn_guessed(judged, count, hours, guessed, problems)
    with np.errstate(invalid="ignore"):
        too_many = np.where(per_vm, hours, hours / np.maximum(count, 1)) > HOURS_IN_MONTH_MAX
    _warn_too_many(judged, hours, too_many, problems)
    return hours, per_vm


def _warn_guessed(judged: Judged, count: NDArray[np.int64], hours: Floats, guessed: Mask, problems: Problems) -> None:
    if not guessed.any():
        return
    first = int(np.flatnonzero(guessed)[0])
    value, machines = hours[first], int(count[first])

    def text(rows: int) -> str:
        return (
            f"{value:g} hours for {machines} machines is read as per VM, {value * machines:g} in all; "
            f"read per row it would be {value / machines:g} for each (rows like this: {rows:,}). "
            "Choose “per row” if the column holds the row's total."
        )

    _count(judged, problems, first, "hours_reading", "hours", int(guessed.sum()), text)


def _warn_too_many(judged: Judged, hours: Floats, too_many: Mask, problems: Problems) -> None:
    places, room = np.flatnonzero(too_many), problems.room("warning")
    problems.unlisted += max(0, len(places) - room)
    for row in places[:room].tolist():
        text = f"{hours[row]:g} hours are more than {HOURS_IN_MONTH_MAX:g} for each machine, and a month has no more."
        problems.add(_warning(judged, row, "hours_high", "hours", text))


def warn_counts(judged: Judged, empty: Mask, problems: Problems) -> None:
    """Say once that empty cells of the count column are read as one machine."""
    if empty.any() and "count" in judged.parsed:

        def text(rows: int) -> str:
            return f"the number of machines is empty and is read as 1 (rows like this: {rows:,})."

        _count(judged, problems, int(np.flatnonzero(empty)[0]), "count_assumed", "count", int(empty.sum()), text)


def _count(
    judged: Judged, problems: Problems, row: int, kind: str, field: str, rows: int, text: Callable[[int], str]
) -> None:
    """Count rows of which one warning is said, at the first of them."""
    first = _warning(judged, row, kind, field, "")
    problems.count(first, rows, lambda number: first.message + text(number))


def _warning(judged: Judged, row: int, kind: str, field: str, text: str) -> Problem:
    """A warning about the `row`-th GPU row."""
    place = int(judged.gpu_lines[row])
    items = judged.table.is_items
    column = judged.layout.title(field) or judged.layout.title("hours_per_vm" if field == "hours" else field)
    return Problem(
        kind=kind,
        severity="warning",
        message=f"{'Element' if items else 'Line'} {place}: {text}",
        column=column,
        line=None if items else place,
        item=place if items else None,
    )
