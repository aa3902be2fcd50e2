"""The answer for a fleet: the figures first, then what weakens them, then the pools; as page, JSON and CSV."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from advisor import store_mappings
from advisor.charts.bars import bars
from advisor.charts.report import cost_chart
from advisor.charts.spark import Spark, spark
from advisor.engine.advice_json import advice_json
from advisor.engine.answer import Advice
from advisor.engine.cost_parts import cost_parts
from advisor.engine.outlook import MANY_POOLS, Line, Outlook, outlook
from advisor.engine.report_figures import deadlines, less
from advisor.exports.table import write_csv
from advisor.forms.profile import ProfileForm
from advisor.forms.switches import HORIZONS
from advisor.views.asked import Asked, asked
from advisor.views.pool import pool_context
from advisor.views.render import HtmxRequest, render_page

PAGE = "advisor/advice/page.html"
PART = "advisor/advice/_answer.html"
#: Options that the files give in full.
TOP = 12
#: Pools outside the totals that are named, the others are counted.
NAMED = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of the pools' table: the line and its drawing (None: the same GPU, or nothing ranked)."""

    line: Line
    spark: Spark | None


@require_safe
def answer(request: HtmxRequest, fleet_id: UUID) -> HttpResponse:
    """The answer first, then the pools; changing a switch re-ranks in place. `open` names a pool to show in full."""
    question = asked(request, fleet_id)
    context = answer_context(request, question, open_pool=request.GET.get("open"))
    context["edited"] = request.GET.get("edited")
    return render_page(request, PAGE, PART, context, status=200 if question.form.is_valid() else 422)


def answer_context(
    request: HttpRequest, question: Asked, *, open_pool: str | None = None, many: ProfileForm | None = None
) -> dict[str, Any]:
    """What the answer's templates need; `many` is the form for many pools as it was filled in."""
    context: dict[str, Any] = {"section": "fleet", "fleet": question.fleet, "form": question.form}
    context |= {"priced_notes": question.priced.notes, "matched": store_mappings.matched_files(question.fleet)}
    context |= {"query": question.query, "many": many or ProfileForm(key="many"), "bound": many is not None}
    context |= switches_context(question)
    if not question.form.is_valid():
        return context
    advice = question.advice(top=1)
    figures = outlook(advice)
    context |= {"advice": advice, "figures": figures, "regions": question.world.catalogue.regions}
    context |= {"chosen": request.POST.getlist("pool"), "reports": question.fleet.reports.defer("advice")}
    context |= _table(figures, all_pools="all" in request.GET)
    outside = [line for line in figures.lines if line.pool.id in advice.totals.unpriced_pool_ids]
    context |= {"outside": outside[:NAMED], "outside_more": max(0, len(outside) - NAMED)}
    context |= _bars(advice, figures)
    context |= {"rate": advice.assumptions["discount_rate"], "path": cost_chart(advice, deadlines(figures.lines))}
    context["tco_saving"] = less(advice.totals.baseline_tco, advice.totals.recommended_tco)
    context["parts"] = cost_parts(pool for pool in advice.pools if pool.id not in advice.totals.unpriced_pool_ids)
    if open_pool and any(pool.id == open_pool for pool in advice.pools):
        context["opened"] = pool_context(question, open_pool, within="answer")
    return context


def switches_context(question: Asked) -> dict[str, Any]:
    """Choices of the switches that the form does not carry."""
    horizon = str(question.form["horizon"].value())
    regions = sorted(question.world.catalogue.regions.values(), key=lambda region: region.display_name)
    horizons = sorted({*map(str, HORIZONS), horizon}, key=lambda text: (len(text), text))
    return {"horizons": horizons, "horizon": horizon, "region_choices": regions}


def _table(figures: Outlook, *, all_pools: bool) -> dict[str, Any]:
    """The rows to show, and how many are left out when there are many."""
    lines: Sequence[Line] = figures.lines
    if len(lines) > MANY_POOLS and not all_pools:
        lines = figures.matter_first()
    return {"rows": [Row(line=line, spark=_spark(line)) for line in lines], "hidden": len(figures.lines) - len(lines)}


def _spark(line: Line) -> Spark | None:
    if line.first is None or line.first.speedup.low == line.first.speedup.high:
        return None
    speed = line.first.speedup
    return spark(speed.low, speed.expected, speed.high)


def _bars(advice: Advice, figures: Outlook) -> dict[str, Any]:
    """Money a month now and after; where machines are stopped, also what the same work cost before."""
    totals = advice.totals
    now, before, after = totals.cost_now_monthly, totals.baseline_monthly_cost, totals.recommended_monthly_cost
    if now is None or before is None or after is None:
        return {"change": None}
    rows = [("Billed now", now, 6), ("After", after, 1)]
    if figures.stopped is not None:
        rows.insert(1, ("Before", before, 5))
    change = after - before
    return {"wide": bars(rows, width=880), "narrow": bars(rows, width=350), "change": change}


@require_safe
def answer_json(request: HttpRequest, fleet_id: UUID) -> HttpResponse:
    """The advice under the contract's schema."""
    question = asked(request, fleet_id)
    if not question.form.is_valid():
        return HttpResponse(json.dumps({"errors": question.form.errors}), "application/json", status=422)
    body = json.dumps(advice_json(question.advice(top=TOP)), ensure_ascii=False)
    return _file(body, "application/json", "advice.json")


@require_safe
def answer_csv(request: HttpRequest, fleet_id: UUID) -> HttpResponse:
    """The options as a table."""
    question = asked(request, fleet_id)
    if not question.form.is_valid():
        return HttpResponse(json.dumps({"errors": question.form.errors}), "application/json", status=422)
    stream = io.StringIO(newline="")
    write_csv(question.advice(top=TOP), stream)
    return _file(stream.getvalue(), "text/csv; charset=utf-8", "advice.csv")


def _file(body: str, kind: str, name: str) -> HttpResponse:
    response = HttpResponse(body, kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
