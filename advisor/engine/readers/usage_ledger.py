"""The hours of machines: what a usage file adds up to, bounded by its machines and days and not by its rows.

Figures are summed row by row in file order, so that the answer does not depend on where a file was cut into blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from advisor.engine.readers.ignored import LISTED
from advisor.engine.readers.reading import Ignored, Period
from advisor.engine.readers.usage_days import Day
from advisor.engine.readers.usage_texts import MODELS, Machine

ENTRIES_KEPT = 1_000_000  # before equal ones are added up: some 40 MB
IGNORED_KEPT = 10 * LISTED  # sizes and categories without a GPU that are counted apart

Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """One machine at one size and region, or those of a scale set or workspace that the file does not tell apart."""

    machine: Machine
    size: str
    region: str | None
    currency: str | None
    windows: bool | None  # None: nothing says
    licence_in_meter: bool
    tags: str | None
    place: int  # line, or element, of its first row

    @property
    def key(self) -> tuple[str, str]:
        return self.machine.resource, self.machine.vm_name


@dataclass(frozen=True, slots=True)
class Entries:
    """Hours and cost by owner, day and price model, one entry each. NaN: the file does not say, or not all of it."""

    owner: Numbers
    day: Numbers
    model: Numbers
    hours: Floats
    cost: Floats

    def added_up(self) -> Entries:
        """Equal owners, days and models as one entry; sums in the order of the entries."""
        keys = (self.owner * (int(self.day.max(initial=0)) + 1) + self.day) * len(MODELS) + self.model
        _, first, group = np.unique(keys, return_index=True, return_inverse=True)
        return Entries(
            self.owner[first],
            self.day[first],
            self.model[first],
            summed(self.hours, group, len(first)),
            summed(self.cost, group, len(first)),
        )


def summed(values: Floats, groups: Numbers, number: int) -> Floats:
    """The sum of each group in the order of the values; NaN where one is unknown."""
    total = np.zeros(number)
    np.add.at(total, groups, values)
    return total


def joined(parts: list[Entries]) -> Entries:
    if not parts:
        nothing, none = np.array([], dtype=np.int64), np.array([], dtype=float)
        return Entries(nothing, nothing, nothing, none, none)
    names = ("owner", "day", "model", "hours", "cost")
    return Entries(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


@dataclass
class UsageLedger:
    """All that is kept of a usage file while it is read."""

    open_end: bool  # the end of a billing period is the day after it
    is_items: bool = False
    owners: list[Owner] = field(default_factory=list)
    days: dict[Day | None, int] = field(default_factory=dict)  # of usage rows that count; None: no day
    used: set[Day] = field(default_factory=set)  # of all rows
    starts: set[Day] = field(default_factory=set)
    ends: set[Day] = field(default_factory=set)
    licences: dict[tuple[str, str], float] = field(default_factory=dict)  # cost of Windows by machine
    ignored: dict[tuple[str, str], Ignored] = field(default_factory=dict)
    periods: tuple[Period, ...] = ()  # of several files, those that do not touch; empty: by the days
    rows: int = 0
    gpu_rows: int = 0
    terms_assumed: int = 0
    bare_commitments: int = 0  # rows of a commitment whose price stands in another row
    _index: dict[tuple[object, ...], int] = field(default_factory=dict)
    _parts: list[Entries] = field(default_factory=list)
    _waiting: int = 0

    def number(self, key: tuple[object, ...]) -> int | None:
        """The number of the owner with that key, None where there is none yet."""
        return self._index.get(key)

    def number_of(self, key: tuple[object, ...], owner: Owner) -> int:
        """The number of the owner with that key; the first that comes stands for the others."""
        found = self._index.setdefault(key, len(self.owners))
        if found == len(self.owners):
            self.owners.append(owner)
        return found

    def keyed(self) -> Iterator[tuple[tuple[object, ...], Owner]]:
        """Every owner with its key, in the order of their numbers."""
        return zip(self._index, self.owners, strict=True)

    def day_number(self, day: Day | None) -> int:
        return self.days.setdefault(day, len(self.days))

    def add(self, entries: Entries) -> None:
        self._parts.append(entries)
        self._waiting += len(entries.owner)
        if self._waiting > ENTRIES_KEPT:
            self._parts = [joined(self._parts).added_up()]
            self._waiting = 0

    def entries(self) -> Entries:
        """Everything that was added, one entry per owner, day and price model."""
        self._parts = [joined(self._parts).added_up()]
        return self._parts[0]

    def ignore(self, why: str, size: str, rows: int, first: int, last: int) -> None:
        """Count rows that are no hours of GPU machines, by reason and by what they name."""
        key = (why, size.casefold())
        before = self.ignored.get(key)
        if before is None and len(self.ignored) >= IGNORED_KEPT:
            key, size = (why, ""), ""
            before = self.ignored.get(key)
        places = (None, None) if self.is_items else (min(first, before.first or first) if before else first, last)
        total = rows + (before.rows if before else 0)
        self.ignored[key] = Ignored(why=why, size=size or None, rows=total, first=places[0], last=places[1])
