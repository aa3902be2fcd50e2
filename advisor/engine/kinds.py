"""Kinds of machine: rows of a fleet that agree in everything that advice looks at, made one row with their sums.

Reading ends here: whatever the number of rows in the file, later stages see only its kinds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from advisor.engine.columns import FLEET, Column
from advisor.engine.grouping import group_rows, sums

_SUMS = ("count", "deallocated", "hours", "cost", "hours_written")
_NOT_KEYS = (*_SUMS, "line", "item", "name")
#: What tells two kinds apart; whether hours and cost are known does too, so that unknown never counts as 0.
KEYS = (*(column.name for column in FLEET if column.name not in _NOT_KEYS), "has_hours", "has_cost")
_KNOWN_BY = {"hours": "has_hours", "hours_written": "has_hours", "cost": "has_cost"}

Floats = NDArray[np.float64]


def grouped(fleet: pd.DataFrame) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    """The kinds of a fleet table, in the order in which the file names them, and the kind of each of its rows.

    The table has the columns of `columns.FLEET` without line, item and name. `hours` is the total of all machines (so
    `hours_per_vm` is False), `hours_written` the sum as the file has it; both, and `cost`, are NaN where unknown.
    """
    kinds, groups, values = _grouped(fleet)
    return _with_sums(kinds, {name: sums(own, groups, len(kinds)) for name, own in values.items()}), groups


def _grouped(fleet: pd.DataFrame) -> tuple[pd.DataFrame, NDArray[np.int64], dict[str, Floats]]:
    """The keys of each kind, the kind of each row, and what is added up of each row."""
    hours, count = fleet["hours"].to_numpy(dtype=float), fleet["count"].to_numpy(dtype=float)
    cost = fleet["cost"].to_numpy(dtype=float)
    values = {
        "count": count,
        "deallocated": fleet["deallocated"].to_numpy(dtype=float),
        "hours": np.where(fleet["hours_per_vm"].to_numpy(dtype=bool), hours * count, hours),
        "cost": cost,
        "hours_written": fleet["hours_written"].to_numpy(dtype=float) if "hours_written" in fleet else hours,
    }
    known = {"hours_per_vm": False, "has_hours": ~np.isnan(hours), "has_cost": ~np.isnan(cost)}
    table = pd.DataFrame({name: known[name] if name in known else fleet[name] for name in KEYS}, index=fleet.index)
    first, groups = group_rows(table, KEYS)
    return table.iloc[first].reset_index(drop=True), groups, values


def _with_sums(kinds: pd.DataFrame, added: dict[str, Floats]) -> pd.DataFrame:
    """The kinds with their sums, NaN where unknown; the columns of `columns.FLEET` in their order."""
    known = {name: np.where(kinds[_KNOWN_BY[name]], v, np.nan) if name in _KNOWN_BY else v for name, v in added.items()}
    order = [column.name for column in FLEET if column.name in KEYS or column.name in _SUMS]
    order += ["hours_written", "has_hours", "has_cost"]
    return pd.DataFrame({name: known[name] if name in known else kinds[name] for name in order})


class Pooling:
    """The kinds of a fleet that comes in blocks, of which none is kept.

    Sums are those of `grouped`: in the order of all rows, so it does not matter where the blocks were cut.
    """

    def __init__(self) -> None:
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._kinds: list[pd.DataFrame] = []  # of each block those that were new
        self._added: dict[str, Floats] = {name: np.zeros(0) for name in _SUMS}
        self._places: dict[str, Floats] = {name: np.zeros(0) for name in ("line", "last_line", "item")}

    def add(
        self, fleet: pd.DataFrame, of: NDArray[np.int64] | None = None, lines: NDArray[np.int64] | None = None
    ) -> None:
        """The next block, with the columns of `columns.FLEET`.

        Where its rows stand for several that are alike, `of` is the row of each of these, in their order, and `lines`
        are theirs.
        """
        if fleet.empty:
            return
        kinds, groups, values = _grouped(fleet)
        before = len(self._numbers)
        plain = kinds.astype(object)
        keys = plain.where(plain.notna(), None).itertuples(index=False, name=None)
        numbers = np.array([self._numbers.setdefault(key, len(self._numbers)) for key in keys], dtype=np.int64)
        self._kinds.append(kinds[numbers >= before])
        rows, number = numbers[groups], len(self._numbers)
        if of is not None:
            rows, values = rows[of], {name: own[of] for name, own in values.items()}
        for name, own in values.items():
            until = _longer(self._added[name], number, 0.0)
            weights = np.concatenate((until, np.nan_to_num(own)))
            self._added[name] = np.asarray(np.bincount(np.concatenate((np.arange(number), rows)), weights))
        for name, better in (("line", np.fmin), ("last_line", np.fmax), ("item", np.fmin)):
            own = fleet[name.removeprefix("last_")].to_numpy(dtype=float, na_value=np.nan)
            if lines is not None:
                own = np.full(len(lines), np.nan) if name == "item" else lines.astype(float)
            found, backwards = np.full(number, np.nan), -1 if better is np.fmin else 1
            found[rows[::backwards]] = own[::backwards]  # places ascend, and of several the one written last stays
            self._places[name] = better(_longer(self._places[name], number, np.nan), found)

    def __len__(self) -> int:
        return len(self._numbers)

    def table(self) -> pd.DataFrame:
        """One row per kind with the columns of `columns.FLEET`: sums, its first `line`, no name.

        Beyond them `hours_written` as in `grouped`, and `last_line`.
        """
        kinds = _with_sums(joined(self._kinds, [column for column in FLEET if column.name in KEYS]), self._added)
        places = {name: pd.Series(places).astype("Int64") for name, places in self._places.items()}
        columns = {**kinds, **places, "name": pd.array([None] * len(kinds), dtype="str")}
        counts = {name: kinds[name].astype("int64").astype("Int64") for name in ("count", "deallocated")}
        order = [*(column.name for column in FLEET), "hours_written", "last_line"]
        return pd.DataFrame({name: (columns | counts)[name] for name in order})


def _longer(values: Floats, number: int, filling: float) -> Floats:
    return np.concatenate((values, np.full(number - len(values), filling)))


def joined(fleets: Sequence[pd.DataFrame], columns: Sequence[Column] = FLEET) -> pd.DataFrame:
    """Blocks of a fleet as one table; categories are those that occur, sorted. Columns beyond `columns` stay too."""
    found: dict[str, Any] = {}
    dtypes = {column.name: column.dtype for column in columns}
    for name in fleets[0].columns:
        parts = [fleet[name] for fleet in fleets]
        if dtypes.get(name) == "category":
            found[name] = pd.Series(pd.api.types.union_categoricals(parts, sort_categories=True))
        else:
            found[name] = pd.concat(parts, ignore_index=True)
    return pd.DataFrame(found)
