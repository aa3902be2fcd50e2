"""What a person needs to say which column holds what: the column names of a table and their first values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.head import read_head
from advisor.engine.readers.problems import shown
from advisor.engine.readers.text import BLANKS, detect
from advisor.engine.readers.words import field_of

VALUES_SHOWN = 3
COLUMNS_SHOWN = 100

#: What a column may hold, in the order in which it is offered.
FIELDS: tuple[str, ...] = (
    "size", "region", "count", "hours_per_vm", "hours", "name", "os", "state", "price_model", "resource_group",
    "pool", "workload", "pattern", "precision", "gpu_memory_gib", "utilisation", "cost", "currency",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnPreview:
    """One column: its name, its first values that are not empty, and the field that its name says, if any."""

    name: str
    values: tuple[str, ...]
    field: str | None


def preview_columns(name: str, stream: BinaryIO, catalogue: Catalogue) -> tuple[ColumnPreview, ...]:
    """The named columns of delimited text, each name once; empty for a file that is no such text."""
    decoding = detect(stream)
    head = read_head(name, stream, decoding, catalogue) if decoding else None
    if head is None or head.table is None:
        return ()
    found: dict[str, ColumnPreview] = {}
    for place, title in enumerate(head.table.header):
        if title and title not in found and len(found) < COLUMNS_SHOWN:
            cells = (row[place].strip(BLANKS) for row in head.table.sample if place < len(row))
            values = tuple(dict.fromkeys(shown(cell) for cell in cells if cell))[:VALUES_SHOWN]
            field = field_of(title)
            found[title] = ColumnPreview(name=title, values=values, field=field if field in FIELDS else None)
    return tuple(found.values())
