"""The import page: figures that add up, corrections in place, both readings of the hours, deletion."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from advisor import store, store_fleets
from advisor.engine.pools import Pool, make_pools
from advisor.engine.request import AdviceRequest
from advisor.models import StoredFleet
from tests.web.fleets import THREE_BAD, fleet_of, paste, upload

pytestmark = pytest.mark.django_db


@pytest.fixture
def fleet(client: Client) -> StoredFleet:
    return fleet_of(upload(client, ("fleet.csv", THREE_BAD)))


def page(client: Client, fleet: StoredFleet) -> str:
    return client.get(reverse("fleet", args=[fleet.pk])).content.decode()


def plain(text: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def pools_of(fleet: StoredFleet) -> list[Pool]:
    return make_pools(store_fleets.readings_of(fleet), store.catalogue(), AdviceRequest(as_of=timezone.now().date()))


def correct(client: Client, fleet: StoredFleet, **texts: str):
    data = {name.replace("_", "-"): text for name, text in texts.items()}
    return client.post(reverse("corrections", args=[fleet.pk]), data)


def test_figures_add_up(client: Client, fleet: StoredFleet):
    text = plain(page(client, fleet))
    assert "4 GPU machines found. 3 rows need a correction, 1 is not a GPU machine." in text
    assert "= 1 GPU + 1 ignored + 3 refused, none lost" in text
    assert "Go on with 4 machines" in text


def test_refused_rows_say_where_what_and_what_instead(client: Client, fleet: StoredFleet):
    response = client.get(reverse("fleet", args=[fleet.pk]))
    assertContains(response, '<code class="found">NC6x</code>')
    assertContains(response, '<option value="Standard_NC6">')
    assertContains(response, 'value="720"')
    assertContains(response, "West Europe (westeurope)")


def test_queries_do_not_grow_with_rows(client: Client, fleet: StoredFleet, django_assert_num_queries):
    long = fleet_of(upload(client, ("long.csv", THREE_BAD + THREE_BAD.partition("\n")[2] * 200)))
    for one in (fleet, long):
        with django_assert_num_queries(4):  # the session, the fleet, which catalogue is loaded, files that are kept
            text = page(client, one)
        assert len(text.encode()) < 150_000


def test_corrections_end_to_end(client: Client, fleet: StoredFleet):
    changes = {"f0_3_1_pick": "Standard_NC6", "f0_4_4": "720", "f0_5_2": "West Europe"}
    response = correct(client, fleet, **changes)
    assert response.url.endswith("?accepted=3&tried=3#fix")
    text = plain(client.get(response.url).content.decode())
    assert "8 GPU machines found. 1 row is not a GPU machine." in text
    assert "3 rows corrected and counted above." in text
    fleet.refresh_from_db()
    right = THREE_BAD.replace("NC6x", "NC6").replace("72O", "720").replace("Erope", "Europe")
    same = fleet_of(upload(client, ("right.csv", right)))
    today, catalogue = timezone.now().date(), store.catalogue()
    pools = [
        [
            (pool["size"], pool["vms"], pool["hours_per_vm_month"])
            for pool in make_pools(store_fleets.readings_of(one), catalogue, AdviceRequest(as_of=today))
        ]
        for one in (fleet, same)
    ]
    assert pools[0] == pools[1]


def test_a_wrong_correction_stays_refused_with_its_message(client: Client, fleet: StoredFleet):
    response = correct(client, fleet, f0_3_1="NC7q", f0_4_4="720")
    text = plain(client.get(response.url).content.decode())
    assert "1 of 2 rows corrected. What is still wrong stands below." in text
    assert "“NC7q”: no N-series size of that name is known." in text
    assert "= 2 GPU + 1 ignored + 2 refused, none lost" in text


def test_nothing_changed_is_said(client: Client, fleet: StoredFleet):
    response = correct(client, fleet, f0_4_4="72O", f9_9_9="x", f0_3_77="y")
    assertContains(client.get(response.url), "No cell was changed.")


def test_what_was_picked_must_be_for_a_refused_cell(client: Client, fleet: StoredFleet):
    before = fleet.readings
    correct(client, fleet, f0_2_1="NC6")  # line 2 is right already
    fleet.refresh_from_db()
    assert fleet.readings == before


def test_hours_are_read_either_way_and_the_answer_follows(client: Client):
    fleet = fleet_of(paste(client, "NC6s_v3, West Europe, 12, 520"))

    def hours() -> float:
        fleet.refresh_from_db()
        request = AdviceRequest(as_of=timezone.now().date())
        (pool,) = make_pools(store_fleets.readings_of(fleet), store.catalogue(), request)
        return float(pool["hours_per_vm_month"])

    text = plain(page(client, fleet))
    assert "of each machine: 6,240 h in all" in text
    assert "of the whole row: 520 h in all" in text
    assert hours() == 520
    client.post(reverse("hours", args=[fleet.pk]), {"hours": "per-row"})
    assert hours() == pytest.approx(520 / 12)
    assert client.get(reverse("answer-json", args=[fleet.pk])).json()["pools"][0]["hours_per_month"] == pytest.approx(
        520
    )
    client.post(reverse("hours", args=[fleet.pk]), {"hours": "per-vm"})
    assert hours() == 520


def test_hours_that_are_clear_have_no_switch(client: Client, fleet: StoredFleet):
    assert "How are the hours meant?" not in page(client, fleet)


def test_a_correction_can_open_the_question_of_hours(client: Client):
    fleet = fleet_of(paste(client, "NC6s_v3, West Europe, 1, 300\nNC6x, West Europe, 4, 100"))
    correct(client, fleet, f0_2_0_pick="Standard_NC6")
    text = plain(page(client, fleet))
    assert "of each machine: 700 h in all" in text
    assert "of the whole row: 400 h in all" in text
    assert "= 2 GPU + 0 ignored + 0 refused, none lost" in text
    client.post(reverse("hours", args=[fleet.pk]), {"hours": "per-row"})
    text = plain(page(client, fleet))
    assert "= 2 GPU + 0 ignored + 0 refused, none lost" in text


def test_assumed_work_has_its_reason(client: Client, fleet: StoredFleet):
    text = plain(page(client, fleet))
    assert "Training, burst assumed" in text
    assert "training is their commonest use" in text


def test_ignored_rows_are_named(client: Client):
    fleet = fleet_of(client.post(reverse("sample", args=["portal"])))
    text = plain(page(client, fleet))
    assert "NP10s 2 15 to 16 FPGA or media, not a GPU" in text
    assert "D4s_v5 2 17 to 18 no GPU" in text
    assert "1 off (deallocated)." in text


def test_deleting_removes_everything(client: Client, fleet: StoredFleet):
    response = client.post(reverse("delete-fleet", args=[fleet.pk]))
    assert response.url == reverse("fleets")
    assert not StoredFleet.objects.exists()
    assert client.get(reverse("fleet", args=[fleet.pk])).status_code == 404


def test_writes_are_posts(client: Client, fleet: StoredFleet):
    for name in ("corrections", "hours", "delete-fleet"):
        assert client.get(reverse(name, args=[fleet.pk])).status_code == 405


def test_another_session_gets_the_same_404_as_for_none(client: Client, fleet: StoredFleet):
    other = Client()
    other.post(reverse("sample", args=["lab"]))
    none = "00000000-0000-4000-8000-000000000000"
    for name in ("fleet", "corrections", "hours", "delete-fleet"):
        send = other.get if name == "fleet" else other.post
        theirs, nobodys = send(reverse(name, args=[fleet.pk])), send(reverse(name, args=[none]))
        assert theirs.status_code == nobodys.status_code == 404
        token = re.compile(rb'(csrfmiddlewaretoken" value="|X-CSRFToken": ")[^"]*')
        assert token.sub(b"", theirs.content) == token.sub(b"", nobodys.content)
    assert StoredFleet.objects.filter(pk=fleet.pk).exists()


def test_hostile_text_is_escaped_and_pages_are_not_indexed(client: Client):
    evil = "<script>alert(1)</script>"
    text = (
        f'name,size,region,pool\n"{evil}",NC6,West Europe,"{evil}"\n'
        f'a,"{evil}",West Europe,\nb,D4s_{evil},West Europe,\nc,NC6,"{evil}",\n'
    )
    fleet = fleet_of(upload(client, (f"{evil[:7]}.csv", text)))
    response = client.get(reverse("fleet", args=[fleet.pk]))
    assertNotContains(response, "<script>alert")
    assertContains(response, "&lt;script&gt;alert(1)")
    assertContains(response, '<meta name="robots" content="noindex">')
    assert "no-store" in response["Cache-Control"]
    assertNotContains(client.get(reverse("fleets")), "<script>.csv")


def test_no_inline_script_or_style(client: Client, fleet: StoredFleet):
    assert not re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=", page(client, fleet))
