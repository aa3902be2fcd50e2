"""The assumptions of a fleet: edited on one page and where they are used, counted with everywhere; hostile input."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import escape
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from advisor import store_assumptions
from advisor.engine.assumption_words import label_of
from advisor.engine.assumptions import ASSUMPTIONS
from advisor.engine.catalogue import Catalogue
from advisor.models import StoredFleet, StoredReport
from advisor.templatetags.figures import figure
from tests.pages import Page
from tests.sessions import keep

pytestmark = pytest.mark.django_db

FLEET = "size,region,count,hours_per_vm,workload\nNC24ads_A100_v4,westeurope,4,730,training\n"
DAY = "as_of=2026-11-30"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def fleet(client: Client, catalogue: Catalogue) -> StoredFleet:
    return keep(client, catalogue, ("fleet.csv", FLEET))


def address(fleet: StoredFleet, query: str = "") -> str:
    return reverse("fleet-assumptions", args=[fleet.pk]) + (f"?{query}" if query else "")


def stored(fleet: StoredFleet) -> dict[str, float]:
    fleet.refresh_from_db()
    return store_assumptions.assumed_in(fleet)


def set_to(client: Client, fleet: StoredFleet, **values: Any) -> Any:
    return client.post(address(fleet), values)


def answer_of(client: Client, fleet: StoredFleet) -> Any:
    return client.get(reverse("answer-json", args=[fleet.pk]) + f"?{DAY}").json()


def row_of(page: str, name: str) -> str:
    rest = page.split(f'id="{name}"')[1]
    return f'<table><tr id="{name}"' + rest.partition("</tr>")[0]


# The page


@pytest.mark.parametrize("name", sorted(ASSUMPTIONS))
def test_each_stands_with_input_default_range_and_reason(client: Client, fleet: StoredFleet, name: str) -> None:
    known = ASSUMPTIONS[name]
    row = row_of(client.get(address(fleet)).content.decode(), name)
    page = Page(row)
    assert escape(label_of(name)) in row
    assert escape(known.reason) in row
    inputs = [attrs for tag, attrs in page.elements if tag in ("input", "select")]
    assert [attrs["name"] for attrs in inputs] == [name]
    if known.unit == "switch":
        chosen = [a["value"] for tag, a in page.elements if tag == "option" and "selected" in a]
        assert chosen == ["1" if known.value else "0"]
        return
    assert inputs[0]["value"] == ("" if known.value is None else f"{known.value:g}")
    assert f"{figure(known.minimum)} to {figure(known.maximum)}" in page.text
    assert known.unit == "factor" or known.unit in page.text


def test_a_change_is_kept_marked_and_shown_with_its_default(client: Client, fleet: StoredFleet) -> None:
    response = set_to(client, fleet, labour_rate="120", target_utilisation="0,6", grid_licence="30", hybrid_benefit="1")
    assertRedirects(response, address(fleet) + "#saved", status_code=303, fetch_redirect_response=False)
    changed = {"labour_rate": 120.0, "target_utilisation": 0.6, "grid_licence": 30.0, "hybrid_benefit": 1.0}
    assert stored(fleet) == changed
    page = client.get(address(fleet)).content.decode()
    assert "4 changed" in Page(page).text
    for name, default in {"labour_rate": "95", "target_utilisation": "0.7", "grid_licence": "unknown"}.items():
        row = Page(row_of(page, name))
        assert "changed" in row.text
        assert f" {default} Back to the default" in row.text
        assert ("button", "reset", name) in [(tag, a.get("name"), a.get("value")) for tag, a in row.elements]
    assert "changed" not in Page(row_of(page, "disk_price")).text


def test_only_what_differs_from_the_list_is_stored(client: Client, fleet: StoredFleet) -> None:
    whole = {name: "" if a.value is None else f"{a.value:g}" for name, a in ASSUMPTIONS.items()}
    set_to(client, fleet, **(whole | {"disk_price": "25"}))
    assert stored(fleet) == {"disk_price": 25.0}
    assert fleet.settings == {"assume": {"disk_price": 25.0}}


def test_what_a_form_does_not_name_stays_as_it_was(client: Client, fleet: StoredFleet) -> None:
    set_to(client, fleet, labour_rate="120")
    set_to(client, fleet, disk_price="25")
    assert stored(fleet) == {"labour_rate": 120.0, "disk_price": 25.0}


@pytest.mark.parametrize("typed", ["", "  ", "95", "95.0"])
def test_an_empty_field_and_the_default_itself_are_the_default(client: Client, fleet: StoredFleet, typed: str) -> None:
    set_to(client, fleet, labour_rate="120")
    set_to(client, fleet, labour_rate=typed)
    assert stored(fleet) == {}


def test_one_goes_back_and_the_others_typed_are_kept(client: Client, fleet: StoredFleet) -> None:
    set_to(client, fleet, labour_rate="120", disk_price="25")
    set_to(client, fleet, labour_rate="120", disk_price="30", reset="labour_rate")
    assert stored(fleet) == {"disk_price": 30.0}


def test_all_go_back_at_once_whatever_is_typed(client: Client, fleet: StoredFleet) -> None:
    set_to(client, fleet, labour_rate="120", hybrid_benefit="1", grid_licence="30")
    set_to(client, fleet, labour_rate="nonsense", disk_price="30", reset="all")
    assert stored(fleet) == {}


def test_enter_saves_and_does_not_reset(client: Client, fleet: StoredFleet) -> None:
    """A browser sends Enter in a field with the form's first button, which must be the one that saves."""
    set_to(client, fleet, target_utilisation="0.6")
    elements = Page(client.get(address(fleet)).content).elements
    form = [tag for tag, attrs in elements if attrs.get("action") == address(fleet)]
    assert form == ["form"]
    start = next(i for i, (_, attrs) in enumerate(elements) if attrs.get("action") == address(fleet))
    first = next(attrs for tag, attrs in elements[start:] if tag == "button")
    assert "name" not in first


