"""The answer in a few figures: what moves, what it saves, which machines stop when, and what weakens the answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from advisor.engine.answer import Advice, Option, OptionInShort, PoolAdvice
from advisor.engine.grades import FRESH_DAYS
from advisor.engine.money import ONCE

#: With more pools than this a page shows those that matter first.
MANY_POOLS = 30
#: How many that end first, and how many of the others that cost most, matter first.
FIRST_BY_DATE = FIRST_BY_MONEY = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One pool with its first choice (None: nothing can be ranked) and the change in money a month (None: unknown)."""

    number: int  # place by urgency, from 1
    pool: PoolAdvice
    first: Option | None
    second: OptionInShort | None
    change: float | None
    ends: date | None  # when the machines stop or stopped; None: no date is known
    days_left: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """Money a month and over the horizon, before and after, over some of the pools; the move's own cost is in tco."""

    vms: int
    before: float
    after: float
    tco_before: float
    tco_after: float

    @property
    def saving(self) -> float:
        """Money a month; below 0 the same work costs more than before."""
        return self.before - self.after

    @property
    def percent(self) -> float | None:
        return 100 * self.saving / self.before if self.before else None

    @property
    def tco_saving(self) -> float:
        """Over the horizon, with the cost of moving."""
        return self.tco_before - self.tco_after


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """One thing that weakens the answer, with the pools it concerns; `day` and `amount` where the code says so."""

    code: str
    pools: tuple[PoolAdvice, ...]
    vms: int
    day: date | None = None  # the oldest price
    amount: float | None = None  # money a month, or rows of a file


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """The answer in figures. Savings against now and against before are two figures that are never added."""

    lines: tuple[Line, ...]  # most urgent first
    moving_vms: int  # of pools whose first choice is another size or region
    running_moving_vms: int  # those of them that run today
    staying_vms: int  # of pools whose first choice is the present size
    spared_vms: int  # machines that a smaller number of the present size replaces
    unranked_vms: int
    running: Balance | None  # priced pools whose size still runs: against now
    stopped: Balance | None  # priced pools whose size is retired: against before
    move_cost: float | None  # once: work, training, side by side, data, stranded; None: nothing is priced
    labour_cost: float | None
    labour_hours: float | None
    parallel_cost: float | None
    other_cost: float | None  # training, data to another region, stranded commitments
    coming: tuple[Line, ...]  # machines that will stop, soonest first
    gone: tuple[Line, ...]  # machines whose size is retired, latest first
    endless_vms: int  # machines without a known end
    unknown_vms: int  # machines of sizes of which no source says how they stand
    doubts: tuple[Doubt, ...]

    @property
    def headline(self) -> str:
        """Which sentence says it: none, unranked, stay, restart (all are stopped), less or more (money a month)."""
        if not self.lines:
            return "none"
        if self.running is None and self.stopped is None:
            return "unranked"
        if not self.moving_vms:
            return "stay"
        if self.running is None:
            return "restart"
        known = [balance for balance in (self.running, self.stopped) if balance is not None]
        return "less" if sum(balance.saving for balance in known) >= 0 else "more"

    @property
    def risk_vms(self) -> int:
        """Machines that still run and have an end date."""
        return sum(line.pool.vms for line in self.coming)

    def matter_first(self) -> tuple[Line, ...]:
        """The lines that end first and, of the others, those that cost most; in the order of urgency."""
        chosen = [line.number for line in self.lines[:FIRST_BY_DATE]]
        rest = sorted(
            self.lines[FIRST_BY_DATE:], key=lambda line: (-(line.pool.baseline.monthly_cost or 0.0), line.number)
        )
        chosen += [line.number for line in rest[:FIRST_BY_MONEY]]
        return tuple(line for line in self.lines if line.number in chosen)


def outlook(advice: Advice) -> Outlook:
    """The answer in figures; money in the advice's currency, None where it is unknown."""
    lines = _lines(advice)
    unpriced = set(advice.totals.unpriced_pool_ids)
    priced = [line for line in lines if line.pool.id not in unpriced]
    moving = [line for line in lines if _moves(line)]
    staying = [line for line in lines if line.first is not None and not _moves(line)]
    components = [line.first.tco.components for line in priced if line.first is not None]
    once = {name: sum(c.get(name, 0.0) for c in components) for name in ONCE} if priced else {}
    labour, parallel = once.get("migration_labour"), once.get("parallel_running")
    dollar = advice.price_book.get("usd_rate") or advice.price_book.get("rate") or 1.0
    rate = advice.assumptions["labour_rate"] * float(dollar)
    return Outlook(
        lines=lines,
        moving_vms=_vms(moving),
        running_moving_vms=_vms(line for line in moving if not _retired(line)),
        staying_vms=_vms(staying),
        spared_vms=sum(max(0, line.pool.vms - line.first.vms) for line in staying if line.first is not None),
        unranked_vms=_vms(line for line in lines if line.first is None),
        running=_balance(line for line in priced if not _retired(line)),
        stopped=_balance(line for line in priced if _retired(line)),
        move_cost=sum(once.values()) if once else None,
        labour_cost=labour,
        labour_hours=labour / rate if labour is not None and rate else None,
        parallel_cost=parallel,
        other_cost=sum(v for k, v in once.items() if k not in ("migration_labour", "parallel_running"))
        if once
        else None,
        coming=tuple(line for line in lines if line.ends is not None and not _retired(line)),
        gone=tuple(
            sorted((line for line in lines if _retired(line)), key=lambda line: line.ends or date.min, reverse=True)
        ),
        endless_vms=_vms(line for line in lines if line.ends is None and not _retired(line) and not _unknown(line)),
        unknown_vms=_vms(line for line in lines if line.ends is None and _unknown(line)),
        doubts=tuple(_doubts(advice, lines, unpriced)),
    )


