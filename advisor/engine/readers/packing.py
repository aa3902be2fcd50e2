"""A reading made small enough to keep: equal rows of the fleet become one with their sums, names a short list.

Advice from a packed reading is that of the reading itself; what is lost is which line said what.
"""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import pandas as pd

from advisor.engine.columns import FLEET
from advisor.engine.gpu_use import gpu_use_json, gpu_use_of
from advisor.engine.grouping import extreme
from advisor.engine.kinds import grouped
from advisor.engine.readers.ignored import ignored_json, ignored_of
from advisor.engine.readers.reading import Period, Problem, Quota, Reading
from advisor.engine.readers.summary import Json, reading_json

#: Machine names kept for each kind of machine, by which utilisation is joined; more would be a copy of the file.
NAMES_KEPT = 1_000
NAMES_LOOKED_AT = 20_000  # of a file


def pack(reading: Reading) -> Json:
    """The reading as JSON values: its summary, and one row for each kind of machine with sums, lines and names."""
    return {
        "summary": reading_json(reading),
        "rows": _rows(reading.fleet),
        "ignored": [ignored_json(entry) for entry in reading.ignored],
    } | ({"utilisation": [gpu_use_json(use) for use in reading.utilisation]} if reading.utilisation else {})


def _rows(fleet: pd.DataFrame) -> list[Json]:
    if fleet.empty:
        return []
    kinds, groups = grouped(fleet)
    number = len(kinds)
    first_line = extreme(fleet["line"].astype("float64"), groups, number, np.fmin)
    last = fleet["last_line" if "last_line" in fleet else "line"].astype("float64")  # a long list is pooled already
    last_line = extreme(last, groups, number, np.fmax)
    names = _names(fleet["name"], groups, number)
    columns = [column.name for column in FLEET if column.name in kinds]
    rows = []
    for place, values in enumerate(kinds[columns].itertuples(index=False, name=None)):
        row: Json = {key: _plain(value) for key, value in zip(columns, values, strict=True)}
        row |= {
            "count": int(row["count"]),
            "deallocated": int(row["deallocated"]),
            "line": None if np.isnan(first_line[place]) else int(first_line[place]),
            "last_line": None if np.isnan(last_line[place]) else int(last_line[place]),
            "names": names[place],
        }
        rows.append(row)
    return rows


def _names(column: pd.Series[Any], groups: Any, number: int) -> list[list[str]]:
    """The first names of each group."""
    kept: list[list[str]] = [[] for _ in range(number)]
    known = np.flatnonzero(column.notna().to_numpy())
    for row in known[:NAMES_LOOKED_AT].tolist():
        if len(kept[groups[row]]) < NAMES_KEPT:
            kept[groups[row]].append(str(column.iloc[row]))
    return kept


def _plain(value: Any) -> Any:
    if value is None or value is pd.NA or (isinstance(value, float) and np.isnan(value)):
        return None
    return value.item() if isinstance(value, np.generic) else value


def unpack(packed: Json) -> Reading:
    """The reading that `pack` made small; raises KeyError when the JSON is not one of its own."""
    summary, rows = packed["summary"], packed["rows"]
    period = summary["period"]
    return Reading(
        file=summary["file"],
        format=summary["format"],
        encoding=summary["encoding"],
        delimiter=summary["delimiter"],
        usable=summary["usable"],
        rows_read=summary["rows_read"],
        gpu_rows=summary["gpu_rows"],
        other_rows=summary["other_rows"],
        error_rows=summary["error_rows"],
        fleet=fleet_of(rows),
        problems=tuple(problem_of(problem) for problem in summary["problems"]),
        problems_left_out=summary["problems_left_out"],
        period=None
        if period is None
        else Period(
            start=date.fromisoformat(period["start"]), end=date.fromisoformat(period["end"]), hours=period["hours"]
        ),
        notes=tuple(summary["notes"]),
        quota=tuple(Quota(**line) for line in summary.get("quota", ())),
        ignored=tuple(ignored_of(entry) for entry in packed.get("ignored", ())),
        utilisation=tuple(gpu_use_of(values) for values in packed.get("utilisation", ())),
        names=tuple(tuple(row.get("names", ())) for row in rows),
    )


def fleet_of(rows: list[Json]) -> pd.DataFrame:
    """Packed rows as a fleet table."""
    return pd.DataFrame({c.name: _column([row.get(c.name) for row in rows], c.dtype) for c in FLEET})


def _column(values: list[Any], dtype: str) -> Any:
    """The values as pandas would convert them; a short column of text is quicker by hand."""
    if dtype != "category":
        return pd.Series(values, dtype=dtype)
    texts = sorted({value for value in values if value is not None})
    places = {text: place for place, text in enumerate(texts)}
    codes = [places.get(value, -1) for value in values]
    return pd.Categorical.from_codes(codes, categories=pd.Index(texts, dtype="str" if texts else object))


def problem_of(values: Json) -> Problem:
    """The problem that `summary.problem_json` wrote."""
    return Problem(
        kind=values["kind"],
        severity=values["severity"],
        message=values["message"],
        line=values["line"],
        item=values["item"],
        sheet=values["sheet"],
        column=values["column"],
        value=values["value"],
        suggestions=tuple(values["suggestions"]),
        rows=values["rows"],
    )
