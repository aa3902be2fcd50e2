"""Reports: readable by whoever has the link, changed by their maker alone, the same for ever, gone when taken back."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from advisor import store, store_reports
from advisor.access import hashed
from advisor.engine.catalogue import Catalogue
from advisor.models import StoredFleet, StoredPrice, StoredReport, StoredSize
from tests.pages import Page
from tests.sessions import keep

pytestmark = pytest.mark.django_db

FLEET = "name,size,region,count,hours_per_vm\na,NC6s_v3,westeurope,4,730\nb,NC24ads_A100_v4,westeurope,2,730\n"
DAY = "2026-11-30"


@pytest.fixture
def fleet(client: Client, catalogue: Catalogue) -> StoredFleet:
    return keep(client, catalogue, ("fleet.csv", FLEET))


@pytest.fixture
def link(client: Client, fleet: StoredFleet) -> str:
    """The address of a report of the fleet."""
    return make(client, fleet, title="Autumn")


def make(client: Client, fleet: StoredFleet, query: str = f"as_of={DAY}", **fields: str) -> str:
    response = client.post(f"{reverse('make-report', args=[fleet.pk])}?{query}", fields)
    assert response.status_code == 302
    return str(response.headers["Location"])


def secret_of(link: str) -> str:
    return link.split("/")[2]


def test_the_link_is_long_and_only_its_hash_is_stored(link: str) -> None:
    report = StoredReport.objects.get()
    secret = secret_of(link)
    assert len(secret) >= 22  # 22 characters of base64 are 132 bits
    assert report.token == hashed(secret)
    assert secret not in str(StoredReport.objects.values())


def test_two_reports_have_two_links(client: Client, fleet: StoredFleet) -> None:
    assert make(client, fleet) != make(client, fleet)


def test_whoever_has_the_link_reads_but_cannot_change(link: str) -> None:
    other = Client()
    response = other.get(link)
    page = Page(response.content)
    assert response.status_code == 200
    assert "Autumn" in page.text
    assert "Take the report back" not in page.text
    assert not [tag for tag, _ in page.elements if tag in ("form", "input")]
    assert not response.cookies
    assert other.get(link + "file/").status_code == 200
    assert other.post(link + "revoke/").status_code == 404
    assert other.post(reverse("revoke-report", args=[hashed(secret_of(link))])).status_code == 404
    assert Client().get(link).status_code == 200


def test_its_maker_sees_the_link_the_file_and_what_was_left_out(client: Client, link: str) -> None:
    page = Page(client.get(link).content)
    fields = {attributes.get("id"): attributes.get("value") for tag, attributes in page.elements if tag == "input"}
    assert fields["address"] == f"http://testserver{link}"
    assert "Download as one HTML file" in page.text
    assert "Left out: file names" in page.text
    actions = [attributes.get("action") for tag, attributes in page.elements if tag == "form"]
    assert actions == [link + "revoke/"]


def test_its_maker_can_send_the_form(client: Client, link: str) -> None:
    """Under no-referrer a browser sends Origin: null with a form, and Django answers 403."""
    response = client.get(link)
    policies = [a["content"] for tag, a in Page(response.content).elements if a.get("name") == "referrer"]
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert policies == ["same-origin"]


def test_a_guessed_link_is_the_same_404_as_none(client: Client, link: str) -> None:
    near = link[:-2] + ("B" if link[-2] == "A" else "A") + "/"
    guessed = [near, "/reports/x/", f"/reports/{hashed(secret_of(link))}/"]
    pages = [client.get(address) for address in guessed]
    assert {page.status_code for page in pages} == {404}
    assert {Page(page.content).text for page in pages} == {Page(client.get("/reports/none/").content).text}
    assert client.get("/reports/x/file/").status_code == client.post("/reports/x/revoke/").status_code == 404


@pytest.mark.parametrize("method", ["get", "post"])
def test_another_sessions_fleet_makes_no_report(fleet: StoredFleet, method: str) -> None:
    response = getattr(Client(), method)(reverse("make-report", args=[fleet.pk]))
    assert response.status_code == {"get": 405, "post": 404}[method]
    assert not StoredReport.objects.exists()


def test_a_report_taken_back_is_gone_and_deleted(client: Client, link: str) -> None:
    response = client.post(link + "revoke/")
    assert (response.status_code, response.headers["Location"]) == (302, link)
    report = StoredReport.objects.get()
    assert (report.advice, report.title) == ({}, "")
    for reader in (client, Client()):
        for address in (link, link + "file/"):
            gone = reader.get(address)
            assert gone.status_code == 410
            assert "This report is gone" in Page(gone.content).text
            assert "no-store" in gone.headers["Cache-Control"]
    when = report.revoked_at
    client.post(link + "revoke/")
    assert StoredReport.objects.get().revoked_at == when


def test_its_maker_takes_it_back_without_the_link(client: Client, fleet: StoredFleet, link: str) -> None:
    response = client.post(reverse("revoke-report", args=[hashed(secret_of(link))]))
    assert response.headers["Location"] == reverse("answer", args=[fleet.pk])
    assert client.get(link).status_code == 410


def test_a_report_outlives_its_fleet(client: Client, fleet: StoredFleet, link: str) -> None:
    before = client.get(link + "file/").content
    fleet.delete()
    assert client.get(link + "file/").content == before
    assert client.post(reverse("revoke-report", args=[hashed(secret_of(link))])).headers["Location"] == "/fleets/"


def test_a_report_does_not_change_with_the_catalogue(client: Client, link: str, monkeypatch: Any) -> None:
    before = client.get(link + "file/").content
    StoredPrice.objects.update(hourly_price=99.0)
    StoredSize.objects.filter(name="Standard_NC6s_v3").update(vcpus=1, memory_gib=1.0)
    StoredPrice.objects.filter(region="westeurope").delete()
    for name in ("catalogue", "price_book", "world", "current_version"):
        monkeypatch.setattr(store, name, lambda *_: pytest.fail("a report looked at the catalogue"))
    assert client.get(link + "file/").content == before
    assert client.get(link).status_code == 200


@pytest.mark.parametrize("name", ["report", "report-file"])
def test_a_report_is_one_query_for_its_reader(link: str, name: str, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):
        Client().get(reverse(name, args=[secret_of(link)]))


@pytest.mark.parametrize("end", ["", "file/"])
def test_no_search_engine_no_cache_no_referrer(link: str, end: str) -> None:
    response = Client().get(link + end)
    assert response.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert response.headers["Cache-Control"] == "private, no-store"
    metas = [attributes for tag, attributes in Page(response.content).elements if tag == "meta"]
    assert {"name": "robots", "content": "noindex, nofollow"} in metas


def test_the_switches_of_the_address_are_frozen(client: Client, fleet: StoredFleet) -> None:
    make(client, fleet, f"as_of={DAY}&horizon=12&strategy=fastest")
    advice = StoredReport.objects.get().advice
    assert (advice["horizon_months"], advice["strategy"], advice["as_of"]) == (12, "fastest", DAY)
    assert all(len([o for o in pool["options"] if "why" in o]) <= 5 for pool in advice["pools"])


def test_a_bad_switch_makes_no_report_and_says_why(client: Client, fleet: StoredFleet) -> None:
    response = client.post(reverse("make-report", args=[fleet.pk]) + "?horizon=999", {"title": "Mine & yours"})
    page = Page(response.content)
    assert response.status_code == 422
    assert "At most 120 months." in page.text
    assert [a["value"] for t, a in page.elements if t == "input" and a.get("name") == "title"] == ["Mine & yours"]
    assert not StoredReport.objects.exists()


def test_a_title_that_is_too_long_is_refused_beside_its_field(client: Client, fleet: StoredFleet) -> None:
    response = client.post(reverse("make-report", args=[fleet.pk]), {"title": "x" * 201, "with_names": "on"})
    page = Page(response.content)
    assert response.status_code == 422
    assert "At most 200 characters; this title has 201." in page.text
    (ticked,) = [a for t, a in page.elements if t == "input" and a.get("name") == "with_names"]
    assert "checked" in ticked


def test_an_empty_title_is_the_usual_one(client: Client, fleet: StoredFleet) -> None:
    assert "GPU migration report" in Page(client.get(make(client, fleet, title="  ")).content).text


def test_the_list_of_reports_does_not_load_them(
    client: Client, fleet: StoredFleet, link: str, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(1):
        (report,) = store_reports.reports_of(fleet)
        assert (report.title, report.revoked_at) == ("Autumn", None)


def test_a_fleet_without_a_machine_makes_a_report_that_says_so(client: Client, catalogue: Catalogue) -> None:
    nothing = keep(client, catalogue, ("fleet.csv", "name,size,region,count\nweb,D4s_v5,westeurope,3\n"))
    assert "No GPU machine was found in the files." in Page(client.get(make(client, nothing)).content).text
