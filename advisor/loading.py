"""Fixture rows, from files or from the database, put together as the engine's Catalogue and PriceBook.

`advisor.store` feeds it from the database; engine tests feed it from the fixture files and need no database.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from advisor import models
from advisor.engine.catalogue import Catalogue, by_name
from advisor.engine.edge.devices import EdgeCatalogue
from advisor.engine.fit.facts import FitFacts
from advisor.engine.prices import Price, PriceBook
from advisor.facts import DatedFact, Fact

#: Fixture file of each kind. The order is that in which they are loaded.
FIXTURES: Mapping[str, type[Fact]] = {
    "gpus": models.StoredGpu,
    "sizes": models.StoredSize,
    "ledger": models.StoredLedgerEvent,
    "conflicts": models.StoredConflict,
    "moves": models.StoredMove,
    "series_support": models.StoredSeriesSupport,
    "software": models.StoredSoftwareSupport,
    "drivers": models.StoredDriverRelease,
    "systems": models.StoredSystemSupport,
    "images": models.StoredImageSupport,
    "platforms": models.StoredSeriesPlatform,
    "regions": models.StoredRegion,
    "availability": models.StoredAvailability,
    "quota_families": models.StoredQuotaFamily,
    "listed_names": models.StoredListedName,
    "benchmarks": models.StoredBenchmark,
    "speed_fits": models.StoredSpeedFit,
    "price_books": models.StoredPriceBook,
    "prices": models.StoredPrice,
    "commitments": models.StoredCommitmentTerms,
    "spot_terms": models.StoredSpotTerms,
    "edge_devices": models.StoredEdgeDevice,
    "edge_sizes": models.StoredEdgeSize,
    "edge_facts": models.StoredEdgeFact,
    "edge_conflicts": models.StoredEdgeConflict,
    "edge_releases": models.StoredEdgeRelease,
    "edge_failures": models.StoredEdgeFailure,
    "fit_models": models.StoredFitModel,
    "fit_readings": models.StoredMemoryReading,
    "fit_loads": models.StoredLoadFigure,
}

Facts = Mapping[type[Fact], Sequence[Any]]


def fixture_paths(directory: Path | None = None) -> list[Path]:
    """The fixture files in loading order."""
    root = directory or Path(settings.FIXTURE_DIRS[0])
    return [root / f"{name}.json" for name in FIXTURES]


def digest(paths: Iterable[Path]) -> str:
    """sha256 over names and contents."""
    total = hashlib.sha256()
    for path in paths:
        content = path.read_bytes()
        total.update(f"{path.name}:{len(content)}:".encode())
        total.update(content)
    return total.hexdigest()


def read_rows(path: Path, model: type[Fact]) -> list[Any]:
    """Unsaved instances of one fixture file; raises ValueError when a row is of another kind."""
    label = model._meta.label_lower
    convert = {column.name: column.to_python for column in model._meta.concrete_fields}
    rows = []
    for entry in json.loads(path.read_text(encoding="utf-8")):
        if entry["model"] != label:
            raise ValueError(f"{path.name} holds a row of {entry['model']}, expected {label}")
        rows.append(model(**{name: convert[name](cell) for name, cell in entry["fields"].items()}))
    return rows


def read_fixtures(directory: Path | None = None) -> dict[type[Fact], list[Any]]:
    """All fixture files as unsaved instances, by model."""
    paths = fixture_paths(directory)
    return {model: read_rows(path, model) for path, model in zip(paths, FIXTURES.values(), strict=True)}


def build_catalogue(facts: Facts, version: str) -> Catalogue:
    """The Catalogue of engine values by model; its day is the newest day of any dated fact."""
    dated = [row for model, rows in facts.items() if issubclass(model, DatedFact) for row in rows]
    return Catalogue(
        version=version,
        as_of=max(row.as_of for row in dated),
        sizes=by_name(facts[models.StoredSize]),
        gpus=by_name(facts[models.StoredGpu]),
        events=tuple(facts[models.StoredLedgerEvent]),
        conflicts=tuple(facts[models.StoredConflict]),
        moves=tuple(facts[models.StoredMove]),
        series_support={row.series: row for row in facts[models.StoredSeriesSupport]},
        software=tuple(facts[models.StoredSoftwareSupport]),
        drivers=tuple(facts[models.StoredDriverRelease]),
        systems=tuple(facts[models.StoredSystemSupport]),
        images=tuple(facts[models.StoredImageSupport]),
        platforms={row.series: row for row in facts[models.StoredSeriesPlatform]},
        regions=by_name(facts[models.StoredRegion]),
        availability=tuple(facts[models.StoredAvailability]),
        quota_families=tuple(facts[models.StoredQuotaFamily]),
        listed_names=by_name(facts[models.StoredListedName]),
        benchmarks=tuple(facts[models.StoredBenchmark]),
        speed_fits=tuple(facts[models.StoredSpeedFit]),
    )


#: What an EdgeCatalogue is made of.
EDGE_MODELS = tuple(model for name, model in FIXTURES.items() if name.startswith("edge_"))
#: What FitFacts are made of.
FIT_MODELS = tuple(model for name, model in FIXTURES.items() if name.startswith("fit_"))
#: What a Catalogue is made of; the other kinds belong to price books, to edge devices and to what fits.
CATALOGUE_MODELS = tuple(
    model
    for model in FIXTURES.values()
    if model not in (models.StoredPriceBook, models.StoredPrice, models.StoredCommitmentTerms, models.StoredSpotTerms)
    and model not in (*EDGE_MODELS, *FIT_MODELS)
)


def build_edge(facts: Facts, version: str) -> EdgeCatalogue:
    """The EdgeCatalogue of engine values by model; its day is the newest day of any row."""
    return EdgeCatalogue(
        version=version,
        as_of=max(row.as_of for rows in facts.values() for row in rows),
        devices=by_name(facts[models.StoredEdgeDevice]),
        sizes=by_name(facts[models.StoredEdgeSize]),
        facts={row.code: row for row in facts[models.StoredEdgeFact]},
        conflicts=tuple(facts[models.StoredEdgeConflict]),
        releases=by_name(facts[models.StoredEdgeRelease]),
        failures=tuple(facts[models.StoredEdgeFailure]),
    )


def build_fit(facts: Facts) -> FitFacts:
    """The FitFacts of engine values by model."""
    return FitFacts(
        models=by_name(facts[models.StoredFitModel]),
        readings=tuple(facts[models.StoredMemoryReading]),
        loads=tuple(facts[models.StoredLoadFigure]),
    )


def build_price_book(
    head: models.StoredPriceBook, prices: Iterable[Price], commitments: Iterable[Any], spot: Iterable[Any]
) -> PriceBook:
    """The PriceBook of one stored head with its prices and the terms of every series."""
    fields = {name: getattr(head, name) for name in head.engine_columns()}
    return PriceBook(
        **fields,
        prices={(row.size, row.region, row.os, row.price_model): row for row in prices},
        commitments={(row.series, row.price_model): row for row in commitments},
        spot={row.series: row for row in spot},
    )


@cache
def from_fixtures(directory: Path | None = None) -> tuple[Catalogue, PriceBook]:
    """Catalogue and newest price book straight from the files, without a database."""
    rows = read_fixtures(directory)
    facts = {model: [row.to_engine() for row in rows[model]] for model in CATALOGUE_MODELS}
    head = max(rows[models.StoredPriceBook], key=lambda book: (book.as_of, book.name))
    book = build_price_book(
        head,
        (row.to_engine() for row in rows[models.StoredPrice] if row.book == head.name),
        (row.to_engine() for row in rows[models.StoredCommitmentTerms]),
        (row.to_engine() for row in rows[models.StoredSpotTerms]),
    )
    return build_catalogue(facts, digest(fixture_paths(directory))), book


@cache
def edge_from_fixtures(directory: Path | None = None) -> EdgeCatalogue:
    """What is known of edge devices straight from the files, without a database."""
    paths = dict(zip(FIXTURES.values(), fixture_paths(directory), strict=True))
    facts = {model: [row.to_engine() for row in read_rows(paths[model], model)] for model in EDGE_MODELS}
    return build_edge(facts, digest(fixture_paths(directory)))


def fit_from_fixtures(directory: Path | None = None) -> FitFacts:
    """Models and the memory they take straight from the files, without a database."""
    paths = dict(zip(FIXTURES.values(), fixture_paths(directory), strict=True))
    return build_fit({model: [row.to_engine() for row in read_rows(paths[model], model)] for model in FIT_MODELS})
