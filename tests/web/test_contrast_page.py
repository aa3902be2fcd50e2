"""Why this one: the sentences on a pool's page, the comparison with any size, the command, and the report."""

from __future__ import annotations

import html
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from advisor.access import SESSION_KEY
from advisor.models import StoredFleet
from tests.pages import Page
from tests.web.fleets import uploaded

pytestmark = pytest.mark.django_db

FLEET = "size,region,count,hours_per_vm,os,workload\nNC6s_v3,westeurope,6,80,linux,inference\n"
DAY = "2026-11-30"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def fleet(client: Client) -> StoredFleet:
    return uploaded(client, ("contoso.csv", FLEET))


@pytest.fixture
def pool(client: Client, fleet: StoredFleet) -> dict[str, Any]:
    """The pool as the JSON of its answer has it."""
    found: dict[str, Any] = client.get(reverse("answer-json", args=[fleet.pk]) + f"?as_of={DAY}").json()["pools"][0]
    return found


def page_of(fleet: StoredFleet, pool: dict[str, Any], name: str = "pool", query: str = "") -> str:
    return reverse(name, args=[fleet.pk, pool["id"]]) + f"?as_of={DAY}{query}"


def compare(client: Client, fleet: StoredFleet, pool: dict[str, Any], size: str, **more: Any) -> Any:
    return client.get(reverse("contrast", args=[fleet.pk, pool["id"]]), {"as_of": DAY, "against": size}, **more)


def says(response: Any, text: str) -> bool:
    return " ".join(text.split()) in Page(response.content).text


def test_the_page_says_why_not_the_second_choice_and_not_microsofts_move(
    client: Client, fleet: StoredFleet, pool: dict[str, Any]
) -> None:
    response = client.get(page_of(fleet, pool))
    roles = [role for contrast in pool["contrasts"] for role in contrast["roles"]]
    assert {"second", "microsoft"} <= set(roles)
    for contrast in pool["contrasts"]:
        assert says(response, contrast["because"])
        assert says(response, contrast["turns"])


def test_a_size_in_any_spelling_is_compared_on_a_page_of_its_own(
    client: Client, fleet: StoredFleet, pool: dict[str, Any]
) -> None:
    response = compare(client, fleet, pool, " nc 8as t4 v3 ")
    assertContains(response, "<h1")
    contrast = response.context["compared"]
    assert contrast.other.size == "Standard_NC8as_T4_v3"
    assert contrast.roles == ("asked",)
    assert says(response, contrast.sentence)
    rows = [row for row in Page(response.content).rows[f"why-h-{pool['id']}"] if row[0].startswith("NC8as_T4_v3, p")]
    # 1,040 h a month cost 9,397.67 more than the first choice over 36 months; a dollar an hour is 1,040 x 32.0433:
    # 0.94 - 9,397.67 / 33,325.0 = 0.6580, the price of the first choice, which has as many machines
    assert ["NC8as_T4_v3, price per VM-hour", "USD 0.940", "at most USD 0.658"] in rows


def test_htmx_gets_only_the_section(client: Client, fleet: StoredFleet, pool: dict[str, Any]) -> None:
    response = compare(client, fleet, pool, "NC64as_T4_v3", headers=HTMX)
    assertNotContains(response, "<h1")
    assertNotContains(response, "Not in the ranking")
    assertContains(response, "NC64as_T4_v3")
    assert "HX-Request" in response["Vary"]


def test_a_refused_size_shows_every_reason_and_what_would_change_it(
    client: Client, fleet: StoredFleet, pool: dict[str, Any]
) -> None:
    response = compare(client, fleet, pool, "NC6s_v3")
    contrast = response.context["compared"]
    assert [obstacle.code for obstacle in contrast.obstacles] == ["retired"]
    assert says(response, contrast.obstacles[0].message)
    assert says(response, "Nothing known would change that.")


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("NC64as_T4_v9", "Nearest: Standard_NC64as_T4_v3"),
        ("", "Write the name of a size"),
        ("x" * 81, "A name has at most 80 characters."),
        ("<img src=x onerror=alert(1)>", "No size is called"),
    ],
)
def test_a_name_that_is_no_size_is_told_with_what_was_typed(
    client: Client, fleet: StoredFleet, pool: dict[str, Any], typed: str, message: str, headers: dict[str, str]
) -> None:
    response = compare(client, fleet, pool, typed, headers=headers)
    assert response.status_code == 422
    assert message in html.unescape(response.content.decode())
    inputs = [a for tag, a in Page(response.content).elements if tag == "input" and a.get("name") == "against"]
    assert [(a["value"], a["aria-invalid"]) for a in inputs] == [(typed, "true")]
    assert b"<img" not in response.content


