"""Where the figures of a working come from: none is left out, and each says what it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from advisor.engine.advice import advise
from advisor.engine.answer import Advice, Option, PoolAdvice
from advisor.engine.assumption_words import LABELS, label_of
from advisor.engine.assumptions import ASSUMPTIONS
from advisor.engine.candidates import World
from advisor.engine.inputs import inputs
from advisor.engine.money import COMPONENTS
from advisor.engine.stages import run_stages
from advisor.engine.worked import basis_price
from tests.factories import make_reading, make_request, make_row, option_of

#: A pool, and the option whose working is looked at: every kind of move, of work and of cost is among them.
CASES: dict[str, tuple[dict[str, Any], str, dict[str, Any]]] = {
    "burst training, resized": (make_row("NC24ads_A100_v4", 4, hours=300, workload="training"), "NC40ads_H100_v5", {}),
    "one job over machines": (
        make_row("ND40rs_v2", 2, hours=730, workload="training", multi_node=True),
        "ND96asr_v4",
        {},
    ),
    "fp32 training": (make_row("NC6", 12, hours=730, workload="training"), "NC24ads_A100_v4", {}),
    "busy inference that may be interrupted": (
        make_row("NC6s_v3", 6, hours=80, workload="inference", utilisation=0.3, interruptible=True),
        "NC4as_T4_v3",
        {},
    ),
    "seats on windows": (make_row("NV12s_v3", 20, hours=200, workload="graphics", os="windows"), "NV12ads_A10_v5", {}),
    "development on windows": (make_row("NC6", 3, hours=90, workload="dev", os="windows"), "NC4as_T4_v3", {}),
    "another region": (make_row("NC6s_v3", 2, hours=730), "NC24ads_A100_v4", {"target_region": "northeurope"}),
    "a stay that ends": (
        make_row("NV12s_v3", 4, "uaenorth", hours=730, workload="graphics"),
        "NV12s_v3",
        {},
    ),
}


def answer(world: World, case: str, *assume: tuple[str, float]) -> tuple[Advice, PoolAdvice, Option]:
    row, size, asked = CASES[case]
    advice = advise([make_reading(row)], world, make_request(top=0, assume=assume, **asked))
    return advice, advice.pools[0], option_of(advice.pools[0], size)


def figures(world: World, case: str, *assume: tuple[str, float]) -> dict[Any, Any]:
    """What the stages find for the option: machines, hours and every cost."""
    row, size, asked = CASES[case]
    stages = run_stages([make_reading(row)], world, make_request(assume=assume, **asked))
    assert stages is not None
    table = stages.ranked.frame()
    names = ["n", "hours", "monthly_cost", *(f"tco_{name}" for name in COMPONENTS)]
    table = table[table["pool_index"] == 0]  # the pool as it is; what-if variants come after it
    (found,) = table.loc[table["target"] == f"Standard_{size}", names].to_dict("records")
    return found


def other_value(name: str) -> float:
    """Another value within the range, up to a quarter less; a switch is turned."""
    known = ASSUMPTIONS[name]
    if known.unit == "switch":
        return 1.0 - (known.value or 0.0)
    return max(known.minimum, 0.75 * known.value) if known.value else min(10.0, known.maximum / 2)


@pytest.mark.parametrize("case", CASES)
def test_what_changes_the_figures_is_among_the_inputs(world: World, case: str) -> None:
    """All others together change nothing."""
    listed = {entry.assumption for entry in inputs(*answer(world, case))}
    others = [(name, other_value(name)) for name in ASSUMPTIONS if name not in listed]
    before = figures(world, case)
    assert before == figures(world, case, *others), f"one of {[name for name, _ in others]} changes the figures"
    assert before != figures(world, case, ("discount_rate", 4.0))


def test_where_spot_is_shown_its_chances_are_among_the_inputs(world: World) -> None:
    found = {entry.assumption for entry in inputs(*answer(world, "busy inference that may be interrupted"))}
    assert {"spot_job_hours", "spot_eviction_low", "spot_eviction_high"} <= found
    assert "spot_job_hours" not in {entry.assumption for entry in inputs(*answer(world, "fp32 training"))}


@pytest.mark.parametrize("case", CASES)
def test_every_input_has_a_source_or_is_an_assumption(world: World, case: str) -> None:
    advice, pool, option = answer(world, case)
    for entry in inputs(advice, pool, option):
        assert entry.source or entry.assumption in ASSUMPTIONS, entry.name


def test_the_price_of_an_option_carries_its_day(world: World) -> None:
    advice, pool, option = answer(world, "fp32 training")
    price = basis_price(option)
    assert price is not None
    (entry,) = (e for e in inputs(advice, pool, option) if e.name == f"Price of {option.size}")
    assert (entry.figure.value, entry.as_of, entry.source) == (price.hourly_price, price.as_of, price.source)


def test_an_assumption_says_whose_it_is(world: World) -> None:
    found = inputs(*answer(world, "fp32 training", ("labour_rate", 120.0)))
    kinds = {entry.assumption: (entry.kind, entry.figure.value, entry.figure.unit) for entry in found}
    assert kinds["labour_rate"] == ("user", 120.0, "USD/hour")
    assert kinds["discount_rate"] == ("assumed", 8.0, "percent")


def test_an_assumption_of_nothing_stays_in_the_list(world: World) -> None:
    """What was set to 0 must be there to be changed back."""
    found = inputs(*answer(world, "fp32 training", ("disk_price", 0.0), ("parallel_days_redeploy", 0.0)))
    assert {"disk_price", "parallel_days_redeploy"} <= {entry.assumption for entry in found}


def test_an_older_answer_lists_what_it_carries(world: World) -> None:
    advice, pool, option = answer(world, "fp32 training")
    older = replace(advice, assumptions={"labour_rate": 95.0})
    kinds = {entry.assumption: entry.kind for entry in inputs(older, pool, option)}
    assert (kinds["labour_rate"], kinds["discount_rate"]) == ("assumed", "unknown")


def test_each_assumption_has_a_label_of_its_own() -> None:
    assert set(LABELS) == set(ASSUMPTIONS)
    assert len(set(LABELS.values())) == len(LABELS)
    assert label_of("of_an_older_report") == "Of an older report"
