"""Explanations: from what to what and why, in words that hold for the figures beside them."""

from __future__ import annotations

import json

import pytest

from advisor.engine.advice import advise
from advisor.engine.advice_json import advice_json
from advisor.engine.candidates import World
from tests.engine.conftest import Ask
from tests.factories import make_reading, make_request, make_row, option_of


def test_u83_every_reason_says_from_what_to_what(ask: Ask) -> None:
    for option in ask("NC6", 12, workload="training").options:
        assert option.why.startswith(f"From 12 x NC6 to {option.vms} x {option.size.removeprefix('Standard_')}")
        assert ", because " in option.why


def test_a_faster_gpu_does_the_work_of_several(ask: Ask) -> None:
    t4 = option_of(ask("NC6", 12, workload="training"), "NC4as_T4_v3")
    assert t4.why.endswith(f"because one GPU does the work of {t4.speedup.expected:.1f} of today's.")


def test_a_slower_gpu_is_not_said_to_do_the_work_of_less_than_one(ask: Ask) -> None:
    """ "11 x ... because one GPU does the work of 0.6 of today's" explained nothing."""
    t4 = option_of(ask("NC6s_v3", 6, columns={"hours": 80.0}, workload="inference"), "NC4as_T4_v3")
    assert t4.why.endswith(f"because {1 / t4.speedup.expected:.1f} of its GPUs do the work of one of today's.")


def test_idle_gpus_are_the_reason_for_fewer_machines(ask: Ask) -> None:
    t4 = option_of(ask("NC6s_v3", 10, "eastus", workload="inference", utilisation=0.01), "NC4as_T4_v3")
    assert "because the GPUs are 1 % busy at peak, and" in t4.why


def test_the_same_gpu_is_called_the_same(ask: Ask) -> None:
    smaller = option_of(ask("NC16as_T4_v3", 2, "eastus", workload="inference"), "NC4as_T4_v3")
    assert smaller.why == "From 2 x NC16as_T4_v3 to 2 x NC4as_T4_v3, because the GPU is the same."


def test_a_seat_keeps_its_own_vm(ask: Ask) -> None:
    why = option_of(ask("NV12s_v3", 20, workload="graphics"), "NV12ads_A10_v5").why
    assert "each seat keeps its own VM" in why and "times as fast as today's" in why


def test_a_stay_says_that_nothing_changes(ask: Ask) -> None:
    assert "nothing changes" in option_of(ask("NC24ads_A100_v4", 2, workload="training"), "NC24ads_A100_v4").why


def test_a_stay_with_more_machines_says_who_wants_them(ask: Ask) -> None:
    pool = ask("NC24ads_A100_v4", 2, workload="training", min_vms=5)
    assert "you want at least as many" in option_of(pool, "NC24ads_A100_v4").why


def test_every_size_stands_in_options_or_rejected(ask: Ask, world: World) -> None:
    pool = ask("NC6", 12, workload="training")
    options = {option.size for option in pool.options}
    rejected = {entry.size for entry in pool.rejected}
    assert not options & rejected
    assert options | rejected == set(world.catalogue.sizes)
    assert all(entry.reasons for entry in pool.rejected)


@pytest.mark.parametrize("top", [1, 3, 12])
def test_options_beyond_the_first_ones_are_told_in_short(ask: Ask, top: int) -> None:
    whole, short = ask("NC6", 12, workload="training"), ask("NC6", 12, workload="training", top=top)
    assert len(short.options) == top
    assert [(o.rank, o.size) for o in (*short.options, *short.more_options)] == [
        (o.rank, o.size) for o in whole.options
    ]
    assert short.more_options[0].tco_expected == whole.options[top].tco.expected


def test_u54_json_holds_the_very_same_numbers(world: World) -> None:
    advice = advise([make_reading(make_row("NC6", 12))], world, make_request())
    pool = json.loads(json.dumps(advice_json(advice), allow_nan=False))["pools"][0]
    first = advice.pools[0].options[0]
    told = pool["options"][0]
    assert (told["monthly_cost"], told["tco"]["expected"]) == (first.monthly_cost, first.tco.expected)
    assert (told["hours_per_month"], told["speedup"]["expected"]) == (first.hours_per_month, first.speedup.expected)


def test_u58_azure_to_azure_needs_no_option(ask: Ask) -> None:
    assert ask("NC6").options


def test_the_currency_question_names_both_currencies(ask: Ask) -> None:
    pool = ask("NC6", 1, columns={"cost": 10.0, "currency": "GBP"})
    (question,) = (question for question in pool.questions if question.code == "currency")
    assert "USD" in question.message and "GBP" in question.message


def test_memory_that_no_page_gives_is_not_said_to_be_taken(ask: Ask) -> None:
    pool = ask("NV28ads_V710_v5", 1, "eastus")  # a name without a size page
    (question,) = (question for question in pool.questions if question.code == "gpu_memory_gib")
    assert "No page gives today's" in question.message


def test_chances_and_ranges_are_unknown_until_they_are_simulated(ask: Ask) -> None:
    for option in ask("NC6", 12).options:
        assert option.tco.p10 is None or option.tco.p10 <= option.tco.expected
