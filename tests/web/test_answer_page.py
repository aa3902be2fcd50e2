"""The answer's page: the figures first, the doubts, the switches, the pools; and who may see it."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from advisor.access import SESSION_KEY
from advisor.templatetags.figures import change, count, money
from tests.fleets import random_fleet
from tests.pages import Page
from tests.web.fleets import fleet_of, upload, uploaded

pytestmark = pytest.mark.django_db

TIMES = "\u00d7"

FLEET = """size,region,count,hours_per_vm,os,workload,pool
Standard_NC6,westeurope,4,160,linux,dev,
Standard_NV12s_v3,uaenorth,10,730,windows,graphics,
Standard_NC6s_v3,jioindiawest,12,520,linux,training,
Standard_NC24s_v3,chinanorth3,2,730,linux,training,<script>alert(1)</script>
"""
DAY = "as_of=2026-11-30"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def fleet(client):
    return uploaded(client, ("contoso.csv", FLEET))


def address(fleet, query=DAY):
    return reverse("answer", args=[fleet.pk]) + f"?{query}"


def data_of(client, fleet, query=DAY):
    return client.get(reverse("answer-json", args=[fleet.pk]) + f"?{query}").json()


def pool_rows(page):
    return {row[0].split()[0]: row for row in page.rows["p-h"] if len(row) == 9 and row[0][:1].isdigit()}


def test_the_answer_comes_first(client, fleet):
    response = client.get(address(fleet))
    totals = data_of(client, fleet)["totals"]
    text = Page(response.content).text
    sentence = (
        f"Move 26 of 28 machines. The same work then costs USD {money(totals['recommended_monthly_cost'])} "
        f"a month instead of USD {money(totals['baseline_monthly_cost'])}."
    )
    assert sentence in text
    assert text.index(sentence) < text.index("Machines at risk") < text.index("weaken this answer")
    assert text.index("weaken this answer") < text.index("Rank again") < text.index("most urgent first")


def test_it_has_one_heading_and_one_marker(client, fleet):
    elements = Page(client.get(address(fleet)).content).elements
    assert [tag for tag, _ in elements].count("h1") == 1
    assert [attrs.get("class") for _, attrs in elements].count("mark") == 1


@pytest.mark.parametrize("seed", range(6))
def test_page_and_json_show_the_same_figures(client, catalogue, seed):
    fleet = fleet_of(upload(client, (f"random{seed}.csv", random_fleet(seed, catalogue))))
    page, data = Page(client.get(address(fleet)).content), data_of(client, fleet)
    totals, rows = data["totals"], pool_rows(page)
    assert len(rows) == len(data["pools"])
    by_id = {pool["id"]: pool for pool in data["pools"]}
    order = [attrs["data-pool"] for tag, attrs in page.elements if tag == "tr" and "data-pool" in attrs]
    for pool_id, row in zip(order, rows.values(), strict=True):
        pool = by_id[pool_id]
        now, first = pool["baseline"]["monthly_cost"], pool["options"][0] if pool["options"] else None
        assert row[0].split()[1] == pool["size"].removeprefix("Standard_")
        assert row[2].split()[0] == ("unknown" if now is None else money(now))
        if first is None:
            assert row[6:8] == ["unknown", "unknown"]
            continue
        assert row[6] == money(first["monthly_cost"])
        assert row[7] == ("unknown" if now is None else change(first["monthly_cost"] - now))
        if not (first["verdict"] == "stay" and first["vms"] == pool["vms"]):
            assert row[3].startswith(f"{count(first['vms'])} {TIMES} {first['size'].removeprefix('Standard_')} ")
    foot = page.rows["p-h"][-1]
    if totals["recommended_monthly_cost"] is not None:
        assert foot[2] == money(totals["baseline_monthly_cost"])
        assert foot[6] == money(totals["recommended_monthly_cost"])
        assert count(totals["recommended_gpu_hours"]) in page.text


def test_unpriced_pools_are_named_and_in_no_total(client, fleet):
    text = Page(client.get(address(fleet)).content).text
    assert f"Outside the totals: 2 {TIMES} NC24s_v3, China North 3 ;" in text
    assert "All pools with a price and a choice" in text


def test_htmx_gets_only_the_part(client, fleet):
    response = client.get(address(fleet), headers=HTMX)
    assertContains(response, "The answer</h1>")
    assertNotContains(response, "<html")
    assert "HX-Request" in response["Vary"]


def test_queries_are_few_and_do_not_grow(client, fleet, django_assert_num_queries):
    client.get(address(fleet))
    with django_assert_num_queries(4):  # session, fleet, version of the catalogue, reports
        client.get(address(fleet))
    many = uploaded(client, ("many.csv", "\n".join(["size,count,region", *rows(12)])))
    with django_assert_num_queries(4):
        client.get(address(many))


def rows(number):
    sizes = ("NC6", "NC12", "NC24", "NV6", "NV12", "NC6s_v2", "NC6s_v3", "NC12s_v3", "NV12s_v3", "NV24s_v3", "NV6")
    regions = ("westeurope", "eastus", "northeurope", "japaneast")
    return [f"Standard_{sizes[n % 11]},{n + 1},{regions[n % 4]}" for n in range(number)]


def test_a_switch_ranks_again(client, fleet):
    cheap, fast = data_of(client, fleet), data_of(client, fleet, DAY + "&strategy=fastest")
    assert cheap["totals"] != fast["totals"]
    text = Page(client.get(address(fleet, DAY + "&strategy=fastest")).content).text
    assert f"USD {money(fast['totals']['recommended_monthly_cost'])}" in text


@pytest.mark.parametrize("query", ["strategy=luck", "horizon=0", "horizon=x", "target_region=atlantis", "as_of=soon"])
def test_a_bad_switch_is_refused_and_said(client, fleet, query):
    response = client.get(address(fleet, query))
    assertContains(response, 'class="err"', status_code=422)
    for name in ("answer-json", "answer-csv"):
        assert client.get(reverse(name, args=[fleet.pk]) + f"?{query}").status_code == 422


def test_many_pools_show_those_that_matter_first(client):
    fleet = uploaded(client, ("many.csv", "\n".join(["size,count,region", *rows(44)])))
    response = client.get(address(fleet))
    pools = len(response.context["advice"].pools)
    assert pools > 30
    assert len(pool_rows(Page(response.content))) == 10
    assertContains(response, f"Show all {pools} pools")
    assert len(pool_rows(Page(client.get(address(fleet, DAY + "&all=1")).content))) == pools


def test_where_no_pool_can_be_ranked_every_sum_is_unknown(client):
    fleet = uploaded(client, ("alone.csv", "size,region,count,hours\nNC24s_v3,chinanorth3,2,730\n"))
    response = client.get(reverse("answer", args=[fleet.pk]))
    assertContains(response, "Nothing can be ranked")
    assertContains(response, "the cost is unknown")
    for name in ("answer-json", "answer-csv"):
        assert client.get(reverse(name, args=[fleet.pk])).status_code == 200
    made = client.post(reverse("make-report", args=[fleet.pk]), {"title": "Report"})
    for end in ("", "file/"):
        assert client.get(made.headers["Location"] + end).status_code == 200


def test_a_fleet_without_gpu_machines_says_what_to_do(client):
    fleet = uploaded(client, ("plain.csv", "size,count,region\nStandard_D2s_v3,3,westeurope\n"))
    assertContains(client.get(address(fleet)), "There is no GPU machine in this fleet")


def test_hostile_text_is_escaped(client, fleet):
    response = client.get(address(fleet))
    assertContains(response, "&lt;script&gt;alert(1)&lt;/script&gt;")
    assertNotContains(response, "<script>alert")


def test_the_csv_has_a_row_per_option_and_no_formula(client):
    fleet = uploaded(client, ("f.csv", "size,count,region,pool\nStandard_NC6,2,westeurope,=1+1\n"))
    response = client.get(reverse("answer-csv", args=[fleet.pk]) + f"?{DAY}")
    table = list(csv.DictReader(io.StringIO(response.content.decode())))
    assert {row["pool_name"] for row in table} == {"'=1+1"}
    (pool,) = data_of(client, fleet)["pools"]
    assert [float(row["monthly_cost_then"]) for row in table] == [o["monthly_cost"] for o in pool["options"][:12]]
    assert response["Content-Disposition"] == 'attachment; filename="advice.csv"'


def test_the_json_is_the_contract(client, fleet):
    response = client.get(reverse("answer-json", args=[fleet.pk]) + f"?{DAY}")
    data = json.loads(response.content)
    assert data["schema"] == "advice/1"
    assert data["pools"][0]["rejected"]


@pytest.mark.parametrize("name", ["answer", "answer-json", "answer-csv", "pool", "rejected"])
def test_another_session_gets_the_same_404_as_for_none(client, fleet, name):
    more = ["00000000"] if name in ("pool", "rejected") else []
    other = reverse(name, args=[fleet.pk, *more])
    session = client.session
    session[SESSION_KEY] = "somebody else"
    session.save()
    none = reverse(name, args=["00000000-0000-4000-8000-000000000000", *more])
    first, second = client.get(other), client.get(none)
    assert first.status_code == second.status_code == 404
    assert bare(first, other) == bare(second, none)


def bare(response, address):
    """The page without its own address and the token that differs each time."""
    return re.sub(rb'"X-CSRFToken": "\w+"', b"", response.content).replace(address.encode(), b"")


@pytest.mark.parametrize("name", ["answer", "answer-json", "answer-csv"])
def test_it_is_for_reading_only(client, fleet, name):
    assert client.post(reverse(name, args=[fleet.pk])).status_code == 405
