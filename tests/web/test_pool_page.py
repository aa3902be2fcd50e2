"""One pool in full: what the page says is what the advice says; the refused sizes; what was said of pools."""

from __future__ import annotations

import html

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from advisor import store_fleets
from advisor.access import SESSION_KEY
from advisor.engine.assumptions import ASSUMPTIONS
from advisor.engine.rulebook import REFUSING
from advisor.engine.vm_facts import NAMES as FACTS
from advisor.engine.workload import ProfileFields
from advisor.forms.profile import ProfileForm
from advisor.models import StoredFleet
from advisor.templatetags.figures import cases, count, hourly, money
from advisor.templatetags.lifts import LIFTS
from tests.pages import Page
from tests.web.fleets import uploaded

pytestmark = pytest.mark.django_db

TIMES = "\u00d7"

FLEET = """size,region,count,hours_per_vm,os,workload
Standard_NV12s_v3,uaenorth,10,730,windows,graphics
Standard_NC6s_v3,westeurope,12,520,linux,
Standard_NC24s_v3,chinanorth3,2,730,linux,training
"""
DAY = "as_of=2026-11-30"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def fleet(client):
    return uploaded(client, ("contoso.csv", FLEET))


@pytest.fixture
def pools(client, fleet):
    data = client.get(reverse("answer-json", args=[fleet.pk]) + f"?{DAY}").json()
    return {pool["size"].removeprefix("Standard_"): pool for pool in data["pools"]}


def address(fleet, pool, name="pool"):
    return reverse(name, args=[fleet.pk, pool["id"]]) + f"?{DAY}"


def test_the_options_are_those_of_the_advice(client, fleet, pools):
    pool = pools["NC6s_v3"]
    page = Page(client.get(address(fleet, pool)).content)
    rows = [row for rows in page.rows.values() for row in rows if len(row) == 10 and row[0][:1].isdigit()]
    full = [option for option in pool["options"] if "why" in option]
    assert len(rows) == len(full) > 3
    for row, option in zip(rows, full, strict=True):
        size = option["size"].removeprefix("Standard_")
        assert row[0].startswith(f"{option['rank']}. {count(option['vms'])} {TIMES} {size}")
        assert row[3:6] == [
            count(option["hours_per_month"]),
            count(option["gpu_hours_per_month"]),
            hourly(option["hourly_price"]),
        ]
        tco = option["tco"]
        assert row[6] == money(option["monthly_cost"])
        assert row[7] == f"{money(tco['expected'])} {money(tco['p10'])} to {money(tco['p90'])}"
        assert row[8] == cases(option["chance_first"])
    assert full[0]["why"] in page.text


def test_path_losses_and_warnings_of_the_first_choice_stand_there(client, fleet, pools):
    pool = pools["NC6s_v3"]
    text = Page(client.get(address(fleet, pool)).content).text
    (runbook,) = pool["runbooks"]
    assert runbook["path"] in text
    places = [text.index(step["title"]) for step in runbook["steps"]]
    assert places == sorted(places) and len(places) > 5
    assert all(loss["text"] in text for loss in runbook["lost"])
    for rule in pool["options"][0]["rules"]:
        if rule["severity"] == "warning":
            assert " ".join(rule["message"].split()) in text


def test_a_pool_s_page_is_no_larger_than_it_may_be(client, fleet, pools):
    for pool in pools.values():
        assert len(client.get(address(fleet, pool)).content) < 150_000


def test_prices_stand_side_by_side_with_day_and_estimates_marked(client, fleet, pools):
    pool = pools["NV12s_v3"]
    response = client.get(address(fleet, pool))
    prices = pool["options"][0]["prices"]
    assert any(price["estimated"] for price in prices)
    for price in prices:
        assertContains(response, money(price["monthly_cost"]))
        assertContains(response, price["as_of"])
    assertContains(response, ">estimated</span>", count=sum(price["estimated"] for price in prices))


def test_a_pool_without_choice_says_so_and_asks(client, fleet, pools):
    response = client.get(address(fleet, pools["NC24s_v3"]))
    assertContains(response, "No size can be ranked for this pool yet.")
    assertContains(response, "unknown")


