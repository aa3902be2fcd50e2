"""Tables of plain arrays: pools x sizes without repeating what is the same for a whole pool or for all pools.

A column is an array of two axes that numpy spreads over the table: one column for a fact of the pool, one row for a
fact of the size, all of them for a fact of the pair. A table of plain rows has one column per row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

Array = np.ndarray[Any, Any]


class Table:
    """Columns by name, each spread over `shape`: rows of a grid and, on the second axis, its columns.

    Entries count along the rows: entry 5 of a table of 2 x 3 is the last one. A column of another table (`take`) is
    gathered when it is first read, so that a column that nobody reads costs nothing.
    """

    __slots__ = ("_columns", "_flat", "_from", "_positions", "shape")

    def __init__(
        self,
        columns: Mapping[str, Array],
        shape: tuple[int, int],
        source: Table | None = None,
        positions: Array | None = None,
    ) -> None:
        self._columns = dict(columns)
        self._flat: dict[str, Array] = {}
        self._from, self._positions = source, positions
        self.shape = shape

    @classmethod
    def of(cls, columns: Mapping[Any, Any] | pd.DataFrame) -> Table:
        """A table of plain rows from columns of equal length; text stays plain, a missing text None."""
        plain = {str(name): _plain(columns[name])[:, None] for name in columns}
        return cls(plain, (len(next(iter(plain.values()))), 1))

    def __getitem__(self, name: str) -> Array:
        found = self._columns.get(name)
        if found is None:
            if self._from is None or self._positions is None:
                raise KeyError(name)
            found = self._columns[name] = self._from.at(name, self._positions)[:, None]
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._columns or (self._from is not None and name in self._from)

    def __iter__(self) -> Iterator[str]:
        yield from self._columns
        yield from (name for name in self._from or () if name not in self._columns)

    def __len__(self) -> int:
        """Entries of the table, not its columns."""
        return self.shape[0] * self.shape[1]

    def flat(self, name: str) -> Array:
        """The column with one value per entry."""
        found = self._flat.get(name)
        if found is None:
            found = self._flat[name] = np.broadcast_to(self[name], self.shape).reshape(-1)
        return found

    def at(self, name: str, positions: Array) -> Array:
        """The values of a column at some entries."""
        values = self[name]
        if values.shape == self.shape:
            return values.reshape(-1)[positions]
        rows, columns = np.divmod(positions, self.shape[1])
        found = values[rows if len(values) > 1 else 0, columns if values.shape[1] > 1 else np.zeros_like(columns)]
        return np.asarray(found)

    def cell(self, name: str, position: int) -> Any:
        """One value."""
        if self.shape[1] == 1:
            return self.flat(name)[position]
        values = self[name]
        row, column = divmod(position, self.shape[1])
        return values[row if len(values) > 1 else 0, column if values.shape[1] > 1 else 0]

    def with_columns(self, **columns: Any) -> Table:
        """The table with more columns, or others of the same names; what the two share is not copied."""
        added = {name: self._spread(np.asarray(values)) for name, values in columns.items()}
        return Table(self._columns | added, self.shape, self._from, self._positions)

    def _spread(self, values: Array) -> Array:
        if values.ndim == 2:
            return values
        return values.reshape(self.shape) if values.ndim else values.reshape(1, 1)

    def take(self, positions: Any) -> Table:
        """A table of plain rows: those entries, in that order."""
        positions = np.asarray(positions, dtype=np.intp)
        return Table({}, (len(positions), 1), self, positions)

    def frame(self) -> pd.DataFrame:
        """All columns side by side, for people who look at a table."""
        return pd.DataFrame({name: pd.Series(self.flat(name), dtype=self[name].dtype) for name in self})


def as_number(value: float | bool | None) -> float:
    """The value as a column of numbers holds it: NaN where it is unknown."""
    return np.nan if value is None else float(value)


def as_column(values: Sequence[Any]) -> Array:
    """Values as an array of numbers or of truths where all are such, else of plain objects; None is unknown."""
    if all(isinstance(value, bool) for value in values):
        return np.array(values, dtype=bool)
    array = np.empty(len(values), dtype=float if all(isinstance(value, float) for value in values) else object)
    array[:] = values
    return array


def gathered(facts: Array, places: Array) -> Array:
    """A fact of every size for the sizes at some places; -1 is a size that nobody knows, of which nothing is known."""
    if facts.dtype == float:
        return np.append(facts, np.nan)[places]
    return np.append(facts.astype(object), np.array([None], dtype=object))[places]


def _plain(values: Any) -> Array:
    """Values as numbers, truths or plain objects."""
    array = values.to_numpy() if isinstance(values, pd.Series) else None
    if array is None and isinstance(values[0], (bool, int, float, np.number)):
        array = np.asarray(values)
    if array is not None and array.dtype.kind in "biuf":
        return array
    return np.fromiter(values, dtype=object, count=len(values))
