"""/assumptions/ and /sources/: all of them stand there."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape
from pytest_django.asserts import assertContains

from advisor.documents import speed_errors
from advisor.engine.assumptions import ASSUMPTIONS
from advisor.engine.catalogue import Catalogue
from advisor.engine.prices import PriceBook
from advisor.engine.workload import KIND_OF_SERIES, SHAPE_OF
from advisor.views import source

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", sorted(ASSUMPTIONS))
def test_every_assumption_stands_with_its_reason(client: Client, name: str) -> None:
    page = client.get("/assumptions/").content.decode()
    row = page.split(f'id="{name}"')[1].split("</tr>")[0]
    for text in (ASSUMPTIONS[name].unit, ASSUMPTIONS[name].reason):
        assert escape(text) in row
    for figure in (ASSUMPTIONS[name].value, ASSUMPTIONS[name].minimum, ASSUMPTIONS[name].maximum):
        assert "unknown" in row if figure is None else f">{figure:,.10g}<" in row


def test_defaults_of_work_stand_with_their_reasons(client: Client) -> None:
    response = client.get("/assumptions/")
    for _kind, why in KIND_OF_SERIES.values():
        assertContains(response, escape(why))
    for shape, why in SHAPE_OF.values():
        assertContains(response, shape)
        assertContains(response, why)
    assertContains(response, "--assume NAME=VALUE")


def test_the_price_book_and_the_catalogue_are_named(
    client: Client, catalogue: Catalogue, price_book: PriceBook
) -> None:
    response = client.get("/sources/")
    days = [price.as_of for price in price_book.prices.values()]
    for text in (
        price_book.name,
        f"{len(price_book.prices):,}",
        str(min(days)),
        str(max(days)),
        catalogue.version[:12],
    ):
        assertContains(response, text)
    assertContains(response, "Not a Microsoft product.")


def test_every_conflict_stands_with_both_versions(client: Client, catalogue: Catalogue) -> None:
    page = client.get("/sources/").content.decode()
    for conflict in catalogue.conflicts:
        assert escape(conflict.version_a) in page
        assert escape(conflict.version_b) in page
        assert escape(conflict.reason) in page


@pytest.mark.parametrize("kind", ["sizes", "ledger", "benchmarks", "listed", "nonsense", "<script>"])
def test_pages_of_one_kind(client: Client, kind: str) -> None:
    response = client.get("/sources/", {"kind": kind})
    assert response.status_code == 200
    assert b"<script>#" not in response.content
    assert len(response.content) < 150_000


def test_errors_are_those_of_the_document(client: Client) -> None:
    rows = speed_errors()
    assert [row.pairs_of for row in rows][-1] == "all"
    assert all(re.fullmatch(r"\d+%", row.inside) for row in rows)
    response = client.get("/sources/")
    for row in rows:
        assertContains(response, row.median)


def test_without_the_document_the_page_says_how_to_get_the_figures(
    client: Client, settings: Any, tmp_path: Any
) -> None:
    settings.BASE_DIR = tmp_path
    speed_errors.cache_clear()
    source.provenance.cache_clear()
    try:
        assertContains(client.get("/sources/"), "validate_speed")
    finally:
        speed_errors.cache_clear()
        source.provenance.cache_clear()


@pytest.mark.parametrize("address", ["/assumptions/", "/sources/"])
def test_queries_and_methods(client: Client, django_assert_num_queries: Any, address: str) -> None:
    client.get(address)
    with django_assert_num_queries(1):
        client.get(address)
    assert client.post(address).status_code == 405
    assert client.head(address).content == b""
    assert not re.search(r"<style|\sstyle=|\son\w+=", client.get(address).content.decode())
