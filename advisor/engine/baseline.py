"""Baseline: what a pool costs today, or cost when it could still be run (design 4.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from advisor.engine.candidates import World, os_of
from advisor.engine.ledger import status_at
from advisor.engine.money import annuity, licence_is_free, ownership, paid_hours, total
from advisor.engine.pools import Pool
from advisor.engine.quotes import Quote
from advisor.engine.request import AdviceRequest

BaselineKind = str  # actual, list, last_known, estimated or unknown


def add_baseline(pools: Sequence[Pool], world: World, request: AdviceRequest) -> list[Pool]:
    """The pools with columns.BASELINE: what is billed, what they cost when they run, the cost of ownership of that.

    The kind says where the figure comes from: the user's own cost, a list price of the last 12 months, the last known
    price of a retired size, an estimate from other regions, or unknown. `cost_now` is what is billed: 0 for a retired
    size. All in the book's currency; NaN is unknown.
    """
    assume = request.assumptions(world.quotes.book.for_a_dollar())
    bills = [_bill(pool, world, request, assume) for pool in pools]
    parts = _components(pools, bills, world, request, assume)
    return [
        pool | bill.columns | {"reference_tco": total(own), "reference_parts": own}
        for pool, bill, own in zip(pools, bills, parts, strict=True)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bill:
    """What one pool costs a month: the columns that say so, and what the cost of ownership is worked out from."""

    columns: dict[str, Any]
    quote: Quote | None  # None: no price, or the user's own cost counts
    licence: float | None
    monthly: float


def _bill(pool: Pool, world: World, request: AdviceRequest, assume: Mapping[str, float]) -> _Bill:
    status = status_at(world.catalogue, pool["size"], pool["region"], request.as_of, pool["service"])
    retired = status.status == "retired"
    vm_hours = pool["vms"] * pool["hours_per_vm_month"]
    kind, quote, monthly = "unknown", None, np.nan
    cost = _own_cost(pool, world, request)
    if pool["region"] is not None:
        kind, quote = _quote(pool, retired, world, request)
    free = bool(licence_is_free(pool["kind"], assume))
    licence = None if quote is None else 0.0 if free else quote.licence
    hourly = None if quote is None or licence is None else quote.compute + licence
    if quote is not None and licence is not None:
        paid = paid_hours(quote.price_model, pool["vms"], vm_hours)
        monthly = quote.compute * paid + licence * vm_hours
    if cost is not None:
        kind, monthly = "actual", cost
        hourly = cost / vm_hours if vm_hours else None
    columns = {
        "status": status,
        "retired": retired,
        "running": not retired and vm_hours > 0,
        "baseline_kind": kind if np.isfinite(monthly) else "unknown",
        "baseline_hourly": np.nan if hourly is None else hourly,
        "baseline_monthly": monthly,
        "cost_now": 0.0 if retired or (vm_hours == 0 and cost is None) else monthly,
        "baseline_quote": quote,
    }
    return _Bill(columns=columns, quote=quote if cost is None else None, licence=licence, monthly=monthly)


def _components(
    pools: Sequence[Pool], bills: Sequence[_Bill], world: World, request: AdviceRequest, assume: Mapping[str, float]
) -> list[dict[str, float]]:
    """Cost of ownership of today's machines as they are, by component: nothing is moved, nothing is lost.

    Where the user's own cost is all that is known, it stands as compute. Whoever runs graphics on a series that is not
    said to include GRID pays for a licence, which counts where its price is known.
    """
    grid = float(np.nan_to_num(assume["grid_licence"]))
    vms = np.array([float(pool["vms"]) for pool in pools])
    each = np.array([float(pool["hours_per_vm_month"]) for pool in pools])
    quotes = [bill.quote for bill in bills]
    nothing = np.zeros(len(pools))
    facts = {
        "vms": vms,
        "hours_per_vm_month": each,
        "hourly_compute": np.array([quote.compute if quote else 0.0 for quote in quotes]),
        "hourly_licence": np.array([_licence(bill) for bill in bills]),
        "grid_month": np.array([grid * _needs_grid(pool, world) for pool in pools]),
        "data_disks": np.array([float(pool["data_disks"]) for pool in pools]),
        "second_at": np.full(len(pools), np.nan),
        "verdict": np.zeros(len(pools), dtype=int),
        **dict.fromkeys(("stranded", "running", "goes_far"), nothing),
    }
    found: list[dict[str, float]] = [{} for _ in pools]
    models = [quote.price_model if quote else "payg" for quote in quotes]
    for model in dict.fromkeys(models):
        of_model = [i for i, own in enumerate(models) if own == model]
        some = {name: values[of_model] for name, values in facts.items()}
        n, hours = some["vms"], some["vms"] * some["hours_per_vm_month"]
        parts = ownership(some, n, hours, model, request.horizon_months, assume)
        columns = np.broadcast_arrays(*(np.asarray(part, dtype=float) for part in parts.values()))
        for i, values in zip(of_model, np.array(columns).T.tolist(), strict=True):
            found[i] = dict(zip(parts, values, strict=True))
    worth = float(annuity(assume, request.horizon_months))
    for own, bill in zip(found, bills, strict=True):
        if bill.quote is None:
            own |= {"compute": float(bill.monthly * worth), "windows_licence": 0.0}
    return found


def _licence(bill: _Bill) -> float:
    if bill.quote is None:
        return 0.0
    return np.nan if bill.licence is None else bill.licence


def _needs_grid(pool: Pool, world: World) -> bool:
    size = world.catalogue.sizes.get(pool["size"])
    support = world.catalogue.series_support.get(size.series) if size else None
    included = support is not None and support.grid_licence_included is True
    return pool["kind"] == "graphics" and size is not None and size.vendor == "nvidia" and not included


def _quote(pool: Mapping[Any, Any], retired: bool, world: World, request: AdviceRequest) -> tuple[str, Quote | None]:
    size, region, os = pool["size"], pool["region"], os_of(pool["os"])
    if not retired:
        quote = world.quotes.quote(size, region, os, request.price_model, request.as_of)
        quote = quote or world.quotes.quote(size, region, os, "payg", request.as_of)
        if quote is not None:
            return ("estimated" if quote.estimated else "list"), quote
    last = world.quotes.last_known(size, region, os)
    if last is not None:
        return "last_known", last
    return "estimated", world.quotes.from_other_regions(size, region, os, request.as_of)


def _own_cost(pool: Mapping[Any, Any], world: World, request: AdviceRequest) -> float | None:
    """The user's own cost a month in the book's currency; None where it is not given or its currency has no rate."""
    cost, currency, book = pool["cost"], pool["currency"], world.quotes.book
    if np.isnan(cost):
        return None
    units = 1.0 if currency is None else book.units_for(currency, request.rates)
    return None if units is None else float(cost) * units
