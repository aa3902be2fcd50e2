"""One pool of an answer in full, and the sizes that are refused for it: parts of the answer's page, or pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import parse_qsl
from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from advisor import store_assumptions, store_fleets
from advisor.charts.scatter import Point, scatter
from advisor.charts.span import spans
from advisor.charts.spark import Spark, spark
from advisor.cost_detail import cost_detail
from advisor.engine.answer import Advice, Option, PoolAdvice, PriceRow, Question, Reason, Rejected
from advisor.engine.candidates import World
from advisor.engine.fact_kinds import KINDS
from advisor.engine.inputs import Input, inputs
from advisor.engine.ledger import status_at
from advisor.engine.outlook import end_of
from advisor.engine.prices import COMMITMENTS
from advisor.engine.reasons import default_reasons
from advisor.engine.worked import basis_price, steps
from advisor.engine.workload import ProfileFields
from advisor.forms.assumption import AssumptionField, fields_of
from advisor.forms.contrast import ContrastForm
from advisor.forms.profile import ProfileForm, initial_of
from advisor.views.asked import Asked, asked
from advisor.views.measured import own_asked
from advisor.views.render import HtmxRequest, render_page

#: Options in full, in the table and in the picture.
TOP = 12
#: Points of the picture: more cannot be told apart.
POINTS = 6
#: Reasons shown where no size can be ranked.
OBSTACLES = 4
_ORDER = ("step", "warning", "unknown", "note")


@dataclass(frozen=True, slots=True, kw_only=True)
class Commitment:
    """What committing saves a month; what moving saves is another figure."""

    row: PriceRow
    saving: float


@require_safe
def pool(request: HtmxRequest, fleet_id: UUID, pool_id: str) -> HttpResponse:
    """One pool in full: a part of the answer's page for htmx, a page of its own for all others."""
    question = asked(request, fleet_id)
    within = "answer" if request.htmx.target == "open-pool" else "pool"
    context = pool_context(question, pool_id, within=within) | {"edited": request.GET.get("edited")}
    status = 200 if question.form.is_valid() else 422
    return render_page(
        request, "advisor/advice/pool_page.html", "advisor/advice/_pool.html", context, status=status, dense=True
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Refused sizes whose first reason is the same; `alone`: sizes that one thing which can change keeps out."""

    reason: str
    alone: bool
    entries: tuple[Rejected, ...]


@require_safe
def rejected(request: HtmxRequest, fleet_id: UUID, pool_id: str) -> HttpResponse:
    """Every size that is refused for a pool, with all its reasons and what would change that."""
    question = asked(request, fleet_id)
    context: dict[str, Any] = {"section": "fleet", "fleet": question.fleet, "query": question.query}
    valid = question.form.is_valid()
    if valid:
        _, found = question.pool(pool_id, top=1)
        context |= {"pool": found, "regions": question.world.catalogue.regions, "groups": refused_by_reason(found)}
    context["form"] = question.form
    page, part = "advisor/advice/rejected_page.html", "advisor/advice/_rejected.html"
    return render_page(request, page, part, context, status=200 if valid else 422)


def refused_by_reason(pool: PoolAdvice) -> list[Group]:
    """The refused sizes, each once: those that one change would let in, then by first reason, most sizes first."""
    near = tuple(entry for entry in pool.rejected if entry.flips_if)
    groups = [Group(reason="near", alone=True, entries=near)] if near else []
    by_code: dict[str, list[Rejected]] = {}
    for entry in pool.rejected:
        if not entry.flips_if:
            by_code.setdefault(entry.reasons[0].code, []).append(entry)
    found = sorted(by_code.items(), key=lambda item: -len(item[1]))
    return groups + [Group(reason=code, alone=False, entries=tuple(entries)) for code, entries in found]


def pool_context(
    question: Asked,
    pool_id: str,
    *,
    within: str,
    profile: ProfileForm | None = None,
    compare: ContrastForm | None = None,
) -> dict[str, Any]:
    """What the templates of one pool need; `profile` and `compare` are its forms as they were filled in."""
    context: dict[str, Any] = {"section": "fleet", "fleet": question.fleet, "query": question.query}
    context |= {"form": question.form, "within": within}
    if not question.form.is_valid():
        return context
    world = question.world
    compare = compare or ContrastForm(None, world.catalogue, key=pool_id)
    against = (compare.cleaned_data["against"],) if compare.is_valid() else ()
    advice, found = question.pool(pool_id, top=TOP, against=against)
    first = found.options[0] if found.options else None
    compared = next((contrast for contrast in found.contrasts if "asked" in contrast.roles), None)
    context |= {"compare": compare, "compared": compared, "switches": parse_qsl(question.query)}
    said = store_fleets.profiles_of(question.fleet).get(found.id, ProfileFields())
    profile = profile or ProfileForm(key=found.id, initial=initial_of(said))
    profile.explain(found.workload, default_reasons(found, world.catalogue), said)
    context |= questions_of(found)
    context["here"] = _here(question, found.id, within)
    context |= {"advice": advice, "pool": found, "first": first, "profile": profile, "ends": end_of(found)}
    context["own"] = own_asked(question, found, context["here"])
    context |= {"regions": world.catalogue.regions, "retired": found.lifecycle.status == "retired"}
    costs = spans([option.tco for option in found.options], found.baseline.tco)
    context |= {"sparks": [(o, _spark(o), span) for o, span in zip(found.options, costs, strict=True)]}
    if first is None:
        context["obstacles"] = _obstacles(found)
    else:
        context |= {
            "steps": steps(advice, found, first),
            "inputs": _inputs(question, advice, found, first),
            "price": basis_price(first),
            "verdict": verdict_of(first),
            "runbook": next(iter(found.runbooks), None),
            "next_end": _next_end(world, first, advice.as_of),
            "commitment": _commitment(first),
            "detail": cost_detail(found, advice.currency),
        }
        points = _points(found, world)
        context |= {"points": points, "wide": scatter(points, width=540, height=320)}
        context |= {"narrow": scatter(points, width=340, height=300)}
    return context


def _inputs(
    question: Asked, advice: Advice, pool: PoolAdvice, option: Option
) -> list[tuple[Input, AssumptionField | None]]:
    """What the working starts from, each assumption with the field that edits it."""
    fields = fields_of(store_assumptions.assumed_in(question.fleet))
    return [(entry, fields.get(entry.assumption)) for entry in inputs(advice, pool, option)]


def _here(question: Asked, pool_id: str, within: str) -> str:
    """The address at which the pool stands open, ready for one more key."""
    if within == "pool":
        address = question.address("pool", pool_id)
        return address + ("&" if "?" in address else "?")
    address = question.address("answer")
    return f"{address}{'&' if '?' in address else '?'}open={pool_id}&"


def _obstacles(pool: PoolAdvice) -> list[tuple[int, Reason]]:
    """The reasons that most sizes are refused for: how many sizes, and one such reason."""
    samples = {reason.code: reason for entry in pool.rejected for reason in entry.reasons}
    counts = Counter(code for entry in pool.rejected for code in {reason.code for reason in entry.reasons})
    return [(number, samples[code]) for code, number in counts.most_common(OBSTACLES)]


def _spark(option: Option) -> Spark | None:
    speed = option.speedup
    return None if speed.low == speed.high else spark(speed.low, speed.expected, speed.high)


def questions_of(pool: PoolAdvice) -> dict[str, list[Question]]:
    """The questions one by one, and apart from them those on the machines that decide nothing."""
    facts = [entry for entry in pool.questions if entry.field in KINDS and not entry.changes_first_choice]
    return {"questions": [entry for entry in pool.questions if entry not in facts], "fact_questions": facts}


def rules_in_order(option: Option) -> list[Reason]:
    """Every rule of an option: steps, then warnings, what is unknown, and notes."""
    return sorted(option.rules, key=_weight)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the rules say of an option beside its steps: what to watch, and what is not known."""

    warnings: tuple[Reason, ...]
    notes: int
    unknown: tuple[Reason, ...]  # those that a fact of the machines would settle
    open: tuple[Reason, ...]  # those that no fact of the machines settles


def verdict_of(option: Option) -> Verdict:
    """The rules of an option by what a reader does with them."""
    unknown = [reason for reason in option.rules if reason.severity == "unknown"]
    return Verdict(
        warnings=tuple(reason for reason in option.rules if reason.severity == "warning"),
        notes=sum(1 for reason in option.rules if reason.severity == "note"),
        unknown=tuple(reason for reason in unknown if reason.field in KINDS),
        open=tuple(reason for reason in unknown if reason.field not in KINDS),
    )


def _weight(reason: Reason) -> int:
    return _ORDER.index(reason.severity) if reason.severity in _ORDER else 0


def _next_end(world: World, option: Option, as_of: date) -> date | None:
    """The earliest day on which any source ends the size; None: none is known."""
    return status_at(world.catalogue, option.size, option.region, as_of).earliest_date


def _commitment(first: Option) -> Commitment | None:
    """The cheapest commitment, where it costs less than the option."""
    known = [row for row in first.prices if row.price_model in COMMITMENTS and row.monthly_cost is not None]
    best = min(known, key=lambda row: row.monthly_cost or 0.0, default=None)
    if best is None or best.monthly_cost is None or best.monthly_cost >= first.monthly_cost:
        return None
    return Commitment(row=best, saving=first.monthly_cost - best.monthly_cost)


def _points(pool: PoolAdvice, world: World) -> Sequence[Point]:
    """Today, and for each GPU its best option, in the order of the ranking."""
    points: list[Point] = []
    seen: set[tuple[str | None, float]] = set()
    for option in pool.options:
        size = world.catalogue.sizes[option.size]
        key = (size.gpu, min(1.0, size.gpus or 1.0))
        if key in seen or len(points) >= POINTS or (option.verdict == "stay" and points):
            continue
        seen.add(key)
        speed = option.speedup
        label = gpu_label(size.gpu, size.gpus)
        points.append(
            Point(
                label=label,
                low=speed.low,
                speed=speed.expected,
                high=speed.high,
                money=option.monthly_cost,
                chosen=not points,
            )
        )
    if pool.baseline.monthly_cost is not None:
        own = world.catalogue.sizes.get(pool.size)
        label = f"{gpu_label(own.gpu, own.gpus)} today" if own else "today"
        points.append(Point(label=label, low=1.0, speed=1.0, high=1.0, money=pool.baseline.monthly_cost, today=True))
    return points


def gpu_label(gpu: str | None, gpus: float | None) -> str:
    """A GPU's name, with the share of it that a slice has."""
    name = gpu or "GPU"
    return name if gpus is None or gpus >= 1 else f"1/{round(1 / gpus)} {name}"
