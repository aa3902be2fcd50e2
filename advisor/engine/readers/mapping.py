"""Which column of a table holds which field, as a person says it: for names that no word list knows or knows right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any

from advisor.engine.catalogue import squash
from advisor.engine.readers.problems import shown

NO_HEADER = 0  # as the line of the header: the table has none, and its columns are called `column 1`, `column 2`, ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnMapping:
    """Column names by field, in the spelling of `column_names`; "" says that no column holds the field.

    Fields that are not named are found by the names of the other columns, as in any list. `header_line` is physical
    and 1-based, `NO_HEADER` for a table without one, None to find it. `sheet` is the sheet of a workbook, or the file
    of a zip, that alone is read; None reads every one that has the columns.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    header_line: int | None = None
    sheet: str | None = None

    def places(self, header: Sequence[str]) -> dict[int, str]:
        """The field of each column that is named here, by its place. Names are compared exactly, then squashed."""
        names = column_names(header)
        exact = {name: place for place, name in reversed(list(enumerate(names)))}
        loose = {squash(name): place for place, name in reversed(list(enumerate(names)))}
        found: dict[int, str] = {}
        for field_name, column in self.columns.items():
            place = exact.get(column, loose.get(squash(column)) if squash(column) else None)
            if column and place is not None:
                found.setdefault(place, field_name)
        return found

    def missing(self, header: Sequence[str]) -> tuple[str, ...]:
        """The columns named here that the header does not have, or that stand for two fields."""
        found = set(self.places(header).values())
        return tuple(column for name, column in self.columns.items() if column and name not in found)

    def in_words(self) -> str:
        """What a person said, in one sentence."""
        named = [f"{name} is “{shown(column)}”" for name, column in self.columns.items() if column]
        line = {None: "", NO_HEADER: "; no line of column names"}.get(
            self.header_line, f"; column names on line {self.header_line}"
        )
        sheet = f"; only “{shown(self.sheet)}” is read" if self.sheet is not None else ""
        return f"Columns as matched by hand: {', '.join(named) or 'by their names'}{line}{sheet}."


def column_names(header: Sequence[str]) -> tuple[str, ...]:
    """A name of its own for each column: a repeated name gets its number, one without a name its place.

    >>> column_names(("qty", "", "qty"))
    ('qty', 'column 2', 'qty 2')
    """
    taken = set(header)
    used: set[str] = set()
    next_number: dict[str, int] = {}
    names = []
    for place, title in enumerate(header, start=1):
        name = base = title or f"column {place}"
        number = next_number.get(base, 2)
        while name in used or (name in taken and name != title):
            name, number = f"{base} {number}", number + 1
        next_number[base] = number
        used.add(name)
        names.append(name)
    return tuple(names)


def shape_of(header: Sequence[str]) -> str:
    """What two files have in common that one mapping fits: the same column names in any spelling and order.

    Where names repeat or are missing, columns are told apart by their place, so there the order counts too.
    """
    keys = [squash(title) for title in header]
    told_by_place = "" in keys or len(set(keys)) < len(keys)
    return sha256("\n".join(keys if told_by_place else sorted(keys)).encode("utf-8", "replace")).hexdigest()


def mapping_json(mapping: ColumnMapping) -> dict[str, Any]:
    """The mapping as JSON values."""
    return asdict(mapping)


def mapping_of(values: Mapping[str, Any]) -> ColumnMapping:
    """The mapping that `mapping_json` wrote."""
    return ColumnMapping(**values)
