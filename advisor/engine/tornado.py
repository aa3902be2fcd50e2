"""Tornado: which inputs move the first option's cost of ownership most, one at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from advisor.engine.answer import Swing
from advisor.engine.money import money_facts
from advisor.engine.prices import COMMITMENTS
from advisor.engine.ranges import CENT, Numbers, evaluate
from advisor.engine.request import AdviceRequest
from advisor.engine.sizing import work_facts

#: Assumptions that the tornado tries at half and at one and a half times their value.
_TRIED = ("operations_hours", "disk_price", "discount_rate")
_SWINGS = ("speed", "hours", "price", "labour", "utilisation", *_TRIED)


def tornado(
    ranked: pd.DataFrame,
    hours_basis: Sequence[str],
    places: Sequence[range],
    request: AdviceRequest,
    assume: Mapping[str, float],
) -> dict[int, tuple[Swing, ...]]:
    """What moves the first option's cost of ownership, by pool, the widest swing first.

    One input at a time goes to the ends of its 80 % interval, an unknown busy share from the one that is tried
    (what_if_utilisation) to full, an assumption to half and one and a half times; the rest stays as expected.
    """
    having = [i for i, place in enumerate(places) if place]
    if not having:
        return {}
    rows = ranked.iloc[[places[i].start for i in having]]
    tried = {name: np.ones((len(rows), 2 * len(_SWINGS))) for name in _SWINGS}
    ends = {name: slice(2 * i, 2 * i + 2) for i, name in enumerate(_SWINGS)}
    speed = rows["speed"].to_numpy(dtype=float)[:, None] * tried["speed"]
    speed[:, ends["speed"]] = rows[["speed_low", "speed_high"]].to_numpy(dtype=float)
    for place, i in enumerate(having):
        share = assume["range_hours_assumed" if hours_basis[i] == "assumed" else "range_hours"]
        tried["hours"][place, ends["hours"]] = 1 / (1 + share), 1 + share
    for name in ("price", "labour"):
        tried[name][:, ends[name]] = 1 / (1 + assume[f"range_{name}"]), 1 + assume[f"range_{name}"]
    if request.price_model in COMMITMENTS:
        tried["price"][:] = 1.0
    busy = rows["utilisation"].to_numpy(dtype=float)[:, None] * tried["utilisation"]
    busy[:, ends["utilisation"]] = np.where(np.isnan(busy[:, :1]), [[assume["what_if_utilisation"], 1.0]], busy[:, :2])
    changed: dict[str, Any] = dict(assume)
    for name in _TRIED:
        tried[name][:, ends[name]] = 0.5, 1.5
        changed[name] = assume[name] * tried[name][:1]
    cost = evaluate(
        {name: values[:, None] for name, values in work_facts(rows, assume).items()} | {"utilisation": busy},
        {name: values[:, None] for name, values in money_facts(rows).items()},
        request,
        changed,
        speed=speed,
        hours=tried["hours"],
        price=tried["price"],
        labour=tried["labour"],
    )
    at = tried | {"speed": speed, "utilisation": busy, "hours": tried["hours"] * _each(rows)}
    at |= {name: changed[name] * np.ones_like(speed) for name in _TRIED}
    pairs = {name: (at[name][:, ends[name]].tolist(), cost[:, ends[name]].tolist()) for name in _SWINGS}
    return {
        i: _swings({name: (tried_at[place], costs[place]) for name, (tried_at, costs) in pairs.items()})
        for place, i in enumerate(having)
    }


def _each(rows: pd.DataFrame) -> Numbers:
    return rows["hours_per_vm_month"].to_numpy(dtype=float)[:, None]


def _swings(found: Mapping[str, tuple[list[float], list[float]]]) -> tuple[Swing, ...]:
    """Inputs that move the cost at all, the widest swing first."""
    swings = [
        Swing(name=name, at_low=at[0], at_high=at[1], tco_low=cost[0], tco_high=cost[1])
        for name, (at, cost) in found.items()
        if abs(cost[1] - cost[0]) > CENT
    ]
    return tuple(sorted(swings, key=lambda swing: -abs(swing.tco_high - swing.tco_low)))
