"""Finds out which column of a table holds which field: by name, by hand, and the size column also by its content."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.fields import PARSERS
from advisor.engine.readers.head import Table
from advisor.engine.readers.mapping import ColumnMapping
from advisor.engine.readers.names import canonical_region, is_known_size
from advisor.engine.readers.table import Layout
from advisor.engine.readers.tags import TAG_COLUMNS_MAX
from advisor.engine.readers.words import field_of

#: Fields with a meaning of their own; any other column is a tag.
READ_FIELDS = frozenset({"size", "region", "state", "name", *PARSERS})
MOST = 0.5  # of the cells that are filled


def find_layout(
    table: Table,
    catalogue: Catalogue,
    name_field: Callable[[str], str | None] = field_of,
    *,
    by_hand: ColumnMapping | None = None,
    dropped: frozenset[str] = frozenset(),
) -> Layout | None:
    """The layout of a table, None when no column holds sizes.

    What `by_hand` says goes first, and its fields are looked up no further; else the name is looked up with
    `name_field`. Of two columns for one field the first is used and the other is a tag, but of sizes the one with more
    known sizes. Where no name says size, the column in which most cells are known sizes is taken, and likewise for the
    region of a file without header. Fields in `dropped` are neither read nor tags; at most `TAG_COLUMNS_MAX` columns
    become tags.
    """
    given = by_hand.places(table.header) if by_hand else {}
    said = by_hand.columns if by_hand else {}
    named = given | {
        place: found
        for place, name in enumerate(table.header)
        if place not in given and (found := name_field(name)) and found not in said
    }
    fields: dict[str, int] = {}
    for place in sorted(named, key=lambda place: (place not in given, place)):
        fields.setdefault(named[place], place)
    if "size" not in said and (size := _size_place(table, catalogue, named)) is not None:
        fields = {field: place for field, place in fields.items() if place != size} | {"size": size}
    if "size" not in fields:
        return None
    if table.headless and "region" not in fields and (region := _region_place(table, catalogue, fields)) is not None:
        fields["region"] = region
    ignored = {place for place, field in named.items() if field in dropped}
    used = {place for field, place in fields.items() if field in READ_FIELDS and field not in dropped}
    free = [place for place in range(len(table.header)) if place not in used | ignored and table.header[place]]
    tags = {_tag_name(table.header, place): place for place in free[:TAG_COLUMNS_MAX]}
    fields = {field: place for field, place in fields.items() if place in used}
    return Layout(header=table.header, fields=fields, tags=tags)


def _tag_name(header: tuple[str, ...], place: int) -> str:
    """The header's name; a name that stood before gets its number: `env`, `env 2`."""
    before = header[:place].count(header[place])
    return header[place] if before == 0 else f"{header[place]} {before + 1}"


def _size_place(table: Table, catalogue: Catalogue, named: Mapping[int, str]) -> int | None:
    """The column of sizes: of those named size the one with most known sizes, else the best by content."""
    by_name = [place for place, field in named.items() if field == "size"]
    for places, least in ((by_name, 0.0), (range(len(table.header)), MOST)):
        hits = {place: share_of_cells(table, place, lambda cell: is_known_size(cell, catalogue)) for place in places}
        best = max(hits, key=lambda place: (hits[place], -place), default=None)
        if best is not None and hits[best] >= least and hits[best] > 0:
            return best
    return by_name[0] if by_name else None


def _region_place(table: Table, catalogue: Catalogue, fields: Mapping[str, int]) -> int | None:
    taken = set(fields.values())
    shares = {
        place: share_of_cells(table, place, lambda cell: canonical_region(cell, catalogue) is not None)
        for place in range(len(table.header))
        if place not in taken
    }
    best = max(shares, key=lambda place: (shares[place], -place), default=None)
    return best if best is not None and shares[best] >= MOST else None


def share_of_cells(table: Table, place: int, test: Callable[[str], bool]) -> float:
    """Share of the filled cells of a column's sample that pass `test`."""
    cells = [row[place] for row in table.sample if place < len(row) and row[place].strip()]
    if not cells:
        return 0.0
    distinct = {cell: test(cell) for cell in set(cells)}
    return sum(distinct[cell] for cell in cells) / len(cells)
