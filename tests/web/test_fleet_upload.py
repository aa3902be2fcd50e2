"""Handing in a fleet: files, lines, typed rows; what is refused is answered with what to do."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertRedirects

from advisor import store_fleets
from advisor.models import StoredFleet, StoredUpload
from tests.engine.readers.conftest import SAMPLES
from tests.engine.readers.usage_text import HEADER, as_parquet, row, usage_csv
from tests.pages import Page
from tests.web.fleets import THREE_BAD, fleet_of, paste, upload

pytestmark = pytest.mark.django_db


def typed(rows: int = 5, **cells: str) -> dict[str, str]:
    names = {f"row-{i}-{name}": "" for i in range(rows) for name in ("size", "region", "count", "hours", "work")}
    return {"how": "typed", "row-TOTAL_FORMS": str(rows), "row-INITIAL_FORMS": "0"} | names | cells


def test_a_file_becomes_a_fleet(client: Client):
    fleet = fleet_of(upload(client, ("fleet.csv", THREE_BAD)))
    (reading,) = store_fleets.readings_of(fleet)
    assert (reading.rows_read, reading.gpu_rows, reading.other_rows, reading.error_rows) == (5, 1, 1, 3)
    assert fleet.name == "fleet.csv"


def test_several_files_become_one_fleet(client: Client):
    other = "size,region\nNC6,West Europe\n"
    fleet = fleet_of(upload(client, ("a.csv", THREE_BAD), ("b.csv", other)))
    assert [reading.gpu_rows for reading in store_fleets.readings_of(fleet)] == [1, 1]
    assert fleet.name == "a.csv and 1 more"


def test_a_cost_export_shows_its_period_and_what_was_left_out(client: Client):
    """24 h in the 744 h of October are 24 * 730 / 744 = 23.5 h a month; the list has the same machine."""
    purchase, disk = row(ChargeType="Purchase"), row("disk", None, MeterCategory="Storage")
    costs = usage_csv([row(), purchase, disk, row("vm-b", Quantity="n/a")])
    fleet = fleet_of(
        upload(client, ("costs.csv", costs), ("vms.csv", "name,size,region\nvm-a,NC4as_T4_v3,westeurope\n"))
    )
    page = client.get(reverse("fleet", args=[fleet.pk]))
    assertContains(page, "1 GPU machine found")
    assertContains(page, "Cost export, enterprise agreement, UTF-8, comma, 2026-10-01 to 2026-10-31, 31 days")
    assertContains(page, "scaled from the period of the file to a month of 730 h")
    assertContains(page, "23.5")
    assertContains(page, "a purchase, not hours")
    assertContains(page, "Line 5, column Quantity: “n/a” cannot be read")
    assertContains(page, "Storage")
    assertContains(page, "too and counts there, once")


@pytest.mark.parametrize("in_memory", [1_000, 10_000_000])
def test_a_parquet_file_with_a_refused_row(client: Client, settings, in_memory: int):
    settings.FILE_UPLOAD_MAX_MEMORY_SIZE = in_memory
    rows = [row(), row("vm-b", Quantity="n/a")]
    fleet = fleet_of(upload(client, ("costs.parquet", as_parquet({n: [r.get(n, "") for r in rows] for n in HEADER}))))
    (reading,) = store_fleets.readings_of(fleet)
    assert (reading.format, reading.gpu_rows, reading.error_rows) == ("cost-ea", 1, 1)
    assertContains(client.get(reverse("fleet", args=[fleet.pk])), "Element 1, column Quantity")


def test_a_large_file_is_read_from_disk_and_gone(client: Client, settings, tmp_path):
    settings.FILE_UPLOAD_MAX_MEMORY_SIZE = 1_000
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path)
    text = "size,region,count\n" + "NC6,West Europe,1\n" * 2_000
    fleet = fleet_of(upload(client, ("big.csv", text)))
    assert store_fleets.readings_of(fleet)[0].gpu_rows == 2_000
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("x.pdf", b"%PDF-1.7 ...", "PDF document"),
        ("empty.csv", b"", "The file is empty"),
        ("focus.csv", b"BilledCost,ChargePeriodStart\n1,2026-10-01\n", "cost export without the columns"),
        ("book.xlsx", b"PK\x03\x04" + bytes(26) + b"xl/workbook", "The workbook"),
    ],
)
def test_a_file_of_no_use_says_what_to_export_instead(client: Client, name: str, content: bytes, words: str):
    response = upload(client, (name, content))
    assertContains(response, words, status_code=422)
    assertContains(response, "az vm list", status_code=422)
    assert not StoredFleet.objects.exists()


def test_one_file_of_no_use_beside_a_good_one_is_said(client: Client):
    fleet = fleet_of(upload(client, ("fleet.csv", THREE_BAD), ("x.pdf", b"%PDF-1.7 ...")))
    assertContains(client.get(reverse("fleet", args=[fleet.pk])), "x.pdf was not used.")


def test_no_file_and_too_many_are_form_errors(client: Client):
    response = client.post(reverse("fleets"), {"how": "files"})
    assertContains(response, "No file came with the form.", status_code=422)
    response = upload(client, *[(f"{n}.csv", "a\n") for n in range(21)])
    assertContains(response, "21 files were chosen; at most 20", status_code=422)


def test_lines_become_a_fleet(client: Client):
    fleet = fleet_of(paste(client, "NC6s_v3, West Europe, 12, 520\n"))
    (reading,) = store_fleets.readings_of(fleet)
    assert reading.fleet[["size", "region", "count"]].values.tolist() == [["Standard_NC6s_v3", "westeurope", 12]]


def test_lines_of_no_use_keep_what_was_pasted(client: Client):
    response = paste(client, "hello there, <b>you</b>")
    assertContains(response, "hello there, &lt;b&gt;you&lt;/b&gt;", status_code=422)
    assertContains(response, 'aria-invalid="true"', status_code=422)
    assertContains(paste(client, "  \n "), "Paste at least one line", status_code=422)


def test_lines_without_one_right_row_say_what_was_meant(client: Client):
    response = paste(client, "NC6x, West Europe, 1, 1")
    assertContains(response, "Line 1, column size: “NC6x”", status_code=422)
    assertContains(response, "Did you mean Standard_NC6", status_code=422)


def test_a_file_without_one_right_row_can_be_corrected(client: Client):
    fleet = fleet_of(upload(client, ("fleet.csv", "size,region\nNC6x,West Europe\n")))
    assertContains(client.get(reverse("fleet", args=[fleet.pk])), "No GPU machine found yet.")


def test_typed_rows_become_a_fleet(client: Client):
    cells = {"row-1-size": "NC6s_v3", "row-1-region": "West Europe", "row-1-count": "3", "row-1-hours": "200"}
    fleet = fleet_of(client.post(reverse("fleets"), typed(**cells, **{"row-1-work": "inference"})))
    table = store_fleets.readings_of(fleet)[0].fleet
    assert table[["size", "count", "hours", "workload"]].values.tolist() == [
        ["Standard_NC6s_v3", 3, 600.0, "inference"]
    ]


def test_typed_mistakes_stand_beside_their_fields(client: Client):
    cells = {"row-0-size": "NC6x", "row-0-region": "West Erope", "row-2-size": "NC6", "row-2-region": "West Europe"}
    response = client.post(reverse("fleets"), typed(**cells, **{"row-2-count": "some"}))
    for words in (
        "“NC6x”: no N-series size of that name is known.",
        "“West Erope” is no Azure region that is known here.",
        "“some” cannot be read; allowed is a whole number",
        'value="West Erope"',
    ):
        assertContains(response, words, status_code=422)
    assert not StoredFleet.objects.exists()


def test_typing_nothing_is_said(client: Client):
    assertContains(client.post(reverse("fleets"), typed()), "No machine is typed yet.", status_code=422)


def test_more_rows_keep_what_was_typed_without_scripts(client: Client):
    response = client.post(reverse("fleets"), typed(**{"row-0-size": "NC6x"}) | {"more": "1"})
    assertContains(response, 'name="row-9-size"')
    assertContains(response, 'value="NC6x"')
    response = client.post(reverse("fleets"), typed() | {"more": "1", "row-TOTAL_FORMS": "9999999"})
    assert response.status_code == 200


def test_broken_form_data_is_a_form_error(client: Client):
    assert client.post(reverse("fleets"), {"how": "typed"}).status_code == 422


def test_every_upload_purges_old_ones(client: Client):
    StoredUpload.objects.create(owner="x", name="old.csv", size=1)
    StoredUpload.objects.update(made_at="2020-01-01T00:00:00Z")
    upload(client, ("fleet.csv", THREE_BAD))
    assert [row.name for row in StoredUpload.objects.all()] == ["fleet.csv"]


def test_a_stated_gigabyte_is_refused_without_reading(client: Client):
    class Unread:
        asked = 0

        def read(self, size: int = -1) -> bytes:
            self.asked += 1
            return b""

        readline = read

    body = Unread()
    response = client.generic("POST", reverse("fleets"), b"", CONTENT_LENGTH=str(1 << 30), **{"wsgi.input": body})
    assert response.status_code == 413
    parts = iter(response.streaming_content)
    assert b"An upload may have 512 MiB in all." in next(parts)
    assert body.asked == 0  # the page is out before a byte of the body is taken
    assert list(parts) == []
    assert response["Content-Security-Policy"]
    assert not StoredFleet.objects.exists()


def test_too_much_pasted_text_is_refused(client: Client, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 2**20
    assertContains(paste(client, "x" * 2**21), "Save the text as a file", status_code=413)


def test_a_form_without_the_site_s_token_is_refused(client: Client):
    strict = Client(enforce_csrf_checks=True)
    for url in (reverse("fleets"), reverse("sample", args=["lab"])):
        assertContains(strict.post(url), "The form was not accepted", status_code=403)


def test_the_list_is_of_this_browser_only(client: Client, django_assert_num_queries):
    assertContains(client.get(reverse("fleets")), "No fleet yet")
    fleet = fleet_of(upload(client, ("fleet.csv", THREE_BAD)))
    with django_assert_num_queries(3):  # the session, the fleets, what is being read
        response = client.get(reverse("fleets"))
    assertContains(response, reverse("fleet", args=[fleet.pk]))
    assertContains(Client().get(reverse("fleets")), "No fleet yet")


def test_after_an_upload_the_import_page_opens(client: Client):
    response = upload(client, ("fleet.csv", THREE_BAD))
    assertRedirects(response, response.url)


def test_quota_stands_beside_the_machines(client: Client):
    names = ("05_az_vmss_list.json", "14_az_vm_list_usage_table.txt")
    fleet = fleet_of(upload(client, *((name, (SAMPLES / name).read_bytes()) for name in names)))
    text = Page(client.get(reverse("fleet", args=[fleet.pk])).content).text
    assert "7 GPU machines found" in text
    assert "Standard NCASv3_T4 Family vCPUs" in text and "was not used" not in text
    assert "6 = 4 GPU + 2 ignored + 0 refused" in text.replace("\n", " ")


def test_a_workbook_is_a_fleet(client: Client):
    fleet = fleet_of(upload(client, ("report", (SAMPLES / "13_ari_report.xlsx").read_bytes())))
    text = Page(client.get(reverse("fleet", args=[fleet.pk])).content).text
    assert "5 GPU machines found" in text and "Workbook of Azure Resource Inventory" in text
