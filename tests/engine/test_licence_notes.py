"""What an option says when its Windows licence is not counted: by whom it is paid instead, and what that asks for."""

from __future__ import annotations

import pytest

from advisor.engine.answer import Option, PoolAdvice, Reason
from advisor.engine.rulebook import BY_CODE
from tests.engine.conftest import Ask
from tests.factories import codes_of, option_of

NOTES = {"hybrid-benefit", "dev-test-offer"}
HYBRID, OFFER = ("hybrid_benefit", 1.0), ("dev_test", 1.0)


def windows_pool(
    ask: Ask, workload: str, *assume: tuple[str, float], os: str = "windows", size: str = "NV12s_v3"
) -> PoolAdvice:
    return ask(size, 20, columns={"os": os}, workload=workload, assume=assume)


def note(option: Option, code: str) -> Reason:
    (found,) = (reason for reason in option.rules if reason.code == code)
    return found


def test_nothing_is_said_while_windows_is_paid_for(ask: Ask) -> None:
    for option in windows_pool(ask, "graphics").options:
        assert not codes_of(option) & NOTES
        assert option.tco.components["windows_licence"] > 0


def test_hybrid_benefit_asks_for_a_core_licence_per_vcpu(ask: Ask) -> None:
    option = option_of(windows_pool(ask, "graphics", HYBRID), "NV12ads_A10_v5")  # 12 vCPUs, one for each of 20 seats
    said = note(option, "hybrid-benefit")
    assert "Each Standard_NV12ads_A10_v5 needs 12 core licences" in said.message
    assert "240 in all" in said.message
    assert "Software Assurance" in said.fix
    assert said.severity == "note"
    assert option.tco.components["windows_licence"] == 0


def test_hybrid_benefit_asks_for_eight_core_licences_at_least(ask: Ask) -> None:
    option = option_of(windows_pool(ask, "dev", HYBRID, size="NC6"), "NC4as_T4_v3")  # 4 vCPUs
    assert "needs 8 core licences" in note(option, "hybrid-benefit").message
    assert "160 in all" in note(option, "hybrid-benefit").message


def test_a_dev_test_offer_is_not_for_production(ask: Ask) -> None:
    option = option_of(windows_pool(ask, "dev", OFFER), "NC8as_T4_v3")
    assert "no production work" in note(option, "dev-test-offer").fix
    assert option.tco.components["windows_licence"] == 0
    assert "hybrid-benefit" not in codes_of(option)


def test_a_dev_test_offer_covers_development_only(ask: Ask) -> None:
    for option in windows_pool(ask, "graphics", OFFER).options:
        assert not codes_of(option) & NOTES
        assert option.tco.components["windows_licence"] > 0


def test_under_an_offer_no_licence_of_ones_own_is_needed(ask: Ask) -> None:
    option = option_of(windows_pool(ask, "dev", HYBRID, OFFER), "NC8as_T4_v3")
    assert codes_of(option) & NOTES == {"dev-test-offer"}


@pytest.mark.parametrize("workload", ["dev", "graphics"])
def test_linux_has_no_licence_to_speak_of(ask: Ask, workload: str) -> None:
    for option in windows_pool(ask, workload, HYBRID, OFFER, os="linux").options:
        assert not codes_of(option) & NOTES


@pytest.mark.parametrize("code", sorted(NOTES))
def test_each_note_names_its_pages(code: str) -> None:
    assert "MicrosoftDocs/" in BY_CODE[code].source


def test_a_stay_says_that_no_grid_licence_is_counted_while_its_price_is_unknown(ask: Ask) -> None:
    def stay(*assume: tuple[str, float], workload: str = "graphics") -> Option:
        return option_of(ask("NC4as_T4_v3", 5, workload=workload, assume=assume), "NC4as_T4_v3")

    assert "No GRID licence is counted for staying" in note(stay(), "grid-licence-stay").message
    assert stay().tco.components["grid_licence"] == 0
    assert "grid-licence-stay" not in codes_of(stay(("grid_licence", 25.0)))  # it is counted then
    assert stay(("grid_licence", 25.0)).tco.components["grid_licence"] > 0
    assert "grid-licence-stay" not in codes_of(stay(workload="inference"))
