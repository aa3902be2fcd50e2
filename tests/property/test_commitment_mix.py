"""The commitment planner against brute force: every assignment of a price model to every machine is tried."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from advisor.engine.commitment_mix import Rate, Step, cheapest_mix
from advisor.engine.prices import COMMITMENTS, PriceModel

MOST_MACHINES = 5
money = st.floats(0, 1000, allow_nan=False).map(lambda value: round(value, 2))
steps = st.lists(st.builds(Step, st.integers(0, 730).map(float), st.integers(1, MOST_MACHINES)), max_size=4).filter(
    lambda found: sum(step.count for step in found) <= MOST_MACHINES
)
free = st.builds(Rate, fixed=st.just(0.0), per_hour=money.map(lambda value: value / 100))
committed = st.builds(Rate, fixed=money, per_hour=money.map(lambda value: value / 1000))
rates = st.fixed_dictionaries({"payg": free}, optional={"spot": free, **dict.fromkeys(COMMITMENTS, committed)})
limits = st.tuples(st.integers(0, MOST_MACHINES), st.integers(0, MOST_MACHINES))


def brute_force(
    found: Sequence[Step], rates: Mapping[PriceModel, Rate], most_on_spot: int, most_committed: int
) -> float:
    """The least cost of all assignments that keep the limits."""
    hours = [step.hours for step in found for _ in range(step.count)]
    costs = []
    for models in itertools.product(rates, repeat=len(hours)):
        spot = models.count("spot")
        if spot <= most_on_spot and len(models) - spot - models.count("payg") <= most_committed:
            costs.append(sum(rates[model].cost(hour) for model, hour in zip(models, hours, strict=True)))
    return min(costs)


@given(steps, rates, limits)
def test_no_assignment_is_cheaper(found: list[Step], rates: dict[PriceModel, Rate], limits: tuple[int, int]) -> None:
    parts = cheapest_mix(found, rates, *limits)
    total = sum(rates[model].cost(step.hours) * step.count for model, step in parts)
    assert abs(total - brute_force(found, rates, *limits)) <= 1e-6


@given(steps, rates, limits)
def test_every_machine_has_one_price_model_and_the_limits_hold(
    found: list[Step], rates: dict[PriceModel, Rate], limits: tuple[int, int]
) -> None:
    parts = cheapest_mix(found, rates, *limits)
    machines = sorted(step.hours for step in found for _ in range(step.count))
    assert sorted(step.hours for _, step in parts for _ in range(step.count)) == machines
    spot = sum(step.count for model, step in parts if model == "spot")
    committed = sum(step.count for model, step in parts if model in COMMITMENTS)
    assert spot <= limits[0] and committed <= limits[1]
