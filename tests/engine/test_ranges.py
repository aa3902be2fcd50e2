"""Ranges: calibrated against worlds drawn and priced here by other means, and the laws that hold in every answer."""

from __future__ import annotations

import math

import numpy as np
import pytest

from advisor.engine.advice import advise
from advisor.engine.answer import Option, PoolAdvice
from advisor.engine.candidates import World
from advisor.engine.draws import draw
from tests.engine.conftest import Ask
from tests.factories import make_reading, make_request, make_row, option_of

ANNUITY = sum(1.08 ** (-month / 12) for month in range(1, 37))
#: 80 % of a normal distribution lies within so many standard deviations.
Z = 1.2815515655446004
TRUTHS = 20_000


def sigma_of(share: float) -> float:
    return math.log(1 + share) / Z


class Truth:
    """Worlds drawn one after the other with a generator of their own, and what an option costs in each."""

    def __init__(self, pool: PoolAdvice, gpus: dict[str, tuple[str | None, float]]) -> None:
        self.random = np.random.default_rng(7)
        self.pool, self.gpus = pool, gpus
        self.source = self.random.standard_normal(TRUTHS)
        self.labour = np.exp(sigma_of(0.5) * self.random.standard_normal(TRUTHS))
        assumed = pool.hours_basis == "assumed"
        self.hours = np.exp(sigma_of(0.4 if assumed else 0.1) * self.random.standard_normal(TRUTHS))
        self.speeds = {gpu: self.random.standard_normal(TRUTHS) for gpu in sorted(set(gpus.values()), key=str)}
        self.prices = {gpu: self.random.standard_normal(TRUTHS) for gpu, _ in self.speeds}  # a slice costs as its GPU

    def cost(self, option: Option) -> np.ndarray:
        """Single-GPU jobs of a queue: n machines are bought for the drawn speed, each cost by its own formula."""
        pool = self.pool
        gpu = self.gpus[option.size]
        sigma = math.log(option.speedup.high / option.speedup.low) / (2 * Z)
        speed = option.speedup.expected * np.exp(sigma * (self.speeds[gpu] - self.source) / math.sqrt(2))
        price = option.hourly_price * np.exp(sigma_of(0.1) * self.prices[gpu[0]])
        gpus = max(1.0, option.gpus / option.vms)  # a slice counts as one, its speed is that of the slice
        n = np.ceil(pool.vms / (gpus * speed))
        if pool.workload.pattern == "steady":
            hours = n * 730
        else:
            each = np.minimum(pool.hours_per_vm_month * self.hours, 730)
            hours = np.minimum(pool.vms * each / (gpus * speed) + n * 20 * 0.25, n * 730)
        once = {"resize": 4, "redeploy": 16, "rebuild": 40, "port": 240}[option.verdict]
        each_vm, learn = (1 if option.verdict == "resize" else 3), {"rebuild": 4, "port": 40}.get(option.verdict, 0)
        beside = 0 if pool.lifecycle.status == "retired" or option.verdict == "resize" else 14 / (365 / 12)
        share = pool.hours_per_vm_month / 730
        return (
            hours * price * (ANNUITY + beside)
            + (n + pool.vms) * 19.71 * ANNUITY
            + pool.vms * share * 50 * 0.087 * ANNUITY
            + n * 0.5 * 95 * self.labour * ANNUITY
            + (once + n * each_vm + learn) * 95 * self.labour
        )


POOLS = {
    "steady training": ("NC6", 40, "westeurope", {"workload": "training", "pattern": "steady"}, {}),
    "burst training": ("NC6s_v3", 30, "westeurope", {"workload": "training"}, {"hours": 300}),
}


@pytest.fixture(params=POOLS)
def known(request: pytest.FixtureRequest, ask: Ask, world: World) -> tuple[PoolAdvice, Truth]:
    size, count, region, profile, columns = POOLS[request.param]
    pool = ask(size, count, region, columns=columns, top=12, **profile)
    return pool, Truth(pool, {option.size: gpu_of(option.size, world) for option in pool.options})


def gpu_of(name: str, world: World) -> tuple[str | None, float]:
    """The GPU of a size, and how much of one it has: a slice is another GPU than the whole."""
    size = world.catalogue.sizes[name]
    return size.gpu, min(1.0, size.gpus or 1.0)


def test_quantiles_are_those_of_the_truth_within_three_points(known: tuple[PoolAdvice, Truth]) -> None:
    pool, truth = known
    for option in pool.options:
        cost = truth.cost(option)
        for quantile, value in ((0.1, option.tco.p10), (0.5, option.tco.p50), (0.9, option.tco.p90)):
            assert value is not None
            assert abs(np.mean(cost < value) - quantile) < 0.03, (option.size, quantile)


def test_the_chance_to_be_first_is_that_of_the_truth_within_three_points(known: tuple[PoolAdvice, Truth]) -> None:
    pool, truth = known
    cheapest_of_gpu: dict[tuple[str | None, float], Option] = {}
    for option in sorted(pool.options, key=lambda option: option.tco.expected):
        cheapest_of_gpu.setdefault(truth.gpus[option.size], option)
    racing = list(cheapest_of_gpu.values())
    winners = np.argmin([truth.cost(option) for option in racing], axis=0)
    for place, option in enumerate(racing):
        assert option.chance_first is not None
        assert abs(np.mean(winners == place) - option.chance_first) < 0.03, option.size


# Laws


FLEET = (
    make_row("NC6", 12, workload="training", hours=730),
    make_row("NC6s_v3", 6, workload="inference", hours=80),
    make_row("NV12s_v3", 20, workload="graphics"),
    make_row("NC24ads_A100_v4", 10, workload="inference", utilisation=0.1),
    make_row("NC24rs_v2", 4, "southcentralus", workload="training", multi_node=True),
    make_row("ND40rs_v2", 2, workload="training"),
)


