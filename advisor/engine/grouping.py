"""Grouping a large table by many columns: whole columns of codes, never row by row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray


def codes_of(column: pd.Series[Any]) -> NDArray[np.int64]:
    """Whole numbers from 0 that tell the distinct values of a column apart, missing included."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return np.asarray(column.cat.codes, dtype=np.int64) + 1
    codes, _ = pd.factorize(column, use_na_sentinel=True)
    return np.asarray(codes, dtype=np.int64) + 1


def group_rows(table: pd.DataFrame, keys: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Groups of rows that agree in all keys: the position of each group's first row, and the group of each row.

    Groups stand in the order of their first rows. Missing values are values of their own.
    """
    combined = np.zeros(len(table), dtype=np.int64)
    for key in keys:
        codes = codes_of(table[key])
        if len(codes) and codes.max() != codes.min():
            combined, _ = pd.factorize(combined * (codes.max() + 1) + codes)  # small again: it never overflows
    _, first, inverse = np.unique(combined, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return first[order], place[inverse]


def sums(values: Any, groups: NDArray[np.int64], number: int) -> NDArray[np.float64]:
    """The sum of each group; NaN counts as nothing."""
    weights = np.nan_to_num(np.asarray(values, dtype=float))
    return np.asarray(np.bincount(groups, weights=weights, minlength=number), dtype=np.float64)


def rows_of(groups: NDArray[np.int64], number: int) -> list[list[int]]:
    """The rows of each group, in order."""
    order = np.argsort(groups, kind="stable")
    return [rows.tolist() for rows in np.split(order, np.searchsorted(groups[order], np.arange(1, number)))]


def extreme(values: Any, groups: NDArray[np.int64], number: int, better: np.ufunc) -> NDArray[np.float64]:
    """The largest (np.fmax) or smallest (np.fmin) known value of each group, NaN where none is known."""
    result = np.full(number, np.nan)
    better.at(result, groups, np.asarray(values, dtype=float))
    return result
