"""A table without a column of sizes is kept for an hour, its columns named by hand, read, and deleted."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from advisor import store_fleets
from advisor.models import StoredFleet, StoredUpload
from tests.web.fleets import THREE_BAD, fleet_of, id_in, upload

pytestmark = pytest.mark.django_db

ODD = "kiste,was,ort,stück\n<i>k</i>,box of Standard_NC6s_v3 kind,West Europe,2\n=1+1,another,North Europe,3\n"
CODED = "kiste,was,ort,stück\n" + "k,zzz,West Europe,2\n" * 3 + "k,NC6s_v3,West Europe,2\n"


@pytest.fixture
def url(client: Client) -> str:
    response = upload(client, ("odd.csv", CODED))
    assert response.status_code == 302
    return response.url


def test_first_values_are_shown_and_names_that_are_known_are_chosen(client: Client, url: str):
    response = client.get(url)
    assertContains(response, '<code class="found">zzz</code>')
    assertContains(response, '<option value="region" selected>region</option>', html=True)
    assertContains(response, "noindex")


def test_mapping_end_to_end(client: Client, url: str):
    fleet = fleet_of(client.post(url, {"c1": "size", "c2": "region", "c3": "count"}))
    (reading,) = store_fleets.readings_of(fleet)
    assert (reading.rows_read, reading.gpu_rows, reading.error_rows) == (4, 1, 3)
    assert reading.fleet["count"].tolist() == [2]
    assert not StoredUpload.objects.exists()
    assert client.get(url).status_code == 404
    client.post(reverse("corrections", args=[fleet.pk]), {"f0-2-1": "NC6"})
    fleet.refresh_from_db()
    assert store_fleets.readings_of(fleet)[0].gpu_rows == 2


def test_hours_of_mapped_columns_have_their_switch(client: Client):
    response = upload(client, ("odd.csv", "a,b,c,d\nx,West Europe,4,100\n" * 1 + "y NC6,West Europe,4,100\n"))
    url = response.url
    client.post(url, {"c0": "size", "c1": "region", "c2": "count", "c3": "hours"})
    assert StoredFleet.objects.count() + StoredUpload.objects.count() == 1


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({}, "Say which column holds the sizes"),
        ({"c1": "size", "c0": "size"}, "Two columns are said to hold the same: size."),
        ({"c3": "size"}, "With these columns no row can be read."),
    ],
)
def test_a_wrong_mapping_is_said_and_the_file_stays(client: Client, url: str, chosen: dict, words: str):
    assertContains(client.post(url, chosen), words, status_code=422)
    assert StoredUpload.objects.count() == 1


def test_beside_a_good_file_it_waits_in_the_fleet(client: Client):
    fleet = fleet_of(upload(client, ("good.csv", THREE_BAD), ("odd.csv", CODED)))
    link = f"{reverse('upload', args=[StoredUpload.objects.get().pk])}?fleet={fleet.pk}"
    assertContains(client.get(reverse("fleet", args=[fleet.pk])), link)
    assertContains(client.get(link), f'name="fleet" value="{fleet.pk}"')
    again = fleet_of(client.post(link, {"c1": "size", "c2": "region", "c3": "count", "fleet": str(fleet.pk)}))
    assert again.pk == fleet.pk
    assert [reading.gpu_rows for reading in store_fleets.readings_of(again)] == [1, 1]


def test_another_session_sees_neither_the_file_nor_another_s_fleet(client: Client, url: str):
    other = Client()
    theirs = fleet_of(upload(other, ("fleet.csv", THREE_BAD)))
    assert other.get(url).status_code == other.post(url, {"c1": "size"}).status_code == 404
    assert client.post(url, {"c1": "size", "fleet": str(theirs.pk)}).status_code == 404
    assert client.post(url, {"c1": "size", "fleet": "x"}).status_code == 404
    assert StoredUpload.objects.filter(pk=id_in(url, "upload_id")).exists()


def test_a_file_too_large_to_keep_says_what_to_do(client: Client, monkeypatch):
    monkeypatch.setattr(store_fleets, "UPLOAD_BYTES_KEPT", 20)
    response = upload(client, ("odd.csv", CODED))
    assertContains(response, "with a column named “size”", status_code=422)
    assert not StoredUpload.objects.exists()


def test_hostile_columns_and_values_are_escaped(client: Client):
    response = upload(client, ("odd.csv", "b,<script>1</script>\n2,<script>2</script>\n"))
    page = client.get(response.url)
    assertNotContains(page, "<script>1")
    assertNotContains(page, "<script>2")
    assertContains(page, "&lt;script&gt;1")


def test_deleting_a_fleet_deletes_the_file_that_waits(client: Client):
    fleet = fleet_of(upload(client, ("good.csv", THREE_BAD), ("odd.csv", CODED)))
    client.post(reverse("delete-fleet", args=[fleet.pk]))
    assert not StoredUpload.objects.exists()
