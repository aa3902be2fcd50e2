"""How held commitments are settled for whole tables of options at once, cheapest way first; see `stranded`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from advisor.engine.candidates import World, add_months, os_of
from advisor.engine.catalogue import Size
from advisor.engine.held import HOURS_PER_YEAR
from advisor.engine.held_use import HeldUse, Share
from advisor.engine.pools import HOURS_PER_MONTH
from advisor.engine.prices import COMMITMENTS, PriceModel
from advisor.engine.request import AdviceRequest

Numbers = np.ndarray[Any, Any]
#: The ways of a reservation in the order in which equal ones are taken, codes of held_rules.WAYS; the rest is lost.
RESERVATION_WAYS = ("keep", "exchange_1y", "exchange_3y", "trade_in_1y", "trade_in_3y", "refund", "lost")
#: Likewise of a savings plan.
PLAN_WAYS = ("plan_used", "plan_unused")
#: Columns of the candidates that are read.
COLUMNS = ("n", "hours", "vms", "hours_per_vm_month", "target_index", "region", "os", "ends", "stay")
#: Slack for limits that are met exactly but for rounding.
SLACK = 1e-9
_KEEP, _EXCHANGES, _REFUND = 0, (1, 2), 5
#: Way, price model and term in years of those that need a new commitment.
_NEW: tuple[tuple[int, PriceModel, int], ...] = ((1, "ri_1y", 1), (2, "ri_3y", 3), (3, "sp_1y", 1), (4, "sp_3y", 3))
_MODELS: tuple[PriceModel, ...] = ("payg", *COMMITMENTS)


@dataclass(frozen=True, slots=True)
class Settled:
    """Units and lost money by way (first axis) and row."""

    units: Numbers
    lost: Numbers


@dataclass(frozen=True, slots=True)
class _Shares:
    """One share in each of some pools, the number of rows of each pool, and which rows they are."""

    of_pool: Sequence[Share]
    counts: Numbers
    rows: Numbers

    def spread(self, value: Callable[[Share], float]) -> Numbers:
        """A figure of the shares for every row."""
        return np.repeat(np.array([value(share) for share in self.of_pool], dtype=float), self.counts)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Orders:
    """One order in each of some rows. `loss` is by way and row, `cost` by way: a new commitment for one VM."""

    at: Numbers  # which rows
    value: Numbers  # what is left of one unit
    left: Numbers  # units that no way took yet
    ratio: Numbers  # reserved VMs that one VM of the target uses
    loss: Numbers
    cost: Mapping[int, Numbers]


class Ways:
    """The rows of some pools, with what each may still commit and get back; orders are settled one after another.

    Rows stand pool by pool, `counts` says how many each of `pools` has.
    """

    def __init__(
        self,
        arrays: Mapping[str, Numbers],
        rows: Numbers,
        pools: Sequence[str],
        counts: Numbers,
        use: HeldUse,
        world: World,
        request: AdviceRequest,
        assume: Mapping[str, float],
    ) -> None:
        self.column = {name: arrays[name][rows] for name in COLUMNS}
        self.pools, self.counts, self.use, self.world, self.request = pools, counts, use, world, request
        self.fee = assume["refund_fee"] / 100  # a percentage
        self.free_vms = np.nan_to_num(self.column["n"].astype(float))  # not yet under a commitment
        self.refund = np.repeat([use.refunds.get(pool, 0.0) for pool in pools], counts)
        self.pending = np.repeat([_reserved(use.shares.get(pool, ())) for pool in pools], counts)
        self.prices, self.no_plan = _prices(self.column, world, request)
        self.plan_use: dict[str, Numbers] = {}

    def settle(self, place: int) -> Settled:
        """What becomes of the order at `place` of each pool; nothing where a pool has fewer."""
        shares = [self.use.shares[pool] for pool in self.pools]
        own = [pool[place] if len(pool) > place else None for pool in shares]
        total = np.zeros((len(RESERVATION_WAYS), len(self.free_vms)))
        units = np.zeros_like(total)
        for kind, settle in (("reservation", self._reservation), ("savings_plan", self._plan)):
            some = np.array([share is not None and share.held.kind == kind for share in own])
            if some.any():
                mine = [share for share, is_mine in zip(own, some, strict=True) if is_mine and share]
                where = np.flatnonzero(np.repeat(some, self.counts))
                found = settle(_Shares(mine, self.counts[some], where))
                units[: len(found.units), where], total[: len(found.lost), where] = found.units, found.lost
        return Settled(units, total)

    def _reservation(self, shares: _Shares) -> Settled:
        """Put each order through the ways, at every turn the one that loses least of what it takes."""
        orders = self._orders(shares)
        ways, number = orders.loss.shape
        units, lost = np.zeros((ways + 1, number)), np.zeros((ways + 1, number))
        is_open = np.isfinite(orders.loss)
        everything = self.pending[orders.at] * (1 - SLACK)
        self.pending[orders.at] -= np.nan_to_num(orders.left * orders.value)
        for _turn in range(ways):
            taken, gone, used = (
                np.array(part) for part in zip(*map(partial(self._take, orders), range(ways)), strict=True)
            )
            with np.errstate(divide="ignore", invalid="ignore"):
                rate = np.where(gone > 0, gone / (taken * orders.value), 0.0)
            # of ways that lose the same, one goes first that has room for all that the pool still has to settle
            rate = np.where(
                is_open & (taken > 0) & (rate < 1), rate + SLACK * (self._room(orders) < everything), np.inf
            )
            best = np.argmin(rate, axis=0)
            mine = np.flatnonzero(np.isfinite(rate[best, np.arange(number)]))
            way = best[mine]
            units[way, mine], lost[way, mine] = taken[way, mine], gone[way, mine]
            orders.left[mine] -= taken[way, mine]
            self.free_vms[orders.at[mine]] -= used[way, mine]
            refunded = mine[way == _REFUND]
            self.refund[orders.at[refunded]] -= units[_REFUND, refunded] * orders.value[refunded]
            is_open[way, mine] = False
        units[-1] = orders.left
        lost[-1] = np.where(orders.left > SLACK, orders.left * orders.value, 0.0)
        return Settled(units, lost)

    def _orders(self, shares: _Shares) -> _Orders:
        """The orders with what each way loses of them: a share of the value, infinite where the way is closed."""
        rows, value = shares.rows, shares.spread(lambda share: share.value)
        ratio, kept = self._keep(shares)
        may = shares.spread(lambda share: share.exchangeable) == 1
        loss = np.full((len(RESERVATION_WAYS) - 1, len(value)), np.inf)
        loss[_KEEP] = np.where(np.isnan(ratio) | (kept <= 0), np.inf, 1 - kept)
        loss[_REFUND] = np.where(np.isnan(value), np.inf, self.fee)
        yearly_use = self.prices["payg"][rows] * self._hours_a_vm(rows) * 12
        cost = {}
        for way, model, years in _NEW:
            cost[way] = self.prices[model][rows] * HOURS_PER_YEAR * years
            with np.errstate(invalid="ignore"):
                beyond_use = np.maximum(0.0, 1 - yearly_use * years / cost[way])
            is_open = (may | (way not in _EXCHANGES)) & (beyond_use < 1) & self._outlived(model, years, rows)
            loss[way] = np.where(is_open & ~np.isnan(value), beyond_use, np.inf)
        left = shares.spread(lambda share: share.units)
        return _Orders(at=rows, value=value, left=left, ratio=ratio, loss=loss, cost=cost)

    def _room(self, orders: _Orders) -> Numbers:
        """Value that each way has room for."""
        free = self.free_vms[orders.at]
        new = [free * np.nan_to_num(each) for each in orders.cost.values()]
        return np.array([np.nan_to_num(free * orders.ratio * orders.value), *new, self.refund[orders.at]])

    def _take(self, orders: _Orders, way: int) -> tuple[Numbers, Numbers, Numbers]:
        """Units that one way would take now, the money lost by it, and the VMs of the target that it would commit."""
        free, value, left, loss = self.free_vms[orders.at], orders.value, orders.left, orders.loss[way]
        if way == _KEEP:
            taken = np.minimum(left, np.nan_to_num(free * orders.ratio))
            return taken, _lost(taken, value, loss), np.nan_to_num(taken / orders.ratio)
        if way == _REFUND:
            taken = np.minimum(left, np.floor(np.nan_to_num(self.refund[orders.at] / value) + SLACK))
            return taken, _lost(taken, value, loss), np.zeros(len(taken))
        cost = np.nan_to_num(orders.cost[way])
        taken = np.minimum(left, np.floor(np.nan_to_num(free * cost / value) + SLACK))
        bought = np.divide(taken * value, cost, out=np.zeros(len(taken)), where=taken > 0)
        if way in _EXCHANGES:  # whole machines; a savings plan is any amount of money
            bought = np.ceil(bought - SLACK)
        return taken, _lost(bought, cost, loss), bought

    def _keep(self, shares: _Shares) -> tuple[Numbers, Numbers]:
        """Reserved VMs that one VM of the target uses, where one reservation holds for both; the share of time used.

        A group is taken to be the sizes of one series with, or without, InfiniBand, and the ratio that of their
        pay-as-you-go prices, since sizes of equal ratio cost the same. NaN where the group is another one.
        """
        target = self.column["target_index"][shares.rows].astype(int)
        places = {share.held: (share.held.size or "", share.held.region or "") for share in shares.of_pool}
        known = {place: _ratios(*place, self.world) for place in dict.fromkeys(places.values())}
        ratios = np.array([known[places[share.held]] for share in shares.of_pool])
        where = np.repeat(np.arange(len(shares.of_pool)), shares.counts)
        region = np.array([share.held.region for share in shares.of_pool], dtype=object)
        here = self.column["region"][shares.rows] == region[where]
        ratio = np.where(here, ratios[where, target], np.nan)
        today = self.request.as_of.toordinal()
        until = shares.spread(lambda share: share.held.ends.toordinal())
        ends = self.column["ends"][shares.rows].astype(float)
        with np.errstate(invalid="ignore"):
            kept = np.where(np.isnan(ends), 1.0, np.clip((ends - today) / (until - today), 0.0, 1.0))
        return ratio, kept

    def _hours_a_vm(self, rows: Numbers) -> Numbers:
        with np.errstate(divide="ignore", invalid="ignore"):
            hours = self.column["hours"][rows].astype(float) / self.column["n"][rows].astype(float)
        return np.asarray(hours)

    def _outlived(self, model: str, years: int, rows: Numbers) -> Numbers:
        """A new reservation has to end before its size does; a savings plan may outlive it."""
        ends = self.column["ends"][rows].astype(float)
        if model.startswith("sp_"):
            return np.ones(len(ends), dtype=bool)
        last = add_months(self.request.as_of, 12 * years).toordinal()
        return np.asarray(np.isnan(ends) | (ends >= last))

    def _plan(self, shares: _Shares) -> Settled:
        """What the target's machines use of a plan an hour, those without a reservation, and what they leave unused.

        A stay has the price at which the plan was shared out; where that is unknown it uses as much as today for as
        many hours. NaN where no source says what the target costs under a plan.
        """
        rows = shares.rows
        units, left = shares.spread(lambda share: share.units), shares.spread(lambda share: share.value)
        model = np.repeat([share.held.price_model for share in shares.of_pool], shares.counts)
        stay = self.column["stay"][rows].astype(bool)
        price = np.where(stay, shares.spread(lambda share: share.plan_price), np.nan)
        taken = np.zeros(len(units))
        for name in np.unique(model):
            known = np.where(self.no_plan[name][rows], 0.0, self.prices[name][rows])
            price = np.where(~stay & (model == name), known, price)
            taken += np.where(model == name, self.plan_use.setdefault(name, np.zeros(len(self.free_vms)))[rows], 0.0)
        hours = self._hours_a_vm(rows) * self.free_vms[rows]
        used = np.clip(price * hours / HOURS_PER_MONTH - taken, 0.0, units)
        today = self.column["vms"][rows].astype(float) * self.column["hours_per_vm_month"][rows].astype(float)
        with np.errstate(divide="ignore", invalid="ignore"):
            as_today = np.nan_to_num(np.minimum(1.0, self.column["hours"][rows].astype(float) / today), nan=1.0)
        used = np.where(stay & np.isnan(price), units * as_today, used)
        for name in np.unique(model):
            self.plan_use[name][rows] += np.where(model == name, np.nan_to_num(used), 0.0)
        return Settled(np.array([used, units - used]), np.array([np.zeros(len(units)), (units - used) * left]))


def _lost(units: Numbers, each: Numbers, share: Numbers) -> Numbers:
    """A share of units x each; 0 where the share is 0, whatever the rest."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where((share > 0) & (units > 0), units * each * share, 0.0))