# What it changes


def test_every_answer_counts_with_them(client: Client, fleet: StoredFleet) -> None:
    before = answer_of(client, fleet)
    set_to(client, fleet, labour_rate="120", discount_rate="0")
    after = answer_of(client, fleet)
    assert (before["assumptions"]["labour_rate"], after["assumptions"]["labour_rate"]) == (95.0, 120.0)
    assert before["assumptions_changed"] == []
    assert after["assumptions_changed"] == [
        {"name": "discount_rate", "default": 8.0, "value": 0.0},
        {"name": "labour_rate", "default": 95.0, "value": 120.0},
    ]
    stay = next(o for o in after["pools"][0]["options"] if o["verdict"] == "stay")
    # 4 VMs x half an hour a month x 120 USD x 36 months, undiscounted: 8,640
    assert stay["tco"]["components"]["operations"] == pytest.approx(4 * 0.5 * 120 * 36)
    for number, option in enumerate(after["pools"][0]["options"]):
        if option["verdict"] == "redeploy" and "vms" in option:
            labour = (16 + 3 * option["vms"]) * 120
            assert option["tco"]["components"]["migration_labour"] == pytest.approx(labour), number


def test_page_file_table_and_report_have_the_same_total(client: Client, fleet: StoredFleet) -> None:
    set_to(client, fleet, labour_rate="300", disk_price="0")
    answer = answer_of(client, fleet)
    first = answer["pools"][0]["options"][0]
    table = client.get(reverse("answer-csv", args=[fleet.pk]) + f"?{DAY}").content.decode()
    (row, *_) = csv.DictReader(io.StringIO(table))
    assert float(row["tco_then"]) == pytest.approx(first["tco"]["expected"], abs=0.01)
    assertContains(
        client.get(reverse("pool", args=[fleet.pk, answer["pools"][0]["id"]]) + f"?{DAY}"),
        f"{first['tco']['expected']:,.0f}",
    )
    client.post(reverse("make-report", args=[fleet.pk]) + f"?{DAY}", {"title": "Mine"})
    frozen = StoredReport.objects.get().advice
    assert frozen["pools"][0]["options"][0]["tco"]["expected"] == first["tco"]["expected"]
    assert frozen["assumptions_changed"] == answer["assumptions_changed"]


def test_hours_from_which_a_machine_is_steady_count_on_the_import_page(client: Client, catalogue: Catalogue) -> None:
    made = keep(client, catalogue, ("fleet.csv", "size,region,count,hours_per_vm\nNC24ads_A100_v4,westeurope,4,500\n"))
    assertContains(client.get(reverse("fleet", args=[made.pk])), "burst")
    set_to(client, made, steady_from_hours="500")
    assertNotContains(client.get(reverse("fleet", args=[made.pk])), "burst")


def test_the_headline_says_what_was_changed(client: Client, fleet: StoredFleet) -> None:
    page = reverse("answer", args=[fleet.pk]) + f"?{DAY}"
    assertNotContains(client.get(page), "changed</a>")
    set_to(client, fleet, labour_rate="120")
    response = client.get(page)
    assertContains(response, f'<a href="{address(fleet, DAY)}">1 assumption changed</a>', html=True)
    assert "An engineer's hour 120 USD/hour instead of 95" in Page(response.content).text
    set_to(client, fleet, hybrid_benefit="1", grid_licence="30", disk_price="25", job_slack="2")
    text = Page(client.get(page).content).text
    assert "5 assumptions changed" in text
    assert "How much slower a job may run and still fit 2 instead of 1.25" in text
    assert "and more." in text


