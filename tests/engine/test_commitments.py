"""Held commitments and the commitment plan in a whole advice: what appears, what disappears, what is shared."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from advisor.engine.advice import advise
from advisor.engine.advice_from_json import advice_from_json
from advisor.engine.advice_json import advice_json
from advisor.engine.answer import Advice, Option
from advisor.engine.candidates import World
from advisor.engine.held import HeldCommitment
from advisor.engine.redact import redact
from tests.factories import make_reading, make_request, make_row

ORDER = "order-of-somebody"


def held(**values: Any) -> HeldCommitment:
    facts = {"order": ORDER, "kind": "reservation", "years": 3, "ends": date(2027, 11, 30), "quantity": 4}
    place = {"size": "Standard_NV12s_v3", "region": "uaenorth", "hourly_price": 1.0}
    return HeldCommitment(**facts | place | values)


def ask(world: World, *orders: HeldCommitment, **request: Any) -> Advice:
    """Two pools of NVv3 where it lives until 2027-01-31, four and two machines, all day."""
    rows = [
        make_row("NV12s_v3", count, "uaenorth", workload="graphics", pool=name) for name, count in (("a", 4), ("b", 2))
    ]
    return advise([make_reading(*rows)], world, make_request(held=orders, top=0, horizon_months=1, **request))


def stranded(option: Option) -> float:
    return option.tco.components["stranded_commitments"]


def test_what_is_stranded_is_a_part_of_the_cost_of_ownership(world: World) -> None:
    # 365 days x 24 h x 100.00 = 876,000 each, more than one graphics machine is ever reserved for
    bare = {o.size: o for o in ask(world).pools[0].options}
    options = ask(world, held(hourly_price=100.0)).pools[0].options
    for option in options:
        lost = stranded(option)
        assert lost == pytest.approx(sum(part.lost or 0.0 for part in option.stranded))
        assert option.tco.expected == pytest.approx(bare[option.size].tco.expected + lost)
        assert sum(part.units for part in option.stranded) == pytest.approx(4)
    assert max(map(stranded, options)) == pytest.approx(4 * 876_000.0)


def test_nothing_is_stranded_once_the_order_has_ended(world: World) -> None:
    for orders in ((), (held(ends=date(2026, 11, 30)),), (held(region="westeurope"),)):
        options = ask(world, *orders).pools[0].options
        assert options and all(stranded(option) == 0 and option.stranded == () for option in options)


def test_refunds_of_all_pools_stay_below_the_cap(world: World) -> None:
    # 8,760 x 100.00 = 876,000 each; 4,380,000 refund five of the six
    advice = ask(world, held(quantity=6, hourly_price=100.0), assume=(("refund_cap", 4_380_000.0),))
    first, second = (
        {o.size: sum(p.units for p in o.stranded if p.way == "refund") for o in pool.options} for pool in advice.pools
    )
    assert max(first.values()) == 4 and max(second.values()) == 1


def test_one_pool_alone_has_the_same_figures(world: World) -> None:
    orders = (held(quantity=5), held(kind="savings_plan", size=None, region=None, quantity=1, hourly_price=3.0))
    whole = ask(world, *orders)
    for pool in whole.pools:
        (alone,) = ask(world, *orders, only=frozenset({pool.id})).pools
        assert [(o.size, stranded(o), o.stranded) for o in alone.options] == [
            (o.size, stranded(o), o.stranded) for o in pool.options
        ]


def test_what_no_pool_uses_is_told(world: World) -> None:
    (unused,) = ask(world, held(quantity=10)).held_unused
    assert (unused.order, unused.units) == (ORDER, 4)


def test_a_plan_stands_for_the_first_option(world: World) -> None:
    advice = advise([make_reading(make_row("NC6s_v3", 2, workload="training"))], world, make_request())
    (pool,) = advice.pools
    assert pool.commitments is not None and pool.commitments.plan is not None
    plan, first = pool.commitments.plan, pool.options[0]
    assert (plan.size, plan.region) == (first.size, first.region)
    assert plan.all_payg.monthly_cost == pytest.approx(first.monthly_cost)
    parts = first.tco.components
    assert plan.all_payg.present_value == pytest.approx(parts["compute"] + parts["windows_licence"])
    assert plan.plan.expected <= plan.all_payg.expected


def test_u56_the_plan_agrees_with_the_price_models_side_by_side(world: World) -> None:
    (pool,) = advise([make_reading(make_row("NC6s_v3", 2, workload="training"))], world, make_request()).pools
    assert pool.commitments is not None and pool.commitments.plan is not None
    three = next(row for row in pool.options[0].prices if row.price_model == "ri_3y")
    assert pool.commitments.plan.all_3y is not None
    assert pool.commitments.plan.all_3y.monthly_cost == pytest.approx(three.monthly_cost)


def test_a_pool_that_nothing_can_be_ranked_for_has_no_plan_and_says_why(world: World) -> None:
    (pool,) = advise([make_reading(make_row("NC6s_v3", 2, None))], world, make_request()).pools
    assert pool.options == () and pool.commitments is not None
    assert pool.commitments.plan is None and pool.commitments.waiting.why


def test_json_keeps_commitments_to_the_last_digit(world: World) -> None:
    advice = ask(world, held(), held(quantity=50, order="B", ends=date(2026, 12, 15)))
    document = json.loads(json.dumps(advice_json(advice), allow_nan=False))
    assert advice_json(advice_from_json(document)) == document
    pool = document["pools"][0]
    assert pool["commitments"]["waiting"]["dates"] and pool["options"][0]["stranded"]


def test_an_older_answer_has_no_commitments(world: World) -> None:
    document = advice_json(ask(world, held()))
    del document["held_unused"]
    for pool in document["pools"]:
        del pool["commitments"]
        for option in pool["options"]:
            option.pop("stranded", None)
    advice = advice_from_json(document)
    assert (advice.held_unused, advice.pools[0].commitments, advice.pools[0].options[0].stranded) == ((), None, ())


def test_a_report_names_no_order(world: World) -> None:
    advice = ask(world, held(quantity=10))
    shared = advice_json(redact(advice, with_names=False))
    assert ORDER in json.dumps(advice_json(redact(advice, with_names=True)))
    assert ORDER not in json.dumps(shared)
    orders = {part["order"] for pool in shared["pools"] for o in pool["options"] for part in o.get("stranded", ())}
    assert orders == {"order 1"}
