"""The commitment planner, worked out by hand on T4 VMs at 1.00 an hour."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from advisor.engine.candidates import World
from advisor.engine.catalogue import Catalogue
from advisor.engine.commitment_answer import CommitmentPlan
from advisor.engine.commitment_mix import Step, staircase
from advisor.engine.commitment_plan import PlannedSize, Planner
from advisor.engine.commitment_risk import NO_RISK, Offer, Risk, more_spot_hours, rate_of
from advisor.engine.prices import COMMITMENTS, CommitmentTerms, Price, PriceBook
from advisor.engine.quotes import Quotes
from tests import shipped
from tests.factories import AS_OF, make_request

T4 = "Standard_NC4as_T4_v3"
PRICES = {"payg": 1.0, "spot": 0.3, "ri_1y": 0.6, "ri_3y": 0.4, "sp_1y": 0.8, "sp_3y": 0.6}
#: No chance, no interest, no limit: what is left is arithmetic.
PLAIN = {
    "discount_rate": 0.0,
    "need_ends": 0.0,
    "size_changes": 0.0,
    "reservation_recovered": 0.5,
    "spot_eviction_low": 0.0,
    "spot_eviction_high": 0.0,
    "spot_lost_hours": 0.5,
    "start_hours": 0.25,
    "most_on_spot": 1.0,
    "least_uncommitted": 0.0,
}


def world_of(catalogue: Catalogue, book: PriceBook, sold_until: date | None = None, **prices: float) -> World:
    rows = {
        (T4, "westeurope", "linux", model): Price(
            size=T4,
            region="westeurope",
            os="linux",
            price_model=model,  # type: ignore[arg-type]
            hourly_price=hourly,
            as_of=AS_OF - timedelta(days=30),
            source="a",
        )
        for model, hourly in (prices or PRICES).items()
    }
    terms = dict(book.commitments)
    if sold_until:
        for model in COMMITMENTS:
            terms["NCasT4_v3", model] = CommitmentTerms(
                series="NCasT4_v3",
                price_model=model,
                sold=model.startswith("ri_"),
                sold_until=sold_until if model.startswith("ri_") else None,
                discount_low=None,
                discount_high=None,
                source="a",
                as_of=AS_OF,
            )
    return shipped.world().with_quotes(Quotes(replace(book, prices=rows, commitments=terms), catalogue))


@pytest.fixture(scope="module")
def world(catalogue: Catalogue, price_book: PriceBook) -> World:
    return world_of(catalogue, price_book)


def work(vms: int = 4, hours: float | None = None, **values: Any) -> tuple[PlannedSize, tuple[Step, ...]]:
    """T4 VMs that run all month, or a burst queue of `hours` on at most so many."""
    target: dict[str, Any] = {
        "size": T4,
        "region": "westeurope",
        "os": "linux",
        "ends": None,
        "interruptible": False,
    }
    steps = staircase("steady" if hours is None else "burst", "queue", vms, vms * 730.0 if hours is None else hours)
    return PlannedSize(**target | values), steps


def plan_of(
    world: World, what: tuple[PlannedSize, tuple[Step, ...]], months: int = 36, **assume: float
) -> CommitmentPlan:
    found = Planner(world, make_request(horizon_months=months), PLAIN | assume).plan(*what)
    assert found is not None
    return found


def machines(plan: CommitmentPlan) -> dict[str, tuple[int, float, float]]:
    """Machines, hours and bill of a month by price model."""
    return {
        row.price_model: (row.vms, round(row.hours_per_month, 6), round(row.monthly_cost, 2)) for row in plan.machines
    }


# The staircase


def test_steady_machines_run_all_month() -> None:
    assert staircase("steady", "queue", 4, 2920.0) == (Step(730.0, 4),)


def test_seats_and_streams_share_their_hours() -> None:
    assert staircase("burst", "seat", 4, 400.0) == staircase("burst", "stream", 4, 400.0) == (Step(100.0, 4),)


def test_a_burst_queue_is_packed() -> None:
    # 1,000 h: one machine all month, the next 270 h, the third not at all
    assert staircase("burst", "queue", 3, 1000.0) == (Step(730.0, 1), Step(270.0, 1))
    assert staircase("burst", "queue", 2, 1460.0) == (Step(730.0, 2),)
    assert staircase("burst", "queue", 2, 80.0) == (Step(80.0, 1),)
    assert staircase("burst", "queue", 2, 0.0) == ()


# The mix


def test_steady_machines_are_reserved_for_three_years(world: World) -> None:
    # 4 x 730 x 0.40 = 1,168 a month, x 36 = 42,048; pay-as-you-go 4 x 730 x 36 = 105,120
    plan = plan_of(world, work())
    assert machines(plan) == {"ri_3y": (4, 2920, 1168.0)}
    assert plan.plan.present_value == plan.plan.expected == pytest.approx(42_048.0)
    assert plan.all_payg.present_value == pytest.approx(105_120.0)
    assert (plan.all_3y, plan.all_3y_model) == (plan.plan, "ri_3y")
    assert plan.committed == pytest.approx(4 * 0.4 * 26_280)


def test_few_hours_are_paid_as_you_go(world: World) -> None:
    # 730 h: 292.00 reserved against 730.00; 270 h: 270.00 against 292.00
    plan = plan_of(world, work(3, 1000.0))
    assert machines(plan) == {"ri_3y": (1, 730, 292.0), "payg": (1, 270, 270.0)}
    assert plan.plan.monthly_cost == pytest.approx(562.0)
    assert plan.committed == pytest.approx(10_512.0)  # 0.40 x 26,280


def test_u52_spot_only_where_the_work_may_be_interrupted(world: World) -> None:
    assert machines(plan_of(world, work(interruptible=True))) == {"spot": (4, 2920, 876.0)}
    why = {row.price_model: row.why for row in plan_of(world, work()).not_offered}
    assert why == {"spot": "the work may not be interrupted"}


def test_at_most_a_share_on_spot(world: World) -> None:
    # one of two: spot for 270 h and 0.40 x 730 is 81 + 292 = 373; spot for 730 h and 270 as you go is 219 + 270 = 489
    plan = plan_of(world, work(3, 1000.0, interruptible=True), most_on_spot=0.5)
    assert machines(plan) == {"ri_3y": (1, 730, 292.0), "spot": (1, 270, 81.0)}


def test_at_least_a_share_uncommitted(world: World) -> None:
    plan = plan_of(world, work(5), least_uncommitted=0.5)
    assert machines(plan) == {"ri_3y": (2, 1460, 584.0), "payg": (3, 2190, 2190.0)}


def test_the_windows_licence_is_paid_for_hours_used(catalogue: Catalogue, price_book: PriceBook) -> None:
    # 4 vCPUs x 0.046 = 0.184 an hour: 730 x (0.40 + 0.184) = 426.32; 270 x 1.184 = 319.68
    world = world_of(catalogue, price_book)
    plan = plan_of(world, work(2, 1000.0, os="windows"))
    assert machines(plan) == {"ri_3y": (1, 730, 426.32), "payg": (1, 270, 319.68)}
    owned = plan_of(world, work(2, 1000.0, os="windows", licence_free=True))
    assert machines(owned) == {"ri_3y": (1, 730, 292.0), "payg": (1, 270, 270.0)}


def test_without_a_price_there_is_no_plan(world: World) -> None:
    assert Planner(world, make_request(), PLAIN).plan(*work(region="northeurope")) is None


def test_without_hours_there_is_no_plan(world: World) -> None:
    assert Planner(world, make_request(), PLAIN).plan(*work(2, 0.0)) is None


def test_assumed_hours_are_told(world: World) -> None:
    plan = Planner(world, make_request(), PLAIN).plan(*work(), hours_assumed=True)
    assert plan is not None and plan.uncertain[0] == "The hours are assumed: nobody gave them."


# What can be had


def test_a_term_beyond_the_horizon_is_not_offered(world: World) -> None:
    plan = plan_of(world, work(), months=24)
    # 1 year twice: 4 x 730 x 0.60 x 24 = 42,048
    assert machines(plan) == {"ri_1y": (4, 2920, 1752.0)}
    assert plan.plan.present_value == pytest.approx(42_048.0)
    assert plan.all_3y is None
    assert {row.price_model for row in plan.not_offered} == {"spot", "ri_3y", "sp_3y"}


def test_months_that_no_whole_term_covers_are_paid_as_you_go(world: World) -> None:
    # 24 months at 0.60 and 6 at 1.00: 730 x (14.4 + 6) = 14,892
    plan = plan_of(world, work(1), months=30)
    assert plan.plan.present_value == pytest.approx(14_892.0)
    assert any("last 6 months" in text for text in plan.uncertain)


def test_no_commitment_outlives_its_size(world: World) -> None:
    # a year ends on 2027-11-30, a second one would on 2028-11-30: 12 months at 0.60 and 24 at 1.00
    plan = plan_of(world, work(1, ends=date(2028, 11, 29)))
    assert machines(plan) == {"ri_1y": (1, 730, 438.0)}
    assert plan.plan.present_value == pytest.approx(730 * (0.6 * 12 + 24))
    later = plan_of(world, work(1, ends=date(2028, 11, 30)))
    assert later.plan.present_value == pytest.approx(730 * (0.6 * 24 + 12))


def test_a_term_must_be_sold_on_its_first_day(catalogue: Catalogue, price_book: PriceBook) -> None:
    # reservations are sold until 2027-06-30: one term of a year; three years are bought today
    until = world_of(catalogue, price_book, sold_until=date(2027, 6, 30), payg=1.0, ri_1y=0.6)
    assert plan_of(until, work(1)).plan.present_value == pytest.approx(730 * (0.6 * 12 + 24))
    gone = world_of(catalogue, price_book, sold_until=AS_OF - timedelta(days=1), payg=1.0, ri_1y=0.6)
    assert machines(plan_of(gone, work(1))) == {"payg": (1, 730, 730.0)}


# Risk


def test_a_reservation_that_may_not_be_needed_pays_half_of_the_rest() -> None:
    # s(m) = 0.9 ** ((m - 1) / 12), sum over a year 0.1 / (1 - 0.9 ** (1 / 12)); paid s + (1 - s) / 2
    used = 0.1 / (1 - 0.9 ** (1 / 12))
    offer = Offer(model="ri_1y", hourly=0.6, licence=0.0, term_months=12, terms=1)
    risk = Risk(need_ends=0.1, size_changes=0.0, recovered=0.5)
    rate = rate_of(offer, 1.0, 12, 0.0, risk)
    assert rate.fixed == pytest.approx(0.6 * 730 * (12 + used) / 2)
    payg = rate_of(Offer(model="payg", hourly=1.0, licence=0.0), 1.0, 12, 0.0, risk)
    assert payg.cost(730.0) == pytest.approx(730 * used)


def test_a_savings_plan_survives_a_change_of_size_and_nothing_else() -> None:
    offer = Offer(model="sp_1y", hourly=0.8, licence=0.0, term_months=12, terms=1)
    used = 0.1 / (1 - 0.9 ** (1 / 12))
    moves = rate_of(offer, 1.0, 12, 0.0, Risk(need_ends=0.0, size_changes=0.1, recovered=0.5))
    ends = rate_of(offer, 1.0, 12, 0.0, Risk(need_ends=0.1, size_changes=0.0, recovered=0.5))
    assert moves.fixed == pytest.approx(0.8 * 730 * used)
    assert ends.fixed == pytest.approx(0.8 * 730 * 12)


def test_a_term_is_bought_again_only_if_the_machine_is_needed() -> None:
    # nothing comes back: 12 months for sure, 12 with the chance 0.9
    offer = Offer(model="ri_1y", hourly=1.0, licence=0.0, term_months=12, terms=2)
    rate = rate_of(offer, 1.0, 24, 0.0, Risk(need_ends=0.1, size_changes=0.0, recovered=0.0))
    assert rate.fixed == pytest.approx(730 * (12 + 12 * 0.9))


def test_without_risk_it_is_the_present_value() -> None:
    # one payment of 730 at the end of each of two months at 12 % a year
    offer = Offer(model="payg", hourly=1.0, licence=0.0)
    worth = 1.12 ** (-1 / 12) + 1.12 ** (-2 / 12)
    assert rate_of(offer, 1.0, 2, 0.12, NO_RISK).cost(730.0) == pytest.approx(730 * worth)


def test_much_risk_leaves_machines_uncommitted(world: World) -> None:
    sure = plan_of(world, work(1))
    unsure = plan_of(world, work(1), need_ends=0.9, reservation_recovered=0.0)
    assert machines(sure).keys() == {"ri_3y"} and machines(unsure).keys() != {"ri_3y"}
    assert unsure.plan.expected <= min(unsure.all_payg.expected, unsure.all_3y.expected if unsure.all_3y else 0)


def test_evictions_cost_hours() -> None:
    # 0.055 an hour x (0.5 + 0.25) h = 0.04125: 1 / 0.95875
    assert more_spot_hours(PLAIN | {"spot_eviction_low": 0.01, "spot_eviction_high": 0.1}) == pytest.approx(1 / 0.95875)
    assert more_spot_hours(PLAIN | {"spot_eviction_high": 1.0, "spot_lost_hours": 2.0}) == float("inf")


def test_evictions_are_paid(world: World) -> None:
    # 1 / (1 - 0.2 x 0.75) = 1 / 0.85: 730 h become 858.82 h
    plan = plan_of(world, work(1, interruptible=True), spot_eviction_low=0.2, spot_eviction_high=0.2)
    assert machines(plan) == {"spot": (1, pytest.approx(730 / 0.85), round(0.3 * 730 / 0.85, 2))}
