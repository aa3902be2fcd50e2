"""Large files are read by a worker: one at a time by a lease, taken over from killed ones, stopped when asked."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from advisor import store_fleets, store_imports, tasks
from advisor.models import StoredFleet, StoredImport, StoredUpload, StoredWorker
from advisor.store_imports import Far, Stopped
from advisor.templatetags.imports import time_left
from tests.sessions import owner_of
from tests.web.fleets import THREE_BAD, id_in, upload
from tests.web.test_fleet_columns import CODED

pytestmark = pytest.mark.django_db
State = StoredImport.State
LIST = "size,region,count\nNC6,West Europe,2\n"


@pytest.fixture(autouse=True)
def place(settings: Any, tmp_path: Path) -> Path:
    """Where uploads lie; all of them are large here."""
    settings.READ_AT_ONCE_BYTES = 0
    settings.UPLOADS_DIR = tmp_path
    return tmp_path


def hand_in(client: Client, *files: tuple[str, str | bytes]) -> StoredImport:
    response = upload(client, *files or [("fleet.csv", LIST)])
    assert response.status_code == 302, response.content.decode()[:2_000]
    return StoredImport.objects.get(pk=id_in(response.url, "import_id"))


def read(row: StoredImport, worker: str = "one") -> StoredImport:
    """As a worker reads it."""
    tasks.read_as(worker, row.pk)
    row.refresh_from_db()
    return row


def silence(row: StoredImport) -> None:
    """Its worker was killed a minute ago."""
    StoredImport.objects.filter(pk=row.pk).update(beat_at=timezone.now() - timedelta(minutes=1))


def at(row: StoredImport) -> str:
    return reverse("import", args=[row.pk])


def test_a_large_file_waits_is_read_and_becomes_a_fleet(client: Client, place: Path):
    row = hand_in(client, ("fleet.csv", THREE_BAD))
    assert (place / str(row.pk) / "0").read_text() == THREE_BAD
    assertContains(client.get(at(row)), "it is the next")
    assertContains(client.get(reverse("fleets")), "is being read")
    assert read(row).state == State.DONE
    assertRedirects(client.get(at(row)), reverse("fleet", args=[row.pk]))
    (reading,) = store_fleets.readings_of(StoredFleet.objects.get(owner=owner_of(client)))
    assert (reading.rows_read, reading.error_rows) == (5, 3)
    assert not (place / str(row.pk)).exists()
    assert [path.name for path in place.iterdir()] == [str(StoredUpload.objects.get().pk)]  # kept to match its columns


def test_a_small_file_is_read_while_the_browser_waits(client: Client, settings: Any):
    settings.READ_AT_ONCE_BYTES = len(LIST)
    assert "/fleets/" in upload(client, ("fleet.csv", LIST)).url
    assert "/imports/" in upload(client, ("a.csv", LIST), ("b.csv", LIST)).url


def test_several_files_are_one_import_and_one_fleet(client: Client):
    row = read(hand_in(client, ("a.csv", LIST), ("../../b.csv", LIST)))
    assert [r.file for r in store_fleets.readings_of(StoredFleet.objects.get(pk=row.pk))] == ["a.csv", "b.csv"]


def test_another_browser_finds_nothing(client: Client):
    row = hand_in(client)
    assert Client().get(at(row)).status_code == 404
    assert Client().post(reverse("cancel-import", args=[row.pk])).status_code == 404
    row.refresh_from_db()
    assert row.state == State.WAITING


def test_one_worker_at_a_time(client: Client):
    row = hand_in(client)
    assert store_imports.claim(row.pk, "one") is not None
    assert store_imports.claim(row.pk, "two") is None
    silence(row)
    assert store_imports.claim(row.pk, "two") is not None


def test_a_beat_keeps_the_lease_and_does_not_bring_back_a_lost_one(client: Client):
    row = hand_in(client)
    store_imports.claim(row.pk, "one")
    StoredImport.objects.update(beat_at=timezone.now() - timedelta(seconds=10))  # of 20
    store_imports.beat("one")
    assert store_imports.left_behind() == []
    silence(row)
    store_imports.beat("one")
    assert store_imports.left_behind() == [row]


def test_a_worker_that_lost_its_lease_keeps_nothing(client: Client, catalogue: Any):
    row = hand_in(client)
    mine = store_imports.claim(row.pk, "one")
    assert mine is not None
    silence(row)
    read(row, "two")
    with pytest.raises(Stopped):
        store_imports.report(row.pk, "one", Far(done=1, total=2, rows=1))
    files = tasks.uploads.read_upload("fleet.csv", SimpleUploadedFile("fleet.csv", LIST.encode()).file, catalogue)
    with pytest.raises(Stopped):
        store_imports.finish(mine, "one", [files])
    assert StoredFleet.objects.count() == 1


def test_reading_twice_makes_one_fleet(client: Client):
    row = hand_in(client)
    read(row)
    assert read(row, "two").worker == "one"
    assert StoredFleet.objects.count() == 1


def test_what_a_killed_worker_left_is_queued_again_once(client: Client):
    row = hand_in(client)
    DBTaskResult.objects.update(status="RUNNING")
    store_imports.claim(row.pk, "one")
    tasks.take_back()
    assert DBTaskResult.objects.count() == 1  # it is alive
    silence(row)
    tasks.take_back()
    tasks.take_back()
    assert DBTaskResult.objects.ready().count() == 1
    assert read(row, "two").attempts == 2
    assert StoredFleet.objects.filter(pk=row.pk).exists()


def test_what_waits_in_the_queue_for_long_is_not_queued_twice(client: Client):
    silence(hand_in(client))
    tasks.take_back()
    assert DBTaskResult.objects.count() == 1


def test_a_worker_that_is_asked_to_end_gives_back(client: Client, monkeypatch: pytest.MonkeyPatch):
    row = hand_in(client)

    def end(*_args: Any, **_named: Any) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr("advisor.tasks.uploads.read_upload", end)
        read(row)
    assert (row.state, row.attempts) == (State.READING, 0)
    assert store_imports.left_behind() == [row]
    assert read(row, "two").state == State.DONE


def test_a_file_that_ends_three_workers_is_not_read_again(client: Client, place: Path):
    row = hand_in(client)
    for worker in ("one", "two", "three"):
        assert store_imports.claim(row.pk, worker) is not None
        silence(row)
    assert read(row, "four").state == State.FAILED
    assertContains(client.get(at(row)), "was ended 3 times, most likely because memory ran out")
    assert list(place.iterdir()) == []


def test_an_error_of_ours_is_said_and_ends_the_import(client: Client, monkeypatch: pytest.MonkeyPatch, caplog: Any):
    row = hand_in(client)
    monkeypatch.setattr("advisor.tasks.uploads.read_upload", lambda *_a, **_n: 1 / 0)
    assert read(row).state == State.FAILED
    assertContains(client.get(at(row)), "an error of this program")
    assert "ZeroDivisionError" in caplog.text


def test_cancelling_deletes_the_files_and_stops_the_worker(client: Client, place: Path):
    row = hand_in(client)
    store_imports.claim(row.pk, "one")
    response = client.post(reverse("cancel-import", args=[row.pk]), follow=True)
    assertContains(response, "Nothing of it is kept")
    assert list(place.iterdir()) == []
    with pytest.raises(Stopped):
        store_imports.report(row.pk, "one", Far(done=1, total=2, rows=1))
    silence(row)
    tasks.take_back()
    assert read(row, "two").state == State.CANCELLED
    assert not StoredFleet.objects.exists()


def test_cancelling_what_is_read_shows_the_fleet(client: Client):
    row = read(hand_in(client))
    response = client.post(reverse("cancel-import", args=[row.pk]), follow=True)
    assert response.redirect_chain[-1][0] == reverse("fleet", args=[row.pk])


def test_cancelling_between_two_blocks_ends_the_reading(client: Client, monkeypatch: pytest.MonkeyPatch):
    row = hand_in(client, ("fleet.csv", LIST * 50))
    monkeypatch.setattr(tasks, "REPORT_SECONDS", 0)
    told: list[tuple[int, int]] = []

    def cancel(self: tasks.Watch, at: int, _of: int, rows: int) -> None:
        told.append((at, rows))
        store_imports.cancel(self.row)
        self.report()

    monkeypatch.setattr(tasks.Watch, "__call__", cancel)
    assert read(row).state == State.CANCELLED
    assert told == [(len(LIST) * 50, 99)]  # one block: every line but the header


def test_the_watch_adds_up_over_files_and_passes(client: Client):
    row = hand_in(client, ("a.csv", "x" * 100), ("b.csv", "x" * 50))
    store_imports.claim(row.pk, "one")
    watch = tasks.Watch(row, "one", clock=lambda: 0.0)
    watch.begin(100)

    def said() -> tuple[int, int, int, bool]:
        watch.report()
        row.refresh_from_db()
        return row.bytes_done, row.bytes_total, row.rows_done, row.again

    watch(60, 100, 6)
    assert said() == (60, 150, 6, False)
    watch(100, 100, 10)
    watch(40, 100, 4)  # once more: 100 + 40 of 100 + 100 + 50
    assert said() == (140, 250, 4, True)
    watch(100, 100, 10)
    watch.begin(50)
    watch(200, 400, 3)  # packed: half of 50, after 200; 10 + 3 rows
    assert said() == (225, 250, 13, False)
    watch(90, 300, 2)  # the next file in it: 0.3 of 50; 10 + 3 + 2 rows
    assert said() == (215, 250, 15, False)
    assert row.part == 2


def test_the_page_says_how_far_it_is(client: Client):
    row = hand_in(client)
    store_imports.beat("one")
    begun = timezone.now()
    StoredImport.objects.update(
        state=State.READING,
        worker="one",
        attempts=1,
        started_at=begun,
        beat_at=begun + timedelta(seconds=6),
        bytes_done=60_000_000,
        bytes_total=200_000_000,
        rows_done=612_000,
    )
    page = client.get(at(row))
    # 60 of 200 MB in 6 s: 0.3 of it, so 0.7 takes 6 * 0.7 / 0.3 = 14 s
    for words in ("612,000 rows, 60.0 of 200.0 MB, 30 %", "About 14 seconds left.", "Stop reading"):
        assertContains(page, words)
    assertNotContains(page, "No worker is running")
    part = client.get(at(row), headers={"HX-Request": "true"})
    assertContains(part, "612,000 rows")
    assertNotContains(part, "<html")


def test_htmx_is_sent_on_when_it_is_read(client: Client):
    row = read(hand_in(client))
    assert client.get(at(row), headers={"HX-Request": "true"})["HX-Redirect"] == reverse("fleet", args=[row.pk])
    StoredImport.objects.update(state=State.CANCELLED)
    assert client.get(at(row), headers={"HX-Request": "true"})["HX-Redirect"] == at(row)


def test_the_time_left_is_rounded_up():
    assert time_left(None) == ""
    assert time_left(0.2) == "About 1 second left."
    assert time_left(150.0) == "About 3 minutes left."


def test_no_worker_is_said_with_what_to_do(client: Client):
    row = hand_in(client)
    assertContains(client.get(at(row)), "python manage.py import_worker")
    store_imports.beat("one")
    assertNotContains(client.get(at(row)), "No worker is running")
    store_imports.leave("one")
    assertContains(client.get(at(row)), "No worker is running")


def test_those_before_it_are_counted(client: Client):
    hand_in(client)
    assertContains(client.get(at(hand_in(client))), "Waiting for its turn: 1 before it.")


def test_a_file_of_no_use_says_what_to_export_instead(client: Client):
    row = read(hand_in(client, ("x.pdf", b"%PDF-1.7 ...")))
    assert row.state == State.FAILED
    page = client.get(at(row))
    assertContains(page, "PDF document")
    assertContains(page, "512 MiB")
    assert not StoredFleet.objects.exists()


def test_a_lone_file_without_known_columns_goes_to_its_columns(client: Client):
    row = read(hand_in(client, ("odd.csv", CODED)))
    kept = StoredUpload.objects.get()
    assertRedirects(client.get(at(row)), reverse("upload", args=[kept.pk]))


def test_a_fleet_that_was_deleted_meanwhile_leads_to_the_fleets(client: Client):
    row = read(hand_in(client))
    StoredFleet.objects.all().delete()
    assertRedirects(client.get(at(row)), reverse("fleets"))


def test_more_than_there_is_room_for_is_refused_with_the_limit(client: Client, settings: Any, place: Path):
    hand_in(client)
    settings.WAITING_LIMIT_BYTES = 2**20 + len(LIST) - 1
    response = upload(client, ("big.csv", b"x" * 2**20))
    assertContains(response, "there is room for 1 MiB of them", status_code=422)
    assert StoredImport.objects.count() == 1


def test_an_upload_cut_short_keeps_nothing(client: Client, place: Path):
    """The first of two files came whole; the last field of the form tells that the second did not come at all."""
    files = [SimpleUploadedFile("a.csv", LIST.encode())]
    response = client.post(reverse("fleets"), {"how": "files", "file": files})
    assertContains(response, "The upload was cut short.", status_code=422)
    assert list(place.iterdir()) == []
    assert not StoredImport.objects.exists()


def test_a_day_later_all_is_gone(client: Client, place: Path):
    fresh, old, live = hand_in(client), hand_in(client), hand_in(client)
    store_imports.claim(live.pk, "one")
    (place / "cut.upload").write_bytes(b"x")
    store_imports.beat("old")
    before = timezone.now() - timedelta(days=1, minutes=1)
    StoredImport.objects.filter(pk__in=[old.pk, live.pk]).update(made_at=before)
    StoredWorker.objects.update(seen_at=before)
    os.utime(place / "cut.upload", (before.timestamp(),) * 2)
    store_imports.purge()
    assert set(StoredImport.objects.values_list("pk", flat=True)) == {fresh.pk, live.pk}
    assert {path.name for path in place.iterdir()} == {str(fresh.pk), str(live.pk)}
    assert not StoredWorker.objects.exists()


def test_what_a_stopped_reading_put_aside_goes_with_it(client: Client, place: Path, monkeypatch: Any):
    """The first of two files is read and kept, then the visitor stops; nothing of either is left."""
    row = hand_in(client, ("a.csv", LIST), ("b.csv", LIST))
    read_upload = tasks.uploads.read_upload

    def stop_before_the_second(name: str, *args: Any, **how: Any) -> Any:
        if name == "b.csv":
            assert StoredUpload.objects.count() == 1
            store_imports.cancel(row)
            raise Stopped
        return read_upload(name, *args, **how)

    monkeypatch.setattr(tasks.uploads, "read_upload", stop_before_the_second)
    assert read(row).state == State.CANCELLED
    assert not StoredUpload.objects.exists() and list(place.iterdir()) == []
