"""A reading as the JSON of the contract: counts that add up, GPUs by size and region, and every problem."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd

from advisor.engine.grouping import codes_of, extreme, group_rows, sums
from advisor.engine.readers.reading import Problem, Reading

Json = dict[str, Any]


def reading_json(reading: Reading) -> Json:
    """One entry of `files` (inspect) or `import` (advise)."""
    period = reading.period
    return {
        "file": reading.file,
        "format": reading.format,
        "encoding": reading.encoding,
        "delimiter": reading.delimiter,
        "usable": reading.usable,
        "period": None
        if period is None
        else {"start": period.start.isoformat(), "end": period.end.isoformat(), "hours": period.hours},
        "rows_read": reading.rows_read,
        "gpu_rows": reading.gpu_rows,
        "other_rows": reading.other_rows,
        "error_rows": reading.error_rows,
        "gpu": gpu_summary(reading.kinds),
        "problems": [problem_json(problem) for problem in reading.problems],
        "problems_left_out": reading.problems_left_out,
        "notes": list(reading.notes),
    } | ({"quota": [asdict(line) for line in reading.quota]} if reading.quota else {})


def problem_json(problem: Problem) -> Json:
    """One problem; `line` is physical and 1-based, `item` the 0-based index of a JSON element."""
    return {
        "line": problem.line,
        "item": problem.item,
        "sheet": problem.sheet,
        "column": problem.column,
        "value": problem.value,
        "kind": problem.kind,
        "severity": problem.severity,
        "message": problem.message,
        "suggestions": list(problem.suggestions),
        "rows": problem.rows,
    }


def gpu_summary(kinds: pd.DataFrame) -> list[Json]:
    """One entry per size and region, sorted by both, rows without a region last; hours and cost as the file has them.

    `hours` and `cost` are None where no row of the entry has any, `currency` where none or several are named.
    """
    if kinds.empty:
        return []
    model = kinds["price_model"].astype(object).fillna("").astype(str).to_numpy(dtype=str)
    count = kinds["count"].to_numpy(dtype=float)
    low = kinds["low_priority"].to_numpy(dtype=bool, na_value=False)
    first, groups = group_rows(kinds, ["size", "region"])
    number = len(first)

    def total(values: Any) -> list[int]:
        return [round(value) for value in sums(values, groups, number)]

    columns: dict[str, list[Any]] = {
        "count": total(count),
        "deallocated": total(kinds["deallocated"]),
        "spot": total(count * ((model == "spot") & ~low)),
        "low_priority": total(count * low),
        "reservation": total(count * np.char.startswith(model, "ri_")),
        "savings_plan": total(count * np.char.startswith(model, "sp_")),
        "hours": _known_sums(kinds["hours_written"], groups, number),
        "cost": _known_sums(kinds["cost"], groups, number),
        "currency": _one_name(kinds["currency"], groups, number),
    }
    entries = []
    for place, (size, region) in enumerate(kinds.iloc[first][["size", "region"]].itertuples(index=False, name=None)):
        entry: Json = {"size": size, "region": region if isinstance(region, str) else None}
        entries.append(entry | {name: values[place] for name, values in columns.items()})
    return sorted(entries, key=lambda e: (e["size"], e["region"] is None, e["region"] or ""))


def _known_sums(column: pd.Series[Any], groups: Any, number: int) -> list[float | None]:
    """The sum of each group, None where no row of it has a value."""
    values = column.to_numpy(dtype=float)
    known = sums(~np.isnan(values), groups, number)
    return [float(value) if some else None for value, some in zip(sums(values, groups, number), known, strict=True)]


def _one_name(column: pd.Series[Any], groups: Any, number: int) -> list[str | None]:
    """The value that all rows of a group share, None where none or several are named."""
    codes = codes_of(column)
    low, high = extreme(codes, groups, number, np.fmin), extreme(codes, groups, number, np.fmax)
    names = column.iloc[np.unique(groups, return_index=True)[1]].tolist() if len(column) else []
    return [name if isinstance(name, str) and a == b else None for name, a, b in zip(names, low, high, strict=True)]
