"""Grades: how sure an answer is (design 4.7)."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from advisor.engine.vm_facts import facts_of
from tests.engine.conftest import Ask
from tests.factories import option_of


@pytest.mark.parametrize(
    ("columns", "request_values", "grade"),
    [
        ({"hours": 80.0}, {"utilisation": 0.5, "gpu_memory_gib": 8.0}, "A"),
        ({"hours": 80.0}, {"utilisation": 0.5}, "B"),
        ({"hours": 80.0}, {}, "C"),
        ({}, {}, "D"),
    ],
)
def test_u62_data_nobody_gave_lowers_the_grade(
    ask: Ask, columns: dict[str, Any], request_values: dict[str, Any], grade: str
) -> None:
    pool = ask("NC6", 2, columns=columns, workload="inference", **request_values)
    assert {option.grades.data for option in pool.options} == {grade}


def test_u62_without_gpu_figures_the_advice_asks_for_them(ask: Ask) -> None:
    assert "utilisation" in {question.field for question in ask("NC6", 2, workload="training").questions}


def test_performance_of_the_same_gpu_is_sure(ask: Ask) -> None:
    pool = ask("NC24ads_A100_v4", 2, workload="training")
    assert option_of(pool, "NC24ads_A100_v4").grades.performance == "A"
    assert option_of(pool, "NC48ads_A100_v4").grades.performance == "A"


def test_the_users_own_ratio_is_sure(ask: Ask) -> None:
    pool = ask("NC6", 2, workload="training", measured={("K80", "T4"): 1.5})
    assert option_of(pool, "NC4as_T4_v3").grades.performance == "A"


def test_slices_graphics_and_amd_are_at_best_d(ask: Ask) -> None:
    pool = ask("NC6", 12, workload="training")
    for size in ("NV18ads_A10_v5", "NV24ads_V710_v5"):
        assert option_of(pool, size).grades.performance in "DE"
    assert option_of(ask("NV24", 1), "NV72ads_A10_v5").grades.performance in "DE"


def test_price_grades_by_age_and_estimate(ask: Ask) -> None:
    # the price is of 2026-08-22: 90 days later is 2026-11-20
    for day, grade in ((date(2026, 11, 20), "A"), (date(2026, 11, 21), "B")):
        assert option_of(ask("NC6", 2, as_of=day, workload="training"), "NC4as_T4_v3").grades.price == grade
    estimated = ask("NC6", 2, workload="training", price_model="ri_3y")
    assert option_of(estimated, "NC4as_T4_v3").grades.price == "C"


def test_no_new_capacity_is_d(ask: Ask) -> None:
    assert option_of(ask("NC6", 2, workload="training"), "NC24ads_A100_v4").grades.capacity == "D"


def test_a_fact_that_nobody_said_lowers_the_grade_of_the_move(ask: Ask) -> None:
    # NC6s_v3 takes 12 data disks, NC24ads_A100_v4 8: how many there are could rule the size out
    open_pool = ask("NC6s_v3", 2, workload="training")
    option = option_of(open_pool, "NC24ads_A100_v4")
    asked = [reason for reason in option.rules if reason.severity == "unknown"]
    assert option.open_questions == len(asked) > 0
    assert {"data-disks-unknown", "generation-unknown"} <= {reason.code for reason in asked}
    assert option.grades.move == "C"


def test_what_is_known_raises_it_again(ask: Ask) -> None:
    some = facts_of({"data_disks": "1", "nics": "1"})
    better = option_of(ask("NC6s_v3", 2, workload="training", facts=some), "NC24ads_A100_v4")
    assert better.grades.move == "B"  # what is open now could only change the steps
    assert option_of(ask("NC4as_T4_v3", 2), "NC4as_T4_v3").grades.move == "A"  # staying asks nothing


def test_an_open_question_leaves_the_other_grades(ask: Ask) -> None:
    # design 4.7 says what makes data A: hours, utilisation and memory
    pool = ask("NC6", 2, columns={"hours": 80.0}, workload="inference", utilisation=0.5, gpu_memory_gib=8.0)
    option = option_of(pool, "NC4as_T4_v3")
    assert (option.grades.data, option.grades.move) == ("A", "C")
