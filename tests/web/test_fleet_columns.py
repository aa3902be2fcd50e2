"""Columns matched by hand: the page of a kept file, a trial, the file read so, and the next one of its shape."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from advisor import store_fleets, store_mappings, store_uploads, tasks
from advisor.engine.readers.layout import READ_FIELDS
from advisor.forms.matching import FIELDS, FURTHER
from advisor.models import StoredFleet, StoredImport, StoredMapping, StoredUpload
from tests.engine.readers.test_mapping import book
from tests.pages import Page
from tests.sessions import owner_of
from tests.web.fleets import THREE_BAD, fleet_of, id_in, upload

pytestmark = pytest.mark.django_db

CODED = "kiste,was,ort,stück\n" + "k,zzz,West Europe,2\n" * 3 + "k,NC6s_v3,West Europe,2\n"
#: The same names in another order and spelling; too few of its cells are sizes to find their column.
NEXT = "Was,Stück,Ort,KISTE\nNC4as_T4_v3,3,North Europe,k\n" + "bare,1,North Europe,k\n" * 2
CHOSEN = {"f-size": "1", "f-region": "2", "f-count": "3", "line": "1"}


@pytest.fixture
def place(settings: Any, tmp_path: Path) -> Path:
    """A folder of uploads of its own, to see what lies there."""
    settings.UPLOADS_DIR = tmp_path
    return tmp_path


@pytest.fixture
def url(client: Client) -> str:
    response = upload(client, ("odd.csv", CODED))
    assert response.status_code == 302
    return response.url


def test_every_field_of_lists_can_be_matched():
    assert set(FIELDS) | set(FURTHER) == READ_FIELDS
    assert not set(FIELDS) & set(FURTHER)


def test_the_page_shows_the_file_the_reason_and_the_best_guess(client: Client, url: str):
    page = client.get(url)
    assertContains(page, "No column of the file holds VM sizes (columns read: kiste, was, ort, stück).")
    assertContains(page, '<option value="1" selected>was</option>', html=True)  # one of its cells is a size
    assertContains(page, '<option value="2" selected>ort</option>', html=True)
    assertContains(page, "noindex")
    assert ["2", "k", "zzz", "West Europe", "2"] in Page(page.content).rows["ln-h"]


def test_a_trial_says_what_comes_of_it_and_changes_nothing(client: Client, url: str):
    page = client.get(url, CHOSEN)
    assertContains(page, "1 row of GPU machines, 3 refused.")
    assertContains(page, "Standard_NC6s_v3 in westeurope")
    assertContains(page, "Line 2, column was: “zzz”: this is no Azure size.")
    assertContains(page, '<input type="hidden" name="f-count" value="3">', html=True)
    assert (StoredFleet.objects.count(), StoredMapping.objects.count()) == (0, 0)


def test_use_it_goes_to_the_answer_and_rows_can_be_corrected(client: Client, url: str):
    response = client.post(url, CHOSEN)
    fleet = fleet_of(response)
    assert response.url == reverse("answer", args=[fleet.pk])
    (reading,) = store_fleets.readings_of(fleet)
    assert (reading.rows_read, reading.gpu_rows, reading.error_rows) == (4, 1, 3)
    client.post(reverse("corrections", args=[fleet.pk]), {"f0-2-1": "NC6"})
    fleet.refresh_from_db()
    assert store_fleets.readings_of(fleet)[0].gpu_rows == 2


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({"f-size": ""}, "Say which column holds the sizes"),
        ({"f-size": "4"}, "Choose one of the columns."),
        ({"f-size": "x"}, "Choose one of the columns."),
        ({"f-size": "1", "f-count": "1"}, "This column is chosen for “Size” already."),
        ({"f-size": "1", "x0-column": "2"}, "Say what this column holds."),
        ({"f-size": "1", "x0-field": "pool", "x1-field": "pool"}, "This field is chosen above already."),
        ({"f-size": "1", "line": "99"}, "Line 99 is blank, or the file has no such line."),
        ({"f-size": "1", "line": "999"}, "Write the number of one of the first 200 lines"),
    ],
)
def test_a_wrong_choice_is_said_beside_it(client: Client, url: str, chosen: dict[str, str], words: str):
    assertContains(client.get(url, chosen), words, status_code=422)
    assertContains(client.post(url, chosen), words, status_code=422)
    assert not StoredFleet.objects.exists()


def test_columns_of_which_no_row_can_be_read_keep_the_file(client: Client, url: str):
    chosen = {"f-size": "3"}
    assertContains(client.get(url, chosen), "With these columns none of these rows can be read.")
    assertContains(client.post(url, chosen), "With these columns no row of the file can be read.", status_code=422)
    assert StoredUpload.objects.count() == 1


def test_a_further_field_and_a_name_that_is_wrong(client: Client):
    response = upload(client, ("odd.csv", "typ,team,size\nNC6,a,large\n"))
    fleet = fleet_of(response)  # the column of sizes is found by what stands in it
    url = client.get(reverse("match-again", args=[fleet.pk, 0])).url
    sent = {"f-size": "0", "fleet": str(fleet.pk), "x0-field": "workload", "x0-column": ""}
    assertContains(client.get(url, sent), "Select a valid choice", status_code=422)  # not one of the further fields
    again = fleet_of(client.post(url, sent | {"x0-field": "resource_group", "x0-column": "1"}))
    assert again.pk == fleet.pk
    (reading,) = store_fleets.readings_of(again)
    assert reading.fleet["resource_group"].tolist() == ["a"]


def test_the_next_file_of_the_same_shape_is_read_at_once_and_says_so(client: Client, url: str):
    client.post(url, CHOSEN)
    StoredMapping.objects.update(made_at="2026-11-28T09:00:00Z")
    fleet = fleet_of(upload(client, ("next.csv", NEXT)))
    (reading,) = store_fleets.readings_of(fleet)
    assert reading.fleet[["size", "region", "count"]].values.tolist() == [["Standard_NC4as_T4_v3", "northeurope", 3]]
    for name in ("answer", "fleet"):
        page = client.get(reverse(name, args=[fleet.pk]))
        assertContains(page, "Columns of next.csv are matched as you did on 2026-11-28.")


def test_another_browser_has_to_match_it_again(client: Client, url: str):
    client.post(url, CHOSEN)
    assert "/uploads/" in upload(Client(), ("next.csv", NEXT)).url


def test_what_is_forgotten_is_asked_again(client: Client, url: str):
    fleet = fleet_of(client.post(url, CHOSEN))
    forget = reverse("forget-columns", args=[fleet.pk, 0])
    assert Client().post(forget).status_code == 404
    assertContains(
        client.get(reverse("answer", args=[fleet.pk])), "The next file with these column names will be read so"
    )
    assertRedirects(client.post(forget, {"to": "answer"}), reverse("answer", args=[fleet.pk]))
    assertContains(client.get(reverse("answer", args=[fleet.pk])), "It is not remembered")
    assert "/uploads/" in upload(client, ("next.csv", NEXT)).url


def test_a_change_begins_with_what_was_matched(client: Client, url: str):
    fleet = fleet_of(client.post(url, CHOSEN | {"f-name": "0"}))
    page = client.get(client.get(reverse("match-again", args=[fleet.pk, 0])).url)
    assertContains(page, '<option value="0" selected>kiste</option>', html=True)
    client.post(page.request["PATH_INFO"], CHOSEN | {"f-count": "", "fleet": str(fleet.pk)})
    fleet.refresh_from_db()
    assert store_fleets.readings_of(fleet)[0].fleet["count"].tolist() == [1]
    assert StoredMapping.objects.get().mapping["columns"]["count"] == ""


def test_a_good_list_has_a_way_to_match_it_and_a_usage_file_is_not_kept(client: Client, place: Path):
    fleet = fleet_of(upload(client, ("fleet.csv", THREE_BAD), ("plan.json", '{"format_version": "1.2"}')))
    page = client.get(reverse("fleet", args=[fleet.pk]))
    assertContains(page, "Columns of fleet.csv are read wrongly? Match them by hand.")
    assert [path.read_text() for path in place.iterdir()] == [THREE_BAD]
    assert [path.stat().st_mode & 0o777 for path in place.iterdir()] == [0o600]


def test_two_sheets(client: Client):
    old = [["Typ", "Zahl"], ["NC6", 5], ["large", 1], ["small", 1]]
    sheets = book(Old=old, New=[["Typ", "Zahl"], ["NC12", 3], ["large", 1], ["small", 1]])
    url = upload(client, ("odd.xlsx", sheets)).url
    assertContains(client.get(url), '<option value="1">New</option>', html=True)
    chosen = {"sheet": "1", "f-size": "0", "f-count": "1"}
    assertContains(client.get(url, chosen), "1 row of GPU machines, 2 refused.")
    fleet = fleet_of(client.post(url, chosen))
    assert store_fleets.readings_of(fleet)[0].fleet[["size", "count"]].values.tolist() == [["Standard_NC12", 3]]
    assertContains(client.get(url, chosen), "Read every sheet that has these columns: also Old")
    both = fleet_of(client.post(url, chosen | {"every": "on"}))
    assert [store_fleets.readings_of(one)[0].rows_read for one in (fleet, both)] == [3, 6]


def test_beside_a_good_file_it_waits_in_the_fleet(client: Client):
    fleet = fleet_of(upload(client, ("good.csv", THREE_BAD), ("odd.csv", CODED)))
    link = reverse("match-again", args=[fleet.pk, 1])
    assertContains(client.get(reverse("fleet", args=[fleet.pk])), link)
    url = client.get(link).url
    assertContains(client.get(url), f'name="fleet" value="{fleet.pk}"')
    again = fleet_of(client.post(url, CHOSEN | {"fleet": str(fleet.pk)}))
    assert again.pk == fleet.pk
    assert [reading.gpu_rows for reading in store_fleets.readings_of(again)] == [1, 1]


def test_another_session_sees_neither_the_file_nor_another_s_fleet(client: Client, url: str):
    other = Client()
    theirs = fleet_of(upload(other, ("fleet.csv", THREE_BAD)))
    assert other.get(url).status_code == other.post(url, CHOSEN).status_code == 404
    assert client.post(url, CHOSEN | {"fleet": str(theirs.pk)}).status_code == 404
    assert client.post(url, CHOSEN | {"fleet": "x"}).status_code == 404
    assert client.get(reverse("match-again", args=[theirs.pk, 0])).status_code == 404
    assert StoredUpload.objects.filter(pk=id_in(url, "upload_id")).exists()


def test_after_its_time_the_file_is_gone_and_the_page_says_what_to_do(client: Client, url: str, settings: Any):
    fleet = fleet_of(client.post(url, CHOSEN))
    StoredUpload.objects.update(made_at=timezone.now() - timedelta(minutes=settings.FILES_KEPT_MINUTES, seconds=1))
    assert client.get(url).status_code == 404
    page = client.get(reverse("match-again", args=[fleet.pk, 0]))
    assertContains(page, "odd.csv was kept for 60 minutes", status_code=410)
    path = store_uploads.path_of(StoredUpload.objects.get().pk)
    store_uploads.purge()
    assert not path.exists() and not StoredUpload.objects.exists()


def test_deleting_a_fleet_deletes_its_files(client: Client, place: Path):
    fleet = fleet_of(upload(client, ("good.csv", THREE_BAD), ("odd.csv", CODED)))
    assert len(list(place.iterdir())) == 2
    client.post(reverse("delete-fleet", args=[fleet.pk]))
    assert not list(place.iterdir()) and not StoredUpload.objects.exists()


def test_the_oldest_file_makes_room(client: Client, place: Path, settings: Any):
    settings.KEPT_LIMIT_BYTES = len(THREE_BAD) + 10
    first = fleet_of(upload(client, ("a.csv", THREE_BAD)))
    second = fleet_of(upload(client, ("b.csv", THREE_BAD)))
    assert [client.get(reverse("match-again", args=[f.pk, 0])).status_code for f in (first, second)] == [410, 302]
    assert len(list(place.iterdir())) == 1
    assertContains(upload(client, ("c.csv", CODED + "k,x,y,1\n" * 20)), "with a column named “size”", status_code=422)


def test_a_large_file_is_read_once_more_by_the_worker(client: Client, url: str, place: Path, settings: Any):
    settings.READ_AT_ONCE_BYTES = 0
    url = upload(client, ("odd.csv", CODED)).url
    tasks.read_as("one", id_in(url, "import_id"))
    url = client.get(url).url
    response = client.post(url, CHOSEN)
    row = StoredImport.objects.get(pk=id_in(response.url, "import_id"))
    tasks.read_as("one", row.pk)
    assertRedirects(client.get(response.url), reverse("answer", args=[row.pk]))
    assert [path.name for path in place.iterdir()] == [str(id_in(url, "upload_id"))]  # kept, for a change of mind
    tasks.read_as("one", id_in(upload(client, ("next.csv", NEXT)).url, "import_id"))
    assert store_fleets.readings_of(StoredFleet.objects.first())[0].fleet["count"].tolist() == [3]


def test_a_large_file_of_which_nothing_comes_leads_back_to_its_columns(client: Client, url: str, settings: Any):
    settings.READ_AT_ONCE_BYTES = 0
    response = client.post(url, {"f-size": "3"})
    tasks.read_as("one", id_in(response.url, "import_id"))
    assertContains(client.get(response.url), f'href="{url}">Match its columns otherwise')


HOSTILE = 'b,<script>1</script>,=1+1,,b,"{{ x }}"\n2,3,4,<script>2</script>,5,6\n'


def test_hostile_names_and_values_are_only_shown(client: Client):
    url = upload(client, ("<img src=x>.csv", HOSTILE)).url
    page = client.get(url)
    assertNotContains(page, "<script>1")
    assertNotContains(page, "<script>2")
    assertNotContains(page, "<img")
    for option in ("&lt;script&gt;1&lt;/script&gt;", "=1+1", "column 4", "b 2", "{{ x }}"):
        assertContains(page, f">{option}</option>")


def test_five_thousand_columns_are_a_page_all_the_same(client: Client):
    hostile = '<"">&' * 8  # the longest there is once it is escaped
    header = ",".join(f'"{hostile}{number}"' for number in range(4_999))
    url = upload(client, ("wide.csv", f"{header},zz\n" + "x," * 4_999 + "y\n")).url
    page = client.get(url, {"f-size": "4999"})
    assert len(page.content) < 150_000
    assertContains(page, "of 5,000 columns can be chosen below")
    assertContains(page, '<option value="4999" selected>zz</option>', html=True)
    found = client.get(url, {"f-size": "", "f-count": "7", "find": "4321", "offer": "1"})
    assertContains(found, "selected>", count=1)  # the count is still as it was chosen, and nothing is said of the size
    assert '<option value="4321"' in found.content.decode()


def test_of_many_mappings_the_oldest_are_forgotten(client: Client, monkeypatch: Any):
    monkeypatch.setattr(store_mappings, "MAPPINGS_MAX", 2)
    owner = owner_of(client)
    mapping = store_mappings.ColumnMapping(columns={"size": "a"})
    for shape in ("x", "y", "z"):
        store_mappings.remember(owner, store_mappings.Matched(mapping=mapping, shape=shape))
    assert set(store_mappings.known(owner)) == {"y", "z"}
    StoredMapping.objects.update(made_at=timezone.now() - store_mappings.MAPPINGS_KEPT)
    assert store_mappings.known(owner) == {}
    store_mappings.purge()
    assert not StoredMapping.objects.exists()
