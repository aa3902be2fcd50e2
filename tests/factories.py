"""Small inputs for tests: a reading without a file, pools of one line."""

from __future__ import annotations

from datetime import date
from typing import Any

import pandas as pd

from advisor.engine.answer import Option, PoolAdvice
from advisor.engine.columns import FLEET
from advisor.engine.readers.reading import Reading
from advisor.engine.request import AdviceRequest
from advisor.engine.speed_own import OwnRatio
from advisor.engine.workload import ProfileFields

AS_OF = date(2026, 11, 30)
_EMPTY = {column.name: None for column in FLEET} | {
    "count": 1,
    "deallocated": 0,
    "hours": float("nan"),
    "hours_per_vm": False,
    "cost": float("nan"),
    "gpu_memory_gib": float("nan"),
    "utilisation": float("nan"),
    "job_gpus": float("nan"),
    "min_vms": float("nan"),
    "generation": float("nan"),
    "data_disks": float("nan"),
}


def make_reading(*rows: dict[str, Any], file: str = "fleet.csv") -> Reading:
    """A usable hand list with one GPU row per dictionary; missing columns are unknown."""
    fleet = pd.DataFrame([_EMPTY | row for row in rows])
    for column in FLEET:
        fleet[column.name] = fleet[column.name].astype(column.dtype)
    return Reading(
        file=file,
        format="hand-list",
        encoding="utf-8",
        delimiter=",",
        usable=True,
        rows_read=len(rows),
        gpu_rows=len(rows),
        other_rows=0,
        error_rows=0,
        fleet=fleet,
    )


def make_request(**values: Any) -> AdviceRequest:
    """A request of 2026-11-30; profile fields may be given by name, `measured` as ratios by (from, to)."""
    names = ProfileFields.__dataclass_fields__
    if isinstance(measured := values.get("measured"), dict):
        values["measured"] = tuple(OwnRatio(from_gpu=a, to_gpu=b, ratio=x) for (a, b), x in measured.items())
    profile = {name: values.pop(name) for name in list(values) if name in names}
    return AdviceRequest(**({"as_of": AS_OF, "profile": ProfileFields(**profile)} | values))


def make_row(size: str, count: int = 1, region: str | None = "westeurope", **columns: Any) -> dict[str, Any]:
    """Cells of one fleet row, on Linux unless said; `size` without Standard_, hours are per VM."""
    cells = {"size": f"Standard_{size}", "count": count, "region": region, "os": "linux"} | columns
    return cells | ({"hours_per_vm": True} if "hours" in columns and "hours_per_vm" not in columns else {})


def option_of(pool: PoolAdvice, size: str) -> Option:
    """The option for `size`, without Standard_; fails with what there is when it is none."""
    found = {option.size.removeprefix("Standard_"): option for option in pool.options}
    assert size in found, f"{size} is none of {', '.join(found)}"
    return found[size]


def rejected_codes(pool: PoolAdvice, size: str) -> set[str]:
    """Codes of the reasons for which `size`, without Standard_, is rejected; empty when it is not."""
    return {r.code for entry in pool.rejected if entry.size == f"Standard_{size}" for r in entry.reasons}


def codes_of(option: Option) -> set[str]:
    """Codes of all rules that an option carries."""
    return {reason.code for reason in option.rules}