def test_a_report_tells_the_changed_ones_first_and_stays_as_it_was(client: Client, fleet: StoredFleet) -> None:
    set_to(client, fleet, range_labour="0.2", hybrid_benefit="1")
    made = client.post(reverse("make-report", args=[fleet.pk]) + f"?{DAY}", {"title": "Mine"})
    set_to(client, fleet, reset="all")
    page = Page(Client().get(made.url).content)
    rows = page.rows["assume-h"][1:]
    assert [row[:2] for row in rows[:2]] == [
        ["Hybrid Benefit for Windows", "on changed from off"],
        ["Range of work", "0.2 changed from 0.5"],
    ]
    assert not any("changed" in " ".join(row) for row in rows[2:])
    assert f"{len(rows)} figures without a source, as used here; 2 changed" in page.text


# Where they are used


def pool_page(client: Client, fleet: StoredFleet, more: str = "") -> str:
    pool = answer_of(client, fleet)["pools"][0]["id"]
    return reverse("pool", args=[fleet.pk, pool]) + f"?{DAY}{more}"


def form_of(content: bytes, name: str) -> dict[str, str]:
    """What the form beside an input sends without being touched."""
    part = content.decode().split(f'id="edit-{name}"')[1].split("</form>")[0]
    found = [attrs for tag, attrs in Page(part).elements if tag == "input" and attrs.get("name")]
    return {str(a["name"]): str(a["value"]) for a in found if a["name"] != "csrfmiddlewaretoken"}


def test_each_input_that_is_an_assumption_can_be_changed_in_place(client: Client, fleet: StoredFleet) -> None:
    response = client.get(pool_page(client, fleet))
    names = [
        str(a["id"]).removeprefix("edit-") for _, a in Page(response.content).elements if a.get("id", "")[:4] == "edit"
    ]
    assert {"labour_rate", "discount_rate", "disk_price", "operations_hours"} <= set(names)
    assert len(names) == len(set(names))
    for name in names:
        sent = form_of(response.content, name)
        assert sent["next"].startswith(pool_page(client, fleet))
        assert sent["next"].endswith(f"&edited={name}#edit-{name}")


def test_a_change_in_place_goes_back_to_the_open_pool(client: Client, fleet: StoredFleet) -> None:
    sent = form_of(client.get(pool_page(client, fleet)).content, "labour_rate")
    response = client.post(address(fleet, DAY), sent | {"labour_rate": "120"})
    assertRedirects(response, sent["next"], status_code=303, fetch_redirect_response=False)
    page = client.get(sent["next"].partition("#")[0])
    assert "you; the default is 95" in Page(page.content).text
    details = {a.get("id"): a for tag, a in Page(page.content).elements if tag == "details"}
    assert "open" in details["edit-labour_rate"]
    assert "open" not in details["edit-discount_rate"]


def test_within_the_answer_it_goes_back_to_the_answer(client: Client, fleet: StoredFleet) -> None:
    pool = answer_of(client, fleet)["pools"][0]["id"]
    home = reverse("answer", args=[fleet.pk])
    response = client.get(f"{home}?{DAY}&open={pool}")
    sent = form_of(response.content, "labour_rate")
    assert sent["next"] == f"{home}?{DAY}&open={pool}&edited=labour_rate#edit-labour_rate"


def test_a_bad_figure_in_place_gives_htmx_its_control_back(client: Client, fleet: StoredFleet) -> None:
    sent = form_of(client.get(pool_page(client, fleet)).content, "labour_rate")
    headers = HTMX | {"HX-Target": "pool-part"}
    response = client.post(address(fleet, DAY), sent | {"labour_rate": "lots"}, headers=headers)
    assert response.status_code == 422
    assert (response["HX-Retarget"], response["HX-Reswap"]) == ("#edit-labour_rate", "outerHTML")
    page = Page(response.content)
    assert "“lots” cannot be read as a number. Allowed are 0 to 1,000 USD/hour." in page.text
    assert form_of(response.content, "labour_rate") == sent | {"labour_rate": "lots"}
    assert page.elements[0] == ("details", {"class": "edit no-print", "id": "edit-labour_rate", "open": None})


def test_a_bad_figure_in_place_without_scripts_gives_the_page_and_the_way_back(
    client: Client, fleet: StoredFleet
) -> None:
    sent = form_of(client.get(pool_page(client, fleet)).content, "labour_rate")
    response = client.post(address(fleet, DAY), sent | {"labour_rate": "lots"})
    assert response.status_code == 422
    kept = [a.get("value") for _, a in Page(response.content).elements if a.get("name") == "next"]
    assert kept == [sent["next"]]


