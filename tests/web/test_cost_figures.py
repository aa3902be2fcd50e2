"""How far a cost may be off, how sure the first choice is, and what a cost is made of, on pages and in old reports."""

from __future__ import annotations

import copy
from datetime import UTC, datetime
from typing import Any

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from advisor.render_report import render_file, report_context
from advisor.templatetags.figures import money
from tests.pages import Page
from tests.web.fleets import uploaded

pytestmark = pytest.mark.django_db

#: A pool with another option that is the cheapest more often, one whose work may be interrupted, one that ends soon.
FLEET = """size,region,count,hours_per_vm,os,workload,interruptible
Standard_NC12,westeurope,6,730,linux,training,
Standard_NC6s_v3,westeurope,12,160,linux,training,yes
Standard_NC24ads_A100_v4,westeurope,4,730,linux,inference,
Standard_NC4as_T4_v3,westeurope,4,160,linux,inference,yes
"""
DAY = "as_of=2026-11-30"


@pytest.fixture
def fleet(client):
    return uploaded(client, ("contoso.csv", FLEET))


@pytest.fixture
def answer(client, fleet):
    found = client.get(reverse("answer-json", args=[fleet.pk]) + f"?{DAY}").json()
    found["by_size"] = {pool["size"].removeprefix("Standard_"): pool for pool in found["pools"]}
    return found


def pool_page(client, fleet, pool, **query):
    return client.get(reverse("pool", args=[fleet.pk, pool["id"]]), {"as_of": "2026-11-30"} | query)


def all_rows(page: Page) -> list[list[str]]:
    """The rows of all tables, in the order of the page's sections."""
    return [row for rows in page.rows.values() for row in rows]


def rows_after(page: Page, *heading: str) -> list[list[str]]:
    """The rows of the table whose columns are called so, to the next row that has other columns."""
    rows = all_rows(page)
    start = next(place for place, row in enumerate(rows) if tuple(cell.split(" USD")[0] for cell in row) == heading)
    heads = ("Part", "Input")
    end = next(
        (n for n, row in enumerate(rows[start + 1 :], start + 1) if len(row) != len(heading) or row[0] in heads),
        len(rows),
    )
    return rows[start + 1 : end]


def test_the_answer_leads_to_how_its_ranges_are_made(client, fleet):
    response = client.get(reverse("answer", args=[fleet.pk]) + f"?{DAY}")
    address = reverse("assumptions") + "#ranges"
    assertContains(response, f'href="{address}"')
    assertContains(client.get(reverse("assumptions")), 'id="ranges"')
    for name in ("range_hours", "range_hours_assumed", "range_price", "range_labour"):
        assertContains(client.get(reverse("assumptions")), f'href="#{name}"')


def test_the_answer_draws_the_cost_over_time_with_its_table(client, fleet, answer):
    page = Page(client.get(reverse("answer", args=[fleet.pk]) + f"?{DAY}").content)
    rows = rows_after(page, "After month", "Today's machines", "First choices")
    assert [row[0] for row in rows] == ["0", "6", "12", "18", "24", "30", "36"]
    totals = answer["totals"]
    assert rows[-1][1:] == [money(totals["baseline_tco"]), money(totals["recommended_tco"])]


def test_a_pool_says_how_sure_its_first_choice_is(client, fleet, answer):
    pool = answer["by_size"]["NC12"]
    first, second = pool["options"][:2]
    assert first["chance_first"] < second["chance_first"]
    text = Page(pool_page(client, fleet, pool).content).text
    assert f"The cheapest in {100 * first['chance_first']:.0f} of 100 cases" in text
    assert (
        f"{second['size']} is the cheapest in more cases, {100 * second['chance_first']:.0f} of 100 against "
        f"{100 * first['chance_first']:.0f}."
    ) in text


def test_a_pool_that_stays_as_it_is_has_nothing_to_save(client, fleet, answer):
    pool = answer["by_size"]["NC24ads_A100_v4"]
    assert (pool["options"][0]["verdict"], pool["options"][0]["vms"]) == ("stay", 4)
    response = pool_page(client, fleet, pool)
    assertContains(response, "the machines of today go on, with nothing to save")
    assertNotContains(response, "costs less than today in 0 of 100")


