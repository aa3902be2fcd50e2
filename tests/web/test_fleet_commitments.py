"""The commitments page: add, remove, hand in a list; what is wrong stands beside its field, nothing is half saved."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from advisor import store_held
from advisor.engine.held_file import COLUMNS
from advisor.models import StoredFleet
from tests.web.fleets import fleet_of, paste

pytestmark = pytest.mark.django_db

HEADER = ",".join(COLUMNS)
#: Far more than any new commitment of the pool is worth, for years to come.
DEAR = "R-1,,NC6s_v3,West Europe,3,2060-06-30,6,2024-06-30,40000,,"
FIELDS = {
    "do": "add",
    "kind": "reservation",
    "order": "R-7",
    "size": "NC6s_v3",
    "region": "West Europe",
    "quantity": "4",
    "term": "P3Y",
    "bought": "2026-06-30",
    "end": "2029-06-30",
    "hourly_price": "1.25",
    "currency": "",
}


@pytest.fixture
def fleet(client: Client) -> StoredFleet:
    return fleet_of(paste(client, "NC6s_v3, West Europe, 6, 730, training"))


def address(fleet: StoredFleet) -> str:
    return reverse("fleet-commitments", args=[fleet.pk])


def send(client: Client, fleet: StoredFleet, follow: bool = False, **values: Any) -> Any:
    return client.post(address(fleet), values, follow=follow)


def lines(client: Client, fleet: StoredFleet, *rows: str) -> Any:
    return send(client, fleet, do="lines", lines="\n".join((HEADER, *rows)))


def held(fleet: StoredFleet) -> list[str]:
    fleet.refresh_from_db()
    return [one.order for one in store_held.held_of(fleet)]


def plain(response: Any) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


# Adding


def test_one_is_added_and_shown_with_who_uses_it(client: Client, fleet: StoredFleet) -> None:
    response = send(client, fleet, follow=True, **FIELDS)
    assert response.redirect_chain == [(f"{address(fleet)}?added=1&skipped=0#held", 303)]
    text = plain(response)
    assert held(fleet) == ["R-7"]
    assert "4 \u00d7 NC6s_v3" in text and "2029-06-30" in text and "1 commitment added." in text
    fleet.refresh_from_db()
    (one,) = store_held.held_of(fleet)
    assert (one.hourly_price, one.currency, one.quantity) == (1.25, "USD", 4)


def test_a_price_keeps_the_currency_in_which_it_was_stated(client: Client, fleet: StoredFleet) -> None:
    send(client, fleet, **FIELDS | {"currency": "eur"})
    fleet.refresh_from_db()
    assert store_held.held_of(fleet)[0].currency == "EUR"
    text = plain(client.get(address(fleet)))
    assert "R-7 is not counted: it is priced in EUR" in text and "no rate of EUR is stated" in text
    assertContains(client.get(reverse("answer", args=[fleet.pk])), "R-7 is not counted")


def test_what_is_wrong_stands_beside_its_field_and_what_was_typed_stays(client: Client, fleet: StoredFleet) -> None:
    response = send(client, fleet, **FIELDS | {"size": "NC6s_v9", "end": "soon"})
    assert response.status_code == 422 and held(fleet) == []
    form = response.context["form"]
    assert set(form.errors) == {"size", "end"}
    assert "Did you mean Standard_NC6s_v3" in form.errors["size"][0]
    assertContains(response, 'value="NC6s_v9"', status_code=422)
    assertContains(response, 'value="soon"', status_code=422)
    assertContains(response, 'aria-describedby="id_end-e"', status_code=422)


def test_a_savings_plan_needs_its_amount_and_nothing_of_a_reservation(client: Client, fleet: StoredFleet) -> None:
    plan = FIELDS | {"kind": "savings_plan", "hourly_price": ""}
    response = send(client, fleet, **plan)
    assert response.status_code == 422 and set(response.context["form"].errors) == {"hourly_price"}
    send(client, fleet, **plan | {"hourly_price": "4.5"})
    fleet.refresh_from_db()
    (one,) = store_held.held_of(fleet)
    assert (one.kind, one.size, one.quantity, one.hourly_price) == ("savings_plan", None, 1, 4.5)


def test_a_size_without_gpu_is_refused(client: Client, fleet: StoredFleet) -> None:
    response = send(client, fleet, **FIELDS | {"size": "D4s_v5"})
    assert response.status_code == 422 and "no GPU size" in response.context["form"].errors["size"][0]


@pytest.mark.parametrize("text", ["=1+1", "<script>alert(1)</script>", 'a,b\n"c', "x" * 100, "\uff10"])
def test_hostile_text_is_shown_as_text(client: Client, fleet: StoredFleet, text: str) -> None:
    response = send(client, fleet, follow=True, **FIELDS | {"order": text})
    assertNotContains(response, "<script>alert")
    assert len(held(fleet)) == 1
    assert client.get(reverse("answer", args=[fleet.pk])).status_code == 200


# Lists


def test_a_list_is_pasted_or_handed_in_and_the_same_row_counts_once(client: Client, fleet: StoredFleet) -> None:
    other = "S-1,savings plan,,,3,2060-01-31,,2024-06-30,4.5,,"
    assert lines(client, fleet, DEAR, other).status_code == 303
    file = SimpleUploadedFile("held.csv", "\n".join((HEADER, DEAR, other)).encode())
    response = send(client, fleet, follow=True, do="file", file=file)
    assert held(fleet) == ["R-1", "S-1"]
    assert "Nothing new" in plain(response)


def test_a_list_with_a_wrong_row_adds_nothing_and_says_the_line(client: Client, fleet: StoredFleet) -> None:
    response = lines(client, fleet, DEAR, DEAR.replace("2060-06-30", "later"))
    assert response.status_code == 422 and held(fleet) == []
    assertContains(response, "Line 3", status_code=422)
    assertContains(response, "later", status_code=422)  # what was pasted stays


def test_a_list_about_something_else_says_so(client: Client, fleet: StoredFleet) -> None:
    response = lines(client, fleet, DEAR.replace("NC6s_v3", "D4s_v5"))
    assert response.status_code == 422
    assertContains(response, "No commitment for GPU machines", status_code=422)


@pytest.mark.parametrize("values", [{"do": "file"}, {"do": "lines"}, {"do": "lines", "lines": "  "}])
def test_an_empty_form_says_what_is_wanted(client: Client, fleet: StoredFleet, values: dict[str, str]) -> None:
    assert send(client, fleet, **values).status_code == 422


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, b"{}", b"\xff\xfe\x00"])
def test_any_file_is_answered(client: Client, fleet: StoredFleet, content: bytes) -> None:
    response = send(client, fleet, do="file", file=SimpleUploadedFile("x.csv", content))
    assert response.status_code == 422 and response.context["file_form"].errors["file"]


# Removing


def test_one_is_removed_and_a_second_click_removes_no_other(client: Client, fleet: StoredFleet) -> None:
    lines(client, fleet, DEAR, DEAR.replace("R-1", "R-2"))
    fleet.refresh_from_db()
    key = store_held.key_of(store_held.held_of(fleet)[0])
    for _ in range(2):
        assert send(client, fleet, do="remove", key=key).status_code == 303
    assert held(fleet) == ["R-2"]


def test_all_are_removed(client: Client, fleet: StoredFleet) -> None:
    lines(client, fleet, DEAR)
    send(client, fleet, do="clear")
    assert held(fleet) == []


# Whose it is, and what it does


def test_only_its_owner_sees_or_changes_it(fleet: StoredFleet) -> None:
    stranger = Client()
    assert stranger.get(address(fleet)).status_code == 404
    assert send(stranger, fleet, **FIELDS).status_code == 404
    assert held(fleet) == []


def test_an_unknown_action_is_not_found(client: Client, fleet: StoredFleet) -> None:
    assert send(client, fleet, do="explode").status_code == 404


def test_every_answer_counts_it(client: Client, fleet: StoredFleet) -> None:
    lines(client, fleet, DEAR)
    answer = client.get(reverse("answer-json", args=[fleet.pk])).json()
    (pool,) = answer["pools"]
    lost = pool["options"][0]["tco"]["components"]["stranded_commitments"]
    assert lost == sum(part["lost"] for part in pool["options"][0]["stranded"]) > 0
    page = client.get(reverse("pool", args=[fleet.pk, pool["id"]]))
    assert page.context["first"].tco.components["stranded_commitments"] == lost


def test_what_covers_no_machine_is_told(client: Client, fleet: StoredFleet) -> None:
    lines(client, fleet, DEAR.replace(",6,", ",10,"))
    assert "4 of 10 cover no machine of this fleet" in plain(client.get(address(fleet)))
