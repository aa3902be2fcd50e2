"""/edge/order/: the planner answers, refuses, changes by buttons, and finds the order that gives what is wanted."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from advisor import store

pytestmark = pytest.mark.django_db
URL = "/edge/order/"
HTMX = {"HX-Request": "true"}


def body(response: Any) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())))


def test_an_empty_address_is_an_empty_device(client: Client) -> None:
    response = client.get(URL)
    assertContains(response, "The device is empty and both GPUs are free.")
    assert response.content.decode().count('class="slot free"') == 2


def test_kubernetes_first_fails_and_shows_both_ways_out(client: Client) -> None:
    response = client.get(URL, {"steps": "k8s>vm"})
    text = body(response)
    assert "This order fails at step 2: Create a GPU VM." in text
    assert "Turned round it works." in text
    assert "If nothing is built yet: turn the order round" in text
    assert "If the first 2 steps are carried out: repair" in text
    assertContains(response, "gpu-overview-gpu-virtual-machines</a>")
    assertContains(response, "2026-08-19")


def test_the_page_holds_what_the_engine_holds(client: Client) -> None:
    text = body(client.get(URL, {"steps": "vm>k8s", "device": "pro2-256g6t2gpu"}))
    assert "This order works. One GPU is with a VM, one with Kubernetes." in text
    assert "VMs: 1 GPU. Kubernetes: no GPU. Free: 1 GPU." in text
    assert "VMs: 1 GPU. Kubernetes: 1 GPU. Free: no GPU." in text


def test_an_open_question_is_unknown_with_both_documents(client: Client) -> None:
    response = client.get(URL, {"steps": "vm>k8s>stopvm>startvm"})
    text = body(response)
    assert "Whether step 4 works is unknown" in text
    assert "unknown: Kubernetes or VM 1 or free" in text
    for conflict in store.edge().conflicts:
        if conflict.code == "stop-with-k8s":
            assert conflict.version_a in text
            assert conflict.version_b in text


def test_an_order_that_nothing_helps_says_so(client: Client) -> None:
    text = body(client.get(URL, {"device": "pro-gpu-1", "steps": "vm>vm"}))
    assert "No order of these steps works on this device." in text


def test_a_size_for_another_card_is_refused_by_the_plan(client: Client) -> None:
    text = body(client.get(URL, {"steps": "vm:NC8as_A2"}))
    assert "is made for A2; this device has T4" in text or "There is no GPU size" in text


@pytest.mark.parametrize(
    ("steps", "do", "after"),
    [
        ("k8s>vm", "up:2", "vm>k8s"),
        ("k8s>vm", "down:1", "vm>k8s"),
        ("k8s>vm>cpuvm", "move:3:1", "cpuvm>k8s>vm"),
        ("k8s>vm", "remove:1", "vm"),
        ("k8s>vm", "up:9", "k8s>vm"),
        ("k8s>vm", "up:x", "k8s>vm"),
        ("k8s>vm", "nothing", "k8s>vm"),
    ],
)
def test_a_button_leads_to_the_changed_order(client: Client, steps: str, do: str, after: str) -> None:
    response = client.get(URL, {"steps": steps, "do": do})
    assertRedirects(response, f"{URL}?device=pro-gpu-2&steps={after.replace('>', '%3E')}")


def test_a_step_is_added_with_its_size(client: Client) -> None:
    response = client.get(URL, {"steps": "k8s", "do": "add", "step": "vm", "size": "standard_nc4as_t4_v3"})
    assertRedirects(response, f"{URL}?device=pro-gpu-2&steps=k8s%3Evm:NC4as_T4_v3")


def test_the_last_step_can_be_cleared(client: Client) -> None:
    assertRedirects(client.get(URL, {"steps": "k8s", "do": "clear"}), f"{URL}?device=pro-gpu-2")


@pytest.mark.parametrize(
    "query",
    [
        {"steps": "vm>teapot"},
        {"steps": "vm:NC99"},
        {"steps": ">".join(["vm"] * 70)},
        {"device": "toaster"},
        {"software": "2099"},
        {"do": "add", "step": "vm", "size": "NC99"},
        {"do": "add", "step": "teapot"},
        {"vms": "9", "k8s": "1"},
        {"vms": "1", "k8s": "1", "vm_size": "NC99"},
    ],
)
def test_a_bad_form_is_refused_and_kept(client: Client, query: dict[str, str]) -> None:
    response = client.get(URL, query)
    assert response.status_code == 422
    assertContains(response, 'class="err"', status_code=422)


def test_what_was_typed_stays(client: Client) -> None:
    assertContains(client.get(URL, {"steps": "vm>teapot"}), 'value="vm&gt;teapot"', status_code=422)


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "vm\x00", "🦕" * 600])
def test_hostile_text_is_escaped(client: Client, text: str) -> None:
    for name in ("steps", "size", "vm_size", "device", "do"):
        response = client.get(URL, {name: text, "vms": "1", "k8s": "1"})
        assertNotContains(response, "<script>alert", status_code=response.status_code)
        assertNotContains(response, "<img", status_code=response.status_code)


def test_htmx_gets_the_part_and_the_address(client: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):  # the version of the catalogue
        response = client.get(URL, {"steps": "k8s>vm", "do": "up:2"}, headers=HTMX)
    assertNotContains(response, "<h1")
    assert response["HX-Push-Url"] == f"{URL}?device=pro-gpu-2&steps=vm%3Ek8s"


def test_the_other_way_round_gives_an_order(client: Client) -> None:
    text = body(client.get(URL, {"vms": "1", "k8s": "1"}))
    assert "There is an order." in text
    assert "Create a GPU VM" in text


def test_the_other_way_round_says_why_none_does_and_what_is_near(client: Client) -> None:
    text = body(client.get(URL, {"vms": "2", "k8s": "1"}))
    assert "No order gives that." in text
    assert "That needs 3 GPUs and the device has 2" in text
    assert "2 GPU VMs, Kubernetes with no GPU: vm>vm>k8s" in text


def test_no_inline_script_or_style(client: Client) -> None:
    page = client.get(URL, {"steps": "k8s>vm>stopvm", "vms": "1", "k8s": "1"}).content.decode()
    assert not re.search(r"<style|\sstyle=|<script(?![^>]*\ssrc=)|\son\w+=", page)


def test_named_sizes_are_added_up_as_the_engine_does(client: Client) -> None:
    text = body(client.get(URL, {"steps": "vm:NC8as_T4_v3>k8s"}))
    assert "Left 16 4 0" in text
    assert "No size is named" not in text
