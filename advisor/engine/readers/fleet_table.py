"""Builds the fleet table, with exactly the columns of `columns.FLEET`, from judged rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from advisor.engine.columns import FLEET
from advisor.engine.readers.fields import Value
from advisor.engine.readers.hours import column_floats, read_hours, warn_counts
from advisor.engine.readers.machine import facts_category
from advisor.engine.readers.problems import Problems
from advisor.engine.readers.rows import Judged, Options
from advisor.engine.readers.table import Factor, Mask
from advisor.engine.readers.tags import tag_category
from advisor.engine.readers.text import BLANKS


def empty_fleet() -> pd.DataFrame:
    """A fleet table without rows."""
    series = {c.name: _constant(None, 0) if c.dtype == "category" else pd.Series([], dtype=c.dtype) for c in FLEET}
    return pd.DataFrame(series, columns=[column.name for column in FLEET])


def build_fleet(judged: Judged, options: Options, problems: Problems) -> pd.DataFrame:
    """One row per GPU row, in file order; adds the warnings that need whole rows (hours, counts)."""
    rows = judged.gpu
    lines = judged.gpu_lines
    count = _counts(judged, rows, problems)
    hours, per_vm = read_hours(judged, count, options.hours, problems)
    missing = _integers(np.ones_like(lines), known=False)
    placed = _integers(lines)
    data: dict[str, object] = {
        "line": missing if judged.table.is_items else placed,
        "item": placed if judged.table.is_items else missing,
        "name": _names(judged, rows),
        "size": _category(judged.table.columns[judged.layout.fields["size"]], [s.name for s in judged.sizes], rows),
        "region": _regions(judged, rows, options),
        "price_model": _price_models(judged, rows),
        "count": _integers(count),
        "deallocated": _integers(np.where(judged.deallocated[rows], count, 0)),
        "hours": hours,
        "hours_per_vm": per_vm,
        "service": _category_of(judged, "service", rows, "vm"),
        "facts": facts_category(judged),
        "tags": tag_category(judged, problems),
    }
    for column in FLEET:
        if column.name not in data:
            data[column.name] = _plain(judged, column.name, column.dtype, rows)
    return pd.DataFrame({column.name: data[column.name] for column in FLEET})


def _integers(values: NDArray[np.int64], *, known: bool = True) -> pd.arrays.IntegerArray:
    return pd.arrays.IntegerArray(values, np.full(len(values), not known))


def _category(column: Factor, values: Sequence[Value], rows: Mask) -> pd.Categorical:
    """The values of a column's rows as a category of the values that occur, sorted."""
    codes = column.codes[rows]
    used = np.flatnonzero(np.bincount(codes, minlength=1)).tolist()
    categories = sorted({str(values[code]) for code in used if values[code] is not None})
    number = {name: code for code, name in enumerate(categories)}
    place = np.full(max(len(values), 1), -1, dtype=np.int64)
    for code in used:
        place[code] = -1 if values[code] is None else number[str(values[code])]
    return pd.Categorical.from_codes(place[codes], categories=pd.Index(categories, dtype="str"))


def _constant(value: str | None, length: int) -> pd.Categorical:
    codes = np.full(length, -1 if value is None else 0, dtype=np.int8)
    return pd.Categorical.from_codes(codes, categories=pd.Index([] if value is None else [value], dtype="str"))


def _category_of(judged: Judged, name: str, rows: Mask, default: str | None = None) -> pd.Categorical:
    if name not in judged.parsed:
        return _constant(default, int(rows.sum()))
    return _category(judged.table.columns[judged.layout.fields[name]], judged.parsed[name].values, rows)


def _plain(judged: Judged, name: str, dtype: str, rows: Mask) -> object:
    if dtype == "category":
        return _category_of(judged, name, rows)
    if dtype == "float64":
        return column_floats(judged, name, rows)
    floats = column_floats(judged, name, rows)  # yes and no are 1 and 0
    return pd.arrays.BooleanArray(np.nan_to_num(floats).astype(np.bool_), np.isnan(floats))


def _names(judged: Judged, rows: Mask) -> object:
    names = judged.table.names
    if names is None:
        return pd.array([None] * int(rows.sum()), dtype="str")
    if rows.all():
        return pd.array([name.strip(BLANKS) or None for name in names], dtype="str")
    return pd.array([names[row].strip(BLANKS) or None for row in np.flatnonzero(rows).tolist()], dtype="str")


def _regions(judged: Judged, rows: Mask, options: Options) -> pd.Categorical:
    if judged.regions is None:
        return _constant(options.default_region, int(rows.sum()))
    return _category(judged.table.columns[judged.layout.fields["region"]], judged.regions, rows)


def _price_models(judged: Judged, rows: Mask) -> pd.Categorical:
    """The price model said, else spot where the size was written as a spot meter."""
    said = _category_of(judged, "price_model", rows)
    sizes = judged.table.columns[judged.layout.fields["size"]]
    spot = np.array([size.spot for size in judged.sizes] or [False], dtype=np.bool_)[sizes.codes[rows]]
    if not spot.any():
        return said
    categories = sorted({*said.categories, "spot"})
    codes = said.set_categories(pd.Index(categories, dtype="str")).codes
    codes = np.where(spot & (codes < 0), categories.index("spot"), codes)
    return pd.Categorical.from_codes(codes, categories=pd.Index(categories, dtype="str"))


def _counts(judged: Judged, rows: Mask, problems: Problems) -> NDArray[np.int64]:
    """Machines per row: one where the file has no such column or an empty cell, which is said once."""
    counts = column_floats(judged, "count", rows)
    empty = np.isnan(counts)
    warn_counts(judged, empty, problems)
    return np.where(empty, 1, counts).astype(np.int64)
