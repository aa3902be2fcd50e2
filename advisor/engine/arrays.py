"""Columns of a table as plain arrays: reading a cell costs next to nothing, and a column that nobody reads nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

Array = np.ndarray[Any, Any]


class Arrays(Mapping[str, Array]):
    """The columns of a table by name, each made when it is first read; `shape` may give it another shape."""

    __slots__ = ("_made", "_names", "_shape", "_table")

    def __init__(self, table: pd.DataFrame, shape: Callable[[str, Array], Array] | None = None) -> None:
        self._table, self._shape = table, shape
        self._names = frozenset(table.columns)
        self._made: dict[str, Array] = {}

    def __getitem__(self, name: str) -> Array:
        made = self._made.get(name)
        if made is None:
            values = self._table[name].to_numpy()
            made = self._made[name] = values if self._shape is None else self._shape(name, values)
        return made

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._table.columns)

    def __len__(self) -> int:
        return len(self._names)
