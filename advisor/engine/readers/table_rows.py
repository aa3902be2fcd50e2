"""Rows of a raw table that stand for no machines of their own: left out before the rest is judged."""

from __future__ import annotations

from advisor.engine.readers.table import Factor, Mask, RawTable


def keep_rows(table: RawTable, kept: Mask) -> RawTable:
    """The table with the rows of `kept` only. Names of rare rows go with them."""
    if kept.all():
        return table
    places = kept.nonzero()[0]
    number = {int(old): new for new, old in enumerate(places)}
    return RawTable(
        lines=table.lines[kept],
        columns={place: Factor(column.codes[kept], column.values) for place, column in table.columns.items()},
        names=None if table.names is None else [table.names[row] for row in places.tolist()],
        rare_names={number[row]: name for row, name in table.rare_names.items() if row in number},
        is_items=table.is_items,
    )
