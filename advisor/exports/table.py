"""Advice as one flat table: a row per pool and option, with from, to, why and what to do."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import TextIO

from advisor.engine.answer import Advice, Option, PoolAdvice
from advisor.engine.money import COMPONENTS
from advisor.exports.cells import safe

HEADER = (
    "pool", "pool_name", "from_size", "region", "os", "from_vms", "from_gpus", "from_status", "from_retirement_date",
    "workload", "gpu_memory_gib", "utilisation_percent", "watched",
    "rank", "to_size", "to_region", "to_vms", "to_gpus", "verdict", "speedup_low", "speedup_expected",
    "speedup_high", "speedup_basis", "gpu_hours_per_month_now", "gpu_hours_per_month_then", "currency", "price_model",
    "cost_now_monthly", "monthly_cost_before", "monthly_cost_then", "tco_before", "tco_then", "saving",
    "saving_percent", "saving_against", "tco_p10", "tco_p50", "tco_p90", "chance_first",
    *(f"tco_{name}" for name in COMPONENTS), "grade_data", "grade_performance", "grade_price", "grade_capacity",
    "grade_move", "open_questions", "why", "action", "owner",
)  # fmt: skip


def rows(advice: Advice) -> Iterator[tuple[object, ...]]:
    """One row per option in full; a pool without an option has one row that says so."""
    for pool in advice.pools:
        if not pool.options:
            yield (*_pool_cells(pool), *([None] * 12), advice.currency, *_no_option(pool))
        for option in pool.options:
            yield (*_pool_cells(pool), *_option_cells(pool, option), advice.currency, *_money_cells(pool, option))


def _pool_cells(pool: PoolAdvice) -> tuple[object, ...]:
    return (
        pool.id,
        pool.name,
        pool.size,
        pool.region,
        pool.os,
        pool.vms,
        pool.gpus,
        pool.lifecycle.status,
        pool.lifecycle.retirement_date,
        pool.workload.kind,
        pool.workload.gpu_memory_gib,
        pool.workload.utilisation_percent,
        "; ".join(pool.workload.watched),
    )


def _option_cells(pool: PoolAdvice, option: Option) -> tuple[object, ...]:
    speed = option.speedup
    return (
        option.rank,
        option.size,
        option.region,
        option.vms,
        option.gpus,
        option.verdict,
        speed.low,
        speed.expected,
        speed.high,
        speed.basis,
        pool.gpu_hours_per_month,
        option.gpu_hours_per_month,
    )


def _money_cells(pool: PoolAdvice, option: Option) -> tuple[object, ...]:
    baseline, saving, grades = pool.baseline, option.saving, option.grades
    return (
        option.price_model,
        baseline.cost_now,
        baseline.monthly_cost,
        option.monthly_cost,
        baseline.tco,
        option.tco.expected,
        saving.amount if saving else None,
        saving.percent if saving else None,
        saving.against if saving else None,
        *_range_cells(option),
        grades.data,
        grades.performance,
        grades.price,
        grades.capacity,
        grades.move or None,
        option.open_questions,
        option.why,
        " ".join(reason.fix for reason in option.rules if reason.severity == "step"),
        None,
    )


def _range_cells(option: Option) -> tuple[object, ...]:
    """The range, the chance to be the cheapest, and the parts of the cost of ownership after the move."""
    tco = option.tco
    return tco.p10, tco.p50, tco.p90, option.chance_first, *(tco.components.get(name) for name in COMPONENTS)


def _no_option(pool: PoolAdvice) -> tuple[object, ...]:
    baseline = pool.baseline
    question = pool.questions[0].message if pool.questions else "See the reasons of the rejected sizes."
    known = (None, baseline.cost_now, baseline.monthly_cost, None, baseline.tco)
    empty = HEADER.index("why") - HEADER.index("tco_then")
    return (*known, *([None] * empty), "No size can be ranked.", question, None)


def write_csv(advice: Advice, stream: TextIO) -> None:
    """The table as CSV with a header; text cells that look like formulas are made harmless."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(HEADER)
    for row in rows(advice):
        writer.writerow([safe(cell) for cell in row])
