"""A reading as the JSON of the contract: counts that add up, GPUs by size and region, and every problem."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

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
        "gpu": gpu_summary(reading.fleet),
        "problems": [problem_json(problem) for problem in reading.problems],
        "problems_left_out": reading.problems_left_out,
        "notes": list(reading.notes),
    }


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


def gpu_summary(fleet: pd.DataFrame) -> list[Json]:
    """One entry per size and region, sorted by both, rows without a region last; hours and cost as the file has them.

    `hours` and `cost` are None where no row of the entry has any, `currency` where none or several are named.
    """
    if fleet.empty:
        return []
    model = fleet["price_model"].astype(object).fillna("").astype(str)
    count = fleet["count"].to_numpy(dtype=float)
    table = pd.DataFrame(
        {
            "size": fleet["size"],
            "region": fleet["region"],
            "currency": fleet["currency"],
            "count": count,
            "deallocated": fleet["deallocated"].to_numpy(dtype=float),
            "spot": np.where(model == "spot", count, 0.0),
            "reservation": np.where(model.str.startswith("ri_"), count, 0.0),
            "savings_plan": np.where(model.str.startswith("sp_"), count, 0.0),
            "hours": fleet["hours"].to_numpy(dtype=float),
            "cost": fleet["cost"].to_numpy(dtype=float),
        }
    )
    entries = []
    for (size, region), rows in table.groupby(["size", "region"], observed=True, dropna=False, sort=False):
        currencies = rows["currency"].dropna().unique()
        entries.append(
            {
                "size": str(size),
                "region": None if pd.isna(region) else str(region),
                "count": int(rows["count"].sum()),
                "deallocated": int(rows["deallocated"].sum()),
                "spot": int(rows["spot"].sum()),
                "low_priority": 0,
                "reservation": int(rows["reservation"].sum()),
                "savings_plan": int(rows["savings_plan"].sum()),
                "hours": _total(rows["hours"]),
                "cost": _total(rows["cost"]),
                "currency": str(currencies[0]) if len(currencies) == 1 else None,
            }
        )
    return sorted(entries, key=lambda e: (str(e["size"]), e["region"] is None, str(e["region"])))


def _total(column: pd.Series[Any]) -> float | None:
    known = column.dropna()
    return float(known.sum()) if len(known) else None
