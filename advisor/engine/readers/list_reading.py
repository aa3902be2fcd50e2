"""A list of machines in the making: blocks of rows go in, one reading comes out.

Of a block only what it adds up to is kept, so that memory follows the kinds of machine of a long list and not its rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.fleet_rows import FleetRows
from advisor.engine.readers.fleet_table import build_fleet
from advisor.engine.readers.head import Head
from advisor.engine.readers.ignored import ignored_rows, merge_ignored
from advisor.engine.readers.problems import Problems
from advisor.engine.readers.reading import Ignored, Problem, Reading
from advisor.engine.readers.rows import TOTALS_SHOWN, Judged, Options, judge
from advisor.engine.readers.seen import Seen
from advisor.engine.readers.table import Layout, RawTable, TableBuilder


@dataclass(slots=True)
class ListReading:
    """What the blocks of one file have in common, and what has been added up."""

    head: Head
    layout: Layout
    catalogue: Catalogue
    options: Options
    problems: Problems
    seen: Seen
    format_name: str
    _fleet: FleetRows = field(default_factory=FleetRows)
    _ignored: list[Ignored] = field(default_factory=list)
    _totals: list[int] = field(default_factory=list)
    _not_gpu: int = 0
    _gpu: int = 0
    _other: int = 0
    _errors: int = 0
    _is_items: bool = False
    _blocks: int = 0

    def add(self, raw: RawTable) -> None:
        """Judge a block of rows. Raises ReadAgain where it shows that earlier ones were read otherwise."""
        if raw.records is not None and not self._add_alike(raw):
            raw = raw.expanded()
        if raw.records is None:
            judged = judge(raw, self.layout, self.catalogue, self.options, self.problems, seen=self.seen)
            fleet = build_fleet(judged, self.options, self.problems)
            self._fleet.add(fleet, records=len(raw.lines))
            self._count(judged)

    def _add_alike(self, raw: RawTable) -> bool:
        """Judge records that stand for several rows; False where something is to be said of single rows."""
        problems = Problems()
        judged = judge(raw, self.layout, self.catalogue, self.options, problems, seen=self.seen)
        fleet = build_fleet(judged, self.options, problems)
        if problems.of_rows() or len(judged.totals):
            return False
        self.problems.take(problems)
        rows = np.flatnonzero(raw.per_line(judged.gpu))
        of = (np.cumsum(judged.gpu) - 1)[raw.per_line(np.arange(len(judged.gpu)))[rows]]
        self._fleet.add_alike(fleet, of, raw.lines[rows])
        self._count(judged)
        return True

    def _count(self, judged: Judged) -> None:
        per_line = judged.table.per_line
        self._ignored.extend(ignored_rows(judged))
        self._totals += judged.totals.tolist()[: TOTALS_SHOWN - len(self._totals)]
        self._not_gpu += judged.not_gpu
        self._gpu += int(per_line(judged.gpu).sum())
        self._other += int(per_line(judged.other).sum())
        self._errors += int(per_line(judged.error).sum())
        self._is_items = judged.table.is_items
        self._blocks += 1

    def finish(self, *, spoilt: int = 0, skipped: int = 0) -> Reading:
        """The reading of all blocks; `spoilt` are error rows and `skipped` other rows that have no cells.

        A file without any row that could be used is not usable.
        """
        if not self._blocks:
            self.add(TableBuilder(self.layout).build())
        other, errors = self._other + skipped, self._errors + spoilt
        if not self._gpu + other:
            what = "no row of the file could be read" if errors else "the file has no rows below its column names"
            message = f"No fleet: {what}. `inspect --template` prints a list to fill in."
            self.problems.add(Problem(kind="no_rows", severity="error", message=message))
        listed, left_out = self.problems.listed()
        skipped_rows = [Ignored(why="no_machine", rows=skipped)] if skipped else []
        reading = Reading(
            file=self.head.name,
            format=self.format_name,
            encoding=self.head.decoding.label,
            delimiter=self.head.table.delimiter if self.head.table else None,
            usable=self._gpu + other > 0,
            rows_read=self._gpu + other + errors,
            gpu_rows=self._gpu,
            other_rows=other,
            error_rows=errors,
            fleet=self._fleet.table(),
            problems=listed,
            problems_left_out=left_out,
            notes=self._notes(),
            ignored=merge_ignored([*self._ignored, *skipped_rows]),
        )
        _ = reading.kinds  # grouping is part of reading: advice must not cost more for a longer file
        return reading

    def _notes(self) -> tuple[str, ...]:
        notes = []
        if self._totals:
            where = "element" if self._is_items else "line"
            notes.append(f"Totals are not counted as machines: {where} {', '.join(map(str, self._totals))}.")
        if self._not_gpu:
            notes.append(f"Rows that name FPGA or media sizes (NP, NM), which are no GPU sizes: {self._not_gpu:,}.")
        return tuple(notes)
