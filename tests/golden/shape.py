"""The keys of the contract with their types: what scripts and other tools rely on. Keys may be added.

A type in a list is the type of every element, a tuple holds alternatives, `None` among them means that an unknown is
allowed. A string stands for itself, a set for any of its members.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator
from typing import Any

Check = Callable[[Any], bool]


def number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def amount(value: Any) -> bool:
    """Money, hours or GPUs: never negative."""
    return number(value) and value >= 0


def positive(value: Any) -> bool:
    return number(value) and value > 0


def share(value: Any) -> bool:
    return number(value) and 0 <= value <= 1


def percent(value: Any) -> bool:
    return number(value) and 0 <= value <= 100


def text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def any_text(value: Any) -> bool:
    return isinstance(value, str)


def flag(value: Any) -> bool:
    return isinstance(value, bool)


def day(value: Any) -> bool:
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        return False
    try:
        datetime.date.fromisoformat(value)
    except ValueError:
        return False
    return True


def currency(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch("[A-Z]{3}", value) is not None


def pool_id(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{8}", value) is not None


PRICE_MODELS = {"payg", "spot", "ri_1y", "ri_3y", "sp_1y", "sp_3y"}
GRADES = {"A", "B", "C", "D", "E"}

PROBLEM = {
    "line": (count, None),
    "item": (count, None),
    "sheet": (text, None),
    "column": (text, None),
    "value": (any_text, None),
    "kind": text,
    "severity": {"error", "warning"},
    "message": text,
    "suggestions": [text],
}
READING = {
    "file": text,
    "format": text,
    "encoding": (text, None),
    "delimiter": (text, None),
    "usable": flag,
    "period": ({"start": day, "end": day, "hours": positive}, None),
    "rows_read": count,
    "gpu_rows": count,
    "other_rows": count,
    "error_rows": count,
    "gpu": [
        {
            "size": text,
            "region": (text, None),
            "count": count,
            "deallocated": count,
            "spot": count,
            "low_priority": count,
            "reservation": count,
            "savings_plan": count,
            "hours": (amount, None),
            "cost": (number, None),
            "currency": (currency, None),
        }
    ],
    "problems": [PROBLEM],
}
INSPECT = {"schema": "inspect/1", "files": [READING]}

WORKLOAD = {
    "kind": {"training", "inference", "hpc", "graphics", "dev"},
    "pattern": {"burst", "steady"},
    "shape": {"queue", "stream", "seat"},
    "precision": text,
    "gpu_memory_gib": (positive, None),
    "utilisation_percent": (percent, None),
    "multi_node": flag,
    "job_gpus": positive,
    "min_vms": positive,
    "interruptible": flag,
    "assumed": [text],
    "why": text,
}
RULE = {
    "code": text,
    "severity": {"step", "warning", "note", "unknown"},
    "message": text,
    "fix": any_text,
    "source": text,
}
PRICE = {
    "price_model": PRICE_MODELS,
    "hourly_price": (positive, None),
    "monthly_cost": (amount, None),
    "tco": (amount, None),
    "as_of": day,
    "estimated": flag,
    "source": text,
}
OPTION = {
    "rank": count,
    "size": text,
    "region": text,
    "vms": positive,
    "gpus": positive,
    "price_model": PRICE_MODELS,
    "strategies": [text],
    "verdict": {"stay", "resize", "redeploy", "rebuild", "port"},
    "rules": [RULE],
    "speedup": {
        "low": positive,
        "expected": positive,
        "high": positive,
        "basis": {"user", "measured", "modelled", "assumed"},
        "evidence": [dict],
    },
    "break_even_speedup": (positive, None),
    "hours_per_month": amount,
    "gpu_hours_per_month": amount,
    "hourly_price": positive,
    "monthly_cost": amount,
    "cost_per_work_unit": (amount, None),
    "prices": [PRICE],
    "tco": {
        "expected": amount,
        "p10": (amount, None),
        "p50": (amount, None),
        "p90": (amount, None),
        "components": dict,
    },
    "saving": ({"amount": number, "percent": (number, None), "against": {"now", "before"}}, None),
    "chance_first": (share, None),
    "grades": {"data": GRADES, "performance": GRADES, "price": GRADES, "capacity": GRADES, "move": GRADES},
    "open_questions": count,
    "why": text,
}
OPTION_IN_SHORT = {"rank": count, "size": text, "monthly_cost": amount, "tco": {"expected": amount}}
REJECTED = {
    "size": text,
    "reasons": [{"code": text, "message": text, "flips_if": (text, None)}],
    "flips_if": (text, None),
}
POOL = {
    "id": pool_id,
    "name": any_text,  # empty: the user gave the pool no name
    "size": text,
    "region": (text, None),
    "os": {"linux", "windows"},
    "price_model": PRICE_MODELS,
    "vms": count,
    "deallocated": count,
    "gpus": amount,
    "hours_per_vm_month": amount,
    "hours_basis": {"file", "list", "assumed"},
    "hours_per_month": amount,
    "gpu_hours_per_month": amount,
    "demand_gpu_hours": amount,
    "workload": WORKLOAD,
    "questions": [{"code": text, "message": text, "field": any_text, "changes_first_choice": flag}],
    "lifecycle": {
        "status": {"current", "announced", "retired", "unknown"},
        "retirement_date": (day, None),
        "conflicts": [dict],
        "source": (text, None),
    },
    "baseline": {
        "kind": {"actual", "list", "last_known", "estimated", "unknown"},
        "cost_now": (amount, None),
        "hourly_price": (positive, None),
        "monthly_cost": (amount, None),
        "tco": (amount, None),
        "cost_per_work_unit": (amount, None),
        "price_as_of": (day, None),
        "evidence": (dict, None),
    },
    "microsoft_move": [
        {"size": text, "agrees": flag, "rank": (count, None), "outdated": (text, None), "why": any_text}
    ],
    "rejected": [REJECTED],
}
TOTALS = {
    "vms": count,
    "gpus": amount,
    "cost_now_monthly": (amount, None),
    "baseline_monthly_cost": (amount, None),
    "recommended_monthly_cost": (amount, None),
    "baseline_tco": (amount, None),
    "recommended_tco": (amount, None),
    "baseline_gpu_hours": (amount, None),
    "recommended_gpu_hours": (amount, None),
    "unpriced_pools": count,
}
ADVICE = {
    "schema": "advice/1",
    "as_of": day,
    "horizon_months": count,
    "currency": currency,
    "price_book": {"name": text, "as_of": day, "source": text},
    "price_model": PRICE_MODELS,
    "strategy": text,
    "import": [READING],
    "totals": TOTALS,
    "pools": [POOL],
}


def misfits(shape: Any, value: Any, path: str = "$") -> Iterator[str]:
    """One line per place of `value` that has not the shape; keys that the shape does not name are free."""
    if isinstance(shape, tuple):
        if value is None and None in shape:
            return
        shape = shape[0]
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            yield f"{path}: {value!r} is no object"
            return
        for key, inner in shape.items():
            if key in value:
                yield from misfits(inner, value[key], f"{path}.{key}")
            else:
                yield f"{path}.{key} is missing"
    elif isinstance(shape, list):
        if not isinstance(value, list):
            yield f"{path}: {value!r} is no list"
            return
        for place, element in enumerate(value):
            yield from misfits(shape[0], element, f"{path}[{place}]")
    elif not _fits(shape, value):
        yield f"{path}: {value!r} is no {getattr(shape, '__name__', shape)}"


def _fits(shape: Any, value: Any) -> bool:
    if isinstance(shape, set):
        return isinstance(value, str) and value in shape
    if isinstance(shape, str):
        return bool(value == shape)
    if isinstance(shape, type):
        return isinstance(value, shape)
    return bool(shape(value))
