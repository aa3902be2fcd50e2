"""Grades: how sure an answer is (design 4.7)."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

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
    assert option_of(ask("NV24", 1), "NV36ads_A10_v5").grades.performance in "DE"


def test_price_grades_by_age_and_estimate(ask: Ask) -> None:
    # the price is of 2026-08-22: 90 days later is 2026-11-20
    for day, grade in ((date(2026, 11, 20), "A"), (date(2026, 11, 21), "B")):
        assert option_of(ask("NC6", 2, as_of=day, workload="training"), "NC4as_T4_v3").grades.price == grade
    estimated = ask("NC6", 2, workload="training", price_model="ri_3y")
    assert option_of(estimated, "NC4as_T4_v3").grades.price == "C"


def test_no_new_capacity_is_d(ask: Ask) -> None:
    assert option_of(ask("NC6", 2, workload="training"), "NC24ads_A100_v4").grades.capacity == "D"
