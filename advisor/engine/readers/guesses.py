"""Which column of a table most likely holds which field, where a person is to decide: a guess that is only shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from advisor.engine.catalogue import Catalogue, squash
from advisor.engine.readers import words
from advisor.engine.readers.fields import is_deallocated
from advisor.engine.readers.head import Table
from advisor.engine.readers.layout import READ_FIELDS, share_of_cells
from advisor.engine.readers.names import canonical_region, is_known_size
from advisor.engine.readers.words import field_of

COLUMNS_LOOKED_AT = 500
#: Of the filled cells of a column, to take it for what stands in it; of sizes any will do.
MOST = 0.8


def guess_fields(table: Table, catalogue: Catalogue) -> dict[str, int]:
    """The place of the column for each field, by its name, else by its cells; no column twice."""
    places = range(min(len(table.header), COLUMNS_LOOKED_AT))
    named = {place: found for place in places if (found := field_of(table.header[place])) in READ_FIELDS and found}
    fields: dict[str, int] = {}
    for place, found in named.items():
        fields.setdefault(found, place)
    if (size := _size_place(table, catalogue, [place for place in places if named.get(place) in (None, "size")])) >= 0:
        fields = {field: place for field, place in fields.items() if place != size} | {"size": size}
    for field, test in _tests(catalogue).items():
        free = [place for place in places if place not in fields.values() and place not in named]
        if field not in fields and free:
            shares = {place: share_of_cells(table, place, test) for place in free}
            best = max(free, key=lambda place: (shares[place], -place))
            if shares[best] >= MOST:
                fields[field] = best
    return fields


def _size_place(table: Table, catalogue: Catalogue, places: list[int]) -> int:
    """The column with the largest share of known sizes, -1 where none has any."""
    shares = {place: share_of_cells(table, place, lambda cell: is_known_size(cell, catalogue)) for place in places}
    best = max(places, key=lambda place: (shares[place], -place), default=-1)
    return best if best >= 0 and shares[best] > 0 else -1


def _tests(catalogue: Catalogue) -> dict[str, Callable[[str], bool]]:
    return {
        "region": lambda cell: canonical_region(cell, catalogue) is not None,
        "os": _is_word_of(words.OS),
        "price_model": _is_word_of(words.PRICE_MODELS),
        "state": lambda cell: is_deallocated(cell) is not None,
        "workload": _is_word_of(words.WORKLOADS),
        "precision": _is_word_of(words.PRECISIONS),
    }


def _is_word_of(table: Mapping[str, str]) -> Callable[[str], bool]:
    return lambda cell: len(cell) < 100 and squash(cell) in table
