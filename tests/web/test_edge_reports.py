"""A plan for an edge device as a report: frozen, unlisted, one file, taken back by its maker alone."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from advisor.models import StoredReport
from advisor.views.edge_sharing import EXAMPLES

pytestmark = pytest.mark.django_db
MAKE = "/edge/reports/"
ORDER = {"plan": "edge-order", "query": "device=pro-gpu-2&steps=k8s%3Evm%3Estopvm"}
SHARING = {"plan": "edge-sharing", "query": EXAMPLES[0][1]}


def body(response: Any) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())))


def made(client: Client, plan: dict[str, str], **more: str) -> str:
    response = client.post(MAKE, plan | more)
    assert response.status_code == 302
    return str(response["Location"])


def test_an_order_is_frozen_as_the_contract_has_it(client: Client) -> None:
    made(client, ORDER)
    stored = StoredReport.objects.get()
    assert stored.advice["schema"] == "edge-plan/1"
    assert [step["step"] for step in stored.advice["steps"]] == ["k8s", "vm", "stopvm"]
    assert stored.advice["steps"][1]["outcome"] == "fails"
    json.dumps(stored.advice)


def test_a_stranger_reads_the_order_and_its_ways_out(client: Client) -> None:
    url = made(client, ORDER, title="Gate 2")
    text = body(Client().get(url))
    assert "Gate 2" in text
    assert "This order fails at step 2: Create a GPU VM." in text
    assert "If nothing is built yet: turn the order round" in text
    assert "Back up what the cluster holds" in text
    assert "Take the report back" not in text


def test_a_stranger_reads_the_sharing_plan(client: Client) -> None:
    text = body(Client().get(made(client, SHARING)))
    assert "50 %, 20 SMs" in text
    assert "The shares add up to 120 % ." in text
    assert "A T4 has 40 streaming multiprocessors" in text


@pytest.mark.parametrize("plan", [ORDER, SHARING])
def test_it_is_unlisted_and_one_file(client: Client, plan: dict[str, str]) -> None:
    url = made(client, plan)
    response = Client().get(url)
    assert response["X-Robots-Tag"] == "noindex, nofollow"
    assert response["Referrer-Policy"] == "no-referrer"
    file = Client().get(f"{url}file/")
    assert file["Content-Disposition"].startswith("attachment")
    page = file.content.decode()
    assert "<link" not in page
    assert "<script" not in page
    assert 'href="/' not in page
    assert "Content-Security-Policy" in page
    assert not re.search(r"<style|\sstyle=|<script(?![^>]*\ssrc=)|\son\w+=", response.content.decode())


def test_only_its_maker_takes_it_back(client: Client) -> None:
    url = made(client, ORDER)
    assert Client().post(f"{url}revoke/").status_code == 404
    assertContains(client.get(url), "Take the report back")
    client.post(f"{url}revoke/")
    assert Client().get(url).status_code == 410
    assert StoredReport.objects.get().advice == {}


@pytest.mark.parametrize(
    "plan",
    [
        {},
        {"plan": "edge-order", "query": "steps=teapot"},
        {"plan": "edge-order", "query": ""},
        {"plan": "edge-sharing", "query": "name=A_B"},
        {"plan": "edge-sharing", "query": ""},
        {"plan": "nothing", "query": ORDER["query"]},
        {"plan": "edge-order", "query": "&".join(["a=b"] * 900)},
        ORDER | {"title": "x" * 201},
    ],
)
def test_what_is_no_plan_is_refused(client: Client, plan: dict[str, str]) -> None:
    assertContains(client.post(MAKE, plan), "The report was not made.", status_code=422)
    assert not StoredReport.objects.exists()


def test_hostile_titles_are_escaped(client: Client) -> None:
    url = made(client, ORDER, title="<script>alert(1)</script>")
    assertNotContains(client.get(url), "<script>alert")
    assertNotContains(client.get(f"{url}file/"), "<script>alert")


def test_a_get_makes_nothing(client: Client) -> None:
    assert client.get(MAKE).status_code == 405


def test_reading_asks_the_database_once(client: Client, django_assert_num_queries: Any) -> None:
    url = made(client, ORDER)
    with django_assert_num_queries(1):  # the report
        Client().get(url)
