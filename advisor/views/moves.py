"""Every move that Microsoft documents, judged on a day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from advisor import store
from advisor.engine.catalogue import Catalogue, squash
from advisor.engine.documented import JudgedMove, MoveGroup, grouped, judge_documented
from advisor.engine.single import REGION
from advisor.forms.moves import JUDGEMENTS, MovesForm
from advisor.views.render import HtmxRequest, render_page

PAGE, PART = "advisor/moves/page.html", "advisor/moves/_moves.html"
IN_FULL = 14  # with no more moves than this each shows its reasons


@require_safe
def moves(request: HtmxRequest) -> HttpResponse:
    """The moves that pass the filters; few of them with every reason."""
    version = store.current_version()
    catalogue = store.read_catalogue(version)
    form = MovesForm(request.GET, series_of(catalogue))
    valid = form.is_valid()
    judged = all_judged(version, form.day())
    found = [one for one in judged if is_wanted(one, form, catalogue)]
    counts = Counter(one.judgement for one in judged)
    groups = grouped(found)
    sources = {source: number for number, source in enumerate(dict.fromkeys(g.first.move.source for g in groups), 1)}
    context: dict[str, Any] = {
        "form": form,
        "section": "retirements",
        "page": "moves",
        "as_of": form.day(),
        "counts": [(word, counts[word]) for word in JUDGEMENTS],
        "total": len(judged),
        "found": len(found),
        "parts": parts_of(catalogue, groups, sources),
        "sources": sources.items(),
        "in_full": len(groups) <= IN_FULL,
        "region": catalogue.regions[REGION].display_name,
        "catalogue": catalogue,
    }
    return render_page(request, PAGE, PART, context, status=200 if valid else 422)


@lru_cache(maxsize=16)
def all_judged(version: str, as_of: date) -> tuple[JudgedMove, ...]:
    """All moves of one version and day, judged once."""
    return judge_documented(store.build_world(version), as_of)


def series_of(catalogue: Catalogue) -> list[str]:
    """Series from which a move is documented, by name."""
    sizes = {move.from_size for move in catalogue.moves}
    return sorted({catalogue.sizes[name].series for name in sizes if name in catalogue.sizes})


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The moves from one series, each with the number of its page, and how they are judged."""

    series: str
    groups: list[tuple[MoveGroup, int]]

    @property
    def counts(self) -> list[tuple[str, int]]:
        found = Counter(group.first.judgement for group, _number in self.groups for _size in group.sizes)
        return [(word, found[word]) for word in JUDGEMENTS if found[word]]


def parts_of(catalogue: Catalogue, groups: Iterable[MoveGroup], sources: Mapping[str, int]) -> list[Part]:
    """The groups by the series of their first size, in the order in which they come."""
    by_series: dict[str, list[tuple[MoveGroup, int]]] = {}
    for group in groups:
        series = catalogue.sizes[group.sizes[0]].series
        by_series.setdefault(series, []).append((group, sources[group.first.move.source]))
    return [Part(series=series, groups=found) for series, found in sorted(by_series.items())]


def is_wanted(one: JudgedMove, form: MovesForm, catalogue: Catalogue) -> bool:
    """True for a move that passes every filter."""
    source = catalogue.sizes.get(one.move.from_size)
    if form.said("judgement") not in ("", one.judgement):
        return False
    if form.said("series") not in ("", source.series if source else ""):
        return False
    return not form.said("q") or names(one, squash(form.said("q")), catalogue.canonical_size(form.said("q")))


def names(one: JudgedMove, text: str, size: str | None) -> bool:
    """True for a move from or to the size; where the text is no size, to or from a name that holds it."""
    ends = (one.move.from_size, one.target.name if one.target else "", one.move.to_size or one.move.to_series or "")
    return size in ends if size else any(text in squash(end) for end in ends)
