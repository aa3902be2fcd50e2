"""Figures that stand in our own documents, read from there, so that they have one home."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings

SPEED_MODEL = "docs/speed-model.md"
BEGIN, END = "<!-- errors: begin -->", "<!-- errors: end -->"


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorRow:
    """How far off the speed model is on one group of pairs, as its document prints it."""

    pairs_of: str
    groups: str
    pairs: str
    median: str
    p90: str
    inside: str


@lru_cache(maxsize=1)
def speed_errors() -> tuple[ErrorRow, ...]:
    """The first error table of the speed model's document (whole sources left out), kinds of work and the total.

    Empty where the document is not there.
    """
    try:
        text = (settings.BASE_DIR / SPEED_MODEL).read_text(encoding="utf-8")
    except OSError:
        return ()
    table = text.partition(BEGIN)[2].partition(END)[0].strip().split("\n\n")
    lines = next((part.splitlines()[2:] for part in table if part.startswith("|")), [])
    rows = [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in lines]
    return tuple(
        ErrorRow(pairs_of=row[0], groups=row[1], pairs=row[2], median=row[3], p90=row[4], inside=row[5])
        for row in rows
        if len(row) == 6 and not row[0].startswith("from ")
    )
