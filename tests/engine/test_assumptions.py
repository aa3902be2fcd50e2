"""Assumptions: every figure without a source has a name, a unit, a reason and limits."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from advisor.engine.assumptions import ASSUMPTIONS, UnknownAssumption, changed, values_with


@pytest.mark.parametrize("name", ASSUMPTIONS)
def test_u69_each_default_has_a_reason_and_lies_within_its_limits(name: str) -> None:
    figure = ASSUMPTIONS[name]
    assert figure.value is None or figure.minimum <= figure.value <= figure.maximum
    assert figure.reason.endswith(".")


def test_the_figures_that_the_design_fixes() -> None:
    values = values_with()
    assert (values["target_utilisation"], values["starts_per_month"], values["start_hours"]) == (0.7, 20, 0.25)
    assert (values["efficiency_nvlink"], values["efficiency_pcie"]) == (0.95, 0.85)
    assert (values["efficiency_infiniband"], values["efficiency_ethernet"]) == (0.9, 0.5)
    assert (values["job_slack"], values["seat_slack"]) == (1.25, 0.8)


def test_a_change_leaves_the_others() -> None:
    grid = ("grid_licence", 20.0)  # unknown by default, and NaN equals nothing
    assert values_with([("labour_rate", 120.0), grid]) == values_with([grid]) | {"labour_rate": 120.0}


def test_u53_money_is_converted_and_nothing_else() -> None:
    euros, dollars = values_with(usd_rate=0.9), values_with()
    assert euros["labour_rate"] == pytest.approx(85.5)  # 95 x 0.9
    assert euros["egress_price"] == pytest.approx(0.0783)  # 0.087 x 0.9
    same = [name for name, figure in ASSUMPTIONS.items() if not figure.unit.startswith("USD")]
    assert {name: euros[name] for name in same} == {name: dollars[name] for name in same}


def test_what_nobody_knows_is_unknown_and_not_zero() -> None:
    assert math.isnan(values_with()["grid_licence"])


def test_only_what_differs_from_the_list_is_changed() -> None:
    asked = [("disk_price", 19.71), ("labour_rate", 80.0), ("target_utilisation", 0.5), ("labour_rate", 120.0)]
    found = [(change.name, change.default, change.value) for change in changed(asked)]
    assert found == [("target_utilisation", 0.7, 0.5), ("labour_rate", 95.0, 120.0)]  # in the order of the list


def test_an_unknown_name_is_told_with_the_names_there_are() -> None:
    with pytest.raises(UnknownAssumption, match=r"'wages'.*labour_rate"):
        values_with([("wages", 1.0)])


@pytest.mark.parametrize("value", [-1.0, 1e9, float("nan")])
def test_a_value_outside_the_limits_is_refused_with_them(value: float) -> None:
    with pytest.raises(UnknownAssumption, match="0 to 1000"):
        values_with([("labour_rate", value)])


@pytest.mark.parametrize(
    "changes", [[("spot_eviction_low", 0.2)], [("spot_eviction_high", 0.005)]]
)  # the list has 0.01 and 0.1
def test_a_low_figure_above_the_high_one_is_refused(changes: list[tuple[str, float]]) -> None:
    with pytest.raises(UnknownAssumption, match=r"spot_eviction_low is .* the low figure must not be above"):
        values_with(changes)
    assert values_with([*changes, ("spot_eviction_low", 0.004)])["spot_eviction_low"] == 0.004


def test_what_was_published_of_layouts_follows_from_its_figures() -> None:
    """Every quotient of docs/layouts.md, worked out again and rounded to 0.01."""
    text = (Path(__file__).parents[2] / "docs" / "layouts.md").read_text(encoding="utf-8")
    rows = [row.split("|") for row in text.splitlines() if row.startswith("|")]
    checked = 0
    for row in rows:
        quotients = re.findall(r"(\d+(?:\.\d+)?)/(?:\((\d+) x (\d+(?:\.\d+)?)\)|(\d+))", row[4]) if len(row) > 4 else []
        told = [float(figure) for figure in re.findall(r"\d\.\d\d", row[3])] if quotients else []
        found = [float(a) / (float(b) * float(c) if b else float(d)) for a, b, c, d in quotients]
        assert [round(x, 2) for x in found] == told, row
        checked += len(found)
    assert checked == 30