def _lines(advice: Advice) -> tuple[Line, ...]:
    """Machines that will stop, soonest first; then those that are stopped; then the rest; each the dearest first.

    Equal ones stay in their order.
    """

    def urgency(pool: PoolAdvice) -> tuple[int, int, float]:
        ends, cost = end_of(pool), -(pool.baseline.monthly_cost or 0.0)
        if pool.lifecycle.status == "retired":
            return 1, 0 if ends is None else -ends.toordinal(), cost
        return (2, 0, cost) if ends is None else (0, ends.toordinal(), cost)

    return tuple(
        _line(number, pool, advice.as_of) for number, pool in enumerate(sorted(advice.pools, key=urgency), start=1)
    )


def _line(number: int, pool: PoolAdvice, as_of: date) -> Line:
    first = pool.options[0] if pool.options else None
    before, ends = pool.baseline.monthly_cost, end_of(pool)
    return Line(
        number=number,
        pool=pool,
        first=first,
        second=_second(pool),
        change=None if first is None or before is None else first.monthly_cost - before,
        ends=ends,
        days_left=None if ends is None else (ends - as_of).days,
    )


def _second(pool: PoolAdvice) -> OptionInShort | None:
    """The second choice, whether it is given in full or not."""
    if len(pool.options) < 2:
        return pool.more_options[0] if pool.more_options else None
    second = pool.options[1]
    return OptionInShort(
        rank=second.rank, size=second.size, monthly_cost=second.monthly_cost, tco_expected=second.tco.expected
    )


def _unknown(line: Line) -> bool:
    return line.pool.lifecycle.status == "unknown"


def end_of(pool: PoolAdvice) -> date | None:
    """The day on which the pool's machines stop or stopped; the service's own day where it has one."""
    return pool.lifecycle.forced_stop or pool.lifecycle.retirement_date


def _retired(line: Line) -> bool:
    return line.pool.lifecycle.status == "retired"


def _moves(line: Line) -> bool:
    first, pool = line.first, line.pool
    return first is not None and (first.size != pool.size or first.region != pool.region)


def _vms(lines: Iterable[Line]) -> int:
    return sum(line.pool.vms for line in lines)


def _balance(lines: Iterable[Line]) -> Balance | None:
    known = [(line.pool, line.first) for line in lines if line.first is not None]
    if not known:
        return None
    return Balance(
        vms=sum(pool.vms for pool, _ in known),
        before=sum(pool.baseline.monthly_cost or 0.0 for pool, _ in known),
        after=sum(first.monthly_cost for _, first in known),
        tco_before=sum(pool.baseline.tco or 0.0 for pool, _ in known),
        tco_after=sum(first.tco.expected for _, first in known),
    )


def _doubts(advice: Advice, lines: Sequence[Line], unpriced: set[str]) -> Iterator[Doubt]:
    """What weakens the answer, the weightiest first; a pool may stand in several."""
    refused = sum(reading.error_rows for reading in advice.readings)
    if refused:
        yield Doubt(code="refused", pools=(), vms=0, amount=float(refused))
    pools = [line.pool for line in lines]
    firsts = [(line.pool, line.first) for line in lines if line.first is not None]
    yield from _doubt("unpriced", (pool for pool in pools if pool.id in unpriced))
    stopped = [p for p in pools if p.lifecycle.status == "retired" and p.id not in unpriced]
    yield from _doubt("stopped", stopped, amount=sum(pool.baseline.monthly_cost or 0.0 for pool in stopped))
    yield from _doubt("disputed", (pool for pool in pools if pool.lifecycle.conflicts))
    yield from _doubt("question", (p for p in pools if any(q.changes_first_choice for q in p.questions)))
    yield from _doubt("hours", (pool for pool in pools if pool.hours_basis == "assumed"))
    old = [(pool, day) for pool, first in firsts if (day := _oldest(pool, first)) and _age(advice, day) > FRESH_DAYS]
    yield from _doubt("old-price", (pool for pool, _ in old), day=min((day for _, day in old), default=None))
    yield from _doubt("estimated", (pool for pool, first in firsts if _estimated(pool, first)))
    yield from _doubt("speed", (pool for pool, first in firsts if first.grades.performance in "DE"))


def _doubt(
    code: str, pools: Iterable[PoolAdvice], *, day: date | None = None, amount: float | None = None
) -> Iterator[Doubt]:
    found = tuple(pools)
    if found:
        yield Doubt(code=code, pools=found, vms=sum(pool.vms for pool in found), day=day, amount=amount)


def _age(advice: Advice, day: date) -> int:
    return (advice.as_of - day).days


def _oldest(pool: PoolAdvice, first: Option) -> date | None:
    """The day of the oldest price that the pool's two figures rest on; a stopped size's last price is no news."""
    days = [row.as_of for row in first.prices if row.price_model == first.price_model]
    if pool.baseline.kind == "list" and pool.baseline.price_as_of is not None:
        days.append(pool.baseline.price_as_of)
    return min(days, default=None)


def _estimated(pool: PoolAdvice, first: Option) -> bool:
    return pool.baseline.kind == "estimated" or first.grades.price == "C"
