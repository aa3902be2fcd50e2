"""One report as a page or as one file: the same template, the same figures, for view and command alike."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from advisor.charts.report import cost_chart, steps, waterfall_drawing
from advisor.cost_detail import cost_detail
from advisor.engine.advice_from_json import advice_from_json
from advisor.engine.advice_json import advice_json
from advisor.engine.answer import Advice
from advisor.engine.assumption_words import label_of
from advisor.engine.assumptions import ASSUMPTIONS, AssumptionChange
from advisor.engine.cost_parts import cost_parts
from advisor.engine.money import present_value
from advisor.engine.outlook import outlook
from advisor.engine.redact import redact
from advisor.engine.report_doubts import doubts, sources
from advisor.engine.report_figures import deadlines, less, report_pools

DOCUMENT = "advisor/report/document.html"
SOURCE_WORDS = {
    "prices": "Prices",
    "dates": "Retirement dates",
    "speed": "Speed",
    "moves": "Microsoft's moves",
}
_INDENTATION = re.compile(r"\s*\n\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class AssumptionRow:
    """One assumed figure as the report shows it; unit and reason are empty when this version does not know it."""

    label: str
    value: float
    unit: str
    reason: str
    change: AssumptionChange | None  # None: as in the list


def report_context(document: dict[str, Any], *, title: str, made_at: datetime, with_names: bool) -> dict[str, Any]:
    """Everything that the report's template shows, from the frozen JSON alone."""
    advice = advice_from_json(document)
    figures = outlook(advice)
    pools, totals = report_pools(advice, figures), advice.totals
    found = deadlines(figures.lines)
    rate = advice.assumptions.get("discount_rate", 0.0)
    return {
        "title": title,
        "made_at": made_at,
        "with_names": with_names,
        "check_sum": check_sum(document),
        "advice": advice,
        "pools": pools,
        "figures": figures,
        "change": less(totals.recommended_monthly_cost, totals.baseline_monthly_cost),
        "deadlines": found,
        "doubts": doubts(advice, pools),
        "path": cost_chart(advice, found),
        "waterfall": _waterfall(advice, pools),
        "parts": cost_parts(pool.pool for pool in pools if pool.priced),
        "tco_saving": less(totals.baseline_tco, totals.recommended_tco),
        "detailed": [(pool, cost_detail(pool.pool, advice.currency)) for pool in pools],
        "annuity": present_value(1.0, rate / 100, advice.horizon_months),
        "rate": rate,
        "assumptions": _assumptions(advice),
        "sources": [(SOURCE_WORDS[subject], pages) for subject, pages in sources(pools).items()],
        "refused_rows": sum(reading.error_rows for reading in advice.readings),
    }


def _assumptions(advice: Advice) -> list[AssumptionRow]:
    """All assumptions of the answer, those first that were changed."""
    changed = {change.name: change for change in advice.assumptions_changed}
    rows = []
    for name in sorted(advice.assumptions, key=lambda name: name not in changed):
        known = ASSUMPTIONS.get(name)
        unit, reason = (known.unit, known.reason) if known else ("", "")
        value, change = advice.assumptions[name], changed.get(name)
        rows.append(AssumptionRow(label=label_of(name), value=value, unit=unit, reason=reason, change=change))
    return rows


def _waterfall(advice: Any, pools: Any) -> dict[str, Any] | None:
    totals = advice.totals
    if totals.baseline_tco is None or totals.recommended_tco is None:
        return None
    found = steps(pools, totals.baseline_tco, totals.recommended_tco)
    return {
        "wide": waterfall_drawing(found, width=640, left=172),
        "narrow": waterfall_drawing(found, width=340, left=132),
        "steps": found,
        "largest": max((step for step in found if step.change), key=lambda step: abs(step.change or 0.0), default=None),
    }


def check_sum(document: dict[str, Any]) -> str:
    """Two groups of four hex digits of sha256 over the answer's JSON with sorted keys: equal on page and file.

    What was read is left out: a stored fleet keeps the sums of its rows, a file has the rows.
    """
    answer = {key: value for key, value in document.items() if key != "import"}
    text = json.dumps(answer, sort_keys=True, separators=(",", ":"))
    digits = hashlib.sha256(text.encode()).hexdigest()
    return f"{digits[:4]} {digits[4:8]}"


@lru_cache(maxsize=1)
def style() -> SafeString:
    """The site's one stylesheet, to be written into a file; our own text, so it is safe as it is."""
    path = finders.find("advisor/app.css")
    text = squeeze(Path(str(path)).read_text(encoding="utf-8"))
    if "</" in text or "url(" in text:
        raise ValueError("app.css holds a tag or an address and cannot be written into a file")
    return mark_safe(text)  # noqa: S308


def style_policy() -> str:
    """The policy that a file carries itself: this one stylesheet, nothing else."""
    digest = base64.b64encode(hashlib.sha256(style().encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def render_file(context: dict[str, Any]) -> str:
    """The report as one self-contained HTML file: no script, no request, works from a disk."""
    own = {"style": style(), "policy": style_policy()}
    return squeeze(render_to_string(context.get("document", DOCUMENT), context | own))


def report_file_of(advice: Advice, *, title: str, with_names: bool) -> str:
    """A report of what may be shared of the advice, as one file; nothing is stored."""
    document = advice_json(redact(advice, with_names=with_names))
    return render_file(report_context(document, title=title, made_at=timezone.now(), with_names=with_names))


def render_report(request: HttpRequest, context: dict[str, Any]) -> str:
    """The report as a page; `maker` in the context for the browser session that made it."""
    return squeeze(render_to_string(context.get("document", DOCUMENT), context, request))


def squeeze(text: str) -> str:
    """Lines without their indentation, which is a third of a long page; no element here keeps its spaces."""
    return _INDENTATION.sub("\n", text)
