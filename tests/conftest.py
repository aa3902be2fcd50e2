"""Fixtures for all tests: the shipped catalogue and prices, as engine values and in the test database."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import tests.profiles  # noqa: F401 (loads the settings of hypothesis)
from advisor import store
from advisor.engine.candidates import World
from advisor.engine.catalogue import Catalogue
from advisor.engine.prices import PriceBook
from tests import shipped


def pytest_collection_finish() -> None:
    """What is imported and collected stays for the run, so the search for cycles need not go through it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)  # a test makes many objects and few cycles


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    """Read from the fixture files; asks for no database."""
    return shipped.catalogue()


@pytest.fixture(scope="session")
def price_book() -> PriceBook:
    """Read from the fixture files; asks for no database."""
    return shipped.price_book()


@pytest.fixture(scope="session")
def world() -> World:
    """Shipped catalogue and prices."""
    return shipped.world()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """Tests that use the database find the catalogue loaded, once per run."""
    with django_db_blocker.unblock():
        store.ensure_catalogue()
