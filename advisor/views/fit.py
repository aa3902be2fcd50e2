"""Will it fit: what a model needs of GPU memory, which sizes hold it, and how far published figures agree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from advisor import store
from advisor.engine.citations import cite_all
from advisor.engine.fit.answer import FitAnswer, answer
from advisor.engine.fit.check import Checked, FamilyError, by_family, checked
from advisor.engine.fit.figures import FIGURES
from advisor.engine.fit.hold import Holding
from advisor.engine.fit.words import no_first, notes
from advisor.engine.listing import Listing
from advisor.forms.fit import SHAPE, FitForm
from advisor.views.catalogue import listings
from advisor.views.render import HtmxRequest, render_page

PAGE, PART = "advisor/fit/page.html", "advisor/fit/_answer.html"
#: Sizes of a table before the reader asks for all.
ROWS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One size of the table, with what the catalogue lists of it."""

    holding: Holding
    listing: Listing | None

    @property
    def price(self) -> float | None:
        """Price per hour of all machines, pay as you go; None where it is unknown."""
        return self.holding.hourly_price(self.listing.vm_price if self.listing else None)


@require_safe
def fit(request: HtmxRequest) -> HttpResponse:
    """The calculator; all that is asked stands in the address."""
    version = store.current_version()
    world = store.build_world(version)
    facts = store.fit()
    form = FitForm(request.GET, facts, world.catalogue)
    rows, families = checks(version)
    context: dict[str, Any] = {"section": "fit", "form": form, "shape": [form[name] for name in SHAPE]}
    context |= {"checked": rows, "families": families, "figures": FIGURES, "book": world.quotes.book}
    if not form.is_valid():
        return render_page(request, PAGE, PART, context, status=422)
    found = answer(facts, world.catalogue, form.chosen(), form.work(), form.day())
    region = form.priced_region()
    listed = {row.size.name: row for row in listings(version, form.day(), region)}
    context |= places(found, listed, everything="all" in request.GET)
    context |= {"fit": found, "as_of": form.day(), "for_pool": form.pool_asked()}
    context |= {"notes": notes(found), "no_first": no_first(found)}
    context["region"] = world.catalogue.regions[region].display_name if region else None
    context["sources"] = cite_all(sources_of(found))
    query = request.GET.copy()
    query["all"] = "1"
    return render_page(request, PAGE, PART, context | {"all_query": query.urlencode()})


@lru_cache(maxsize=1)
def checks(_version: str) -> tuple[tuple[Checked, ...], tuple[FamilyError, ...]]:
    """The published figures of one version beside the formula, made once."""
    rows = checked(store.fit())
    return tuple(sorted(rows, key=lambda row: (row.family, row.load.model, row.load.code))), by_family(rows)


def places(found: FitAnswer, listed: dict[str, Listing], *, everything: bool) -> dict[str, Any]:
    """Rows of the tables, those that hold the model and those that may."""
    holding, unsure = (
        [Place(holding=one, listing=listed.get(one.room.size.name)) for one in group]
        for group in (found.holding, found.unsure)
    )
    return {
        "holding": holding if everything else holding[:ROWS],
        "holding_count": len(holding),
        "unsure": unsure if everything else unsure[:ROWS],
        "unsure_count": len(unsure),
        "first": next((place for place in holding if place.holding is found.first), None),
    }


def sources_of(found: FitAnswer) -> Iterable[str]:
    """The model's source, those of the formulas, and that of the memory of the first choice."""
    yield found.model.source
    for part in found.alone.parts:
        if part.source not in ("", "you"):
            yield part.source
    if found.first is not None:
        yield found.first.room.size.source
        if found.first.room.reading is not None:
            yield found.first.room.reading.source