@pytest.fixture(scope="module")
def pools(world: World) -> tuple[PoolAdvice, ...]:
    return advise([make_reading(*FLEET)], world, make_request(top=20)).pools


def test_quantiles_stand_in_order_and_end_after_the_twelfth(pools: tuple[PoolAdvice, ...]) -> None:
    for pool in pools:
        for option in pool.options:
            quantiles = option.tco.p10, option.tco.p50, option.tco.p90
            if option.rank > 12:
                assert (*quantiles, option.chance_first) == (None,) * 4
            else:
                assert quantiles == tuple(sorted(quantiles))


def test_chances_of_a_pool_add_up_to_one(pools: tuple[PoolAdvice, ...]) -> None:
    for pool in pools:
        assert math.fsum(option.chance_first or 0.0 for option in pool.options) == pytest.approx(1)


def test_the_same_gpu_for_more_money_is_never_first(pools: tuple[PoolAdvice, ...], world: World) -> None:
    found = 0
    for pool in pools:
        seen: set[tuple[str | None, float]] = set()
        for option in sorted(pool.options[:12], key=lambda option: option.tco.expected):
            kind = gpu_of(option.size, world)
            if kind in seen:
                found += 1
                assert option.chance_first == 0, option.size
            seen.add(kind)
    assert found > 10


def test_a_pool_has_the_same_ranges_whatever_stands_beside_it(world: World, pools: tuple[PoolAdvice, ...]) -> None:
    (alone,) = advise([make_reading(FLEET[1])], world, make_request(top=20)).pools
    (among,) = (pool for pool in pools if pool.id == alone.id)
    assert [o.tco for o in alone.options] == [o.tco for o in among.options]
    assert [o.chance_first for o in alone.options] == [o.chance_first for o in among.options]


def test_a_stay_varies_as_today_does(ask: Ask) -> None:
    """The own machines are no cheaper than themselves in any world."""
    pool = ask("NC24ads_A100_v4", 3, workload="training", top=12)
    assert pool.options[0].size == "Standard_NC24ads_A100_v4"
    assert pool.chance_saves == 0


def test_a_committed_price_does_not_vary(ask: Ask) -> None:
    """A seat under a reservation: only the work of the move and of running it is uncertain."""
    pool = ask("NV12s_v3", 4, workload="graphics", price_model="ri_3y", assume=(("range_labour", 0.0),), top=12)
    first = pool.options[0]
    assert first.tco.p10 == pytest.approx(first.tco.expected) == pytest.approx(first.tco.p90)
    assert {swing.name for swing in pool.tornado} == {"operations_hours", "disk_price", "discount_rate"}


def test_totals_have_a_range_and_pools_that_share_a_gpu_vary_together(world: World) -> None:
    one = make_row("NC6", 12, workload="training", pattern="steady", pool="a")
    two = [one, one | {"pool": "b"}]
    single = advise([make_reading(one)], world, make_request()).totals.recommended_tco_range
    both = advise([make_reading(*two)], world, make_request()).totals.recommended_tco_range
    assert single is not None and both is not None
    for name in ("p10", "p50", "p90"):
        assert getattr(both, name) == pytest.approx(2 * getattr(single, name))


def test_a_draw_is_its_name_and_misses_no_quantile() -> None:
    assert np.array_equal(draw("speed", "x"), draw("speed", "x"))
    assert not np.array_equal(draw("speed", "x"), draw("speed", "y"))
    assert float(draw("speed", "x").mean()) == pytest.approx(0, abs=1e-12)
    assert float(np.corrcoef(draw("speed", "x"), draw("speed", "y"))[0, 1]) == pytest.approx(0, abs=0.1)


# Tornado


def test_a_swing_is_the_cost_with_one_input_changed(ask: Ask) -> None:
    pool = ask("NC6", 12, workload="training", pattern="steady", top=12)
    first, swings = pool.options[0], {swing.name: swing for swing in pool.tornado}
    machines = first.tco.components["compute"]
    assert swings["price"].tco_low == pytest.approx(first.tco.expected - machines + machines / 1.1)
    assert swings["price"].tco_high == pytest.approx(first.tco.expected + machines * 0.1)
    labour = first.tco.components["operations"] + first.tco.components["migration_labour"]
    labour += first.tco.components["staff_training"]
    assert swings["labour"].tco_high == pytest.approx(first.tco.expected + labour * 0.5)
    assert (swings["speed"].at_low, swings["speed"].at_high) == (first.speedup.low, first.speedup.high)
    assert "hours" not in swings  # always on


def test_a_slower_gpu_at_the_low_end_needs_more_machines(ask: Ask) -> None:
    pool = ask("NC6", 12, workload="training", pattern="steady", top=12)
    first = option_of(pool, "NC24ads_A100_v4")
    (swing,) = (swing for swing in pool.tornado if swing.name == "speed")
    assert pool.options[0] == first and math.ceil(12 / swing.at_low) == 2
    # one more: machine, system disk, half an hour a month, and 3 hours once; nothing runs side by side
    more = (730 * 4.775 + 19.71 + 0.5 * 95) * ANNUITY + 3 * 95
    assert swing.tco_low - swing.tco_high == pytest.approx(more)


def test_the_widest_swing_comes_first(pools: tuple[PoolAdvice, ...]) -> None:
    for pool in pools:
        widths = [abs(swing.tco_high - swing.tco_low) for swing in pool.tornado]
        assert widths and widths == sorted(widths, reverse=True)