def test_the_form_keeps_the_switches(client: Client, fleet: StoredFleet, pool: dict[str, Any]) -> None:
    response = client.get(page_of(fleet, pool, query="&strategy=fastest"))
    elements = Page(response.content).elements
    hidden = {a["name"]: a["value"] for tag, a in elements if tag == "input" and a.get("type") == "hidden"}
    assert hidden["strategy"] == "fastest"
    assert hidden["as_of"] == DAY
    options = {a["value"] for tag, a in elements if tag == "option"}
    assert {"NC64as_T4_v3", "NC6s_v3"} <= options


def test_the_first_choice_is_not_held_against_itself(client: Client, fleet: StoredFleet, pool: dict[str, Any]) -> None:
    first = pool["options"][0]["size"].removeprefix("Standard_")
    response = compare(client, fleet, pool, first)
    assertContains(response, f"{first} is the first choice itself.")
    assert response.context["compared"] is None


def test_bad_switches_are_told_as_on_the_pools_page(client: Client, fleet: StoredFleet, pool: dict[str, Any]) -> None:
    address = reverse("contrast", args=[fleet.pk, pool["id"]]) + "?horizon=0&against=NC6"
    assert client.get(address).status_code == 422
    assert client.get(address, headers=HTMX).status_code == 422


def test_nobody_else_may_compare(client: Client, fleet: StoredFleet, pool: dict[str, Any]) -> None:
    assert client.get(reverse("contrast", args=[fleet.pk, "00000000"]) + "?against=NC6").status_code == 404
    session = client.session
    session[SESSION_KEY] = "somebody else"
    session.save()
    assert compare(client, fleet, pool, "NC6").status_code == 404


def test_the_report_says_why_not_the_second_choice(client: Client, fleet: StoredFleet, pool: dict[str, Any]) -> None:
    link = client.post(reverse("make-report", args=[fleet.pk]) + f"?as_of={DAY}", {"title": "Autumn"})["Location"]
    (second,) = (contrast for contrast in pool["contrasts"] if "second" in contrast["roles"])
    assert says(Client().get(link), f"{second['because']} {second['turns']}")


# The command


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "fleet.csv"
    path.write_text(FLEET, encoding="utf-8")
    return str(path)


def advise(*args: str) -> str:
    out = StringIO()
    call_command("advise", *args, "--as-of", DAY, stdout=out)
    return out.getvalue()


def test_against_names_sizes_in_any_spelling(file: str) -> None:
    found = json.loads(advise(file, "--json", "--against", "nc8as t4 v3", "--against", "NC6s_v3"))
    asked = [c["other"]["size"] for c in found["pools"][0]["contrasts"] if "asked" in c["roles"]]
    assert asked == ["Standard_NC8as_T4_v3", "Standard_NC6s_v3"]


def test_the_text_says_why_not_the_second_and_all_about_what_was_asked(file: str) -> None:
    told = " ".join(advise(file, "--against", "NC8as_T4_v3").split())
    assert "13 x NC4as_T4_v3 instead of 2 x NC48ads_A100_v4, because the cost of ownership over 36 months is" in told
    assert "- It would flip if NC8as_T4_v3 cost at most USD 0.658 an hour; it costs USD 0.940." in told


def test_a_size_that_is_not_known_is_a_wrong_argument(file: str) -> None:
    with pytest.raises(CommandError, match="Nearest: Standard_NC64as_T4_v3") as caught:
        advise(file, "--against", "NC64as_T4_v9")
    assert caught.value.returncode == 2
