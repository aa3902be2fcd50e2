"""Fixtures for all tests: the shipped catalogue and prices as engine values, read without a database."""

from __future__ import annotations

import pytest

from advisor.engine.catalogue import Catalogue
from advisor.engine.prices import PriceBook
from advisor.loading import from_fixtures


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return from_fixtures()[0]


@pytest.fixture(scope="session")
def price_book() -> PriceBook:
    return from_fixtures()[1]
