"""`hand-list`: a list that a person or a script made, with any sensible column names."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.delimited import read_table
from advisor.engine.readers.head import HEADER_CELLS, Head
from advisor.engine.readers.layout import find_layout
from advisor.engine.readers.mapping import ColumnMapping, column_names
from advisor.engine.readers.problems import shown
from advisor.engine.readers.reading import Problem, Reading
from advisor.engine.readers.refusals import LIST_INSTEAD, refuse
from advisor.engine.readers.rows import Options
from advisor.engine.vm_facts import NAMES as FACT_NAMES

NAME = "hand-list"
NO_TABLE = f"Columns are matched by hand in delimited text and workbooks, and this is neither. {LIST_INSTEAD}"

_WORK_COLUMNS = (
    "name,size,region,count,hours_per_month,os,price_model,state,pool,workload,pattern,shape,precision,"
    "gpu_memory_gib,utilisation,multi_node,job_gpus,interruptible,min_vms,cost,currency,service"
)
TEMPLATE = f"""\
{_WORK_COLUMNS},{",".join(FACT_NAMES)}
training,Standard_NC6s_v3,westeurope,4,2920,linux,payg,running,research,training,steady,queue,fp32,,60,no,1,no,1,,,vm,\
1,Ubuntu 20.04,2,yes,1,no,0,30,no,no,SCSI,yes,no,none,standard,no,NvidiaGpuDriverLinux,535.161,11.8,2.1,
online,Standard_NC4as_T4_v3,koreacentral,2,1460,linux,payg,running,web,inference,steady,stream,fp16,8,25,no,1,no,2,,,,\
{"," * (len(FACT_NAMES) - 1)}
"""


def recognises(head: Head) -> bool:
    """Any delimited text: the format of last resort."""
    return head.table is not None


def read(head: Head, catalogue: Catalogue, options: Options, mapping: ColumnMapping | None = None) -> Reading:
    """Read the list; one without a column of sizes, or without a column of the mapping, is refused."""
    table = head.table
    if mapping and (refused := _refuse_mapping(head, mapping)):
        return refused
    layout = find_layout(table, catalogue, by_hand=mapping) if table else None
    if layout is None:
        titles = _titles(head)
        return refuse(
            head.name,
            NAME,
            "no_size_column",
            f"No column of the file holds VM sizes (columns read: {titles or 'none'}). Export a list that has the "
            "size, with a column named “size” and values such as Standard_NC6s_v3; `inspect --template` prints one "
            "to fill in, and `az vm list -d -o json > vms.json` gives all machines of a subscription.",
            head=head,
        )
    reading = read_table(head, layout, catalogue, options, NAME)
    return replace(reading, notes=(mapping.in_words(), *reading.notes)) if mapping else reading


def _titles(head: Head) -> str:
    return ", ".join(shown(title) for title in (head.table.header if head.table else ())[:8] if title)


def _refuse_mapping(head: Head, mapping: ColumnMapping) -> Reading | None:
    """Why the mapping does not fit the file, None where it does."""
    if head.table is None and mapping.header_line:
        message = f"Line {mapping.header_line} has no column names, or the file is no table with one record per line."
        return refuse(head.name, NAME, "no_such_line", message, head=head)
    if head.table is None:
        return refuse(head.name, NAME, "not_a_table", NO_TABLE, head=head)
    if not (missing := mapping.missing(head.table.header)):
        return None
    refused = refuse(head.name, NAME, "no_such_column", "", head=head)
    return replace(refused, problems=tuple(_no_such_column(column, head.table.header) for column in missing))


def _no_such_column(column: str, header: tuple[str, ...]) -> Problem:
    names = [shown(name) for name in column_names(header)[:HEADER_CELLS]]
    near = tuple(get_close_matches(shown(column), names, n=2))
    meant = f" Did you mean {' or '.join(f'“{name}”' for name in near)}?" if near else ""
    read = ", ".join(names[:8]) + (" and more" if len(names) > 8 else "")
    return Problem(
        kind="no_such_column",
        severity="error",
        message=f"No column of its own is called “{shown(column)}” (columns read: {read or 'none'}).{meant}",
        value=shown(column),
        suggestions=near,
    )
