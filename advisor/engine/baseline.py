"""Baseline: what a pool costs today, or cost when it could still be run (design 4.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from advisor.engine.candidates import World, os_of
from advisor.engine.ledger import status_at
from advisor.engine.money import annuity, licence_is_free, ownership, paid_hours, total
from advisor.engine.pools import records
from advisor.engine.quotes import Quote
from advisor.engine.request import AdviceRequest

BaselineKind = str  # actual, list, last_known, estimated or unknown


def add_baseline(pools: pd.DataFrame, world: World, request: AdviceRequest) -> pd.DataFrame:
    """Add columns.BASELINE: what the pool is billed, what it costs when it runs, and the cost of ownership of that.

    The kind says where the figure comes from: the user's own cost, a list price of the last 12 months, the last known
    price of a retired size, an estimate from other regions, or unknown. `cost_now` is what is billed: 0 for a retired
    size. All in the book's currency; NaN is unknown.
    """
    rows = [_baseline(pool, world, request) for pool in records(pools)]
    return pools.assign(**{name: [row[name] for row in rows] for name in rows[0]})


def _baseline(pool: Mapping[Any, Any], world: World, request: AdviceRequest) -> dict[str, Any]:
    status = status_at(world.catalogue, pool["size"], pool["region"], request.as_of, pool["service"])
    retired = status.status == "retired"
    vm_hours = pool["vms"] * pool["hours_per_vm_month"]
    kind, quote, monthly = "unknown", None, np.nan
    cost = _own_cost(pool, world, request)
    if pool["region"] is not None:
        kind, quote = _quote(pool, retired, world, request)
    assume = request.assumptions(world.quotes.book.for_a_dollar())
    free = bool(licence_is_free(pool["kind"], assume))
    licence = None if quote is None else 0.0 if free else quote.licence
    hourly = None if quote is None or licence is None else quote.compute + licence
    if quote is not None and licence is not None:
        paid = paid_hours(quote.price_model, pool["vms"], vm_hours)
        monthly = quote.compute * paid + licence * vm_hours
    if cost is not None:
        kind, monthly = "actual", cost
        hourly = cost / vm_hours if vm_hours else None
    parts = _components(pool, quote if cost is None else None, licence, monthly, world, request)
    return {
        "status": status,
        "retired": retired,
        "running": not retired and vm_hours > 0,
        "baseline_kind": kind if np.isfinite(monthly) else "unknown",
        "baseline_hourly": np.nan if hourly is None else hourly,
        "baseline_monthly": monthly,
        "cost_now": 0.0 if retired or (vm_hours == 0 and cost is None) else monthly,
        "reference_tco": total(parts),
        "reference_parts": parts,
        "baseline_quote": quote,
    }


def _components(
    pool: Mapping[Any, Any],
    quote: Quote | None,
    licence: float | None,
    monthly: float,
    world: World,
    request: AdviceRequest,
) -> dict[str, float]:
    """Cost of ownership of today's machines as they are, by component: nothing is moved, nothing is lost.

    Where the user's own cost is all that is known, it stands as compute. Whoever runs graphics on a series that is not
    said to include GRID pays for a licence, which counts where its price is known.
    """
    assume = request.assumptions(world.quotes.book.for_a_dollar())
    size = world.catalogue.sizes.get(pool["size"])
    support = world.catalogue.series_support.get(size.series) if size else None
    included = support is not None and support.grid_licence_included is True
    grid = pool["kind"] == "graphics" and size is not None and size.vendor == "nvidia" and not included
    facts = {
        "vms": float(pool["vms"]),
        "hours_per_vm_month": float(pool["hours_per_vm_month"]),
        "hourly_compute": quote.compute if quote else 0.0,
        "hourly_licence": 0.0 if quote is None else np.nan if licence is None else licence,
        "grid_month": float(np.nan_to_num(assume["grid_licence"])) if grid else 0.0,
        "data_disks": float(pool["data_disks"]),
        "second_at": np.nan,
        "stranded": 0.0,
        "verdict": 0,
        "running": 0.0,
        "goes_far": 0.0,
    }
    model = quote.price_model if quote else "payg"
    hours = pool["vms"] * pool["hours_per_vm_month"]
    parts = ownership(facts, float(pool["vms"]), hours, model, request.horizon_months, assume)
    if quote is None:
        parts |= {"compute": monthly * annuity(assume, request.horizon_months), "windows_licence": 0.0}
    return {name: float(part) for name, part in parts.items()}


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
