"""The rows that are no GPU machines: which sizes they name, why they are left out, and on which lines they stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from advisor.engine.grouping import extreme
from advisor.engine.readers.names import Kind
from advisor.engine.readers.problems import shown
from advisor.engine.readers.reading import Ignored
from advisor.engine.readers.text import BLANKS

if TYPE_CHECKING:
    from advisor.engine.readers.rows import Judged

#: Sizes listed for a file; the rest is summed up in one entry. More is no longer read by anybody.
LISTED = 100


def ignored_rows(judged: Judged) -> list[Ignored]:
    """The other rows of a block by size as written; their rows add up to the other rows."""
    column = judged.table.columns[judged.layout.fields["size"]]
    if not judged.other.any():
        return []
    rows = np.flatnonzero(judged.table.per_line(judged.other))
    codes = judged.table.per_line(column.codes)[rows].astype(np.int64)
    number = len(column.values)
    counts = np.bincount(codes, minlength=number)
    places = judged.table.lines[rows]
    first, last = extreme(places, codes, number, np.fmin), extreme(places, codes, number, np.fmax)
    items = judged.table.is_items
    entries = []
    for code in np.flatnonzero(counts).tolist():
        size = judged.sizes[code]
        why = {Kind.OTHER: "no_gpu", Kind.NOT_GPU: "not_gpu"}.get(size.kind, "total")
        entries.append(
            Ignored(
                why=why,
                size=size.name or shown(column.values[code].strip(BLANKS)) or None,
                rows=int(counts[code]),
                first=None if items else int(first[code]),
                last=None if items else int(last[code]),
            )
        )
    return entries


def merge_ignored(entries: Iterable[Ignored]) -> tuple[Ignored, ...]:
    """Entries of the same size and reason as one, most rows first; beyond `LISTED` sizes the rest is one entry."""
    merged: dict[tuple[str, str], Ignored] = {}
    for entry in entries:
        key = (entry.why, (entry.size or "").casefold())
        merged[key] = _joined(merged[key], entry) if key in merged else entry
    ranked = sorted(merged.values(), key=lambda e: (e.why == "more", -e.rows, e.size or ""))
    kept, rest = ranked[:LISTED], ranked[LISTED:]
    if rest:
        kept.append(Ignored(why="more", rows=sum(entry.rows for entry in rest)))
    return tuple(kept)


def _joined(one: Ignored, other: Ignored) -> Ignored:
    places = [place for place in (one.first, other.first, one.last, other.last) if place is not None]
    return Ignored(
        why=one.why,
        size=one.size,
        rows=one.rows + other.rows,
        first=min(places, default=None),
        last=max(places, default=None),
    )


def ignored_json(entry: Ignored) -> dict[str, Any]:
    """One entry as JSON values."""
    return {"why": entry.why, "size": entry.size, "rows": entry.rows, "first": entry.first, "last": entry.last}


def ignored_of(values: Mapping[str, Any]) -> Ignored:
    """The entry that `ignored_json` wrote."""
    return Ignored(**values)
