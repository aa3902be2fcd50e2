"""Money: what a pool costs a month and over the horizon, and when an option breaks even (design 4.6).

One function, `ownership`, holds every formula of the cost of ownership. The answer calls it once for all candidates,
the ranges call it with an axis of draws, break-even and price models call it with other counts, hours and prices.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from advisor.engine.arrays import Table
from advisor.engine.pools import HOURS_PER_MONTH
from advisor.engine.prices import COMMITMENTS

Numbers = np.ndarray[Any, Any]
DAYS_PER_MONTH = 365 / 12
#: Verdicts by effort: what the move takes, least first.
VERDICTS = ("stay", "resize", "redeploy", "rebuild", "port")
REDEPLOY = VERDICTS.index("redeploy")
#: Components of the cost of ownership: paid every month, and paid once.
MONTHLY = ("compute", "windows_licence", "grid_licence", "disks", "network", "operations")
ONCE = (
    "migration_labour",
    "staff_training",
    "parallel_running",
    "data_transfer",
    "stranded_commitments",
    "second_move",
)
COMPONENTS = (*MONTHLY, *ONCE)


def present_value(payment: Any, rate: Any, months: int) -> Any:
    """Value today of `payment` at the end of each month, in the payment's currency.

        payment * (1 - (1 + r) ** -months) / r,  with r = (1 + rate) ** (1 / 12) - 1

    `rate` is per year as a share: 0.08 is 8 %; at 0 the answer is payment * months. Both may be arrays. Not rounded:
    templates round. Raises ValueError when `months` is negative or a rate not above -1.

    >>> round(present_value(100.0, 0.08, 36), 2)
    3204.33
    """
    if months < 0 or np.any(np.asarray(rate) <= -1):
        raise ValueError(f"{months} months at {rate}: months must not be negative and the rate must be above -1")
    if np.ndim(rate):
        return payment * np.array([present_value(1.0, float(each), months) for each in np.ravel(rate)]).reshape(
            np.shape(rate)
        )
    monthly = (1 + rate) ** (1 / 12) - 1
    return payment * months if monthly == 0 else payment * (1 - (1 + monthly) ** -months) / monthly


def annuity(assume: Mapping[str, Any], months: int) -> Any:
    """Value today of one unit of money at the end of each month of the horizon, at the assumed rate."""
    return present_value(1.0, assume["discount_rate"] / 100, months)


def paid_hours(model: str, vms: Any, hours: Any) -> Any:
    """VM-hours that are paid: a commitment pays every hour of the month, pay-as-you-go and spot those used."""
    return vms * HOURS_PER_MONTH if model in COMMITMENTS else hours


@dataclass(frozen=True, slots=True)
class Efforts:
    """What moves take, by verdict in the order of VERDICTS: hours of work, hours of training, days side by side."""

    pool: Numbers
    vm: Numbers
    training: Numbers
    days: Numbers


def efforts(assume: Mapping[str, Any]) -> Efforts:
    """The assumed effort of each verdict; a stay takes none."""
    vm, days = assume["labour_vm_redeploy"], assume["parallel_days_redeploy"]
    rebuild, port = assume["training_hours_rebuild"], assume["training_hours_port"]
    return Efforts(
        pool=np.array([0.0, *(assume[f"labour_pool_{verdict}"] for verdict in VERDICTS[1:])]),
        vm=np.array([0.0, assume["labour_vm_resize"], vm, vm, vm]),
        training=np.array([0.0, 0.0, 0.0, rebuild, port]),
        days=np.array([0.0, assume["parallel_days_resize"], days, days, days]),
    )


def has_dev_offer(kind: Any, assume: Mapping[str, Any]) -> Any:
    """Whether it is development under a Dev/Test offer."""
    return (assume["dev_test"] >= 0.5) & (kind == "dev")


def licence_is_free(kind: Any, assume: Mapping[str, Any]) -> Any:
    """Whether Windows costs nothing: the user owns licences, or a Dev/Test offer holds."""
    return (assume["hybrid_benefit"] >= 0.5) | has_dev_offer(kind, assume)


#: What `ownership` reads of a candidate, and the type of each.
MONEY_FACTS = {
    **dict.fromkeys(("vms", "hourly_compute", "hourly_licence", "grid_month", "data_disks", "second_at"), float),
    **dict.fromkeys(("hours_per_vm_month", "stranded", "running", "goes_far"), float),
    "verdict": int,
}


def money_facts(c: Table) -> dict[str, Numbers]:
    """What `ownership` reads of the candidates `c`, as arrays that spread over the table."""
    return {name: np.asarray(c[name], dtype=kind) for name, kind in MONEY_FACTS.items()}


def ownership(
    f: Mapping[str, Any],
    n: Any,
    hours: Any,
    model: str,
    months: int,
    assume: Mapping[str, Any],
    *,
    price: Any = 1.0,
    labour: Any = 1.0,
) -> dict[str, Any]:
    """Every component of the cost of ownership, value today, in the book's currency: `n` machines, `hours` a month.

        monthly:   compute = paid hours x price; licences; disks; network, by the share of the month that today's
                   machines run; operations = hours of work x rate, none for machines that never run
        once:      labour, training, side by side = monthly bill x days; data to another region; stranded commitments
        later:     second_move = labour and side by side of a redeployment, discounted from the day the size ends

    `price` and `labour` are factors on prices and on hours of work. Everything may have a further axis of draws that
    the facts `f` carry as an axis of 1. NaN where a price, a licence or the number of VMs is unknown.
    """
    worth = annuity(assume, months)
    work = efforts(assume)
    verdict, rate = f["verdict"], assume["labour_rate"] * labour
    compute = f["hourly_compute"] * paid_hours(model, n, hours) * price
    licence = f["hourly_licence"] * hours * price
    data_disks = f["vms"] * np.where(np.isnan(f["data_disks"]), assume["data_disks"], f["data_disks"])
    daily = (compute + licence) / DAYS_PER_MONTH
    again = (work.pool[REDEPLOY] + n * work.vm[REDEPLOY]) * rate + daily * work.days[REDEPLOY]
    on = f["hours_per_vm_month"] / HOURS_PER_MONTH
    later = (1 + assume["discount_rate"] / 100) ** (-np.nan_to_num(f["second_at"]) / 12)
    return {
        "compute": compute * worth,
        "windows_licence": licence * worth,
        "grid_licence": f["grid_month"] * n * worth,
        "disks": (n + data_disks) * assume["disk_price"] * worth,
        "network": f["vms"] * on * assume["egress_gib"] * assume["egress_price"] * worth,
        "operations": n * (on > 0) * assume["operations_hours"] * rate * worth,
        "migration_labour": (work.pool[verdict] + n * work.vm[verdict]) * rate,
        "staff_training": work.training[verdict] * rate,
        "parallel_running": f["running"] * daily * work.days[verdict],
        "data_transfer": f["goes_far"] * f["vms"] * assume["moved_gib"] * assume["moved_price"],
        "stranded_commitments": f["stranded"],
        "second_move": np.where(np.isnan(f["second_at"]), 0.0, again * later),
    }


def total(components: Mapping[str, Any]) -> Any:
    """The sum of the components, always in the same order, so that equal parts give equal sums."""
    return sum((components[name] for name in COMPONENTS[1:]), start=components[COMPONENTS[0]])


def add_money(options: Table, model: str, months: int, assume: Mapping[str, float]) -> Table:
    """Add hourly_price, monthly_cost, cost_per_work_unit, the components of cost of ownership, and tco.

    All in the book's currency, NaN where a price, a licence or the number of VMs is unknown. monthly_cost is what the
    machines cost: compute and Windows. The components add up to tco.
    """
    c, f = options, money_facts(options)
    n, hours = c["n"], c["hours"]
    parts = ownership(f, n, hours, model, months, assume)
    monthly = f["hourly_compute"] * paid_hours(model, n, hours) + f["hourly_licence"] * hours
    with np.errstate(divide="ignore", invalid="ignore"):
        unit = np.where(c["demand"] > 0, monthly / c["demand"], np.nan)
    return c.with_columns(
        hourly_price=f["hourly_compute"] + f["hourly_licence"],
        monthly_cost=monthly,
        cost_per_work_unit=unit,
        **{f"tco_{name}": part for name, part in parts.items()},
        tco=np.broadcast_to(total(parts), c.shape),
    )
