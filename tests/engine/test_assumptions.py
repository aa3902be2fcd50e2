"""Assumptions: every figure without a source has a name, a unit, a reason and limits."""

from __future__ import annotations

import pytest

from advisor.engine.assumptions import ASSUMPTIONS, UnknownAssumption, values_with


@pytest.mark.parametrize("name", ASSUMPTIONS)
def test_u69_each_default_has_a_reason_and_lies_within_its_limits(name: str) -> None:
    figure = ASSUMPTIONS[name]
    assert figure.minimum <= figure.value <= figure.maximum
    assert figure.reason.endswith(".")


def test_the_figures_that_the_design_fixes() -> None:
    values = values_with()
    assert (values["target_utilisation"], values["starts_per_month"], values["start_hours"]) == (0.7, 20, 0.25)
    assert (values["efficiency_nvlink"], values["efficiency_pcie"]) == (0.95, 0.85)
    assert (values["efficiency_infiniband"], values["efficiency_ethernet"]) == (0.9, 0.5)
    assert (values["job_slack"], values["seat_slack"]) == (1.25, 0.8)


def test_a_change_leaves_the_others() -> None:
    assert values_with([("labour_rate", 120.0)]) == values_with() | {"labour_rate": 120.0}


def test_an_unknown_name_is_told_with_the_names_there_are() -> None:
    with pytest.raises(UnknownAssumption, match=r"'wages'.*labour_rate"):
        values_with([("wages", 1.0)])


@pytest.mark.parametrize("value", [-1.0, 1e9, float("nan")])
def test_a_value_outside_the_limits_is_refused_with_them(value: float) -> None:
    with pytest.raises(UnknownAssumption, match="0 to 1000"):
        values_with([("labour_rate", value)])
