"""How far off the speed model is, pair by pair: every published speed-up against what the model said without it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from advisor.charts.agreement import Agreement, Pair, agreement
from advisor.documents import SPEED_MODEL, SPEED_PAIRS, speed_pairs
from advisor.engine.speed_score import Score, ScoredPair, score
from advisor.forms.speed import PairsForm
from advisor.views.render import HtmxRequest, render_page

PAGE, PART = "advisor/speed/page.html", "advisor/speed/_pairs.html"
SHOWN = 100  # rows of the table: those that are farthest off come first


@require_safe
def validation(request: HtmxRequest) -> HttpResponse:
    """The pairs that pass the filters, drawn and listed, with the scores of all."""
    pairs = speed_pairs()
    form = PairsForm(request.GET, sorted({p.kind for p in pairs}), sorted({p.source for p in pairs}))
    valid = form.is_valid()
    kind, gpu = form.said("kind"), form.said("gpu")
    found = [p for p in pairs if kind in ("", p.kind) and gpu in ("", p.source)]
    context: dict[str, Any] = {
        "form": form,
        "section": "sources",
        "document": SPEED_MODEL,
        "file": SPEED_PAIRS,
        "found": len(found),
        "total": len(pairs),
        "kind": kind,
        "gpu": gpu,
        "summary": score(found) if found else None,
        "wide": drawing(found, 640, 440),
        "narrow": drawing(found, 360, 360),
        "rows": sorted(found, key=lambda p: (-p.error, p.group, p.source, p.target))[:SHOWN],
        "shown": SHOWN,
        "kinds": scores("kind"),
        "gpus": scores("source"),
    }
    return render_page(request, PAGE, PART, context, status=200 if valid else 422)


def drawing(pairs: Sequence[ScoredPair], width: int, height: int) -> Agreement | None:
    """The pairs as a drawing; None without pairs."""
    points = [Pair(measured=p.measured, low=p.low, expected=p.expected, high=p.high) for p in pairs]
    return agreement(points, width=width, height=height) if points else None


@lru_cache(maxsize=2)
def scores(name: str) -> tuple[tuple[str, Score], ...]:
    """Scores of all pairs by kind of work or by source GPU, most tables first."""
    by: dict[str, list[ScoredPair]] = {}
    for pair in speed_pairs():
        by.setdefault(getattr(pair, name), []).append(pair)
    return tuple(_largest_first((value, score(members)) for value, members in by.items()))


def _largest_first(found: Iterable[tuple[str, Score]]) -> list[tuple[str, Score]]:
    return sorted(found, key=lambda one: (-one[1].groups, one[0]))
