"""What moves the cost of a pool's first choice, as pages name it: each input at two ends, with the cost there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from advisor.engine.answer import PoolAdvice, Swing
from advisor.engine.worked import TIMES, Figure, Shown

#: What an input is called, how its ends are shown, in which unit ("" for money: the answer's currency), and the
#: assumption that says how far it is moved; "" where the evidence of the speed does.
_INPUTS: Mapping[str, tuple[str, Shown, str, str]] = {
    "speed": ("Speed of one GPU", "factor", TIMES, ""),
    "hours": ("Hours", "count", "h per VM and month", "range_hours"),
    "price": ("Prices", "count", "% of today's", "range_price"),
    "labour": ("Hours of work", "count", "% of the assumed", "range_labour"),
    "utilisation": ("GPUs busy at peak", "count", "%", "what_if_utilisation"),
    "operations_hours": ("Work of running one VM", "factor", "h a month", "operations_hours"),
    "disk_price": ("Price of a disk a month", "hourly", "", "disk_price"),
    "discount_rate": ("Discount rate", "count", "% a year", "discount_rate"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SwingRow:
    """One input with its low and high end, and the cost of ownership at each; `assumption` says how far it is moved."""

    words: str
    low: Figure
    high: Figure
    tco_low: float
    tco_high: float
    assumption: str


def swing_rows(pool: PoolAdvice, currency: str) -> tuple[SwingRow, ...]:
    """The swings of the first choice in the order of the answer, the widest first; money in `currency`."""
    return tuple(_row(swing, pool, currency) for swing in pool.tornado)


def _row(swing: Swing, pool: PoolAdvice, currency: str) -> SwingRow:
    words, shown, unit, assumption = _INPUTS.get(swing.name, (swing.name.replace("_", " "), "factor", "", ""))
    if swing.name == "hours" and pool.hours_basis == "assumed":
        assumption = "range_hours_assumed"

    def end(value: float) -> Figure:
        return Figure(value=_in_unit(swing.name, value), shown=shown, unit=currency if shown == "hourly" else unit)

    return SwingRow(
        words=words,
        low=end(swing.at_low),
        high=end(swing.at_high),
        tco_low=swing.tco_low,
        tco_high=swing.tco_high,
        assumption=assumption,
    )


def _in_unit(name: str, value: float) -> float:
    """A share, and a factor on prices or work, in percent; all else as it is."""
    return 100 * value if name in ("price", "labour", "utilisation") else value