@pytest.mark.parametrize(
    "goal",
    [
        "https://evil.example/fleets/",
        "//evil.example/",
        "javascript:alert(1)",
        "/sizes/",
        "\\\\evil.example",
        "/fleets/00000000-0000-4000-8000-000000000000/answer/",
        "{home}../../sizes/",
        "{home}answer/\r\nX-Evil: 1",
        "",
    ],
)
def test_it_goes_on_only_to_pages_of_this_fleet(client: Client, fleet: StoredFleet, goal: str) -> None:
    goal = goal.replace("{home}", reverse("fleet", args=[fleet.pk]))
    response = set_to(client, fleet, labour_rate="120", next=goal)
    assert response.status_code == 303
    assert response.url == address(fleet) + "#saved"


# Hostile input


@pytest.mark.parametrize(
    "typed",
    [
        "NaN",
        "inf",
        "-inf",
        "1e999",
        "1e9",
        "-1",
        "1001",
        "lots",
        "1/2",
        "0x10",
        "1 2 3",
        "9" * 100_000,
        "<script>x",
        "1;2",
    ],
)
def test_what_cannot_be_used_changes_nothing_and_is_kept(client: Client, fleet: StoredFleet, typed: str) -> None:
    set_to(client, fleet, labour_rate="120")
    response = set_to(client, fleet, labour_rate=typed, disk_price="25")
    assert response.status_code == 422
    assert stored(fleet) == {"labour_rate": 120.0}
    content = response.content.decode()
    assert len(content) < 150_000
    assert "<script>x" not in content
    row = row_of(content, "labour_rate")
    fields = {a.get("name"): a for tag, a in Page(row).elements if tag == "input"}
    assert fields["labour_rate"]["value"] == typed[:30]
    assert fields["labour_rate"]["aria-invalid"] == "true"
    assert "Allowed are 0 to 1,000 USD/hour." in Page(row).text
    assert 'value="25"' in row_of(content, "disk_price")
    assert "Nothing was saved" in Page(content).text


@pytest.mark.parametrize(("name", "typed"), [("hybrid_benefit", "2"), ("tf32", "yes"), ("dev_test", "on")])
def test_a_switch_is_on_or_off(client: Client, fleet: StoredFleet, name: str, typed: str) -> None:
    assert set_to(client, fleet, **{name: typed}).status_code == 422
    assert stored(fleet) == {}


def test_unknown_names_are_nothing(client: Client, fleet: StoredFleet) -> None:
    response = set_to(client, fleet, nonsense="5", reset="nonsense", settings="{}", labour_rate="120")
    assert response.status_code == 303
    assert fleet.settings | {} == {}
    assert stored(fleet) == {"labour_rate": 120.0}


@pytest.mark.parametrize("kept", [{"labour_rate": -5.0, "gone": 3.0, "disk_price": 25.0}, {"disk_price": 25.0}])
def test_what_this_version_does_not_know_or_allow_is_left_out(
    client: Client, fleet: StoredFleet, kept: dict[str, float]
) -> None:
    fleet.settings = {"assume": kept}
    fleet.save()
    assert stored(fleet) == {"disk_price": 25.0}
    changed = answer_of(client, fleet)["assumptions_changed"]
    assert [change["name"] for change in changed] == ["disk_price"]


def test_nobody_else_sees_or_changes_them(client: Client, fleet: StoredFleet) -> None:
    stranger = Client()
    assert stranger.get(address(fleet)).status_code == 404
    assert stranger.post(address(fleet), {"labour_rate": "1"}).status_code == 404
    assert stored(fleet) == {}
    assert client.put(address(fleet)).status_code == 405


def test_a_form_of_another_site_is_refused(fleet: StoredFleet) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(address(fleet), {"labour_rate": "1"}).status_code == 403


def test_queries(client: Client, fleet: StoredFleet, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(2):  # session, fleet
        client.get(address(fleet))
    with django_assert_num_queries(3):  # and what is kept
        set_to(client, fleet, labour_rate="120")
    answer = reverse("answer", args=[fleet.pk])
    client.get(answer)
    with CaptureQueriesContext(connection) as captured:
        client.get(answer)
    number = len(captured)
    set_to(client, fleet, reset="all")
    with django_assert_num_queries(number):  # they come with the fleet
        client.get(answer)


def test_the_page_is_kept_by_no_cache(client: Client, fleet: StoredFleet) -> None:
    assert "no-store" in client.get(address(fleet))["Cache-Control"]


def test_a_low_figure_above_the_high_one_is_refused_where_it_was_typed(client: Client, fleet: StoredFleet) -> None:
    response = set_to(client, fleet, spot_eviction_low="0.2")  # the list has 0.1 for the high one
    assert response.status_code == 422
    assert "must not be above the high one" in row_of(response.content.decode(), "spot_eviction_low")
    assert stored(fleet) == {}
    assert set_to(client, fleet, spot_eviction_low="0.2", spot_eviction_high="0.3").status_code == 303
