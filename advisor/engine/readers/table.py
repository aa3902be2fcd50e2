"""The raw table: each column as codes into its distinct texts, so that work is per text and not per row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

NAMES_KEPT_ROWS = 200_000  # in longer files machines have no names: no stage that sees so many rows needs them

Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Factor:
    """One column: `values[codes]` are its cells."""

    codes: NDArray[np.int32]
    values: list[str]

    def flag(self, test: Callable[[str], bool]) -> Mask:
        """True on the rows whose value passes `test`, which is asked once per distinct value."""
        flags = np.fromiter((test(value) for value in self.values), dtype=np.bool_, count=len(self.values))
        return flags[self.codes]

    def cell(self, row: int) -> str:
        return self.values[int(self.codes[row])]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Which column of a file holds which field. Positions are 0-based; `tags` are the further columns by tag name."""

    header: tuple[str, ...]
    fields: dict[str, int]
    tags: dict[str, int]

    @property
    def coded(self) -> tuple[int, ...]:
        """Positions to read as distinct values: all that are read but the name column."""
        return tuple(sorted({*self.fields.values(), *self.tags.values()} - {self.fields.get("name", -1)}))

    def title(self, field_name: str) -> str | None:
        """The file's own name of the column of a field, None when it has no such column."""
        place = self.fields.get(field_name)
        return self.header[place] if place is not None and place < len(self.header) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RawTable:
    """The records of a file that are not blank. `lines` are physical lines, or element numbers when `is_items`.

    Of a long file records that say the same may stand once: `records` is then the record of each line, and all but
    `lines` is per record.
    """

    lines: Integers
    columns: dict[int, Factor]
    names: list[str] | None  # the name column, whose values are mostly distinct; None: no such column, or not kept
    rare_names: dict[int, str]  # where names are not kept: those of rows without a size, by row
    is_items: bool = False
    records: Integers | None = None

    @property
    def number(self) -> int:
        """Of records."""
        return len(next(iter(self.columns.values())).codes) if self.records is not None else len(self.lines)

    def per_line(self, values: NDArray[Any]) -> NDArray[Any]:
        """Values of each record as those of each line."""
        return values if self.records is None else np.asarray(values[self.records])

    def expanded(self) -> RawTable:
        """The same with one record per line."""
        if self.records is None:
            return self
        columns = {place: Factor(self.per_line(column.codes), column.values) for place, column in self.columns.items()}
        return replace(self, columns=columns, records=None)

    def name(self, row: int) -> str:
        """The name in a row without a size, "" where the file has none."""
        return self.rare_names.get(row, "") if self.names is None else self.names[row]

    def factor(self, layout: Layout, field_name: str) -> Factor | None:
        place = layout.fields.get(field_name)
        return None if place is None else self.columns.get(place)


@dataclass(slots=True)
class TableBuilder:
    """Collects records or blocks of records into a RawTable."""

    layout: Layout
    is_items: bool = False
    _lines: list[Integers] = field(default_factory=list)
    _names: list[str] | None = None
    _rare_names: dict[int, str] = field(default_factory=dict)
    _codes: dict[int, list[NDArray[np.int32]]] = field(default_factory=dict)
    _index: dict[int, dict[str, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for place in self.layout.coded:
            self._codes[place] = []
            self._index[place] = {}

    def add_rows(self, lines: Sequence[int], rows: Sequence[Sequence[str]]) -> None:
        """Add records whose cells are all there (short ones filled up)."""
        self._lines.append(np.array(lines, dtype=np.int64))
        for place in self.layout.coded:
            index = self._index[place]
            codes = [index.setdefault(row[place], len(index)) for row in rows]
            self._codes[place].append(np.array(codes, dtype=np.int32))
        if (place := self.layout.fields.get("name", -1)) >= 0:
            self._names = self._names or []
            self._names.extend(row[place] for row in rows)

    def add(self, block: RawTable) -> None:
        """Add a block of records of which each column is coded already."""
        block, before = block.expanded(), sum(map(len, self._lines))
        self._rare_names.update({before + row: name for row, name in block.rare_names.items()})
        self._lines.append(block.lines)
        for place, column in block.columns.items():
            index = self._index[place]
            codes = [index.setdefault(value, len(index)) for value in column.values]
            self._codes[place].append(np.array(codes, dtype=np.int32)[column.codes])
        if block.names is not None:
            self._names = self._names or []
            self._names.extend(block.names)

    def build(self) -> RawTable:
        lines = np.concatenate(self._lines) if self._lines else np.array([], dtype=np.int64)
        empty = np.array([], dtype=np.int32)
        columns = {
            place: Factor(np.concatenate(codes) if codes else empty, list(self._index[place]))
            for place, codes in self._codes.items()
        }
        return RawTable(
            lines=lines, columns=columns, names=self._names, rare_names=self._rare_names, is_items=self.is_items
        )
