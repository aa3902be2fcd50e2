"""Where a figure comes from, and how wide it is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

EvidenceKind = Literal["measured", "listed", "modelled", "assumed", "user"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One source behind a figure; `as_of` is the day the source was read, None when it states none."""

    kind: EvidenceKind
    source: str
    as_of: date | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An 80 % interval around an expected value; raises ValueError unless 0 < low <= expected <= high."""

    low: float
    expected: float
    high: float

    def __post_init__(self) -> None:
        if not 0 < self.low <= self.expected <= self.high:
            raise ValueError(f"not an interval: {self.low} <= {self.expected} <= {self.high}")
