"""/edge/smi/: reads what is pasted or uploaded, compares two outputs, refuses what is none, stores nothing."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from advisor import samples

pytestmark = pytest.mark.django_db
URL = "/edge/smi/"
AFTER, BEFORE = "smi_after.txt", "smi_before.txt"


def body(response: Any) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())))


def test_the_empty_form_says_how_to_get_an_output(client: Client) -> None:
    assertContains(client.get(URL), "Get-HcsGpuNvidiaSmi")


def test_a_pasted_table_becomes_bars_processes_and_advice(client: Client) -> None:
    response = client.post(URL, {"text": samples.edge_text(AFTER)})
    text = body(response)
    assert "2 GPUs read." in text
    assert "14,055 MiB of 15,360 MiB, 92 %" in text
    assert "nvidia-cuda-mps-server C 150119 27 MiB" in text
    assert "MPS on" in text
    assert "The memory of GPU 0 of K8S-7ABCD13CL-7ABCD13 is nearly full" in text
    assertContains(response, 'width="91.5"')
    assertContains(response, 'width="100.0"')


def test_an_uploaded_file_wins_over_the_text(client: Client) -> None:
    file = SimpleUploadedFile("smi.csv", b"index, name, memory.used [MiB], memory.total [MiB], utilization.gpu [%]\n"
                              b"0, Tesla T4, 10 MiB, 15109 MiB, 7 %\n")  # fmt: skip
    text = body(client.post(URL, {"text": "nothing", "file": file}))
    assert "1 GPU read." in text
    assert "10 MiB of 15,109 MiB" in text


def test_two_outputs_are_compared(client: Client) -> None:
    text = body(client.post(URL, {"text": samples.edge_text(AFTER), "text_before": samples.edge_text(BEFORE)}))
    assert "+13,841 MiB" in text
    assert "+62 points" in text


def test_mps_that_should_be_on_is_missed(client: Client) -> None:
    text = body(client.post(URL, {"text": samples.edge_text(BEFORE), "mps_planned": "on"}))
    assert "although it is planned" in text
    assert "2026-08-19" in text


def test_the_sample_is_one_link(client: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):  # the version of the catalogue
        assertContains(client.get(URL, {"sample": "1"}), "Before and after")


@pytest.mark.parametrize("text", ["", "   ", "hello", "\x00\x01\x02" * 50, "| NVIDIA-SMI"])
def test_what_is_no_output_is_refused(client: Client, text: str) -> None:
    assert client.post(URL, {"text": text}).status_code == 422


def test_nvidia_smi_that_failed_is_told(client: Client) -> None:
    failed = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."
    assertContains(client.post(URL, {"text": failed}), "nvidia-smi itself failed.")


def test_a_large_file_is_refused(client: Client) -> None:
    response = client.post(URL, {"file": SimpleUploadedFile("x.txt", b"x" * 2_000_001)})
    assertContains(response, "at most 2,000,000 are read here", status_code=422)


def test_hostile_names_are_escaped(client: Client) -> None:
    text = samples.edge_text(AFTER).replace("/opt/app/infer", "<script>ab")
    response = client.post(URL, {"text": text})
    assertNotContains(response, "<script>ab", status_code=response.status_code)


def test_htmx_gets_the_part(client: Client) -> None:
    response = client.post(URL, {"text": samples.edge_text(AFTER)}, headers={"HX-Request": "true"})
    assertContains(response, "2 GPUs read.")
    assertNotContains(response, "<textarea")
    assert not re.search(r"<style|\sstyle=|\son\w+=", response.content.decode())


def test_other_methods_are_refused(client: Client) -> None:
    assert client.put(URL).status_code == 405
