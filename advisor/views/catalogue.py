"""The catalogue: all sizes in one table that filters and sorts in place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe
from django_htmx.http import push_url

from advisor import store
from advisor.engine.candidates import World
from advisor.engine.listing import SORTS, Listing, Selection, list_sizes, order, select, would_help
from advisor.forms.catalogue import SORT_WORDS, CatalogueForm
from advisor.views.render import HtmxRequest, render_page

PAGE, PART = "advisor/catalogue/page.html", "advisor/catalogue/_sizes.html"
FIRST_DOWN = ("gpus", "memory", "total", "vcpus", "ram", "infiniband", "priced")  # the first click shows the most


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A column heading that sorts."""

    key: str
    words: str
    unit: str
    url: str
    sorted: str  # ascending, descending or ""
    number: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Looser:
    """The list without one filter: what it is called, how many sizes there are, where."""

    words: str
    count: int
    url: str


@require_safe
def catalogue(request: HtmxRequest) -> HttpResponse:
    """All sizes as seen from a day and a region; the state of filters and order is the address."""
    version = store.current_version()
    world = store.build_world(version)
    form = CatalogueForm(request.GET, world.catalogue, world.quotes.book.currency)
    context: dict[str, Any] = {"form": form, "section": "catalogue", "book": world.quotes.book}
    context |= {"listed_names": world.catalogue.listed_names.values(), "catalogue": world.catalogue}
    if not form.is_valid():
        return render_page(request, PAGE, PART, context, status=422)
    rows = listings(version, form.day(), form.priced_region())
    found = select(rows, form.wanted())
    response = render_page(request, PAGE, PART, context | listed(form, world, rows, found))
    address = reverse("sizes") + (f"?{form.query()}" if form.query() else "")
    return push_url(response, address) if request.htmx and not request.htmx.history_restore_request else response


@lru_cache(maxsize=32)
def listings(version: str, as_of: date, region: str | None) -> tuple[Listing, ...]:
    """All rows of one version, day and region, made once."""
    return list_sizes(store.build_world(version), as_of, region)


def listed(form: CatalogueForm, world: World, rows: tuple[Listing, ...], found: Selection) -> dict[str, Any]:
    """What the table shows."""
    region = form.priced_region()
    return {
        "rows": order(found.rows, *form.sorting()),
        "total": len(rows),
        "left_out": found.unknown,
        "headings": list(headings(form, world.quotes.book.currency)),
        "looser": [] if found.rows else list(looser(form, rows)),
        "as_of": form.day(),
        "region": world.catalogue.regions[region].display_name if region else None,
        "size_query": f"?as_of={form.day()}" if form.cleaned_data["as_of"] else "",
    }


UNITS = {
    "gpus": "per VM",
    "memory": "GiB each",
    "total": "GiB per VM",
    "ram": "GiB",
    "infiniband": "Gb/s per VM",
    "price": "{currency} / VM-h",
    "gpu_price": "{currency} / GPU-h",
}
HEADING_WORDS = SORT_WORDS | {
    "memory": "GPU mem.",
    "total": "GPU mem.",
    "price": "Price",
    "gpu_price": "Price",
    "priced": "Price of",
}
COLUMN_ORDER = ("name", *(key for key in SORTS if key != "name"))


def headings(form: CatalogueForm, currency: str) -> Iterator[Heading]:
    """One heading per column, each leading to the list sorted by it, or the other way round."""
    now, descending = form.sorting()
    for key in COLUMN_ORDER:
        down = not descending if key == now else key in FIRST_DOWN
        yield Heading(
            key=key,
            words=HEADING_WORDS[key],
            unit=UNITS.get(key, "").format(currency=currency),
            url=f"?{form.query(sort=f'-{key}' if down else key)}",
            sorted="" if key != now else "descending" if descending else "ascending",
            number=key not in ("name", "status", "gpu"),
        )


def looser(form: CatalogueForm, rows: tuple[Listing, ...]) -> Iterator[Looser]:
    """What to give up so that something is shown."""
    for name, count in would_help(rows, form.wanted()):
        field = "q" if name == "text" else name
        yield Looser(words=str(form[field].label), count=count, url=f"?{form.query(**{field: None})}")
