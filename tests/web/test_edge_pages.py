"""/edge/ and /edge/disagreements/: everything known, each statement with its source and date."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape

from advisor import store

pytestmark = pytest.mark.django_db


def body(response: Any) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())))


def test_the_overview_names_every_device_release_and_failure(client: Client) -> None:
    text, known = body(client.get("/edge/")), store.edge()
    for device in known.devices.values():
        assert device.label in text
        assert device.lifecycle_note in text
        assert device.as_of is None or device.as_of.isoformat() in text
    for release in known.releases.values():
        assert release.published.isoformat() in text
        assert release.note in text
    for failure in known.failures:
        assert failure.seen in text
        assert failure.way_out in text
    for fact in known.by_topic("lifecycle"):
        assert fact.text in text
        assert fact.as_of.isoformat() in text


def test_every_disagreement_is_listed_with_both_versions(client: Client) -> None:
    text, known = body(client.get("/edge/disagreements/")), store.edge()
    assert len(known.conflicts) > 9
    for conflict in known.conflicts:
        assert conflict.version_a in text
        assert conflict.version_b in text
        assert conflict.reason in text
        assert conflict.as_of.isoformat() in text


@pytest.mark.parametrize("url", ["/edge/", "/edge/disagreements/"])
def test_one_query_and_nothing_inline(client: Client, url: str, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):  # the version of the catalogue
        page = client.get(url).content.decode()
    assert not re.search(r"<style|\sstyle=|<script(?![^>]*\ssrc=)|\son\w+=", page)
    assert re.search(r'href="/edge/"\s+aria-current="page">Edge<', page)
    assert escape("Azure Stack Edge") in page or "disagree" in page


def test_every_size_shows_whether_it_fits_each_device(client: Client) -> None:
    text, known = body(client.get("/edge/")), store.edge()
    for size in known.sizes.values():
        assert size.short in text
    row = text.split("NC16as_T4_v3 ")[1].split("Source, date")[0] if "NC16as_T4_v3 " in text else ""
    assert "110" in row
    assert "GiB of memory are missing" in row
