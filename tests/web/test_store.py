"""The store: loads once, again when the fixtures changed, and hands out what the files say."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

from advisor import loading, models, store
from advisor.engine.catalogue import Catalogue
from advisor.engine.prices import PriceBook

pytestmark = pytest.mark.django_db


@pytest.fixture
def edit(settings: Any, tmp_path: Path) -> Callable[[str, Callable[[list[Any]], Any]], None]:
    """A function that changes the rows of one fixture file, in a copy that the store then reads."""
    directory = tmp_path / "fixtures"
    shutil.copytree(settings.FIXTURE_DIRS[0], directory)
    settings.FIXTURE_DIRS = [directory]

    def change(name: str, action: Callable[[list[Any]], Any]) -> None:
        path = directory / f"{name}.json"
        rows = json.loads(path.read_text(encoding="utf-8"))
        action(rows)
        path.write_text(json.dumps(rows), encoding="utf-8")

    return change


def test_the_database_gives_what_the_files_say(catalogue: Catalogue, price_book: PriceBook) -> None:
    assert store.catalogue() == catalogue
    assert store.price_book() == price_book


def test_a_second_call_loads_nothing(django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "load_fixtures", lambda *_: pytest.fail("loaded again"))
    monkeypatch.setattr(store, "call_command", lambda *_: pytest.fail("migrated again"))
    with django_assert_num_queries(1):
        store.ensure_catalogue()


def test_reading_again_asks_only_for_the_version(django_assert_num_queries: Any) -> None:
    first, book = store.catalogue(), store.price_book()
    with django_assert_num_queries(2):  # the version, for each
        assert store.catalogue() is first
        assert store.price_book() is book


def test_a_changed_fixture_is_loaded(edit: Any) -> None:
    before = store.catalogue()
    edit("sizes", lambda rows: rows[0]["fields"].update(max_data_disks=99))
    store.ensure_catalogue()
    after = store.catalogue()
    changed = [name for name, size in after.sizes.items() if size != before.sizes[name]]
    assert [after.sizes[name].max_data_disks for name in changed] == [99]
    assert after.version != before.version


def test_a_row_gone_from_a_fixture_is_gone(edit: Any) -> None:
    edit("prices", lambda rows: rows.pop())
    store.ensure_catalogue()
    assert len(store.price_book().prices) == 5189


def test_a_broken_fixture_leaves_the_old_catalogue(edit: Any) -> None:
    edit("prices", lambda rows: rows[0]["fields"].update(hourly_price=0))
    with pytest.raises(IntegrityError), transaction.atomic():
        store.ensure_catalogue()
    assert models.StoredPrice.objects.count() == 5190
    assert models.StoredSize.objects.count() == 100


def test_an_empty_database_is_filled_by_the_first_question() -> None:
    models.StoredCatalogueVersion.objects.all().delete()
    assert store.catalogue().sizes


def test_a_price_book_can_be_named() -> None:
    assert store.price_book("retail-2026-11-30") == store.price_book()


def test_an_unknown_price_book_is_refused_with_the_known_ones() -> None:
    with pytest.raises(store.UnknownPriceBook, match="'mine'; loaded: retail-2026-11-30"):
        store.price_book("mine")


@pytest.mark.parametrize("name", [name for name in loading.FIXTURES if name != "prices"])
def test_loaddata_may_run_twice(name: str) -> None:
    """The rows are there already; prices work alike and would take seconds."""
    model = loading.FIXTURES[name]
    before = model.objects.count()
    call_command("loaddata", f"{name}.json", verbosity=0)
    assert model.objects.count() == before


def test_a_price_row_is_found_by_its_natural_key() -> None:
    price = models.StoredPrice.objects.order_by("pk")[0]
    assert models.StoredPrice.objects.get_by_natural_key(*price.natural_key()) == price


def test_a_second_event_with_the_same_empty_cells_is_refused() -> None:
    event = models.StoredLedgerEvent.objects.filter(on=None, region=None)[0]
    event.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        event.save(force_insert=True)
