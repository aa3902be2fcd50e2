"""The one door between database rows and engine values."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, transaction
from django.db.models import Count, Max, Subquery, Value

from advisor import loading, models
from advisor.engine.candidates import World
from advisor.engine.catalogue import Catalogue
from advisor.engine.edge.devices import EdgeCatalogue
from advisor.engine.fit.facts import FitFacts
from advisor.engine.prices import PriceBook
from advisor.engine.quotes import Quotes
from advisor.engine.retail.checks import check_book
from advisor.facts import Fact
from advisor.kept import kept

with suppress(ImportError):  # Windows has no fcntl; there two first starts at once may collide
    import fcntl

logger = logging.getLogger(__name__)

#: The currency of prices unless another is asked for: the one in which Azure's list is made.
DEFAULT_CURRENCY = "USD"
#: Of one day a refreshed book goes before a built-in one, and of two the one made last.
NEWEST_FIRST = ("-as_of", "built_in", "-pk")
MIGRATIONS_DIR = Path(__file__).parent / "migrations"


class UnknownPriceBook(LookupError):
    """A price book that is not loaded; the message lists those that are."""


def migrations_digest() -> str:
    """sha256 over what decides the tables: our migrations, the apps and Django itself."""
    total = hashlib.sha256(repr((django.VERSION, settings.INSTALLED_APPS)).encode())
    total.update(loading.digest(sorted(MIGRATIONS_DIR.glob("*.py"))).encode())
    return total.hexdigest()


def stored_version() -> models.StoredCatalogueVersion | None:
    """What is loaded, None when nothing is or the tables do not exist yet."""
    try:
        return models.StoredCatalogueVersion.objects.first()
    except DatabaseError:
        return None


def ensure_catalogue() -> None:
    """Migrate and load the fixtures if either changed since last time; silent, and a few ms when nothing did."""
    fixtures, migrations = loading.digest(loading.fixture_paths()), migrations_digest()
    if is_loaded(stored_version(), fixtures, migrations):
        return
    with one_at_a_time():
        version = stored_version()  # another process may have loaded while we waited
        if is_loaded(version, fixtures, migrations):
            return
        if version is None or version.migrations != migrations:
            call_command("migrate", verbosity=0, interactive=False)
        load_fixtures(fixtures, migrations)


def is_loaded(version: models.StoredCatalogueVersion | None, fixtures: str, migrations: str) -> bool:
    return version is not None and (version.fixtures, version.migrations) == (fixtures, migrations)


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Two commands started at once on a new machine must not both create the tables."""
    settings.VAR_DIR.mkdir(parents=True, exist_ok=True)
    with (settings.VAR_DIR / "catalogue.lock").open("w") as lock:
        if "fcntl" in globals():
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@transaction.atomic
def load_fixtures(fixtures: str, migrations: str) -> None:
    """Replace all catalogue rows by those of the fixture files, so that a row gone from a file is gone here too.

    Refreshed price books are no catalogue rows: they stay with their prices.
    """
    rows = loading.read_fixtures()
    refreshed = list(models.StoredPriceBook.objects.filter(built_in=False).values_list("name", flat=True))
    stays: dict[type[Fact], dict[str, list[str]]] = {
        models.StoredPriceBook: {"name__in": refreshed},
        models.StoredPrice: {"book__in": refreshed},
    }
    for model, instances in rows.items():
        model.objects.exclude(**stays.get(model, {"pk__in": []})).delete()
        model.objects.bulk_create(instances)
    _check_built_in_books(fixtures)
    as_of = max(book.as_of for book in rows[models.StoredPriceBook])
    models.StoredCatalogueVersion.objects.update_or_create(
        id=1, defaults={"fixtures": fixtures, "migrations": migrations, "as_of": as_of}
    )
    logger.info("catalogue loaded, %s rows", sum(map(len, rows.values())))


def _check_built_in_books(fixtures: str) -> None:
    """Keep with every built-in book what the checks of a refreshed one find in it."""
    facts = loading.build_catalogue({model: read(model) for model in loading.CATALOGUE_MODELS}, fixtures)
    for head in models.StoredPriceBook.objects.filter(built_in=True):
        head.warnings = [asdict(finding) for finding in check_book(_build_book(head), facts)]
        head.save(update_fields=["warnings"])


