"""Which pool uses which held commitment: every order is shared out once, over the whole fleet, in a stated order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from advisor.engine.candidates import World, os_of
from advisor.engine.held import HeldCommitment
from advisor.engine.held_rules import may_be_exchanged
from advisor.engine.ledger import status_at
from advisor.engine.pools import HOURS_PER_MONTH, Pool
from advisor.engine.prices import PriceModel
from advisor.engine.quotes import Quotes
from advisor.engine.request import AdviceRequest


class NoRate(ValueError):
    """A held commitment in a currency whose rate nobody stated; the message says which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What one pool uses of one held commitment.

    A reservation: `units` VMs, `value` what is left of one of them. A savings plan: `units` money an hour, `value` the
    hours that are left. The value left is units x value in the book's currency, NaN where a price is unknown.
    """

    held: HeldCommitment
    units: float
    value: float
    note: str  # where the price comes from
    exchangeable: bool
    plan_price: float = np.nan  # of an hour of the pool's present size under the savings plan; NaN unknown

    @property
    def remaining(self) -> float:
        return self.units * self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Unused:
    """What no pool of the fleet uses of a held commitment: VMs, or money an hour of a savings plan."""

    held: HeldCommitment
    units: float
    why: str


@dataclass(frozen=True, kw_only=True)
class HeldUse:
    """All shares by pool id, what each pool may get back as a refund, and what no pool uses."""

    shares: Mapping[str, tuple[Share, ...]]
    refunds: Mapping[str, float]
    unused: tuple[Unused, ...] = ()


def share_out(
    held: Iterable[HeldCommitment], pools: Sequence[Pool], world: World, request: AdviceRequest, refund_cap: float
) -> HeldUse:
    """Share what is held on the day over all pools of the fleet.

    - A reservation covers machines of its own size in its own region, one each; a savings plan any machine, up to what
      the machine costs an hour under a plan of that term.
    - Reservations are used before savings plans, as Azure does it, and orders that end first before others. Pools
      that the file marks as reserved, or as on a savings plan, come first, then the others; among equals the order of
      the table. Spot machines are never covered.
    - Refunds: pools in the order of the table, each up to what its reservations are worth, until `refund_cap`, money
      in the book's currency, is used up over the whole fleet.

    Orders that are not held on the day (ended, or not bought yet) are left out. Raises NoRate.
    """
    on_hand = (h for h in held if h.holds_on(request.as_of))
    orders = sorted(on_hand, key=lambda h: (h.kind != "reservation", h.ends, h.order))
    if not orders or not pools:
        return HeldUse(shares={}, refunds={})
    rows = [row for row in pools if row["price_model"] != "spot"]
    shares: dict[str, list[Share]] = {}
    unused = []
    uncovered = {row["id"]: float(row["vms"]) for row in rows}
    used: dict[str, float] = {}  # money an hour of each pool that a savings plan covers already
    for one in orders:
        if one.kind == "reservation":
            left = _share_reservation(one, rows, uncovered, shares, world, request)
        else:
            left = _share_plan(one, rows, uncovered, used, shares, world, request)
        if left > 0:
            what = "no machine of this size and region" if one.kind == "reservation" else "no cost of machines"
            unused.append(Unused(held=one, units=left, why=f"{what} is left in the fleet"))
    refunds, cap = {}, refund_cap
    for row in pools:
        worth = sum(s.remaining for s in shares.get(row["id"], ()) if s.held.kind == "reservation")
        refunds[row["id"]] = min(cap, worth) if worth > 0 else 0.0
        cap -= refunds[row["id"]]
    return HeldUse(shares={key: tuple(own) for key, own in shares.items()}, refunds=refunds, unused=tuple(unused))


def _first(rows: Iterable[Mapping[Any, Any]], kind: str) -> list[Mapping[Any, Any]]:
    """The pools that the file marks with a commitment of that kind, then the others."""
    prefix = "ri_" if kind == "reservation" else "sp_"
    return sorted(rows, key=lambda row: not row["price_model"].startswith(prefix))


def _share_reservation(
    one: HeldCommitment,
    rows: list[dict[Any, Any]],
    uncovered: dict[str, float],
    shares: dict[str, list[Share]],
    world: World,
    request: AdviceRequest,
) -> float:
    """Give the reserved VMs to pools; answers how many are left over."""
    hourly, note = paid_per_hour(one, world.quotes, request)
    status = status_at(world.catalogue, one.size or "", one.region, request.as_of)
    exchangeable = may_be_exchanged(one, request.as_of, near_end=status.status in ("announced", "retired"))
    left = float(one.quantity)
    for row in _first((row for row in rows if (row["size"], row["region"]) == (one.size, one.region)), one.kind):
        units = min(left, uncovered[row["id"]])
        if units > 0:
            value = hourly * one.hours_left(request.as_of)
            shares.setdefault(row["id"], []).append(
                Share(held=one, units=units, value=value, note=note, exchangeable=exchangeable)
            )
            uncovered[row["id"]] -= units
            left -= units
    return left


def _share_plan(
    one: HeldCommitment,
    rows: list[dict[Any, Any]],
    uncovered: Mapping[str, float],
    used: dict[str, float],
    shares: dict[str, list[Share]],
    world: World,
    request: AdviceRequest,
) -> float:
    """Give the plan's money to pools, each up to what its machines without reservation cost an hour under a plan.

    Answers what is left. A pool that the file marks as on a savings plan and whose price under one is unknown takes all
    that is left.
    """
    left, note = paid_per_hour(one, world.quotes, request)
    prices: dict[tuple[str, str | None], float] = {}
    for row in _first(rows, one.kind):
        if left <= 0:
            break
        place = row["size"], row["region"]
        if place not in prices:
            known = row["region"] is not None
            prices[place] = committed_price(*place, one.price_model, world.quotes, request)[0] if known else np.nan
        price = prices[place]
        cost = price * uncovered[row["id"]] * row["hours_per_vm_month"] / HOURS_PER_MONTH - used.get(row["id"], 0.0)
        if np.isnan(price):
            cost = np.inf if row["price_model"].startswith("sp_") and uncovered[row["id"]] > 0 else 0.0
        units = float(min(left, cost))
        if units > 0:
            hours = one.hours_left(request.as_of)
            shares.setdefault(row["id"], []).append(
                Share(held=one, units=units, value=hours, note=note, exchangeable=False, plan_price=price)
            )
            used[row["id"]] = used.get(row["id"], 0.0) + units
            left -= units
    return left


def paid_per_hour(held: HeldCommitment, quotes: Quotes, request: AdviceRequest) -> tuple[float, str]:
    """What is paid for an hour of one unit of a held commitment, in the book's currency, and where that comes from.

    The user's own price, else what the price book says, see `committed_price`; NaN: unknown. Raises NoRate where the
    user's price is in a currency that no rate joins to the book's.
    """
    if held.hourly_price is not None:
        currency = held.currency or quotes.book.currency
        units = quotes.book.units_for(currency, request.rates)
        if units is None:
            raise NoRate(f"{held.order} is priced in {currency}: the rate of {currency} and its day are needed")
        return held.hourly_price * units, "your own price"
    return committed_price(held.size or "", held.region or "", held.price_model, quotes, request)


def committed_price(size: str, region: str, model: Any, quotes: Quotes, request: AdviceRequest) -> tuple[float, str]:
    """Compute of one VM-hour under a commitment that was bought in the past, and where the figure comes from.

    What it costs on the day where it is sold; else its row however old; else the last pay-as-you-go price less the
    smaller discount that was observed. NaN where there is neither.
    """
    known: PriceModel = model
    quote = quotes.quote(size, region, os_of("linux"), known, request.as_of)
    if quote is not None:
        source = "your own price sheet" if quote.own else quote.source  # whose file name is not for others
        return quote.compute, quote.note or f"price of {quote.as_of} ({source})"
    row = quotes.book.prices.get((size, region, "linux", known))
    if row is not None:
        return row.hourly_price, f"price of {row.as_of} ({row.source})"
    facts = quotes.catalogue.sizes.get(size)
    terms = quotes.book.commitments.get((facts.series, known)) if facts else None
    last = quotes.last_known(size, region, os_of("linux"))
    if terms is None or terms.discount_low is None or last is None:
        return np.nan, "its price is not known: give hourly_price"
    share = f"{terms.discount_low:.1%}, as observed ({terms.source})"
    return last.compute * (1 - terms.discount_low), f"estimated: pay-as-you-go of {last.as_of} less {share}"
