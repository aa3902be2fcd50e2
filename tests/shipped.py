"""The facts that are shipped, as engine values: each read once per run, whichever test asks. Asks for no database."""

from __future__ import annotations

from functools import cache

from advisor import loading
from advisor.engine.candidates import World
from advisor.engine.catalogue import Catalogue
from advisor.engine.edge.devices import EdgeCatalogue
from advisor.engine.fit.facts import FitFacts
from advisor.engine.prices import PriceBook
from advisor.engine.quotes import Quotes


@cache
def _facts() -> tuple[Catalogue, PriceBook]:
    return loading.from_fixtures()


def catalogue() -> Catalogue:
    return _facts()[0]


def price_book() -> PriceBook:
    return _facts()[1]


@cache
def world() -> World:
    """With other prices: `world().with_quotes(...)`, which keeps what is dear to work out."""
    return World(catalogue(), Quotes(price_book(), catalogue()))


@cache
def edge() -> EdgeCatalogue:
    return loading.edge_from_fixtures()


@cache
def fit() -> FitFacts:
    return loading.fit_from_fixtures()