def test_questions_that_decide_come_first(client, fleet, pools):
    pool = pools["NC6s_v3"]
    text = Page(client.get(address(fleet, pool)).content).text
    first = [question for question in pool["questions"] if question["changes_first_choice"]]
    helps = [question for question in pool["questions"] if question not in first and question["field"] not in FACTS]
    messages = [" ".join(question["message"].split()) for question in (*first, *helps)]
    assert messages
    places = [text.index(message) for message in messages]
    assert places == sorted(places)


def test_every_default_is_shown_with_its_reason(client, fleet, pools):
    response = client.get(address(fleet, pools["NC6s_v3"]))
    assertContains(response, "NC and ND sizes are sold for compute; training is their commonest use")
    profile = response.context["profile"]
    assert {name for name, hint in profile.hints.items() if hint.assumed} == set(
        pools["NC6s_v3"]["workload"]["assumed"]
    )


def test_htmx_gets_only_the_part_and_its_forms_lead_to_the_answer(client, fleet, pools):
    response = client.get(address(fleet, pools["NC6s_v3"]), headers=HTMX | {"HX-Target": "open-pool"})
    assertNotContains(response, "<html")
    assertContains(response, 'hx-target="#answer"')
    assertContains(response, 'name="within" value="answer"')
    own = client.get(address(fleet, pools["NC6s_v3"]))
    assertContains(own, 'hx-target="#pool-part"')


def test_the_answer_can_hold_an_open_pool(client, fleet, pools):
    pool = pools["NC6s_v3"]
    response = client.get(reverse("answer", args=[fleet.pk]) + f"?{DAY}&open={pool['id']}")
    assertContains(response, f'data-open="{pool["id"]}"')
    assertContains(response, 'aria-current="true"')
    assertNotContains(client.get(reverse("answer", args=[fleet.pk]) + f"?{DAY}&open=nonsense"), "data-open")


def test_queries_are_few(client, fleet, pools, django_assert_num_queries):
    for name in ("pool", "rejected"):
        with django_assert_num_queries(3):  # session, fleet, version of the catalogue
            client.get(address(fleet, pools["NC6s_v3"], name))


def test_a_pool_that_is_not_there_is_404(client, fleet):
    for name in ("pool", "rejected"):
        assert client.get(reverse(name, args=[fleet.pk, "00000000"])).status_code == 404


def test_every_refused_size_has_its_reasons(client, fleet, pools):
    pool = pools["NC6s_v3"]
    response = client.get(address(fleet, pool, "rejected"))
    text = Page(response.content).text
    assert len(pool["rejected"]) > 50
    for entry in pool["rejected"]:
        assertContains(response, reverse("size", args=[entry["size"]]))
        assert " ".join(entry["reasons"][0]["message"].split()) in text
        assert " ".join((entry["flips_if"] or "").split()) in text
        flips = [reason["flips_if"] for reason in entry["reasons"]]
        if all(flips):  # each with what would make it go, the others apart
            assert all(" ".join(flip.split()) in text for flip in flips)
    alone = [entry for entry in pool["rejected"] if len(entry["reasons"]) == 1]
    assert all(entry["flips_if"] == entry["reasons"][0]["flips_if"] for entry in alone)
    (needs,) = {r["flips_if"] for e in pool["rejected"] for r in e["reasons"] if r["code"] == "gpu-memory-assumed"} & {
        "the work needs at most 8 GiB per GPU"
    }
    place = address(fleet, pool) + f"#id_{pool['id']}_gpu_memory_gib"
    assertContains(response, f'<a href="{html.escape(place)}">{needs}</a>')
    assertNotContains(client.get(address(fleet, pool, "rejected"), headers=HTMX), "<html")


def test_what_can_be_lifted_are_reasons_places_and_assumptions_that_there_are():
    codes = {rule.code for rule in REFUSING} | {f"unknown-{rule.needed}" for rule in REFUSING if rule.needed}
    assert set(LIFTS) <= codes
    assert {place for name, place in LIFTS.values() if name == "fleet-assumptions"} <= set(ASSUMPTIONS)
    fields = {f"id_{{pool}}_{name}" for name in ProfileForm.base_fields}
    assert {place for name, place in LIFTS.values() if name == "pool"} <= fields | {"own-{pool}"}


