"""The runbook of an option and the facts of machines: what the pages say, keep, refuse, and whom they answer."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from advisor import store_machines
from advisor.engine.vm_facts import VmFacts
from tests.pages import Page
from tests.web.fleets import fleet_of, upload

pytestmark = pytest.mark.django_db

FLEET = """size,region,count,hours_per_vm,os,workload,zone,generation
Standard_NC4as_T4_v3,westeurope,3,520,linux,dev,2,2
Standard_NC4as_T4_v3,westeurope,1,520,linux,dev,none,
"""
DAY = "as_of=2026-11-30"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def fleet(client):
    return fleet_of(upload(client, ("contoso.csv", FLEET)))


@pytest.fixture
def pool(client, fleet):
    (found,) = client.get(reverse("answer-json", args=[fleet.pk]) + f"?{DAY}").json()["pools"]
    return found


def at(name, fleet, pool, more=""):
    return reverse(name, args=[fleet.pk, pool["id"]]) + f"?{DAY}{more}"


def test_the_runbook_says_every_step_command_and_rule_of_the_json(client, fleet, pool):
    response = client.get(at("runbook", fleet, pool))
    text = Page(response.content).text
    (runbook,) = pool["runbooks"]
    for step in runbook["steps"]:
        assert step["title"] in text and " ".join(step["text"].split()) in text
        for command in step["commands"]:
            assert " ".join(command["text"].split()) in text
    for rule in pool["options"][0]["rules"]:
        assert " ".join(rule["message"].split()) in text
    assert len(response.content) < 150_000


def test_another_size_has_a_runbook_too_and_a_refused_one_has_none(client, fleet, pool):
    assertContains(client.get(at("runbook", fleet, pool, "&size=nc8as t4 v3")), "--size Standard_NC8as_T4_v3")
    assert client.get(at("runbook", fleet, pool, "&size=NC6")).status_code == 404  # retired
    assert client.get(at("runbook", fleet, pool, "&size=<b>")).status_code == 404


def test_htmx_gets_only_the_parts(client, fleet, pool):
    for name in ("runbook", "machines"):
        response = client.get(at(name, fleet, pool), headers=HTMX)
        assertNotContains(response, "<h1")
        assertContains(response, "<h2")


def test_machines_that_differ_are_counted_beside_the_field(client, fleet, pool):
    text = Page(client.get(at("machines", fleet, pool)).content).text
    assert "Your file: 2 on 3, not pinned on 1; 2 counts" in text  # zones
    assert "Your file: 2 on 3, not said on 1; unknown for the pool" in text  # generations: one may be 1
    facts = {fact["name"]: fact for fact in pool["facts"]}
    assert facts["generation"]["value"] is None
    assert facts["zone"]["values"] == [{"value": "2", "vms": 3}, {"value": "not pinned", "vms": 1}]


def test_what_is_said_is_kept_judges_again_and_can_be_taken_back(client, fleet, pool):
    said = {"availability_set": "yes", "image": "Ubuntu 20.04", "driver": "535.161", "os_disk_gib": "64"}
    response = client.post(at("machines", fleet, pool), said | {"within": "pool"})
    assertRedirects(response, at("pool", fleet, pool), status_code=303, fetch_redirect_response=False)
    fleet.refresh_from_db()
    kept = store_machines.machines_of(fleet)[pool["id"]]
    assert kept == VmFacts(availability_set=1.0, image="ubuntu 20.04", driver="535.161", os_disk_gib=64.0)
    assertContains(client.get(at("runbook", fleet, pool, "&size=NC8as_T4_v3")), "Stop the whole set or group")
    assertContains(client.get(at("machines", fleet, pool)), 'value="ubuntu 20.04"')
    client.post(at("machines", fleet, pool), {"within": "pool"})
    fleet.refresh_from_db()
    assert store_machines.machines_of(fleet) == {}


def test_from_the_answer_it_leads_back_to_the_open_pool(client, fleet, pool):
    response = client.post(at("machines", fleet, pool), {"zone": "none", "within": "answer"})
    assert response.headers["Location"].endswith(f"open={pool['id']}#pool-{pool['id']}")


@pytest.mark.parametrize(
    ("field", "typed", "message"),
    [
        ("nics", "two", "Allowed is a whole number from 0 to 100."),
        ("cuda", "eleven", "Allowed is a version such as 11.2."),
        ("generation", "3", "Select a valid choice"),
        ("driver", "9" * 300, "at most 200 characters"),
    ],
)
def test_a_bad_value_is_shown_again_and_nothing_is_kept(client, fleet, pool, field, typed, message):
    response = client.post(at("machines", fleet, pool), {field: typed, "secure_boot": "yes"})
    assert response.status_code == 422
    assertContains(response, message, status_code=422)
    assertContains(response, 'aria-invalid="true"', status_code=422)
    fleet.refresh_from_db()
    assert store_machines.machines_of(fleet) == {}


def test_another_session_sees_and_says_nothing(fleet, pool):
    stranger = Client()
    for name in ("runbook", "machines"):
        assert stranger.get(at(name, fleet, pool)).status_code == 404
    assert stranger.post(at("machines", fleet, pool), {"zone": "1"}).status_code == 404


def test_bad_switches_are_told_and_a_strange_pool_is_404(client, fleet, pool):
    for name in ("runbook", "machines"):
        assert client.get(reverse(name, args=[fleet.pk, pool["id"]]) + "?horizon=0").status_code == 422
        assert client.get(reverse(name, args=[fleet.pk, "deadbeef"])).status_code == 404
