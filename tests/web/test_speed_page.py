"""The page that sets the speed model beside every published pair."""

from __future__ import annotations

import csv
import math
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from advisor.charts.agreement import Pair, agreement
from advisor.documents import speed_pairs
from advisor.engine.catalogue import Catalogue
from advisor.engine.speed_score import validate

pytestmark = pytest.mark.django_db


def body(client: Client, query: str = "") -> str:
    response = client.get(f"/speed/{query}")
    assert response.status_code == 200
    return response.content.decode()


def test_the_page_says_first_how_far_off_it_is_and_is_light(client: Client, django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(1):
        page = body(client)
    assert page.index("The answer") < page.index("<figure")
    assert "nine in ten by" in page
    assert len(page.encode()) < 150_000


def test_the_address_filters_by_kind_and_gpu(client: Client) -> None:
    page = body(client, "?kind=training&gpu=K80")
    # K80 stands in 13 tables of training, each against one or two newer GPUs
    wanted = [p for p in speed_pairs() if (p.kind, p.source) == ("training", "K80")]
    assert f"All {len(wanted)}, farthest off first." in page
    assert page.count('<th scope="row" role="rowheader" class="first">K80 to') == len(wanted)


def test_htmx_gets_only_the_part(client: Client) -> None:
    part = client.get("/speed/?kind=training", headers={"HX-Request": "true"}).content.decode()
    assert "<svg" in part
    assert "<h1" not in part


def test_a_filter_that_is_not_offered_is_refused_with_words(client: Client) -> None:
    response = client.get("/speed/?kind=<script>")
    assert response.status_code == 422
    assert "<script>&" not in response.content.decode()
    assert "Kind of work: Select a valid choice" in response.content.decode()


def test_the_sources_lead_to_it(client: Client) -> None:
    assert 'href="/speed/"' in client.get("/sources/").content.decode()


def test_the_stored_pairs_are_those_of_the_model(catalogue: Catalogue) -> None:
    """One source anew: what the document holds is what the command answers."""
    rows = tuple(row for row in catalogue.benchmarks if row.source_family == "tensorflow/docs")
    fresh = {(p.group, p.target): p for p in validate(catalogue, rows=rows).pairs}
    stored = {(p.group, p.target): p for p in speed_pairs() if p.group.startswith("tfbench")}
    assert fresh.keys() == stored.keys()
    assert all(math.isclose(fresh[key].expected, stored[key].expected, rel_tol=1e-4) for key in fresh)


def test_every_scored_pair_of_the_catalogue_is_stored(catalogue: Catalogue) -> None:
    with (settings.BASE_DIR / "docs" / "speed-pairs.csv").open(encoding="utf-8") as stream:
        groups = {line["group"] for line in csv.DictReader(stream)}
    assert groups == {row.group for row in catalogue.benchmarks if row.kind != "kernel"}


def test_a_pair_that_is_right_stands_on_the_diagonal() -> None:
    right = Pair(measured=2.0, low=1.0, expected=2.0, high=4.0)
    wrong = Pair(measured=4.0, low=1.0, expected=2.0, high=3.0)
    drawn = agreement([right, wrong], width=200, height=200)
    # powers of two from 1 to 4; x runs from 52 to 188 and y from 160 up to 12: 2 lies half-way, at (120, 86)
    assert drawn.inside == "M118.5 84.5h3v3h-3z"
    # 4 measured, 2 expected: at the right edge, half-way up
    assert drawn.outside == "M185 83l6 6m0-6l-6 6"
    # ranges: 1 to 4 is the whole height; 3 lies at log(3) / log(4) = 0.7925 of it, 160 - 0.7925 * 148 = 42.7
    assert drawn.ranges == "M120 160V12M188 160V42.7"
