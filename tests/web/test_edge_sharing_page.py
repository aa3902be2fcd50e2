"""/edge/sharing/ and /edge/manifest/: apps onto GPUs, and the file that deploys them so."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
import yaml
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from advisor.views.edge_sharing import EXAMPLES

pytestmark = pytest.mark.django_db
SHARING, MANIFEST = "/edge/sharing/", "/edge/manifest/"
THREE = EXAMPLES[0][1]


def body(response: Any) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())))


def test_shares_above_100_are_allowed_and_explained(client: Client) -> None:
    text = body(client.get(f"{SHARING}?{THREE}"))
    assert "50 %, 20 SMs" in text
    assert "30 %, 12 SMs" in text
    assert "The shares add up to 120 % ." in text
    assert "7,025 MiB of 15,109 MiB fits" in text
    assert "3 of 48" in text


def test_an_a2_has_fewer_sms(client: Client) -> None:
    text = body(client.get(f"{SHARING}?{THREE}&device=pro2-128g4t1gpu"))
    assert "50 %, 5 SMs" in text


def test_the_published_experiment_is_shown_as_a_check(client: Client) -> None:
    text = body(client.get(f"{SHARING}?{EXAMPLES[2][1]}"))
    assert "170.4 s" in text
    assert "155 s" in text
    assert "91 % of the time" in text


def test_too_many_vms_find_no_place(client: Client) -> None:
    query = "device=pro-gpu-1&name=a&name=b&method=vm&method=vm"
    assert "1 app finds no place on this device." in body(client.get(f"{SHARING}?{query}"))


def test_unknown_memory_is_unknown(client: Client) -> None:
    text = body(client.get(f"{SHARING}?name=a&name=b&method=time&method=time"))
    assert "Whether the memory fits is unknown." in text


@pytest.mark.parametrize(
    ("do", "shares"), [("equal", ["33.33"] * 3), ("twice", ["66.67"] * 3), ("remove:2", ["50", "30"])]
)
def test_buttons_lead_to_the_changed_plan(client: Client, do: str, shares: list[str]) -> None:
    response = client.get(f"{SHARING}?{THREE}&do={do}")
    assert response.status_code == 302
    assert re.findall(r"share=([\d.]+)", response["Location"]) == shares
    assert client.get(response["Location"]).status_code == 200


@pytest.mark.parametrize(
    "query",
    [
        "name=A_B",
        "name=a&share=0",
        "name=a&share=200",
        "name=a&share=nan",
        "name=a&memory=-1",
        "name=a&processes=1.5",
        "name=a&method=magic",
        "name=a&name=a",
        "name=a&image=two words",
        "name=a&cuda=eleven",
        "name=&share=10",
        "device=toaster",
        "namespace=A B",
    ],
)
def test_a_bad_row_is_refused_beside_its_field(client: Client, query: str) -> None:
    response = client.get(f"{SHARING}?{query}")
    assert response.status_code == 422, query
    assertContains(response, 'class="err"', status_code=422)


def test_the_manifest_parses_and_has_text_values(client: Client) -> None:
    response = client.get(f"{MANIFEST}?{THREE}&download=1")
    assert response["Content-Disposition"] == 'attachment; filename="deployment.yaml"'
    documents = list(yaml.safe_load_all(response.content.decode()))
    assert [document["metadata"]["name"] for document in documents] == ["detector", "reader", "counter"]
    for document in documents:
        for variable in document["spec"]["template"]["spec"]["containers"][0]["env"]:
            assert isinstance(variable["value"], str)


def test_the_manifest_page_has_file_and_steps(client: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):  # the version of the catalogue
        response = client.get(f"{MANIFEST}?{THREE}")
    assertContains(response, "Start-HcsGpuMPS")
    assertContains(response, "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE")


def test_a_missing_image_is_told(client: Client) -> None:
    response = client.get(f"{MANIFEST}?name=a&share=20")
    assertContains(response, "image is missing", status_code=422)


def test_iot_edge_settings_carry_their_end(client: Client) -> None:
    response = client.get(f"{MANIFEST}?{THREE}&target=iotedge")
    assertContains(response, "modules.json")
    assert "retired on 2024-03-31" in body(response)


def test_empty_pages_offer_examples(client: Client) -> None:
    for url in (SHARING, MANIFEST):
        for label, _ in EXAMPLES:
            assertContains(client.get(url), label)


@pytest.mark.parametrize(("label", "query"), EXAMPLES)
def test_every_example_works(client: Client, label: str, query: str) -> None:
    assert client.get(f"{SHARING}?{query}").status_code == 200, label
    assert client.get(f"{MANIFEST}?{query}").status_code == 200, label


def test_htmx_gets_the_part_and_the_address(client: Client) -> None:
    response = client.get(f"{SHARING}?{THREE}&do=equal", headers={"HX-Request": "true"})
    assertNotContains(response, "<h1")
    assert "share=33.33" in response["HX-Push-Url"]
    assertContains(response, 'value="33.33"')


def test_hostile_text_is_escaped_and_nothing_is_inline(client: Client) -> None:
    hostile = '"><script>alert(1)</script>'
    for url in (SHARING, MANIFEST):
        response = client.get(
            url, {"name": hostile, "share": hostile, "image": hostile, "cuda": hostile, "do": hostile}
        )
        assertNotContains(response, "<script>alert", status_code=422)
        page = client.get(f"{url}?{THREE}").content.decode()
        assert not re.search(r"<style|\sstyle=|<script(?![^>]*\ssrc=)|\son\w+=", page)