def test_refused_sizes_are_folded_by_reason_each_once(client, fleet, pools):
    pool = pools["NC6s_v3"]
    response = client.get(address(fleet, pool, "rejected"))
    groups = response.context["groups"]
    listed = [entry.size for group in groups for entry in group.entries]
    assert sorted(listed) == sorted(entry["size"] for entry in pool["rejected"])
    near = {entry["size"] for entry in pool["rejected"] if entry["flips_if"]}
    assert {entry.size for group in groups if group.alone for entry in group.entries} == near
    for group in groups:
        assert group.alone or len({entry.reasons[0].code for entry in group.entries}) == 1
    assert response.content.decode().count('<details class="reason-group" open>') == bool(near)
    assertContains(response, "Retired: ")


def say(client, fleet, data, **more):
    return client.post(reverse("profiles", args=[fleet.pk]) + f"?{DAY}", data, **more)


def said_of(fleet, pool):
    return store_fleets.profiles_of(StoredFleet.objects.get(pk=fleet.pk)).get(pool["id"])


def test_what_is_said_of_a_pool_is_kept_and_ranks_again(client, fleet, pools):
    pool = pools["NC6s_v3"]
    response = say(
        client, fleet, {"pool": pool["id"], "workload": "inference", "utilisation": "20", "multi_node": "no"}
    )
    back = reverse("answer", args=[fleet.pk]) + f"?{DAY}&open={pool['id']}#pool-{pool['id']}"
    assertRedirects(response, back, status_code=303)
    assert said_of(fleet, pool) == ProfileFields(workload="inference", utilisation=0.2, multi_node=False)
    again = client.get(reverse("answer-json", args=[fleet.pk]) + f"?{DAY}").json()
    (now,) = (p for p in again["pools"] if p["id"] == pool["id"])
    assert now["workload"]["utilisation_percent"] == pytest.approx(20)
    assert now["options"][0]["monthly_cost"] < pool["options"][0]["monthly_cost"]


def test_from_its_own_page_it_leads_back_there(client, fleet, pools):
    pool = pools["NC6s_v3"]
    response = say(client, fleet, {"pool": pool["id"], "within": "pool", "pattern": "steady"})
    assertRedirects(response, address(fleet, pool), status_code=303)
    assertContains(client.get(address(fleet, pool)), '<option value="steady" selected>')


def test_an_empty_field_forgets_what_was_said(client, fleet, pools):
    pool = pools["NC6s_v3"]
    say(client, fleet, {"pool": pool["id"], "workload": "hpc", "min_vms": "3"})
    say(client, fleet, {"pool": pool["id"], "workload": "hpc"})
    assert said_of(fleet, pool) == ProfileFields(workload="hpc")


@pytest.mark.parametrize(
    ("field", "typed", "message"),
    [
        ("utilisation", "300", "Must be at most 100."),
        ("utilisation", "0", "Must be above 0"),
        ("gpu_memory_gib", "much", "Write a number, for example 12."),
        ("gpu_memory_gib", "nan", "Write a number, for example 12."),
        ("min_vms", "1.5", "Write a whole number, for example 2."),
        ("workload", "magic", "Select a valid choice"),
    ],
)
def test_a_bad_field_is_shown_again_with_what_was_typed(client, fleet, pools, field, typed, message):
    pool = pools["NC6s_v3"]
    data = {"pool": pool["id"], "within": "pool", field: typed}
    response = say(client, fleet, data)
    assertContains(response, message, status_code=422)
    if field != "workload":
        assertContains(response, f'value="{typed}"', status_code=422)
    part = say(client, fleet, data, headers=HTMX)
    assert part.status_code == 422
    assert part["HX-Retarget"] == f"#profile-{pool['id']}"
    assertNotContains(part, "<h1", status_code=422)
    assert said_of(fleet, pool) is None


def test_many_pools_at_once_keep_what_was_said_of_each(client, fleet, pools):
    first, second = pools["NC6s_v3"], pools["NV12s_v3"]
    say(client, fleet, {"pool": first["id"], "workload": "inference"})
    response = say(client, fleet, {"many": "1", "pool": [first["id"], second["id"]], "utilisation": "50"})
    assertRedirects(response, reverse("answer", args=[fleet.pk]) + f"?{DAY}#pools", status_code=303)
    assert said_of(fleet, first) == ProfileFields(workload="inference", utilisation=0.5)
    assert said_of(fleet, second) == ProfileFields(utilisation=0.5)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"utilisation": "50"}, "Tick at least one pool in the table above."),
        ({"pool": "NC6s_v3"}, "Say at least one thing about the pools."),
        ({"pool": "NC6s_v3", "utilisation": "500"}, "Must be at most 100."),
    ],
)
def test_a_bad_form_for_many_is_shown_again(client, fleet, pools, data, message):
    data = {"many": "1"} | data
    if "pool" in data:
        data["pool"] = pools[data["pool"]]["id"]
    response = say(client, fleet, data)
    assertContains(response, message, status_code=422)
    ticked = [a for tag, a in Page(response.content).elements if tag == "input" and a.get("name") == "pool"]
    assert [a["value"] for a in ticked if "checked" in a] == ([data["pool"]] if "pool" in data else [])


