"""/edge/check/: every mistake with its line, the corrected text, nothing stored."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from advisor import samples, store
from advisor.engine.edge.check import check_deployment

pytestmark = pytest.mark.django_db
URL = "/edge/check/"


def body(response: Any) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())))


def test_the_page_shows_what_the_engine_found(client: Client) -> None:
    text = samples.edge_text("deployment.yaml")
    checked = check_deployment(store.edge(), text)
    shown = body(client.post(URL, {"text": text}))
    assert checked.problems
    for problem in checked.problems:
        assert re.sub(r"\s+", " ", problem.message) in shown
        assert problem.line is None or f"line {problem.line}" in shown
    assert checked.corrected is not None
    assert re.sub(r"\s+", " ", checked.corrected).strip() in shown
    assert "# looks at the camera of gate 2" in shown


def test_the_corrected_text_has_no_error(client: Client) -> None:
    checked = check_deployment(store.edge(), samples.edge_text("deployment.yaml"))
    again = body(client.post(URL, {"text": checked.corrected}))
    assert "no error." in again or "No mistake was found." in again


def test_an_upload_is_checked(client: Client) -> None:
    file = SimpleUploadedFile("d.yaml", samples.edge_text("deployment.yaml").encode())
    assertContains(client.post(URL, {"file": file}), "Corrected text")


def test_the_sample_is_one_link(client: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):  # the version of the catalogue
        assertContains(client.get(URL, {"sample": "1"}), "Corrected text")


@pytest.mark.parametrize("text", ["", "  \n ", "\x00" * 90])
def test_what_is_no_text_is_refused(client: Client, text: str) -> None:
    assert client.post(URL, {"text": text}).status_code == 422


def test_a_large_file_is_refused(client: Client) -> None:
    response = client.post(URL, {"file": SimpleUploadedFile("x.yaml", b"x" * 500_001)})
    assertContains(response, "at most 500,000 are read here", status_code=422)


def test_hostile_text_is_escaped(client: Client) -> None:
    text = "a: 1\n// </textarea><script>alert(1)</script>\nb: 2\n"
    response = client.post(URL, {"text": text})
    assertNotContains(response, "<script>alert", status_code=response.status_code)


def test_htmx_gets_the_part(client: Client) -> None:
    text = {"text": samples.edge_text("deployment.yaml")}
    response = client.post(URL, text, headers={"HX-Request": "true"})
    assertContains(response, "Line by line")
    assertNotContains(response, "<h1")
    assert not re.search(r"<style|\sstyle=|\son\w+=", response.content.decode())
