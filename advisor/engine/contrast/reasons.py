"""Why the first choice goes before, what would turn that, and why a figure alone turns nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from advisor.engine.contrast.values import Difference, Flip, Obstacle, Span, What
from advisor.engine.contrast.words import BECAUSE, TURNS, WHY, Names, money, nearest, short
from advisor.engine.money import VERDICTS
from advisor.engine.prices import COMMITMENTS
from advisor.engine.ranking import KEYS, strategy_keys
from advisor.engine.request import AdviceRequest, Strategy
from advisor.engine.words import Row, day_of
from advisor.engine.worked import PART_WORDS

Rows = tuple[Row, Row]


def because(
    rows: Rows, parts: Sequence[Difference], obstacles: Sequence[Obstacle], names: Names, strategy: Strategy
) -> str:
    """Why the first goes before the other, in a sentence."""
    code = _decides(rows, strategy)
    if obstacles:
        code = "short_lived" if not rows[1]["rejected"] else "refused"
    best = max(parts, key=lambda part: part.amount, default=None)
    if code == "cost" and (best is None or best.amount <= 0):
        code = "cost_alone"
    return BECAUSE[code].format_map(_Filled(rows, best, obstacles, names))


def _decides(rows: Rows, strategy: Strategy) -> str:
    """What the order of the two rests on: a key of the strategy, or what settles a tie."""
    mine, theirs = (strategy_keys(row, strategy) for row in rows)
    for name, key, rival in zip(KEYS[strategy], mine, theirs, strict=True):
        if key != rival:
            return name
    return next((code for code, name in (("gpus", "gpus_bought"), ("vcpus", "vcpus")) if _differ(rows, name)), "name")


def _differ(rows: Rows, name: str) -> bool:
    return bool(rows[0][name] != rows[1][name])


class _Filled(dict[str, str]):
    """What the templates of BECAUSE need, worked out when a template asks for it."""

    def __init__(self, rows: Rows, best: Difference | None, obstacles: Sequence[Obstacle], names: Names) -> None:
        super().__init__(names.fields())
        self.rows, self.best, self.obstacles, self.names = rows, best, obstacles, names

    def __missing__(self, name: str) -> str:
        side, _, what = name.partition("_")
        row = self.rows[0] if side == "first" else self.rows[1]
        currency = self.names.currency
        if name == "amount":
            return money(float(self.rows[1]["tco"] - self.rows[0]["tco"]), currency)
        if name == "message":
            return self.obstacles[0].message
        if side == "part" and self.best is not None:
            return PART_WORDS[self.best.name] if not what else money(self.best.amount, currency)
        if what == "price":
            return f"{currency} {row['hourly_price']:,.3f}"
        if what == "verdict":
            return VERDICTS[int(row["verdict"])]
        if what == "work":
            return f"{row['replaces']:.2f}"
        if what == "ends":
            day = day_of(row["ends"])
            return day.isoformat() if day else "on a day that nobody knows"
        return f"{row['release_year']:.0f}"  # year


def turns(flips: Sequence[Flip], obstacles: Sequence[Obstacle], good: bool, names: Names) -> str:
    """What would turn the order: first what keeps the other out, then the figure that asks for the least change."""
    least = nearest(flips)
    if not obstacles:
        tie = flips[0].message if good else TURNS["nothing"]
        return least.message if least else tie
    if len(obstacles) > 1:
        return TURNS["several"].format(number=len(obstacles))
    flips_if = obstacles[0].flips_if
    if flips_if is None:
        return TURNS["stays_out"]
    allowed = TURNS["would_lead" if good else "would_rank"].format(flips_if=flips_if)
    return allowed if good or least is None else f"{allowed} {least.message}"


def why_none(what: What, rows: Rows, spans: tuple[Span, ...], names: Names, request: AdviceRequest) -> str:
    """Why no value of a figure turns the order; "" where one does."""
    code = _not_asked(what, rows) or ("" if spans else _unmoved(what, rows, request))
    return WHY[code].format(other_name=short(names.other.size)) if code else ""


def _not_asked(what: What, rows: Rows) -> str:
    """A reason for which the figure makes no sense for this pair, "" where it does."""
    first, other = rows
    if what == "hours" and first["pattern"] == "steady":
        return "steady"
    if what == "speed" and other["gpu"] == first["gpu"]:
        return "same_gpu"
    if what == "speed" and (other["gpu"], other["share"]) == (other["from_gpu"], other["from_share"]):
        return "todays_gpu"
    return ""


def _unmoved(what: What, rows: Rows, request: AdviceRequest) -> str:
    """Why the order is the same at every value."""
    first, other = rows
    if what != "speed" and np.isnan(other["n"]):
        return "no_speed"
    if what != "other_price" and np.isnan(other["hourly_compute"]):
        return "no_price"
    if _brings_unknown(other, request):
        return "no_cost"
    if what == "speed" and first["shape"] == "seat" and request.strategy != "fastest":
        return "seat"
    if request.strategy != "lowest_cost" and _decides(rows, request.strategy) != "cost":
        return "strategy"
    if what == "other_price":
        return "free"
    if what == "first_price" and first["hours"] == 0:
        return "idle"
    return "no_faster" if what == "speed" else "never"


def _brings_unknown(row: Row, request: AdviceRequest) -> bool:
    """Whether a cost beside the price of the machines is unknown; without a price, Windows is looked for with it."""
    apart = request.price_model in COMMITMENTS or not np.isnan(row["hourly_compute"])
    windows = row["os"] == "windows" and apart and np.isnan(row["hourly_licence"])
    return bool(windows or np.isnan(row["grid_month"]) or np.isnan(row["stranded"]))
