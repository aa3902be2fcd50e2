"""Speeds that a fleet's owner measured: typed, pasted or as a file, kept, shown everywhere, and taken back."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from advisor import store, store_measured
from advisor.engine.speed_own import MOST_ROWS
from advisor.models import StoredFleet, StoredReport
from tests.web.fleets import fleet_of, paste

pytestmark = pytest.mark.django_db
TYPED = {"do": "add", "from_gpu": "K80", "to_gpu": "T4", "ratio": "1.75", "note": "our ResNet, batch 64"}


@pytest.fixture
def fleet(client: Client) -> StoredFleet:
    return fleet_of(paste(client, "NC6, West Europe, 12, 730, training"))


def send(client: Client, fleet: StoredFleet, **values: Any) -> Any:
    return client.post(reverse("fleet-measured", args=[fleet.pk]), values)


def kept(fleet: StoredFleet) -> list[tuple[str, str, float, str]]:
    fleet.refresh_from_db()
    found = store_measured.measured_in(fleet, store.catalogue())
    return [(one.from_gpu, one.to_gpu, one.ratio, one.note) for one in found]


def plain(response: Any) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def answered(client: Client, fleet: StoredFleet) -> Any:
    return json.loads(client.get(reverse("answer-json", args=[fleet.pk])).content)


def test_a_typed_ratio_counts_in_answer_page_report_and_exports(client: Client, fleet: StoredFleet) -> None:
    pool = answered(client, fleet)["pools"][0]["id"]
    at = reverse("pool", args=[fleet.pk, pool])
    response = send(client, fleet, **TYPED, next=f"{at}#own-{pool}")
    assert (response.status_code, response["Location"]) == (303, f"{at}#own-{pool}")
    found = answered(client, fleet)
    assert found["measured"] == [{"from_gpu": "K80", "to_gpu": "T4", "ratio": 1.75, "note": "our ResNet, batch 64"}]
    t4 = next(o for o in found["pools"][0]["options"] if o["size"] == "Standard_NC4as_T4_v3")
    # 12 K80s of today / 1.75 = 6.86, so 7 machines with one T4 each
    assert (t4["vms"], t4["grades"]["performance"]) == (7, "A")
    assert t4["speedup"] == {
        "low": 1.75, "expected": 1.75, "high": 1.75, "basis": "user",
        "evidence": [{"kind": "user", "source": "your measurement", "as_of": None,
                      "note": "K80 to T4: 1.75; our ResNet, batch 64"}],
    }  # fmt: skip
    page = plain(client.get(at))
    assert "1.75 measured by you" in page and "measured by you K80 to T4: 1.75 , our ResNet, batch 64" in page
    assert "1 speed measured by you" in plain(client.get(reverse("answer", args=[fleet.pk])))
    csv = client.get(reverse("answer-csv", args=[fleet.pk])).content.decode()
    assert ",1.75,1.75,1.75,user," in csv


@pytest.mark.parametrize(("with_names", "told"), [("on", True), ("", False)])
def test_a_report_keeps_the_ratio_and_names_the_work_only_if_its_maker_wants(
    client: Client, fleet: StoredFleet, with_names: str, told: bool
) -> None:
    send(client, fleet, **TYPED)
    made = client.post(reverse("make-report", args=[fleet.pk]), {"title": "For the board", "with_names": with_names})
    send(client, fleet, do="clear")
    text = plain(client.get(made["Location"]))
    assert "Measured speeds" in text and "measured by the maker" in text and "K80 to T4" in text
    assert ("our ResNet" in text) is told
    assert ("our ResNet" in json.dumps(StoredReport.objects.get().advice)) is told


def test_a_table_is_pasted_or_handed_in_and_replaces_what_was_said(client: Client, fleet: StoredFleet) -> None:
    send(client, fleet, **TYPED)
    assert send(client, fleet, do="lines", lines="from;to;ratio\nT4;K80;0,5\nK80;A10;4\n").status_code == 303
    assert kept(fleet) == [("T4", "K80", 0.5, ""), ("K80", "A10", 4.0, "")]
    file = SimpleUploadedFile("mine.csv", b"from,to,from_speed,to_speed,note\nK80,T4,30,75,images/s\n")
    assert send(client, fleet, do="file", file=file).status_code == 303
    assert kept(fleet) == [("K80", "A10", 4.0, ""), ("K80", "T4", 2.5, "images/s")]  # 75 / 30
    send(client, fleet, do="remove", from_gpu="T4", to_gpu="K80")
    assert [row[:2] for row in kept(fleet)] == [("K80", "A10")]
    assert "no machine of this fleet has either" not in plain(client.get(reverse("fleet-measured", args=[fleet.pk])))


def test_a_table_with_a_wrong_line_is_not_kept_at_all(client: Client, fleet: StoredFleet) -> None:
    response = send(client, fleet, do="lines", lines="from,to,ratio\nK80,T4,2\nK80,V100,3\nK80,A10,<b>\n")
    text = plain(response)
    assert response.status_code == 422 and kept(fleet) == []
    assert "Line 3: 'V100' matches several GPUs: V100 PCIe 16GB" in text
    assert "Line 4: ratio is '<b>', must be a number above 0 like 2.5." in text
    assert b"K80,A10,&lt;b&gt;" in response.content  # what was sent stands there still


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"ratio": "fast"}, "ratio"),
        ({"ratio": ""}, "ratio"),
        ({"ratio": "1e9"}, "ratio"),
        ({"to_gpu": ""}, "to_gpu"),
        ({"to_gpu": "K80"}, "to_gpu"),
        ({"from_gpu": '"'}, "from_gpu"),
        ({"note": "x" * 201}, "note"),
    ],
)
def test_what_is_wrong_with_a_typed_one_stands_at_its_field(
    client: Client, fleet: StoredFleet, changed: dict[str, str], field: str
) -> None:
    response = send(client, fleet, **TYPED | changed)
    assert response.status_code == 422 and kept(fleet) == []
    assert list(response.context["form"].errors) == [field]
    assert f'aria-describedby="own-{field}-e"' in response.content.decode()


@pytest.mark.parametrize("note", ["=cmd()", "<script>alert(1)</script>", 'a,b\n"c', "\x00\u202e\ud800"])
def test_a_hostile_note_is_only_text(client: Client, fleet: StoredFleet, note: str) -> None:
    send(client, fleet, **TYPED | {"note": note.encode("utf-8", "replace").decode()})
    assert "<script>alert" not in client.get(reverse("fleet-measured", args=[fleet.pk])).content.decode()
    assert client.get(reverse("answer", args=[fleet.pk])).status_code == 200


@pytest.mark.parametrize("do", ["lines", "file", "add", "", "drop"])
def test_an_empty_or_unknown_form_is_refused(client: Client, fleet: StoredFleet, do: str) -> None:
    assert send(client, fleet, do=do).status_code == (422 if do in ("lines", "file", "add") else 404)


def test_only_its_owner_may_see_or_change_them(fleet: StoredFleet) -> None:
    stranger = Client()
    assert send(stranger, fleet, **TYPED).status_code == 404
    assert stranger.get(reverse("fleet-measured", args=[fleet.pk])).status_code == 404


def test_a_fleet_keeps_at_most_as_many_as_there_are_pairs(client: Client, fleet: StoredFleet) -> None:
    row = {"from_gpu": "K80", "ratio": 2.0, "note": ""}
    fleet.settings = {"measured": [row | {"to_gpu": f"gone {number}"} for number in range(MOST_ROWS)]}
    fleet.save()
    response = send(client, fleet, **TYPED)
    assert response.status_code == 422 and "at most 1,000 measured speeds" in plain(response)
    assert kept(fleet) == []  # GPUs that the catalogue has no more count for nothing


def test_it_goes_on_only_to_an_address_of_the_same_fleet(client: Client, fleet: StoredFleet) -> None:
    for address in ("https://example.com/", "/fleets/", "//example.com"):
        response = send(client, fleet, **TYPED, next=address)
        assert response["Location"] == reverse("fleet-measured", args=[fleet.pk]) + "?added=1#list"


def test_an_open_pool_on_the_answers_page_has_its_questions_too(client: Client, fleet: StoredFleet) -> None:
    pool = answered(client, fleet)["pools"][0]["id"]
    text = plain(client.get(reverse("answer", args=[fleet.pk]), {"open": pool}))
    assert "What would make this answer surer" in text and "Compare with a size" in text
    assert "How fast is your own work on" in text