def test_a_pool_of_no_fleet_is_404(client, fleet):
    assert say(client, fleet, {"pool": "00000000", "workload": "hpc"}).status_code == 404
    assert say(client, fleet, {"workload": "hpc"}).status_code == 404


def test_another_session_may_say_nothing(client, fleet, pools):
    session = client.session
    session[SESSION_KEY] = "somebody else"
    session.save()
    pool = pools["NC6s_v3"]
    assert say(client, fleet, {"pool": pool["id"], "workload": "hpc"}).status_code == 404
    assert said_of(fleet, pool) is None


def test_saying_needs_a_post(client, fleet):
    assert client.get(reverse("profiles", args=[fleet.pk])).status_code == 405


def test_the_name_of_a_pool_is_escaped(client):
    text = "size,count,region,pool\nStandard_NC6,2,westeurope,<img src=x onerror=alert(1)>\n"
    fleet = uploaded(client, ("f.csv", text))
    data = client.get(reverse("answer-json", args=[fleet.pk])).json()
    response = client.get(reverse("pool", args=[fleet.pk, data["pools"][0]["id"]]))
    assertContains(response, html.escape("<img src=x onerror=alert(1)>"))
    assertNotContains(response, "<img")


def test_where_nothing_can_be_ranked_the_commonest_reasons_stand_first(client, fleet, pools):
    pool = pools["NC24s_v3"]
    codes = [code for entry in pool["rejected"] for code in {reason["code"] for reason in entry["reasons"]}]
    most = max(codes.count(code) for code in codes)
    assertContains(client.get(address(fleet, pool)), f"{most} sizes, for example: ")


def test_an_empty_field_shows_what_counts_and_whose_word_it_is(client, fleet, pools):
    pool = pools["NV12s_v3"]
    response = client.get(address(fleet, pool))
    assertContains(response, '<option value="" selected>Graphics (your file)</option>')
    assertContains(response, '<option value="" selected>Seat (default)</option>')
    assertContains(response, 'placeholder="8 GiB"')
    say(client, fleet, {"pool": pool["id"], "gpu_memory_gib": "6"})
    response = client.get(address(fleet, pool))
    assertContains(response, 'value="6"')
    assertContains(response, "You said so. Empty it for the default.")


def test_what_is_known_of_the_network_counts_and_stands_where_the_speed_is_explained(client, fleet, pools):
    pool = pools["NC6s_v3"]
    before = client.get(address(fleet, pool)).content.decode()
    assert "Taken for training, mixed. Not known: network; the figure is the mean" in before
    said = {"pool": pool["id"], "within": "pool", "workload": "inference", "network": "cnn", "batch": "1"}
    client.post(reverse("profiles", args=[fleet.pk]) + f"?{DAY}", said)
    page = client.get(address(fleet, pool))
    assertContains(page, "Taken for inference, FP16, CNN, batch 1. Not known: runtime; the figure is the mean")
    assertContains(page, '<option value="" selected>Not known</option>')
    data = client.get(reverse("answer-json", args=[fleet.pk]) + f"?{DAY}").json()
    (work,) = (p["workload"] for p in data["pools"] if p["id"] == pool["id"])
    assert (work["network"], work["batch"], work["runtime"]) == ("cnn", 1.0, None)


def test_a_batch_that_is_none_is_refused_at_its_field(client, fleet, pools):
    pool = pools["NC6s_v3"]
    response = client.post(reverse("profiles", args=[fleet.pk]) + f"?{DAY}", {"pool": pool["id"], "batch": "0"})
    assert response.status_code == 422
    assertContains(response, "Must be above 0, for example 8.", status_code=422)
