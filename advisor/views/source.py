"""Where everything comes from: price book, catalogue, conflicts, benchmarks, and how far off the speed model is."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from advisor import store
from advisor.documents import SPEED_MODEL, speed_errors
from advisor.engine.provenance import fact_kinds, price_ages, price_publishers
from advisor.engine.speed import fit_without
from advisor.engine.speed_shares import shares


@require_safe
def sources(request: HttpRequest) -> HttpResponse:
    """The whole provenance on one page."""
    version = store.current_version()
    context = {"section": "sources"} | provenance(version)
    asked = request.GET.get("kind", "")
    context["shown"] = next((kind for kind in context["kinds"] if kind.anchor == asked), None)
    return render(request, "advisor/source/page.html", context)


@lru_cache(maxsize=1)
def provenance(version: str) -> dict[str, Any]:
    """What the page shows of one version, made once."""
    world = store.build_world(version)
    catalogue, book = world.catalogue, world.quotes.book
    days = [price.as_of for price in book.prices.values()]
    return {
        "catalogue": catalogue,
        "book": book,
        "book_first": min(days),
        "book_last": max(days),
        "book_regions": len({region for _size, region, _os, _model in book.prices}),
        "book_sizes": len({size for size, _region, _os, _model in book.prices}),
        "price_ages": price_ages(book),
        "price_publishers": price_publishers(book),
        "kinds": fact_kinds(catalogue),
        "conflicts": catalogue.conflicts,
        "errors": speed_errors(),
        "shares": tuple(shares(catalogue)),
        "speed_fit": fit_without(catalogue, ""),
        "speed_document": SPEED_MODEL,
    }
