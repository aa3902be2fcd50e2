"""Random fleets at three horizons, held against the facts by tests/independent; `make bench` tries ten thousand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from advisor.engine.advice import advise
from advisor.engine.answer import Advice
from advisor.engine.candidates import World
from tests.factories import make_reading, make_request, make_row
from tests.independent.check import Checker
from tests.independent.facts import Facts
from tests.independent.fleets import HORIZONS, asked_of, check_fleets, random_question, speeds_of
from tests.profiles import FUZZ

FLEETS = 400 if FUZZ else 20
TOGETHER = 10


def test_no_fleet_is_answered_against_the_facts(world: World) -> None:
    checker = Checker(Facts(), speeds_of(world))
    for first in range(0, FLEETS, TOGETHER):
        seeds = range(first, first + TOGETHER)
        assert list(check_fleets(seeds, random_question(first), world, checker)) == []
    assert checker.seen["fleets x horizons"] == FLEETS * len(HORIZONS)
    assert checker.seen["options"] > checker.seen["pools"] > checker.seen["empty"]


ROW = make_row("NC6s_v3", 6, "westeurope", workload="inference", hours=80.0, gpu_memory_gib=10.0)


@pytest.fixture(scope="module")
def answered(world: World) -> Advice:
    return advise([make_reading(ROW)], world, make_request(top=0))


@pytest.mark.parametrize(
    ("size", "other", "fault"),
    [
        ("NC4as_T4_v3", {"gpu_memory_gib": 8.0}, "ranked 1 in spite of gpu-memory"),
        ("NC4as_T4_v3", {"special": "a preview"}, "ranked 1 in spite of special"),
        ("NC4as_T4_v3", {"gpu_memory_gib": None}, "ranked 1 in spite of unknown-gpu-memory"),
        ("NC64as_T4_v3", {"gpus": "8"}, "the formula gives"),
        ("NV6ads_A10_v5", {"gpu_memory_total_gib": 24.0}, "the facts say []"),
    ],
)
def test_the_checker_sees_an_answer_that_facts_do_not_bear(
    world: World, answered: Advice, size: str, other: dict[str, Any], fault: str
) -> None:
    facts, name = Facts(), f"Standard_{size}"
    facts.sizes[name] = facts.sizes[name] | other
    told = list(Checker(facts, speeds_of(world)).check(ROW, answered.pools[0], asked_of(answered)))
    assert any(name in sentence and fault in sentence for sentence in told), told


def test_the_checker_sees_a_worse_size_before_a_better_one(world: World, answered: Advice) -> None:
    pool = answered.pools[0]
    turned = replace(pool, options=(replace(pool.options[1], rank=1), replace(pool.options[0], rank=2)))
    told = list(Checker(Facts(), speeds_of(world)).check(ROW, turned, asked_of(answered)))
    assert any("is worse by lowest_cost" in sentence for sentence in told)
    assert "some size is neither ranked nor refused, or both" in told  # the other options are gone
