"""Figures that stand in our own documents, read from there, so that they have one home."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from functools import lru_cache

from django.conf import settings
from django.utils.safestring import SafeString
from markdown_it import MarkdownIt

from advisor.engine.speed_score import ScoredPair

SPEED_MODEL = "docs/speed-model.md"
SPEED_PAIRS = "docs/speed-pairs.csv"
EXPORTING = "docs/exporting.md"
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


@lru_cache(maxsize=1)
def speed_pairs() -> tuple[ScoredPair, ...]:
    """Every published pair with the model's answer given without the pair's source, as `validate_speed` wrote them.

    Empty where the document is not there.
    """
    try:
        with (settings.BASE_DIR / SPEED_PAIRS).open(encoding="utf-8", newline="") as stream:
            return tuple(_pair(line) for line in csv.DictReader(stream))
    except OSError:
        return ()


def write_speed_pairs(pairs: Iterable[ScoredPair]) -> None:
    """Write the pairs where `speed_pairs` reads them; figures to six digits."""
    with (settings.BASE_DIR / SPEED_PAIRS).open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([field.name for field in fields(ScoredPair)])
        writer.writerows([f"{v:.6g}" if isinstance(v, float) else v for v in astuple(pair)] for pair in pairs)
    speed_pairs.cache_clear()


def _pair(line: dict[str, str]) -> ScoredPair:
    return ScoredPair(
        group=line["group"],
        source=line["source"],
        target=line["target"],
        kind=line["kind"],
        measured=float(line["measured"]),
        low=float(line["low"]),
        expected=float(line["expected"]),
        high=float(line["high"]),
        weight=float(line["weight"]),
    )


@lru_cache(maxsize=1)
def exporting() -> SafeString:
    """How to get each kind of file, as HTML made from its document; empty where that is not there."""
    try:
        text = (settings.BASE_DIR / EXPORTING).read_text(encoding="utf-8")
    except OSError:
        return SafeString("")
    body = text.partition("\n")[2]  # the page has a heading of its own
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(body)
    for plain, reachable in (  # what is wider than the screen scrolls, also by keyboard
        ("<table>", '<div class="scroll" tabindex="0"><table class="tbl">'),
        ("</table>", "</table></div>"),
        ("<th>", '<th scope="col">'),
        ("<pre>", '<pre tabindex="0">'),
    ):
        html = html.replace(plain, reachable)
    return SafeString(html)
