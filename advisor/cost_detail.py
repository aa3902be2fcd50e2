"""What stands behind the cost of a pool's first choice, for its page and for a report alike."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.charts.drawing import Drawing
from advisor.charts.tornado import tornado_drawing
from advisor.engine.answer import PoolAdvice
from advisor.engine.chances import Chances, chances
from advisor.engine.cost_parts import Part, cost_parts
from advisor.engine.swings import SwingRow, swing_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class CostDetail:
    """How sure the first choice is, what moves its cost, and its parts; all empty where nothing can be ranked."""

    chances: Chances | None
    swings: tuple[SwingRow, ...]
    wide: Drawing | None  # None: nothing moves the cost, or the answer is older than ranges
    narrow: Drawing | None
    parts: tuple[Part, ...]
    retired: bool  # what the machines cost before, not today


def cost_detail(pool: PoolAdvice, currency: str) -> CostDetail:
    """The detail of one pool, money in `currency`."""
    rows = swing_rows(pool, currency) if pool.options else ()
    expected = pool.options[0].tco.expected if pool.options else 0.0
    return CostDetail(
        chances=chances(pool),
        swings=rows,
        wide=tornado_drawing(rows, expected, width=640, left=210) if rows else None,
        narrow=tornado_drawing(rows, expected, width=340, left=0) if rows else None,
        parts=cost_parts([pool]),
        retired=pool.lifecycle.status == "retired",
    )
