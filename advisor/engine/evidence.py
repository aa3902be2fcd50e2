"""Where a figure comes from."""

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
