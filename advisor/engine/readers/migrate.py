"""`azure-migrate`: the sheet All_Assessed_Machines of an assessment. Its sizes are planned, not running.

Its costs are those of the plan, not of what runs, and are not read. Region and currency are settings of the
assessment and stand in no column.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from advisor.engine.catalogue import Catalogue, squash
from advisor.engine.readers.delimited import finish, read_raw
from advisor.engine.readers.head import Head
from advisor.engine.readers.layout import find_layout
from advisor.engine.readers.problems import LISTED, Problems, shown
from advisor.engine.readers.reading import Problem, Reading
from advisor.engine.readers.rows import Options
from advisor.engine.readers.table import Layout, Mask, RawTable
from advisor.engine.readers.table_rows import keep_rows
from advisor.engine.readers.text import BLANKS

NAME = "azure-migrate"
_FIELDS = {"recommendedsize": "size", "machine": "name", "operatingsystem": "os", "groupname": "pool"}
_NO_SIZE = frozenset({"", "skipped", "unknown", "notavailable", "na", "none", "notapplicable"})
_PLAN = (
    "This is an Azure Migrate assessment: its sizes are what the machines would get, not what runs on Azure today. "
    "Sizes count as the fleet to be compared; the estimates of cost are not read."
)


def recognises(head: Head) -> bool:
    """The two columns that every version of the sheet has."""
    return head.table is not None and head.table.keys.issuperset({"machine", "recommendedsize"})


def _field(header: str) -> str | None:
    return _FIELDS.get(squash(header))


def read(head: Head, catalogue: Catalogue, options: Options) -> Reading:
    """One row is one machine; one without a recommended size is an other row, with a warning."""
    layout = find_layout(head.table, catalogue, _field) if head.table else None
    if layout is None:
        raise ValueError("recognised without sizes")
    layout = replace(layout, tags={})
    problems = Problems()
    table, spoilt = read_raw(head, layout, problems)
    unplanned = table.columns[layout.fields["size"]].flag(lambda text: squash(text[:40]) in _NO_SIZE)
    _warn(table, layout, unplanned, problems)
    reading = finish(
        head,
        keep_rows(table, ~unplanned),
        layout,
        catalogue,
        options,
        problems,
        format_name=NAME,
        spoilt=spoilt,
        skipped=int(unplanned.sum()),
    )
    return replace(reading, notes=(_PLAN, *reading.notes))


def _warn(table: RawTable, layout: Layout, unplanned: Mask, problems: Problems) -> None:
    places = np.flatnonzero(unplanned)
    problems.unlisted += max(0, len(places) - LISTED)
    for row in places[:LISTED].tolist():
        line, value = int(table.lines[row]), table.columns[layout.fields["size"]].cell(row).strip(BLANKS)
        problems.add(
            Problem(
                kind="no_recommended_size",
                severity="warning",
                message=f"Line {line}: “{shown(table.name(row))}” has no recommended size and is not counted.",
                line=line,
                column=layout.title("size"),
                value=shown(value) or None,
            )
        )
