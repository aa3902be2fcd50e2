"""From an advice to what may be shared: no machine, group or file is named unless its maker wants it.

Sizes, regions, counts, hours and money stay. What a person wrote goes: file and pool names, cells and headings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from advisor.engine.advice_from_json import reading_from_json
from advisor.engine.answer import Advice, Option, OptionInShort, PoolAdvice, Rejected
from advisor.engine.outlook import outlook
from advisor.engine.pools import pool_id
from advisor.engine.prices import OWN_SOURCE
from advisor.engine.readers.reading import Problem, Reading
from advisor.engine.readers.summary import reading_json
from advisor.engine.redact_orders import nameless_orders, nameless_unused
from advisor.engine.report_figures import nameless
from advisor.engine.speed_evidence import OWN_MEASUREMENT

#: Options per pool that a report shows in full.
OPTIONS = 5
#: The source of prices of the maker's own sheet, whose file is not named.
SHEET_SOURCE = "the maker's own price sheet"
#: In place of a message that may quote a cell.
LEFT_OUT = "What these rows say is left out of this report."


def redact(advice: Advice, *, with_names: bool) -> Advice:
    """The advice as a report may hold it; `with_names` keeps file and pool names and the messages of refused rows.

    Pools that lose their names are called pool 1, pool 2 … in the order of urgency, with ids that follow from those
    names, since an id is a hash of what the user called the pool. Machine names are never kept but where a message
    quotes them; orders of commitments are numbered. Of a price sheet the prices that are used stay, and its file name
    goes; of a measured speed the ratio stays, and what was said of it goes. A pool keeps its first OPTIONS in full, a
    rejected size its first reason.
    """
    numbers = {line.pool.id: line.number for line in outlook(advice).lines}
    renamed = {pool.id: pool if with_names else _nameless(pool, numbers[pool.id]) for pool in advice.pools}
    totals = replace(
        advice.totals, unpriced_pool_ids=tuple(renamed[pool].id for pool in advice.totals.unpriced_pool_ids)
    )
    readings = (_reading(reading, number, with_names) for number, reading in enumerate(advice.readings, 1))
    shown = tuple(renamed.values()) if with_names else nameless_orders(map(_without_words, renamed.values()))
    book = advice.price_book if with_names else _nameless_book(advice.price_book)
    return replace(
        advice,
        readings=tuple(readings),
        totals=totals,
        pools=tuple(map(_in_short, shown)),
        price_book=book,
        held_unused=advice.held_unused if with_names else nameless_unused(advice.held_unused),
        measured=advice.measured if with_names else tuple(replace(own, note="") for own in advice.measured),
    )


def _nameless(pool: PoolAdvice, number: int) -> PoolAdvice:
    name = nameless(number)
    if pool.gpu_use is not None:
        sources = tuple(replace(source, file="") for source in pool.gpu_use.sources)
        pool = replace(pool, gpu_use=replace(pool.gpu_use, sources=sources))
    return replace(pool, name=name, id=pool_id(pool.size, pool.region, pool.os, pool.price_model, name))


def _nameless_book(book: dict[str, Any]) -> dict[str, Any]:
    if not book.get("sheet"):
        return book
    return book | {"name": book["name"].replace(OWN_SOURCE, SHEET_SOURCE), "sheet": book["sheet"] | {"file": None}}


def _without_words(pool: PoolAdvice) -> PoolAdvice:
    """The pool without the name of its price sheet, and without what was said of a measured speed."""
    pool = _without_sheet(pool)
    if not any(option.speedup.basis == "user" for option in pool.options):
        return pool
    return replace(pool, options=tuple(map(_option_without_note, pool.options)))


def _option_without_note(option: Option) -> Option:
    evidence = (
        replace(entry, note=entry.note.partition(";")[0]) if entry.source == OWN_MEASUREMENT else entry
        for entry in option.speedup.evidence
    )
    return replace(option, speedup=replace(option.speedup, evidence=tuple(evidence)))


def _without_sheet(pool: PoolAdvice) -> PoolAdvice:
    """The pool without the name of the price sheet that some of its prices come from."""
    evidence = pool.baseline.evidence
    if evidence is not None and _is_own(evidence.source):
        pool = replace(pool, baseline=replace(pool.baseline, evidence=replace(evidence, source=SHEET_SOURCE)))
    if pool.commitments is not None and pool.commitments.plan is not None:
        plan = pool.commitments.plan
        rows = (replace(row, source=SHEET_SOURCE) if _is_own(row.source) else row for row in plan.machines)
        plan = replace(plan, machines=tuple(rows))
        pool = replace(pool, planned=(replace(pool.commitments, plan=plan),))
    if not any(_is_own(row.source) for option in pool.options for row in option.prices):
        return pool
    return replace(pool, options=tuple(map(_option_without_sheet, pool.options)))


def _option_without_sheet(option: Option) -> Option:
    rows = (replace(row, source=SHEET_SOURCE) if _is_own(row.source) else row for row in option.prices)
    return replace(option, prices=tuple(rows))


def _is_own(source: str) -> bool:
    return source.startswith(OWN_SOURCE)


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
    reason = replace(rejected.reasons[0], fix="", source="", question="", field="", flips_if=None)
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
