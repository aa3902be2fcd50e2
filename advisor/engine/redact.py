"""From an advice to what may be shared: no machine, group or file is named unless its maker wants it.

Sizes, regions, counts, hours and money stay. What a person wrote goes: file and pool names, cells and headings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from advisor.engine.advice_from_json import reading_from_json
from advisor.engine.answer import Advice, OptionInShort, PoolAdvice, Rejected
from advisor.engine.outlook import outlook
from advisor.engine.pools import pool_id
from advisor.engine.readers.reading import Problem, Reading
from advisor.engine.readers.summary import reading_json
from advisor.engine.report_figures import nameless

#: Options per pool that a report shows in full.
OPTIONS = 5
#: In place of a message that may quote a cell.
LEFT_OUT = "What these rows say is left out of this report."


def redact(advice: Advice, *, with_names: bool) -> Advice:
    """The advice as a report may hold it; `with_names` keeps file and pool names and the messages of refused rows.

    Pools that lose their names are called pool 1, pool 2 … in the order of urgency, with ids that follow from those
    names, since an id is a hash of what the user called the pool. Machine names are never kept but where a message
    quotes them. A pool keeps its first OPTIONS in full, a rejected size its first reason.
    """
    numbers = {line.pool.id: line.number for line in outlook(advice).lines}
    renamed = {pool.id: pool if with_names else _nameless(pool, numbers[pool.id]) for pool in advice.pools}
    totals = replace(
        advice.totals, unpriced_pool_ids=tuple(renamed[pool].id for pool in advice.totals.unpriced_pool_ids)
    )
    readings = (_reading(reading, number, with_names) for number, reading in enumerate(advice.readings, 1))
    pools = (_in_short(pool) for pool in renamed.values())
    return replace(advice, readings=tuple(readings), totals=totals, pools=tuple(pools))


def _nameless(pool: PoolAdvice, number: int) -> PoolAdvice:
    name = nameless(number)
    return replace(pool, name=name, id=pool_id(pool.size, pool.region, pool.os, pool.price_model, name))


def _in_short(pool: PoolAdvice) -> PoolAdvice:
    more = (
        OptionInShort(
            rank=option.rank, size=option.size, monthly_cost=option.monthly_cost, tco_expected=option.tco.expected
        )
        for option in pool.options[OPTIONS:]
    )
    return replace(
        pool,
        options=pool.options[:OPTIONS],
        more_options=(*more, *pool.more_options),
        rejected=tuple(map(_first_reason, pool.rejected)),
    )


def _first_reason(rejected: Rejected) -> Rejected:
    reason = replace(rejected.reasons[0], fix="", source="", question="", field="")
    return replace(rejected, reasons=(reason,))


def _reading(reading: Reading, number: int, with_names: bool) -> Reading:
    """The counts of a file; its fleet as sums by size and region."""
    summed = reading_from_json(reading_json(reading))
    if with_names:
        return summed
    return replace(summed, file=f"file {number}", problems=_counted(reading.problems), notes=())


def _counted(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """One problem for each kind, with the number of rows and nothing else."""

    def kind(problem: Problem) -> tuple[str, str]:
        return problem.severity, problem.kind

    return tuple(
        Problem(kind=code, severity=same[0].severity, message=LEFT_OUT, rows=sum(problem.rows for problem in same))
        for (_, code), found in groupby(sorted(problems, key=kind), kind)
        for same in [list(found)]
    )
