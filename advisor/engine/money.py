"""Money: monthly cost on one basis, cost of ownership over the horizon, break-even (design 4.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from advisor.engine.pools import HOURS_PER_MONTH
from advisor.engine.prices import COMMITMENTS

Numbers = np.ndarray[Any, Any]
DAYS_PER_MONTH = 365 / 12
#: Verdicts by effort: what the move takes, least first.
VERDICTS = ("stay", "resize", "redeploy", "rebuild", "port")
COMPONENTS = ("compute", "windows_licence", "migration_labour", "parallel_running")


def present_value(payment: float, rate: float, months: int) -> float:
    """Value today of `payment` at the end of each month, in the payment's currency.

        payment * (1 - (1 + r) ** -months) / r,  with r = (1 + rate) ** (1 / 12) - 1

    `rate` is per year as a share: 0.08 is 8 %; at 0 the answer is payment * months. Not rounded: templates round.
    Raises ValueError when `months` is negative or `rate` not above -1.

    >>> round(present_value(100.0, 0.08, 36), 2)
    3204.33
    """
    if months < 0 or rate <= -1:
        raise ValueError(f"{months} months at {rate}: months must not be negative and the rate must be above -1")
    monthly = (1 + rate) ** (1 / 12) - 1
    return payment * months if monthly == 0 else payment * (1 - (1 + monthly) ** -months) / monthly


def paid_hours(model: str, vms: Any, hours: Any) -> Any:
    """VM-hours that are paid: a commitment pays every hour of the month, pay-as-you-go and spot those used."""
    return vms * HOURS_PER_MONTH if model in COMMITMENTS else hours


def labour_hours(verdict: int, vms: float, assume: Mapping[str, float]) -> float:
    """One-off hours of work of a move: once for the pool, and for each VM that has to be in place afterwards."""
    if verdict == 0:
        return 0.0
    per_vm = assume["labour_vm_resize"] if verdict == 1 else assume["labour_vm_redeploy"]
    return assume[f"labour_pool_{VERDICTS[verdict]}"] + vms * per_vm


def parallel_days(verdict: int, assume: Mapping[str, float]) -> float:
    """Days that the new machines run beside the old ones, before they take over and the horizon begins."""
    if verdict == 0:
        return 0.0
    return assume["parallel_days_resize" if verdict == 1 else "parallel_days_redeploy"]


def add_money(options: pd.DataFrame, model: str, months: int, assume: Mapping[str, float]) -> pd.DataFrame:
    """Add hourly_price, monthly_cost, cost_per_work_unit, the components of cost of ownership, and tco.

    All in the book's currency, NaN where a price, the licence or the number of VMs is unknown. `verdict` is the effort
    0 to 4, `running` whether today's machines still run: only then is there anything to run beside. The components add
    up to tco.
    """
    c = options
    vms, hours = c["n"].to_numpy(dtype=float), c["hours"].to_numpy(dtype=float)
    compute = c["hourly_compute"].to_numpy(dtype=float) * paid_hours(model, vms, hours)
    licence = c["hourly_licence"].to_numpy(dtype=float) * hours
    annuity = present_value(1.0, assume["discount_rate"] / 100, months)
    verdict = c["verdict"].to_numpy(dtype=int)
    fixed = np.array([labour_hours(v, 0.0, assume) for v in range(len(VERDICTS))])
    each = np.array([labour_hours(v, 1.0, assume) for v in range(len(VERDICTS))]) - fixed
    days = np.array([parallel_days(v, assume) for v in range(len(VERDICTS))])
    labour = (fixed[verdict] + vms * each[verdict]) * assume["labour_rate"]
    parallel = c["running"].to_numpy(dtype=float) * (compute + licence) * days[verdict] / DAYS_PER_MONTH
    demand = c["demand"].to_numpy(dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        unit = np.where(demand > 0, (compute + licence) / demand, np.nan)
    return c.assign(
        hourly_price=c["hourly_compute"] + c["hourly_licence"],
        monthly_cost=compute + licence,
        cost_per_work_unit=unit,
        tco_compute=compute * annuity,
        tco_windows_licence=licence * annuity,
        tco_migration_labour=labour,
        tco_parallel_running=parallel,
        tco=compute * annuity + licence * annuity + labour + parallel,
    )


def break_even_speedup(row: Mapping[str, Any], months: int, assume: Mapping[str, float]) -> tuple[float | None, str]:
    """The least speed at which an option costs no more than the reference over the horizon, and why if there is none.

        steady, stream: n_max = floor((B - F) / c), s* = A / (k * e * n_max)
        burst queue:    s* = D * price * annuity / (k * e * (B - F))

    B is the reference's cost of ownership, F the one-off costs of the move, c the present value of one VM.
    """
    reference, once = row["reference_tco"], row["tco_migration_labour"] + row["tco_parallel_running"]
    if row["shape"] == "seat":
        return None, "a seat is one VM per person: speed changes no cost"
    if not np.isfinite(reference):
        return None, "what the pool costs today is unknown"
    if reference <= once:
        return None, "the move itself costs more than the pool does"
    annuity = present_value(1.0, assume["discount_rate"] / 100, months)
    joint = row["units"] * row["efficiency"]
    if row["pattern"] == "burst" and row["shape"] == "queue":
        return row["demand"] * row["hourly_price"] * annuity / (joint * (reference - once)), ""
    monthly = row["hourly_price"] * (HOURS_PER_MONTH if row["pattern"] == "steady" else row["hours_per_vm_month"])
    most = np.floor((reference - once) / (monthly * annuity)) if monthly > 0 else np.inf
    if most < 1:
        return None, "not even one such VM costs less than the pool does"
    return float(row["asked"] / (joint * most)), ""
