"""What a check of prices found: which size, where, what, and whether the prices may be published with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from advisor.engine.prices import PriceModel

MODEL_WORDS: dict[PriceModel, str] = {
    "payg": "pay-as-you-go",
    "spot": "spot",
    "ri_1y": "1-year reservation",
    "ri_3y": "3-year reservation",
    "sp_1y": "1-year savings plan",
    "sp_3y": "3-year savings plan",
}
NAMED = 4  # names that a message spells out


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One result of a check. An error keeps the book from being published; a warning is kept and shown with it.

    `size` and `region` are "" where the finding is about several; the message then names them.
    """

    code: str
    severity: Literal["error", "warning"]
    size: str
    region: str
    message: str


def named(names: Iterable[str]) -> str:
    """The first few names in order, and how many more there are."""
    known = sorted(names)
    more = f" and {len(known) - NAMED} more" if len(known) > NAMED else ""
    return ", ".join(known[:NAMED]) + more
