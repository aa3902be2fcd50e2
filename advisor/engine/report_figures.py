"""What a report says beside the advice and its outlook: the pools in order, deadlines, the way that the cost takes.

Every figure is one of the advice or follows from it alone, so that a frozen report never changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from advisor.engine.answer import Advice, Option, PoolAdvice, Question, Reason
from advisor.engine.money import DAYS_PER_MONTH, ONCE, present_value
from advisor.engine.outlook import Line, Outlook

#: Refusals that hold for a size whatever the pool.
ABOUT_SIZES = frozenset({"retired", "retires-in-horizon", "special", "not-yet", "unknown-lifecycle"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """How many sizes are refused for a reason, and the message of the first."""

    code: str
    sizes: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPool:
    """A pool with its place in the report; `first` is None when nothing can be ranked."""

    number: int
    name: str  # the user's own; empty where it was left out
    pool: PoolAdvice
    first: Option | None
    ends: date | None  # when the machines stop or stopped; None: no date is known
    days_left: int | None  # 0 or less: that day has passed
    priced: bool
    moves: bool
    monthly_then: float | None
    tco_then: float | None
    change: float | None  # of the monthly cost, first choice less today; None: unknown
    steps: tuple[Reason, ...]
    dangers: tuple[Reason, ...]
    others: tuple[Reason, ...]
    refusals: tuple[Refusal, ...]
    main_refusal: Refusal | None  # the commonest that is about this pool and not about the size as such
    decisive: Question | None  # the first question that would change the first choice
    ranked: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadline:
    """A day on which sizes end, with what ends."""

    day: date
    days_left: int  # 0 or less: it has passed
    vms: int
    pools: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PathPoint:
    """Cost of ownership paid until the end of a month, present value."""

    month: int
    now: float
    then: float


def report_pools(advice: Advice, figures: Outlook) -> tuple[ReportPool, ...]:
    """The pools with their numbers, in the order of the outlook: most urgent first."""
    unpriced = set(advice.totals.unpriced_pool_ids)
    return tuple(_pool(line, line.pool.id not in unpriced) for line in figures.lines)


def _pool(line: Line, priced: bool) -> ReportPool:
    pool, first = line.pool, line.first
    rules = first.rules if first else ()
    refusals = _refusals(pool)
    return ReportPool(
        number=line.number,
        name="" if pool.name == nameless(line.number) else pool.name,
        pool=pool,
        first=first,
        ends=line.ends,
        days_left=line.days_left,
        priced=priced,
        moves=first is not None and (first.size != pool.size or first.region != pool.region),
        monthly_then=first.monthly_cost if first else None,
        tco_then=first.tco.expected if first else None,
        change=line.change,
        steps=tuple(reason for reason in rules if reason.severity == "step"),
        dangers=tuple(reason for reason in rules if reason.severity == "warning"),
        others=tuple(reason for reason in rules if reason.severity not in ("step", "warning")),
        refusals=refusals,
        main_refusal=next((refusal for refusal in refusals if refusal.code not in ABOUT_SIZES), None),
        decisive=next((question for question in pool.questions if question.changes_first_choice), None),
        ranked=len(pool.options) + len(pool.more_options),
    )


def nameless(number: int) -> str:
    """What a pool is called whose own name is left out."""
    return f"pool {number}"


def _refusals(pool: PoolAdvice) -> tuple[Refusal, ...]:
    """The reasons for which sizes are refused, the commonest first; each size counts for its first reason."""
    counts = Counter(rejected.reasons[0].code for rejected in pool.rejected)
    messages = {rejected.reasons[0].code: rejected.reasons[0].message for rejected in reversed(pool.rejected)}
    return tuple(Refusal(code=code, sizes=sizes, message=messages[code]) for code, sizes in counts.most_common())


def deadlines(lines: Sequence[Line]) -> tuple[Deadline, ...]:
    """The days on which machines stop: those to come, the soonest first, then those that have passed."""
    by_day: dict[date, list[Line]] = {}
    for line in lines:
        if line.ends is not None:
            by_day.setdefault(line.ends, []).append(line)
    return tuple(
        Deadline(
            day=day,
            days_left=ending[0].days_left or 0,
            vms=sum(line.pool.vms for line in ending),
            pools=tuple(ending),
        )
        for day, ending in by_day.items()
    )


def less(value: float | None, by: float | None) -> float | None:
    """The difference, None where a side is unknown."""
    return None if value is None or by is None else value - by


def cost_path(advice: Advice) -> tuple[PathPoint, ...]:
    """Cost of ownership paid until the end of each month, from 0 to the horizon; empty when it is not known.

        now(m)  = baseline, each month's part x a(m) / a(H)
        then(m) = what is paid once + the first choices' monthly parts x a(m) / a(H) + second moves until m

    a is the present value of 1 a month, so that the last point is the totals' cost of ownership. A second forced move
    is paid when the size ends.
    """
    totals = advice.totals
    outside = set(totals.unpriced_pool_ids)
    priced = [pool for pool in advice.pools if pool.id not in outside]
    if totals.baseline_tco is None or totals.recommended_tco is None:
        return ()
    rate, horizon = advice.assumptions.get("discount_rate", 0.0) / 100, advice.horizon_months
    whole = present_value(1.0, rate, horizon)
    shares = [present_value(1.0, rate, month) / whole for month in range(horizon + 1)]
    once = sum(pool.options[0].tco.components.get(name, 0.0) for pool in priced for name in ONCE)
    again = [move for pool in priced if (move := _second_move(advice, pool)) is not None]
    monthly = totals.recommended_tco - once - sum(amount for _, amount in again)
    return tuple(
        PathPoint(
            month=month,
            now=totals.baseline_tco * share,
            then=once + monthly * share + sum(amount for when, amount in again if when <= month),
        )
        for month, share in enumerate(shares)
    )


def _second_move(advice: Advice, pool: PoolAdvice) -> tuple[float, float] | None:
    """Months until the first choice has to move again, and what that costs; None: it has not."""
    amount = pool.options[0].tco.components.get("second_move", 0.0)
    ends = pool.lifecycle.retirement_date
    return ((ends - advice.as_of).days / DAYS_PER_MONTH, amount) if amount and ends else None


def paid_back(path: Sequence[PathPoint]) -> int | None:
    """The first month after which the moves have cost no more in all than staying would have; None: not in time."""
    return next((point.month for point in path[1:] if point.then <= point.now), None)
