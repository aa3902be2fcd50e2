"""`advise --commitments FILE`: what is held counts, and a list that cannot be used ends with one clear line."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from advisor.engine.held_file import COLUMNS

FLEET = "name,size,region,count,hours_per_vm,workload\ntrain,NC6s_v3,westeurope,6,730,training\n"
HEADER = ",".join(COLUMNS)
#: 40,000.00 an hour for 212 days is more than any new commitment of the pool.
DEAR = "R1,reservation,NC6s_v3,West Europe,3,2027-06-30,6,,40000,,"

pytestmark = pytest.mark.django_db


@pytest.fixture
def fleet(tmp_path: Path) -> str:
    path = tmp_path / "fleet.csv"
    path.write_text(FLEET, encoding="utf-8")
    return str(path)


def held(tmp_path: Path, *lines: str) -> str:
    path = tmp_path / "held.csv"
    path.write_text("\n".join((HEADER, *lines)), encoding="utf-8")
    return str(path)


def answer(*args: str) -> dict[str, Any]:
    out = StringIO()
    call_command("advise", *args, "--as-of", "2026-11-30", "--json", stdout=out)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def test_what_is_held_counts(fleet: str, tmp_path: Path) -> None:
    (pool,) = answer(fleet, "--commitments", held(tmp_path, DEAR))["pools"]
    first = pool["options"][0]
    # 212 days x 24 h x 40,000 = 203,520,000 a machine; nothing takes one
    assert first["tco"]["components"]["stranded_commitments"] == pytest.approx(6 * 203_520_000.0)
    assert [part["way"] for part in first["stranded"]] == ["lost"]
    assert pool["commitments"]["plan"]["machines"]


def test_without_the_option_nothing_is_held(fleet: str) -> None:
    found = answer(fleet)
    assert found["held_unused"] == []
    assert found["pools"][0]["options"][0]["tco"]["components"]["stranded_commitments"] == 0


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (("R1,,NC6s_v9,westeurope,3,2027-06-30,1,,,,",), ("held.csv", "Line 2", "NC6s_v9", "Standard_NC6s_v3")),
        (("R1,,NC6s_v3,westeurope,2,soon,1,,,,",), ("Line 2", "term", "And 1 more")),
    ],
)
def test_a_row_that_cannot_be_used_ends_with_one_line(
    fleet: str, tmp_path: Path, lines: tuple[str, ...], words: tuple[str, ...]
) -> None:
    with pytest.raises(CommandError) as caught:
        answer(fleet, "--commitments", held(tmp_path, *lines))
    assert caught.value.returncode == 1 and "\n" not in str(caught.value)
    assert all(word in str(caught.value) for word in words)


def test_a_file_that_is_not_there(fleet: str) -> None:
    with pytest.raises(CommandError, match=r"nowhere\.csv: No such file"):
        answer(fleet, "--commitments", "nowhere.csv")


def test_u53_a_price_in_another_currency_asks_for_its_rate(fleet: str, tmp_path: Path) -> None:
    path = held(tmp_path, DEAR.replace("40000,,", "40000,,EUR"))
    with pytest.raises(CommandError, match="EUR") as caught:
        answer(fleet, "--commitments", path)
    assert caught.value.returncode == 2
    # half a euro for a dollar: 203,520,000 EUR are 407,040,000 USD
    (pool,) = answer(fleet, "--commitments", path, "--fx", "EUR=0.5@2026-11-27")["pools"]
    lost = pool["options"][0]["tco"]["components"]["stranded_commitments"]
    assert lost == pytest.approx(6 * 407_040_000.0)


def test_the_text_says_the_plan_and_what_becomes_of_what_is_held(fleet: str, tmp_path: Path) -> None:
    out = StringIO()
    call_command("advise", fleet, "--commitments", held(tmp_path, DEAR), "--as-of", "2026-11-30", stdout=out)
    text = " ".join(out.getvalue().split())
    (pool,) = answer(fleet, "--commitments", held(tmp_path, DEAR))["pools"]
    plan = pool["commitments"]["plan"]
    assert f"{plan['machines'][0]['vms']} on " in text
    assert (
        f"USD {plan['plan']['monthly_cost']:,.0f} a month against USD {plan['all_payg']['monthly_cost']:,.0f}" in text
    )
    assert "Held, R1: 6 of them are paid until they end" in text and "lost USD 1,221,120,000" in text
