"""Collects machines from files that are no tables: their cells, and the elements that are none or cannot be used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from advisor.engine.readers.delimited import CHUNK_RECORDS
from advisor.engine.readers.problems import Problems, shown
from advisor.engine.readers.reading import Problem, Severity
from advisor.engine.readers.table import Layout, RawTable, TableBuilder


@dataclass(slots=True)
class Collector:
    """A raw table in the making. A place is an element's index when `is_items`, else a physical line."""

    layout: Layout
    problems: Problems
    is_items: bool = True
    skipped: int = 0  # elements that are no machines
    spoilt: int = 0  # elements that cannot be used, each reported
    _rows: list[Sequence[str]] = field(default_factory=list)
    _places: list[int] = field(default_factory=list)
    _builder: TableBuilder = field(init=False)

    def __post_init__(self) -> None:
        self._builder = TableBuilder(self.layout, is_items=self.is_items)

    def add(self, place: int, cells: Sequence[str]) -> None:
        """One row of machines, with its cells in the order of the layout."""
        self._places.append(place)
        self._rows.append(cells)
        if len(self._rows) == CHUNK_RECORDS:
            self._flush()

    def skip(self, place: int, kind: str = "", message: str = "") -> None:
        """An element that is no machine; `message` tells the user why, where that is not plain."""
        self.skipped += 1
        if message:
            self.say("warning", place, kind, message)

    def spoil(self, place: int, kind: str, message: str, *, column: str | None = None, value: str = "") -> None:
        """An element that cannot be used."""
        self.spoilt += 1
        self.say("error", place, kind, message, column=column, value=value)

    def say(
        self,
        severity: Severity,
        place: int,
        kind: str,
        message: str,
        *,
        column: str | None = None,
        value: str = "",
        suggestions: tuple[str, ...] = (),
    ) -> None:
        """Something about one element; its place is put before the message."""
        where = "Element" if self.is_items else "Line"
        at = f"{where} {place}" + (f", {shown(column)}" if column else "")
        self.problems.add(
            Problem(
                kind=kind,
                severity=severity,
                message=f"{at}: {message}",
                line=None if self.is_items else place,
                item=place if self.is_items else None,
                column=column,
                value=shown(value) or None,
                suggestions=suggestions,
            )
        )

    def build(self) -> RawTable:
        self._flush()
        return self._builder.build()

    def _flush(self) -> None:
        self._builder.add_rows(self._places, self._rows)
        self._places, self._rows = [], []