def _reserved(shares: Sequence[Share]) -> float:
    """What is left of all reservations of a pool whose price is known."""
    return float(np.nansum([share.remaining for share in shares if share.held.kind == "reservation"]))


def _ratios(size: str, region: str, world: World) -> Numbers:
    """For each size of the catalogue the reserved VMs of `size` that one VM of it uses; NaN: it is another group."""
    found = np.full(len(world.sizes), np.nan)
    held = world.catalogue.sizes.get(size)
    price = world.quotes.last_known(size, region, os_of("linux"))
    for place, target in enumerate(world.sizes):
        if target.name == size:
            found[place] = 1.0
        elif held and price and target.series == held.series and (target.rdma == "none") == (held.rdma == "none"):
            other = world.quotes.last_known(target.name, region, os_of("linux"))
            found[place] = other.compute / price.compute if other else np.nan
    return found


def _prices(
    column: Mapping[str, Numbers], world: World, request: AdviceRequest
) -> tuple[dict[PriceModel, Numbers], dict[PriceModel, Numbers]]:
    """Hourly compute of every row by price model, NaN where it is unknown or not sold on the day; and for each kind
    of savings plan where a source says that Azure offers none."""
    number = len(column["n"])
    prices = {model: np.full(number, np.nan) for model in _MODELS}
    no_plan = {model: np.zeros(number, dtype=bool) for model in _MODELS if model.startswith("sp_")}
    place = np.array([f"{region}|{os}" for region, os in zip(column["region"], column["os"], strict=True)])
    for where in np.unique(place):
        region, _, os = where.partition("|")
        rows = np.flatnonzero(place == where)
        target = column["target_index"][rows].astype(int)
        for model in _MODELS:
            table = np.full((2, len(world.sizes)), np.nan)
            for size in np.unique(target):
                table[:, size] = _price(world, world.sizes[size], region, os_of(os), model, request)
            prices[model][rows] = table[0, target]
            if model in no_plan:
                no_plan[model][rows] = table[1, target] == 1
    return prices, no_plan


def _price(
    world: World, size: Size, region: str, os: Any, model: PriceModel, request: AdviceRequest
) -> tuple[float, float]:
    """The price, NaN where there is none; and 1 where a source says that it is not sold on the day."""
    quote = world.quotes.quote(size.name, region, os, model, request.as_of)
    terms = world.quotes.book.commitments.get((size.series, model))
    closed = quote is None and terms is not None and terms.sold_on(request.as_of) is False
    return quote.compute if quote else np.nan, float(closed)
