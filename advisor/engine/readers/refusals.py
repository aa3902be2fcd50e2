"""Files that hold no fleet this program can read yet: recognised, named, and answered with what to export instead."""

from __future__ import annotations

from advisor.engine.readers.fleet_table import empty_fleet
from advisor.engine.readers.head import Head, count_records
from advisor.engine.readers.reading import Problem, Reading

LIST_COMMAND = "az vm list -d -o json > vms.json"
LIST_INSTEAD = (
    f"Run `{LIST_COMMAND}` for all machines of a subscription, or export the Virtual machines page of the portal "
    "to CSV, or fill in the list that `inspect --template` prints."
)


def refuse(
    name: str, format_name: str, kind: str, message: str, *, head: Head | None = None, rows: int | None = None
) -> Reading:
    """A Reading without fleet. Its rows, where they can be told, are error rows: none of them could be used."""
    if rows is None:
        rows = count_records(head) if head else 0
    return Reading(
        file=name,
        format=format_name,
        encoding=head.decoding.label if head else None,
        delimiter=head.table.delimiter if head and head.table else None,
        usable=False,
        rows_read=rows,
        gpu_rows=0,
        other_rows=0,
        error_rows=rows,
        fleet=empty_fleet(),
        problems=(Problem(kind=kind, severity="error", message=message),),
    )
