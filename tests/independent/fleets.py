"""Random fleets, the same for the same seed, and the check of their advice at three horizons."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from advisor.engine.advice import advise
from advisor.engine.answer import Advice
from advisor.engine.candidates import World, add_months
from advisor.engine.request import AdviceRequest
from advisor.engine.speed_work import Work as SpeedWork
from tests.factories import AS_OF, make_reading, make_request, make_row
from tests.independent.check import Asked, Checker
from tests.independent.facts import Facts
from tests.independent.work import Work

HORIZONS = (12, 36, 60)
STRATEGIES = ("lowest_cost", "same_count", "lowest_hourly_price", "least_change", "fastest", "longest_lived")
KINDS = ("training", "inference", "hpc", "graphics", "dev")
DAYS = (AS_OF, AS_OF, date(2025, 6, 1), date(2027, 9, 30))
NAN = float("nan")
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of some fleets together; pools do not depend on each other, so that they are asked at once."""

    strategy: str
    scope: str
    as_of: date
    assume: tuple[tuple[str, float], ...]


def random_question(seed: int) -> Question:
    """Half of the time the default strategy in the pools' own regions."""
    rng = random.Random(f"question {seed}")
    assume = []
    if rng.random() < 0.3:
        assume.append(("grid_licence", float(rng.choice((0, 25, 60)))))
    if rng.random() < 0.2:
        assume += [("discount_rate", rng.choice((0.0, 15.0))), ("labour_rate", rng.choice((20.0, 300.0)))]
    return Question(
        strategy=rng.choice((*STRATEGIES, *(STRATEGIES[:1] * 4))),
        scope=rng.choice(("own", "own", "own", "geography")),
        as_of=rng.choice(DAYS),
        assume=tuple(assume),
    )


def random_fleet(seed: int, facts: Facts) -> list[Row]:
    """One to four pools: any size, also retired ones, in any region that has prices, or in none."""
    rng = random.Random(seed)
    sizes, regions = sorted(facts.sizes), _priced_regions(facts)
    return [_pool(rng, f"{seed} {number}", sizes, regions) for number in range(rng.randint(1, 4))]


@cache
def _priced_regions(facts: Facts) -> tuple[str, ...]:
    return tuple(sorted({region for _, region, _, model in facts.prices if model == "payg"}))


def _pool(rng: random.Random, name: str, sizes: Sequence[str], regions: Sequence[str]) -> Row:
    often = ("westeurope", "eastus", "southcentralus", "eastus", "koreacentral")
    count = rng.choice((1, 1, 2, 3, 8, 20, 130))
    return make_row(
        rng.choice(sizes).removeprefix("Standard_"),
        count,
        rng.choice((rng.choice(often), rng.choice(regions), rng.choice(regions))) if rng.random() > 0.03 else None,
        pool=name,
        os=rng.choice(("linux", "linux", "windows", None)),
        workload=rng.choice((*KINDS, None)),
        hours=rng.choice((NAN, 730.0, 0.0, round(rng.uniform(0, 800), 2))),
        deallocated=rng.choice((0, 0, 0, count // 2, count)),
        utilisation=rng.choice((NAN, NAN, round(rng.uniform(0.01, 1), 3))),
        gpu_memory_gib=rng.choice((NAN, NAN, 4.0, 16.0, 40.0, 80.0, 200.0, round(rng.uniform(0.5, 300), 1))),
        precision=rng.choice((None, None, None, "fp64", "fp32", "fp16", "int8")),
        pattern=rng.choice((None, None, None, "steady", "burst")),
        multi_node=rng.choice((None, None, True, False)),
        job_gpus=rng.choice((NAN, NAN, NAN, 1.0, 4.0, 16.0)),
        min_vms=rng.choice((NAN, NAN, NAN, 1.0, 5.0)),
        data_disks=rng.choice((NAN, NAN, 0.0, 4.0, 20.0)),
        premium_disks=rng.choice((None, None, True, False)),
    )


def check_fleets(seeds: Sequence[int], question: Question, world: World, checker: Checker) -> Iterator[str]:
    """Every violation in the advice for the fleets of `seeds` at the three horizons, each with seed and horizon."""
    rows = [row for seed in seeds for row in random_fleet(seed, checker.facts)]
    by_name = {row["pool"]: row for row in rows}
    reading = make_reading(*rows)
    for months in HORIZONS:
        request = make_request(
            as_of=question.as_of,
            horizon_months=months,
            strategy=question.strategy,
            target_region=question.scope,
            assume=question.assume,
            top=0,
        )
        advice = advise([reading], world, request)
        if sorted(pool.name for pool in advice.pools) != sorted(by_name):
            yield f"seeds {seeds[0]} to {seeds[-1]}, {months} months: some pool is missing"
        asked = asked_of(advice, question.scope)
        for pool in advice.pools:
            for fault in checker.check(by_name[pool.name], pool, asked):
                yield f"fleet and pool {pool.name}, {months} months, {question}: {fault}"
        checker.seen["fleets x horizons"] += len(seeds)


def asked_of(advice: Advice, scope: str = "own") -> Asked:
    """What an advice says that it was asked."""
    return Asked(
        as_of=advice.as_of,
        end=add_months(advice.as_of, advice.horizon_months),
        months=advice.horizon_months,
        scope=scope,
        strategy=advice.strategy,
        assume=advice.assumptions,
    )


def speeds_of(world: World) -> Any:
    """The one thing that is taken from the engine: how fast a GPU is on some work against another."""
    plain = AdviceRequest(as_of=AS_OF)

    def speed(work: Work, target: str) -> float | None:
        kinds = {
            "training": "training",
            "graphics": "graphics",
            "inference": "inference-small" if work.shape == "stream" else "inference",
            "hpc": "hpc-fp64" if work.precision == "fp64" else "hpc-bandwidth",
        }
        asked = SpeedWork(kind=kinds.get(work.kind, "unknown"), precision=work.precision)
        found = world.speed_facts(work.size, asked, plain)[world.index[target], 1]
        return None if found != found else float(found)  # noqa: PLR0124 (NaN is not itself)

    return speed
