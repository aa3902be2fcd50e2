"""What a move strands, worked out by hand: two reserved NC6s_v3 at 1.50 an hour, a year before they end.

Left on 2026-11-30 of one that ends on 2027-11-30: 365 days x 24 h x 1.50 = 13,140, of two 26,280.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import numpy as np
import pandas as pd
import pytest

from advisor.engine.arrays import Table
from advisor.engine.candidates import World
from advisor.engine.catalogue import Catalogue
from advisor.engine.commitment_answer import StrandedPart
from advisor.engine.held import HeldCommitment
from advisor.engine.held_rules import may_be_exchanged
from advisor.engine.held_use import HeldUse, NoRate, Share, share_out
from advisor.engine.pools import Pool
from advisor.engine.prices import Price, PriceBook
from advisor.engine.quotes import Quotes
from advisor.engine.stranded import add_stranded, stranded_parts
from tests import shipped
from tests.factories import AS_OF, make_request

V100, T4 = "Standard_NC6s_v3", "Standard_NC4as_T4_v3"
LEFT = 13_140.0
ASSUME = {"refund_fee": 0.0}
#: An hour of a T4 VM by price model. A term of it costs 0.60 x 8,760 = 5,256, 0.40 x 26,280 = 10,512,
#: 0.80 x 8,760 = 7,008 and 0.60 x 26,280 = 15,768.
T4_PRICES = {"payg": 1.0, "ri_1y": 0.6, "ri_3y": 0.4, "sp_1y": 0.8, "sp_3y": 0.6}
V100_PRICES = {"payg": 4.0, "sp_3y": 2.0}


def price(size: str, model: Any, hourly: float, age: int = 30) -> Price:
    return Price(
        size=size,
        region="westeurope",
        os="linux",
        price_model=model,
        hourly_price=hourly,
        as_of=AS_OF - timedelta(days=age),
        source="a",
    )


@pytest.fixture(scope="module")
def world(catalogue: Catalogue, price_book: PriceBook) -> World:
    """The shipped catalogue with prices for few sizes."""
    rows = [price(T4, model, hourly) for model, hourly in T4_PRICES.items()]
    rows += [price(V100, model, hourly) for model, hourly in V100_PRICES.items()]
    rows += [price("Standard_NC12s_v3", "payg", 8.0), price("Standard_NC24rs_v3", "payg", 17.6)]
    rows += [price(size, "payg", 80.0) for size in ("Standard_ND96isr_H100_v5", "Standard_ND96isr_H200_v5")]
    prices = {(row.size, row.region, row.os, row.price_model): row for row in rows}
    return shipped.world().with_quotes(Quotes(replace(price_book, prices=prices), catalogue))


def held(**values: Any) -> HeldCommitment:
    facts = {"order": "A", "kind": "reservation", "years": 3, "ends": date(2027, 11, 30), "quantity": 2}
    return HeldCommitment(**facts | {"size": V100, "region": "westeurope", "hourly_price": 1.5} | values)


def plan_held(hourly: float = 4.0, **values: Any) -> HeldCommitment:
    facts = {"order": "S", "kind": "savings_plan", "years": 3, "ends": date(2027, 11, 30), "hourly_price": hourly}
    return HeldCommitment(**facts | values)


def share(units: float = 2.0, value: float = LEFT, exchangeable: bool = True, **values: Any) -> Share:
    return Share(held=held(**values), units=units, value=value, note="", exchangeable=exchangeable)


def option(world: World, target: str = T4, n: float = 8.0, **values: Any) -> dict[str, Any]:
    """A pool of two VMs that may take `n` of the target, steady unless `hours` says how long all of them run."""
    row = {"n": n, "hours": n * 730.0, "vms": 2.0, "hours_per_vm_month": 730.0, "target_index": world.index[target]}
    return row | {"region": "westeurope", "os": "linux", "ends": np.nan, "stay": False} | values


def parts(
    world: World,
    shares: Sequence[Share],
    row: dict[str, Any],
    refund: float = 0.0,
    as_of: date = AS_OF,
    fee: float = 0.0,
) -> tuple[StrandedPart, ...]:
    use = HeldUse(shares={"p": tuple(shares)}, refunds={"p": refund})
    (found,) = stranded_parts(
        Table.of(pd.DataFrame([row])), ["p"], use, world, make_request(as_of=as_of), {"refund_fee": fee}
    )
    return found


def told(found: Sequence[StrandedPart]) -> list[tuple[str, float, float | None]]:
    """Way, units and lost money, to the cent."""
    return [(p.way, round(p.units, 9), None if p.lost is None else round(p.lost, 2)) for p in found]


# Exchange


def test_an_exchange_keeps_all_where_the_new_reservation_is_large_enough(world: World) -> None:
    # 8 x 5,256 = 42,048 for a year is at least 26,280
    assert told(parts(world, [share()], option(world))) == [("exchange_1y", 2, 0)]


def test_a_longer_term_where_one_year_is_not_large_enough(world: World) -> None:
    # 4 x 5,256 = 21,024 is below 26,280; 4 x 10,512 = 42,048 is not
    assert told(parts(world, [share()], option(world, n=4))) == [("exchange_3y", 2, 0)]


def test_whole_machines_go_through_a_way_and_the_rest_is_lost(world: World) -> None:
    # one T4 is reserved for at most 10,512, below 13,140; a plan of 15,768 takes one of the two
    found = parts(world, [share()], option(world, n=1))
    assert told(found) == [("trade_in_3y", 1, 0), ("lost", 1, LEFT)]
    assert found[1].remaining == LEFT and found[1].returned == 0


def test_a_reservation_that_would_stand_idle_saves_only_what_it_is_used_for(world: World) -> None:
    # 80 h a month: use in 3 years 1.00 x 80 x 36 = 2,880 of the 10,512 that a T4 costs. One of 13,140 needs 2 T4,
    # 21,024 for a use of 5,760, which loses more than 13,140; a plan need not be whole machines:
    # 13,140 / 15,768 x (15,768 - 2,880) = 10,740
    found = parts(world, [share(units=1)], option(world, hours=640.0))
    assert told(found) == [("trade_in_3y", 1, 10_740.0)]


def test_an_idle_exchange_that_still_saves_something(world: World) -> None:
    # 300 h a month: use of a T4 in 3 years 10,800, more than its 10,512: nothing is lost;
    # in a year 3,600 of 5,256, which would lose 1,656 a machine
    assert told(parts(world, [share(units=1)], option(world, hours=2400.0))) == [("exchange_3y", 1, 0)]
    # 200 h: 7,200 of 10,512; two of them lose 2 x 3,312 = 6,624, a plan of 13,140 / 15,768 x 8,568 = 7,140
    assert told(parts(world, [share(units=1)], option(world, hours=1600.0))) == [("exchange_3y", 1, 6_624.0)]


def test_two_orders_do_not_take_the_same_machine_twice(world: World) -> None:
    # 13,140 needs two T4 for three years (21,024): four hold two orders, of three the last takes a plan of 15,768,
    # and two hold one order and nothing is left for the other
    orders = [share(units=1, order="A"), share(units=1, order="B")]
    ways = {n: [(p.order, p.way) for p in parts(world, orders, option(world, n=n))] for n in (4, 3)}
    assert ways == {
        4: [("A", "exchange_3y"), ("B", "exchange_3y")],
        3: [("A", "exchange_3y"), ("B", "trade_in_3y")],
    }
    assert told(parts(world, orders, option(world, n=1))) == [("trade_in_3y", 1, 0), ("lost", 1, LEFT)]


def test_a_target_that_ends_before_the_new_reservation_does_is_no_exchange(world: World) -> None:
    ends = float(date(2027, 11, 29).toordinal())
    codes = [p.way for p in parts(world, [share()], option(world, ends=ends))]
    assert codes == ["trade_in_1y"]
    codes = [p.way for p in parts(world, [share()], option(world, ends=ends + 1))]
    assert codes == ["exchange_1y"]


# The rule of 2027-02-01


@pytest.mark.parametrize(
    ("bought", "as_of", "allowed"),
    [
        (date(2026, 12, 1), date(2027, 1, 31), True),  # every one until then
        (date(2026, 12, 1), date(2027, 2, 1), True),  # bought before: once more
        (date(2027, 1, 31), date(2027, 6, 1), True),
        (date(2027, 2, 1), date(2027, 2, 1), False),
        (date(2027, 2, 2), date(2027, 6, 1), False),
    ],
)
def test_exchanges_end_with_what_is_bought_from_february_2027_on(bought: date, as_of: date, allowed: bool) -> None:
    one = held(bought=bought, ends=date(2030, 1, 1))
    assert may_be_exchanged(one, as_of, near_end=False) is allowed


def test_a_size_near_its_end_is_exempt_from_the_rule() -> None:
    one = held(bought=date(2027, 3, 1), ends=date(2030, 3, 1))
    assert may_be_exchanged(one, date(2027, 6, 1), near_end=True)


def test_without_a_day_of_purchase_it_is_a_term_before_the_end() -> None:
    assert held(ends=date(2030, 1, 31)).bought_on == date(2027, 1, 31)
    assert held(ends=date(2028, 2, 29), years=1).bought_on == date(2027, 2, 28)


def test_the_page_and_the_day_of_the_rule_stand_beside_an_exchange(world: World) -> None:
    (part,) = parts(world, [share()], option(world))
    assert {source.as_of for source in part.sources} >= {date(2026, 8, 27), date(2026, 8, 18)}


# Trade-in


def test_without_an_exchange_it_is_traded_in(world: World) -> None:
    # 8 x 7,008 = 56,064
    assert told(parts(world, [share(exchangeable=False)], option(world))) == [("trade_in_1y", 2, 0)]


def test_no_trade_in_where_no_savings_plan_is_sold(world: World) -> None:
    found = parts(world, [share(exchangeable=False)], option(world, "Standard_ND96isr_H100_v5", 1))
    assert told(found) == [("lost", 2, 2 * LEFT)]


# Refund


def test_a_refund_takes_whole_machines_up_to_the_cap(world: World) -> None:
    # 20,000 / 13,140 = 1.52: one
    found = parts(world, [share(exchangeable=False)], option(world, "Standard_ND96isr_H100_v5", 1), refund=20_000.0)
    assert told(found) == [("refund", 1, 0), ("lost", 1, LEFT)]
    assert found[0].returned == LEFT


def test_the_fee_is_lost_and_makes_other_ways_better(world: World) -> None:
    h100 = option(world, "Standard_ND96isr_H100_v5", 1)
    found = parts(world, [share(exchangeable=False)], h100, refund=26_280.0, fee=12.0)
    assert told(found) == [("refund", 2, 3_153.6)]  # 12 % of 26,280
    assert told(parts(world, [share()], option(world), refund=26_280.0, fee=12.0)) == [("exchange_1y", 2, 0)]


# Staying, and sizes of the same group


def test_a_stay_with_all_machines_strands_nothing(world: World) -> None:
    assert told(parts(world, [share()], option(world, V100, 2, stay=True))) == [("keep", 2, 0)]


def test_a_stay_with_fewer_machines_frees_the_rest(world: World) -> None:
    found = parts(world, [share()], option(world, V100, 1, stay=True), refund=13_140.0)
    assert told(found) == [("keep", 1, 0), ("refund", 1, 0)]


def test_a_size_of_the_group_uses_the_reservation_by_its_price(world: World) -> None:
    # NC12s_v3 costs 8.00, twice the 4.00 of NC6s_v3
    assert told(parts(world, [share()], option(world, "Standard_NC12s_v3", 1))) == [("keep", 2, 0)]


def test_a_size_with_infiniband_is_another_group(world: World) -> None:
    assert told(parts(world, [share()], option(world, "Standard_NC24rs_v3", 1))) == [("lost", 2, 2 * LEFT)]


def test_another_region_keeps_nothing(world: World) -> None:
    row = option(world, V100, 2, region="northeurope")
    assert told(parts(world, [share()], row)) == [("lost", 2, 2 * LEFT)]


def test_what_outlives_the_size_is_lost(world: World) -> None:
    # the size ends after 73 of 365 days: four fifths of 26,280 = 21,024
    ends = float((AS_OF + timedelta(days=73)).toordinal())
    assert told(parts(world, [share()], option(world, V100, 2, stay=True, ends=ends))) == [("keep", 2, 21_024.0)]


# Unknown


def test_an_unknown_price_is_unknown_and_not_nothing(world: World) -> None:
    (part,) = parts(world, [share(value=math.nan)], option(world))
    assert (part.way, part.lost, part.remaining) == ("value_unknown", None, None)


def test_an_unknown_price_does_not_matter_where_the_order_stays_in_use(world: World) -> None:
    assert told(parts(world, [share(value=math.nan)], option(world, V100, 2, stay=True))) == [("keep", 2, 0)]


# Savings plans held: 4.00 an hour for 8,760 hours more


def plan_share(units: float = 4.0) -> Share:
    return Share(held=plan_held(), units=units, value=8760.0, note="", exchangeable=False)


def test_a_savings_plan_goes_on_where_the_target_takes_one(world: World) -> None:
    # 8 x 0.60 = 4.80 an hour
    assert told(parts(world, [plan_share()], option(world))) == [("plan_used", 4, 0)]


def test_what_a_cheaper_target_leaves_unused_is_lost(world: World) -> None:
    # 5 x 0.60 = 3.00; 1.00 x 8,760 are lost
    found = parts(world, [plan_share()], option(world, n=5))
    assert told(found) == [("plan_used", 3, 0), ("plan_unused", 1, 8_760.0)]


def test_all_is_lost_where_no_savings_plan_is_offered(world: World) -> None:
    found = parts(world, [plan_share()], option(world, "Standard_ND96isr_H100_v5", 1))
    assert told(found) == [("plan_unused", 4, 35_040.0)]


def test_where_no_source_says_it_is_unknown(world: World) -> None:
    found = parts(world, [plan_share()], option(world, "Standard_ND96isr_H200_v5", 1))
    assert [(part.way, part.lost) for part in found] == [("plan_unknown", None)]


def test_a_stay_uses_a_plan_as_today(world: World) -> None:
    assert told(parts(world, [plan_share()], option(world, V100, 2, stay=True))) == [("plan_used", 4, 0)]


def test_two_plans_do_not_cover_the_same_machines(world: World) -> None:
    # 8 x 0.60 = 4.80: the first of 4.00 is used, of the second 0.80
    found = parts(world, [plan_share(), plan_share()], option(world))
    assert told(found) == [("plan_used", 4, 0), ("plan_used", 0.8, 0), ("plan_unused", 3.2, 28_032.0)]


# Who uses what


def pools(*rows: dict[str, Any]) -> list[Pool]:
    facts = {"size": V100, "region": "westeurope", "vms": 8, "hours_per_vm_month": 730.0, "price_model": "payg"}
    return [facts | {"id": f"p{place}"} | row for place, row in enumerate(rows)]


def use_of(
    world: World, orders: Sequence[HeldCommitment], table: Sequence[Pool], cap: float = 50_000.0, **request: Any
) -> HeldUse:
    return share_out(orders, table, world, make_request(**request), cap)


def units(use: HeldUse) -> dict[str, list[float]]:
    return {pool: [share.units for share in shares] for pool, shares in use.shares.items()}


def test_an_order_covers_pools_in_turn(world: World) -> None:
    assert units(use_of(world, [held(quantity=12)], pools({}, {}))) == {"p0": [8], "p1": [4]}


def test_pools_that_the_file_marks_as_reserved_come_first(world: World) -> None:
    use = use_of(world, [held(quantity=10)], pools({}, {"price_model": "ri_3y"}))
    assert units(use) == {"p1": [8], "p0": [2]}


def test_spot_machines_and_other_sizes_or_regions_are_not_covered(world: World) -> None:
    use = use_of(world, [held()], pools({"price_model": "spot"}, {"size": T4}, {"region": "northeurope"}))
    assert use.shares == {} and [(u.units, u.held.order) for u in use.unused] == [(2, "A")]


def test_the_order_that_ends_first_is_used_first(world: World) -> None:
    later, sooner = held(order="B", ends=date(2028, 1, 1), quantity=6), held(order="C", quantity=4)
    use = use_of(world, [later, sooner], pools({}))
    assert [(s.held.order, s.units) for s in use.shares["p0"]] == [("C", 4), ("B", 4)]
    assert [(u.held.order, u.units) for u in use.unused] == [("B", 2)]


def test_what_has_ended_or_is_not_bought_yet_is_not_held(world: World) -> None:
    gone = [held(ends=AS_OF), held(bought=AS_OF + timedelta(days=1))]
    assert use_of(world, gone, pools({})).shares == {}
    assert units(use_of(world, [held(ends=AS_OF + timedelta(days=1))], pools({}))) == {"p0": [2]}


def test_refunds_are_shared_over_the_fleet(world: World) -> None:
    # p0: 3 x 13,140 = 39,420; of the 50,000 there are 10,580 left for p1, less than the 26,280 of its two
    use = use_of(world, [held(quantity=5)], pools({"vms": 3}, {"vms": 2}))
    assert {pool: round(money, 2) for pool, money in use.refunds.items()} == {"p0": 39_420.0, "p1": 10_580.0}


def test_what_is_left_is_price_times_hours(world: World) -> None:
    use = use_of(world, [held()], pools({}))
    assert use.shares["p0"][0].value == LEFT and use.shares["p0"][0].remaining == 2 * LEFT


def test_u53_a_price_in_another_currency_needs_its_rate(world: World) -> None:
    with pytest.raises(NoRate, match="EUR"):
        use_of(world, [held(currency="EUR")], pools({}))


def test_a_plan_is_shared_by_what_machines_cost_under_it(world: World) -> None:
    # 2 x 2.00 = 4.00 an hour, then 1 x 2.00 x 365 / 730 = 1.00; 5.00 of 7.50 are used
    table = pools({"vms": 2}, {"vms": 1, "hours_per_vm_month": 365.0})
    use = use_of(world, [plan_held(7.5)], table)
    assert units(use) == {"p0": [4], "p1": [1]}
    assert [u.units for u in use.unused] == [2.5]


def test_reservations_are_used_before_savings_plans(world: World) -> None:
    # one of two machines is reserved: the plan is used for the other one, 2.00 an hour
    use = use_of(world, [plan_held(5.0, ends=date(2027, 1, 1)), held(quantity=1)], pools({"vms": 2}))
    assert [(s.held.order, s.units) for s in use.shares["p0"]] == [("A", 1), ("S", 2)]


def test_machines_that_an_exchange_reserves_use_no_savings_plan(world: World) -> None:
    # 13,140 are exchanged for 3 of 8 T4; the other 5 use 5 x 0.60 = 3.00 of 4.00 an hour, 8,760 are lost
    found = parts(world, [share(units=1), plan_share()], option(world))
    assert told(found) == [("exchange_1y", 1, 0), ("plan_used", 3, 0), ("plan_unused", 1, 8_760.0)]


def test_a_stay_with_fewer_machines_uses_less_of_a_plan(world: World) -> None:
    # shared out at 2.00 an hour: one machine uses 2.00 of 4.00
    one = replace(plan_share(), plan_price=2.0)
    assert told(parts(world, [one], option(world, V100, 1, stay=True))) == [
        ("plan_used", 2, 0),
        ("plan_unused", 2, 17_520.0),
    ]


def test_an_old_row_prices_a_reservation_nobody_priced(catalogue: Catalogue, price_book: PriceBook) -> None:
    # rows of 2020 price what is held, never what is new: NC6s_v3 in West Europe
    world = shipped.world()
    row = price_book.prices[V100, "westeurope", "linux", "ri_3y"]
    use = use_of(world, [held(hourly_price=None)], pools({}))
    assert use.shares["p0"][0].value == row.hourly_price * 8760
    assert str(row.as_of) in use.shares["p0"][0].note


def test_no_row_and_no_discount_leaves_the_price_unknown(world: World) -> None:
    gb300 = held(hourly_price=None, size="Standard_ND128isr_GB300_v6")
    use = use_of(world, [gb300], pools({"size": "Standard_ND128isr_GB300_v6"}))
    assert math.isnan(use.shares["p0"][0].value)


# The whole table


def table_of(world: World, pool_count: int) -> Table:
    """Every size for some pools."""
    number = len(world.sizes)
    column = {name: [value] * (number * pool_count) for name, value in option(world, n=4).items()}
    return Table.of(column | {"target_index": np.tile(np.arange(number), pool_count).tolist()})


def test_the_table_and_the_parts_say_the_same(world: World) -> None:
    table = table_of(world, 3)
    place = np.arange(len(table))
    hours, n = table.flat("hours"), table.flat("n")
    table = table.with_columns(hours=np.where(place % 7 == 0, 400.0, hours), n=np.where(place % 11 == 0, 1.0, n))
    shares = {
        "p0": (share(), plan_share()),
        "p2": (plan_share(), share(exchangeable=False, order="B"), share(units=1, order="C")),
    }
    use = HeldUse(shares=shares, refunds={"p0": 10_000.0, "p2": 20_000.0})
    request = make_request()
    lost = add_stranded(table, ["p0", "p1", "p2"], use, world, request, ASSUME).flat("stranded")
    owners = np.repeat(["p0", "p1", "p2"], len(world.sizes)).tolist()
    together = stranded_parts(table, owners, use, world, request, ASSUME)
    for row, pool in enumerate(owners):
        found = together[row]
        assert [found] == stranded_parts(table.take([row]), [pool], use, world, request, ASSUME)
        alone = math.nan if any(p.lost is None for p in found) else sum(p.lost or 0.0 for p in found)
        assert lost[row] == pytest.approx(alone, nan_ok=True)


def test_without_commitments_nothing_is_stranded(world: World) -> None:
    table = table_of(world, 1)
    lost = add_stranded(table, ["p0"], HeldUse(shares={}, refunds={}), world, make_request(), ASSUME)["stranded"]
    assert (lost == 0).all()


def test_where_the_number_of_machines_is_unknown_so_is_the_loss(world: World) -> None:
    table = table_of(world, 1).with_columns(n=np.nan)
    lost = add_stranded(table, ["p0"], HeldUse(shares={}, refunds={}), world, make_request(), ASSUME)["stranded"]
    assert np.isnan(lost).all()