def current_version() -> str:
    """Hash of the loaded fixtures, a stop, and which price books there are; loads where nothing is loaded. One query.

    A refreshed book is seen at once by every process: what is kept under the version before is not asked for again.
    """
    found = version_with_books()
    if found is None:
        ensure_catalogue()
        found = version_with_books()
    return "{}.{}-{}".format(*found or ())


def version_with_books() -> tuple[str, int, int] | None:
    """The fixtures' hash with the newest id and the number of price books; ids are never given twice."""
    books = models.StoredPriceBook.objects.annotate(all=Value(1)).values("all")
    newest, number = (Subquery(books.annotate(of=of).values("of")) for of in (Max("pk"), Count("pk")))
    try:
        return models.StoredCatalogueVersion.objects.values_list("fixtures", newest, number).first()
    except DatabaseError:
        return None


def catalogue() -> Catalogue:
    """The catalogue as loaded; read once per process and version. One query when it is already read."""
    return read_catalogue(current_version())


def price_book(name: str | None = None, currency: str = DEFAULT_CURRENCY) -> PriceBook:
    """The price book of that name, by default the newest in the currency; raises UnknownPriceBook.

    Read once per process and version; one query when it is already read.
    """
    return read_price_book(current_version(), name, currency)


def read_catalogue(version: str) -> Catalogue:
    """The catalogue of a version; price books are no part of it."""
    return read_facts(version.partition(".")[0])


@kept(2)
def read_facts(fixtures: str) -> Catalogue:
    return loading.build_catalogue({model: read(model) for model in loading.CATALOGUE_MODELS}, fixtures)


@kept(8)
def read_price_book(_version: str, name: str | None, currency: str) -> PriceBook:
    books = models.StoredPriceBook.objects.order_by(*NEWEST_FIRST)
    head = books.filter(**({"currency": currency} if name is None else {"name": name})).first()
    if head is None:
        known = ", ".join(f"{book.name} ({book.currency})" for book in books) or "none"
        wanted = f"in {currency}" if name is None else repr(name)
        raise UnknownPriceBook(f"There is no price book {wanted}; loaded: {known}.")
    if name is None:  # the newest is also asked for by its name: it is read once
        return read_price_book(_version, head.name, currency)
    return _build_book(head)


def _build_book(head: models.StoredPriceBook) -> PriceBook:
    return loading.build_price_book(
        head,
        read(models.StoredPrice, book=head.name),
        read(models.StoredCommitmentTerms),
        read(models.StoredSpotTerms),
    )


def edge() -> EdgeCatalogue:
    """What is known of edge devices; read once per process and version. One query when it is already read."""
    return read_edge(current_version())


@kept(2)
def read_edge(version: str) -> EdgeCatalogue:
    return loading.build_edge({model: read(model) for model in loading.EDGE_MODELS}, version)


def fit() -> FitFacts:
    """Models and the memory they take; read once per process and version. One query when it is already read."""
    return read_fit(current_version().partition(".")[0])


@kept(2)
def read_fit(_fixtures: str) -> FitFacts:
    return loading.build_fit({model: read(model) for model in loading.FIT_MODELS})


def world() -> World:
    """Catalogue and newest price book in the default currency as the engine wants them; built once per process and
    version. One query."""
    return build_world(current_version())


@kept(2)
def build_world(version: str) -> World:
    facts, book = read_catalogue(version), read_price_book(version, None, DEFAULT_CURRENCY)
    return _facts_world(version.partition(".")[0]).with_quotes(Quotes(book, facts))


@kept(2)
def _facts_world(fixtures: str) -> World:
    """What no price changes, and what is dear to work out: new price books share it."""
    return World(read_facts(fixtures), Quotes(price_book(), read_facts(fixtures)))


def read(model: type[Fact], **filters: str) -> list[Any]:
    """Engine values of a table in fixture order; tuples, not instances: thousands of rows in milliseconds."""
    rows = model.objects.filter(**filters).order_by("pk").values_list(*model.engine_columns())
    return model.from_values(rows.iterator(chunk_size=10_000))