def test_the_table_behind_the_tornado_has_its_figures_in_units(client, fleet, answer):
    pool = answer["by_size"]["NC6s_v3"]
    response = pool_page(client, fleet, pool)
    rows = rows_after(Page(response.content), "Input", "Low end", "Cost there", "High end", "Cost there")
    swings = {swing["name"]: swing for swing in pool["tornado"]}
    assert len(rows) == len(swings) > 5
    by_words = {row[0].partition(" assumption")[0]: row for row in rows}
    speed, hours, prices = by_words["Speed of one GPU"], by_words["Hours"], by_words["Prices"]
    assert speed[1] == f"{swings['speed']['at_low']:.2f} \u00d7"
    assert (hours[1], hours[3]) == ("145 h per VM and month", "176 h per VM and month")  # 160 / 1.1 and 160 x 1.1
    assert (prices[1], prices[3]) == ("90.9 % of today's", "110 % of today's")
    assert [speed[2], speed[4]] == [money(swings["speed"]["tco_low"]), money(swings["speed"]["tco_high"])]
    where = reverse("fleet-assumptions", args=[fleet.pk])
    assertContains(response, f'href="{where}?as_of=2026-11-30#range_hours"')


def test_the_parts_of_a_pool_stand_side_by_side(client, fleet, answer):
    pool = answer["by_size"]["NC12"]
    page = Page(pool_page(client, fleet, pool).content)
    rows = {row[0]: row[1:] for row in rows_after(page, "Part", "Before", "After")}
    before, after = pool["baseline"]["components"], pool["options"][0]["tco"]["components"]
    assert rows["Machines"] == [money(before["compute"]), money(after["compute"])]
    assert rows["Labour, once"] == ["0", money(after["migration_labour"])]
    assert rows["In all"] == [money(pool["baseline"]["tco"]), money(pool["options"][0]["tco"]["expected"])]
    assert "Windows licences" not in rows


def test_u52_u80_spot_is_a_range_with_the_chance_that_a_job_finishes(client, fleet, answer):
    """0.9 ** 8 = 0.43 and 0.99 ** 8 = 0.92: at 10 and at 1 % an hour, over eight hours."""
    pool = answer["by_size"]["NC4as_T4_v3"]
    (spot,) = (row for row in pool["options"][0]["prices"] if row["price_model"] == "spot")
    assert spot["monthly_cost_high"] > spot["monthly_cost"]
    page = Page(pool_page(client, fleet, pool).content)
    row = next(row for row in all_rows(page) if row[0] == "Spot")  # the plan of commitments further down has one too
    assert row[2:4] == [
        f"from {money(spot['monthly_cost'])} to {money(spot['monthly_cost_high'])}",
        f"from {money(spot['tco'])} to {money(spot['tco_high'])}",
    ]
    assert "A job of 8 h finishes in 43 to 92 of 100" in row[4]


def test_an_answer_at_spot_prices_says_that_it_is_no_budget(client, fleet):
    response = client.get(reverse("answer", args=[fleet.pk]), {"as_of": "2026-11-30", "price_model": "spot"})
    assertContains(response, "Spot: these are the least that the machines can cost, no budget.")
    plain = client.get(reverse("answer", args=[fleet.pk]), {"as_of": "2026-11-30"})
    assertNotContains(plain, "no budget")


def test_options_beyond_the_twelfth_have_a_dash_and_never_0(client, fleet, answer, monkeypatch):
    monkeypatch.setattr("advisor.views.pool.TOP", 14)
    pool = answer["by_size"]["NC12"]
    response = pool_page(client, fleet, pool)
    page = Page(response.content)
    rows = [row for row in all_rows(page) if len(row) == 10 and row[0][:1].isdigit()]
    assert len(rows) == 14
    assert [row[8] for row in rows[12:]] == ["\u2013", "\u2013"]
    assert "\u2013" not in {row[8] for row in rows[:12]}
    assertContains(response, "Only the first 12 options of a pool are priced in 1,000 cases.", count=4)


def older(document: dict[str, Any]) -> dict[str, Any]:
    """The answer as a version without ranges and components wrote it."""
    found = copy.deepcopy(document)
    found.pop("by_size")
    for name in ("recommended_tco_range", "saving_range"):
        del found["totals"][name]
    for pool in found["pools"]:
        del pool["tornado"], pool["chance_saves"], pool["baseline"]["components"]
        for option in pool["options"]:
            if "why" in option:
                option["tco"] |= dict.fromkeys(("p10", "p50", "p90"))
                option["chance_first"] = None
                for price in option["prices"]:
                    del price["monthly_cost_high"], price["tco_high"], price["chance_to_finish"]
    return found


def test_a_report_that_is_older_than_ranges_says_nothing_of_them(answer):
    made = datetime(2026, 11, 30, tzinfo=UTC)
    page = render_file(report_context(older(answer), title="Old", made_at=made, with_names=False))
    totals, text = answer["totals"], Page(page).text
    assert f"USD {money(totals['recommended_tco'])} instead of USD {money(totals['baseline_tco'])}" in text
    for words in ("8 in 10 cases", "of 100", "What moves this cost most", "How ranges are made"):
        assert words not in text
    rows = rows_after(Page(page), "Part", "Before", "After")
    assert rows[0][0] == "Machines"
    assert [row[1] for row in rows[:-1]] == ["unknown"] * (len(rows) - 1)
