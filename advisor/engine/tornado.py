"""Tornado: which inputs move the first option's cost of ownership most, one at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from advisor.engine.answer import Swing
from advisor.engine.arrays import Table
from advisor.engine.later import Later
from advisor.engine.money import money_facts, ownership, total
from advisor.engine.prices import COMMITMENTS
from advisor.engine.ranges import CENT, Numbers
from advisor.engine.request import AdviceRequest
from advisor.engine.sizing import size_up, work_facts

#: Assumptions that the tornado tries at half and at one and a half times their value.
_TRIED = ("operations_hours", "disk_price", "discount_rate")
_SWINGS = ("speed", "hours", "price", "labour", "utilisation", *_TRIED)


def tornado(
    ranked: Table,
    hours_basis: Sequence[str],
    places: Sequence[range],
    request: AdviceRequest,
    assume: Mapping[str, float],
) -> dict[int, Later[Swing]]:
    """What moves the first option's cost of ownership, by pool, the widest swing first.

    One input at a time goes to the ends of its 80 % interval, an unknown busy share from the one that is tried
    (what_if_utilisation) to full, an assumption to half and one and a half times; the rest stays as expected.
    """
    having = [i for i, place in enumerate(places) if place]
    if not having:
        return {}
    rows = ranked.take([places[i].start for i in having])
    tried = {name: np.ones((len(rows), 2 * len(_SWINGS))) for name in _SWINGS}
    ends = {name: slice(2 * i, 2 * i + 2) for i, name in enumerate(_SWINGS)}
    speed = rows["speed"] * tried["speed"]
    speed[:, ends["speed"]] = np.hstack([rows["speed_low"], rows["speed_high"]])
    for place, i in enumerate(having):
        share = assume["range_hours_assumed" if hours_basis[i] == "assumed" else "range_hours"]
        tried["hours"][place, ends["hours"]] = 1 / (1 + share), 1 + share
    for name in ("price", "labour"):
        tried[name][:, ends[name]] = 1 / (1 + assume[f"range_{name}"]), 1 + assume[f"range_{name}"]
    if request.price_model in COMMITMENTS:
        tried["price"][:] = 1.0
    busy = rows["utilisation"] * tried["utilisation"]
    busy[:, ends["utilisation"]] = np.where(np.isnan(busy[:, :1]), [[assume["what_if_utilisation"], 1.0]], busy[:, :2])
    changed: dict[str, Any] = dict(assume)
    for name in _TRIED:
        tried[name][:, ends[name]] = 0.5, 1.5
        changed[name] = assume[name] * tried[name][:1]
    sized = size_up(work_facts(rows, assume) | {"utilisation": busy}, assume, speed=speed, busier=tried["hours"])
    n, hours, months = sized["n"], sized["hours"], request.horizon_months
    factors = {"price": tried["price"], "labour": tried["labour"]}
    cost = np.asarray(total(ownership(money_facts(rows), n, hours, request.price_model, months, changed, **factors)))
    at = tried | {"speed": speed, "utilisation": busy, "hours": tried["hours"] * rows["hours_per_vm_month"]}
    at |= {name: changed[name] * np.ones_like(speed) for name in _TRIED}
    return {i: Later(partial(_swings, at, cost, ends, place)) for place, i in enumerate(having)}


def _swings(at: Mapping[str, Numbers], cost: Numbers, ends: Mapping[str, slice], place: int) -> tuple[Swing, ...]:
    """Inputs that move the cost of one pool at all, the widest swing first."""
    found = []
    for name, both in ends.items():
        (at_low, at_high), (low, high) = at[name][place, both].tolist(), cost[place, both].tolist()
        if abs(high - low) > CENT:
            found.append(Swing(name=name, at_low=at_low, at_high=at_high, tco_low=low, tco_high=high))
    return tuple(sorted(found, key=lambda swing: -abs(swing.tco_high - swing.tco_low)))
