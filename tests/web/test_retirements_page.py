"""/retirements/: what retires when, for all and for one fleet, with conflicts, history and a calendar."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from advisor.engine.catalogue import Catalogue
from advisor.models import StoredCalendar
from tests.pages import Page
from tests.sessions import keep

pytestmark = pytest.mark.django_db

DAY = {"as_of": "2026-11-30"}
FLEET = (
    "name,size,region,count,hours_per_vm,service\n"
    "a,NC6s_v3,usgovvirginia,4,730,\nb,NC6,westeurope,2,0,aks\nc,NC24ads_A100_v4,westeurope,3,730,\n"
)


def words(response: Any) -> str:
    text = re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())))
    return re.sub(r" ([,:;.])", r"\1", text)


def get(client: Client, url: str, **query: str) -> str:
    response = client.get(url, {**DAY, **query})
    assert response.status_code == 200
    assert len(response.content) < 150_000
    return words(response)


def test_the_next_end_comes_first(client: Client) -> None:
    """2026-12-31 is 31 days after 2026-11-30."""
    page = get(client, "/retirements/")
    assert "Next: NCv3, USGov Arizona, USGov Virginia on 2026-12-31, in 31 days." in page
    assert "Another source says 2026-06-30" in page


def test_u02_u09_services_have_their_forced_stop_and_last_change(client: Client) -> None:
    rows = [" ".join(row) for row in Page(client.get("/retirements/", DAY).content).rows["services-h"]]
    (old,) = (row for row in rows if "2025-03-14" in row)
    assert old.startswith("AKS NC, NC_Promo, NCv2, ND, NV, NV_Promo")
    assert any(row.startswith("Batch") and "2026-02-26" in row for row in rows)


def test_u03_a_size_with_dates_of_its_own_is_named(client: Client) -> None:
    page = get(client, "/retirements/", series="NCv3")
    assert "NC24rs_v3: 2025-09-30, another source says 2025-03-31; most of NCv3: 2025-09-30" in page


def test_u05_superseded_dates_are_kept(client: Client) -> None:
    raw = client.get("/retirements/", {**DAY, "series": "NC"}).content.decode()
    moved = re.sub(r"\s+|</?span[^>]*>", " ", raw.partition('id="moved-h"')[2].partition("</section>")[0])
    assert re.findall(r"<(s|strong)> *(\d{4}-\d\d-\d\d)", moved) == [
        ("s", "2022-08-31"),
        ("s", "2023-08-31"),
        ("strong", "2023-09-06"),
    ]


@pytest.mark.parametrize(
    ("query", "inside", "outside"),
    [
        ({"series": "NP"}, "2027-05-31", "2023-09-06"),
        ({"when": "coming"}, "2027-01-31", "2022-08-31"),
        ({"service": "aks"}, "2025-03-14", "2027-05-31"),
        ({"kind": "reservation-sales-end"}, "2026-04-02", "2027-05-31"),
    ],
)
def test_filters_leave_only_what_is_asked_for(client: Client, query: dict[str, str], inside: str, outside: str) -> None:
    dates = [row[0] for row in Page(client.get("/retirements/", DAY | query).content).rows["dates-h"][1:]]
    assert inside in dates and outside not in dates


def test_a_bad_day_is_refused_in_words(client: Client) -> None:
    response = client.get("/retirements/", {"as_of": "soon"})
    assert response.status_code == 422
    assert "Write a day as 2026-11-30." in words(response)


def test_htmx_gets_only_the_part(client: Client) -> None:
    part = client.get("/retirements/", DAY, headers={"HX-Request": "true"}).content.decode()
    assert "<h1" not in part and 'id="dates-h"' in part


def test_the_calendar_of_a_series(client: Client) -> None:
    response = client.get("/retirements/calendar.ics", {"series": "NP"})
    assert response.headers["Content-Type"] == "text/calendar; charset=utf-8"
    found = {
        str(e["SUMMARY"]): e.decoded("DTSTART").isoformat() for e in Calendar.from_ical(response.content).walk("VEVENT")
    }
    assert found == {"Retires: NP": "2027-05-31", "Last day of reservation sales: NP": "2026-04-02"}


# One fleet


@pytest.fixture
def fleet(client: Client, catalogue: Catalogue) -> Any:
    return keep(client, catalogue, ("fleet.csv", FLEET))


def test_a_fleet_goes_by_region_and_service(client: Client, fleet: Any) -> None:
    page = get(client, reverse("fleet-retirements", args=[fleet.pk]))
    assert "2 of 9 machines have stopped. 4 will stop on a day that is known. 3 have no announced end." in page
    rows = Page(client.get(reverse("fleet-retirements", args=[fleet.pk]), DAY).content).rows["ends-h"][1:]
    assert [(row[0].split(" ")[0], row[1], row[2]) for row in rows] == [
        ("2025-03-14", "NC6", "2"),
        ("2026-12-31", "NC6s_v3", "4"),
        ("no", "NC24ads_A100_v4", "3"),
    ]


def test_unknown_status_is_not_counted_as_no_announced_end(client: Client, catalogue: Catalogue) -> None:
    """No source says how NV6s_v2 stands; the list of 2026-09-24 does not name NDv2."""
    table = "size,region,count\nND40rs_v2,westeurope,1\nNV6s_v2,westeurope,2\n"
    kept = keep(client, catalogue, ("fleet.csv", table))
    page = get(client, reverse("fleet-retirements", args=[kept.pk]))
    assert "1 has no announced end. Of 2 no source says how they stand." in page
    assert "have no announced end" not in page
    answer = words(client.get(reverse("answer", args=[kept.pk])))
    assert "Of 2 machines no source says whether the size is current, announced or retired." in answer
    shown = words(client.get(make(client, kept)))
    assert "No end is announced for any machine of this fleet" not in shown and "Of 2 machines no source" in shown


def test_another_session_sees_nothing(client: Client, fleet: Any) -> None:
    for url in (reverse("fleet-retirements", args=[fleet.pk]), reverse("make-calendar", args=[fleet.pk])):
        assert Client().get(url).status_code in (404, 405)
        assert Client().post(url).status_code in (404, 405)
    assert not StoredCalendar.objects.exists()


def make(client: Client, fleet: Any) -> str:
    """The address of the page of a new link."""
    response = client.post(reverse("make-calendar", args=[fleet.pk]))
    assert response.status_code == 302
    return str(response.headers["Location"])


def test_a_calendar_link_works_without_a_session_and_can_be_taken_back(client: Client, fleet: Any) -> None:
    page = make(client, fleet)
    secret = page.strip("/").split("/")[1]
    assert StoredCalendar.objects.get().token != secret  # only its hash is stored
    ics = f"{page}retirements.ics"
    stranger = Client()
    response = stranger.get(ics)
    assert {str(e["SUMMARY"]) for e in Calendar.from_ical(response.content).walk("VEVENT")} == {
        "Retires: 4 x NC6s_v3 in USGov Virginia",
        "Another source says that it retires: 4 x NC6s_v3 in USGov Virginia",
        "Switched off: 2 x NC6 in West Europe (AKS)",
    }
    assert response.headers["Cache-Control"] == "private, no-store"
    assert "noindex" in response.headers["X-Robots-Tag"]
    shown = stranger.get(page)
    assert "Take this link back" not in words(shown) and "fleet.csv" not in words(shown)
    assert stranger.post(f"{page}revoke/").status_code == 404
    assert client.post(f"{page}revoke/").status_code == 302
    assert stranger.get(ics).status_code == 404


def test_all_links_are_taken_back_and_go_with_the_fleet(client: Client, fleet: Any) -> None:
    pages = [make(client, fleet), make(client, fleet)]
    client.post(reverse("revoke-calendars", args=[fleet.pk]))
    assert [client.get(page).status_code for page in pages] == [404, 404]
    page = make(client, fleet)
    client.post(reverse("delete-fleet", args=[fleet.pk]))
    assert client.get(page).status_code == 404


def test_a_fleet_of_many_kinds_keeps_its_page_small(client: Client, catalogue: Catalogue) -> None:
    """10 sizes in 20 regions are 200 groups: 60 are shown, 140 are counted."""
    sizes = ["NC6", "NC6s_v2", "NC6s_v3", "NC12s_v3", "NC24rs_v3", "NV6", "NV12s_v3", "NV4as_v4", "ND6s", "NC4as_T4_v3"]
    rows = [f"{size},{region},1" for size in sizes for region in sorted(catalogue.regions)[:20]]
    fleet = keep(client, catalogue, ("fleet.csv", "size,region,count\n" + "\n".join(rows)))
    response = client.get(reverse("fleet-retirements", args=[fleet.pk]), DAY)
    assert "140 more groups of machines come after these" in words(response)
    assert len(response.content) < 150_000
