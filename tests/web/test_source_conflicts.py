"""Every known disagreement between public sources stands on a page, with both versions and their sources."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from advisor.engine.catalogue import Catalogue, Conflict
from advisor.engine.citations import cite
from advisor.engine.ledger import LIFECYCLE_FACTS
from advisor.templatetags.catalogue import fact_words

pytestmark = pytest.mark.django_db

#: The table of disagreements: 15 rows of public threads and pages, and one of our own reading.
ROWS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "samples" / "source_conflicts.json").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def shown(django_db_setup: None, django_db_blocker: Any) -> dict[str, str]:
    """The pages that show disagreements, read once."""
    with django_db_blocker.unblock():
        client = Client()
        pages = {
            url: client.get(url, {"as_of": "2026-11-30"}).content.decode() for url in ("/sources/", "/retirements/")
        }
    return {url: html.unescape(" ".join(body.split())) for url, body in pages.items()}


def conflict_of(catalogue: Catalogue, row: dict[str, Any]) -> Conflict:
    (found,) = (c for c in catalogue.conflicts if (c.subject, c.fact) == (row["subject"], row["fact"]))
    return found


def block(page: str, conflict: Conflict) -> str:
    """What the page shows of one conflict, from its heading to its reason."""
    start = page.index(f"<h3>{conflict.subject}: {fact_words(conflict.fact)}</h3>")
    return page[start : page.index(conflict.reason, start)]


def test_there_are_sixteen() -> None:
    assert len(ROWS) == 16


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['subject']}: {row['fact']}")
def test_it_stands_on_a_page_with_both_versions_and_sources(
    catalogue: Catalogue, shown: dict[str, str], row: dict[str, Any]
) -> None:
    conflict = conflict_of(catalogue, row)
    about_dates = conflict.fact.startswith(LIFECYCLE_FACTS)
    for url in ("/sources/", "/retirements/") if about_dates else ("/sources/",):
        text = block(shown[url], conflict)
        for side in ("a", "b"):
            assert row[side] in text, (url, side)
            told = cite(conflict.source_a if side == "a" else conflict.source_b)
            for source in row[f"{side}_sources"]:
                (page, *_) = [page for page in told if source in page.text or source in (page.url or "")]
                assert (page.url or page.short) in text, (url, source)


def test_each_size_it_speaks_of_carries_it(catalogue: Catalogue) -> None:
    for row in ROWS:
        conflict = conflict_of(catalogue, row)
        assert all(conflict in catalogue.conflicts_of[size] for size in conflict.sizes)


def test_the_disagreements_on_edge_devices_have_a_page_of_their_own(client: Client) -> None:
    assert client.get("/edge/disagreements/").content.decode().count('class="vs"') >= 14
