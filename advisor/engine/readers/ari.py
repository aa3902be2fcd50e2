"""`ari-workbook`: the sheets of Azure Resource Inventory for VMs, scale sets and node pools.

The tool writes one row per VM, network card and tag; `Resource U` is 1 where a resource starts. Of node pools it is 1
once per cluster, so a pool starts where its cluster and its name do.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from advisor.engine.catalogue import Catalogue, squash
from advisor.engine.readers.delimited import finish, read_raw
from advisor.engine.readers.head import Head
from advisor.engine.readers.layout import find_layout
from advisor.engine.readers.problems import Problems
from advisor.engine.readers.reading import Problem, Reading
from advisor.engine.readers.rows import Options
from advisor.engine.readers.table import Layout, Mask, RawTable
from advisor.engine.readers.table_rows import keep_rows
from advisor.engine.readers.tags import combined
from advisor.engine.readers.text import BLANKS

NAME = "ari-workbook"
_VMS = {
    "vmname": "name", "vmsize": "size", "resourcegroup": "resource_group", "location": "region", "ostype": "os",
    "powerstate": "state", "vmgeneration": "generation",
}  # fmt: skip
_SETS = {
    "name": "name", "vmsize": "size", "instances": "count", "resourcegroup": "resource_group", "location": "region",
    "vmos": "os",
}  # fmt: skip
_POOLS = {
    "nodepoolname": "name", "nodepoolsize": "size", "targetnodes": "count", "resourcegroup": "resource_group",
    "location": "region", "nodepoolostype": "os", "nodepoolpowerstate": "state",
}  # fmt: skip
#: Columns that tell one resource from the next, beside `Resource U`.
_KEYS = ("subscription", "resourcegroup", "clusters", "vmname", "name", "nodepoolname")
POOLS_SHEET, SETS_SHEET = "AKS", "Virtual Machine Scale Sets"
COUNTED_ONCE = f"the nodes of these pools are scale sets of the sheet “{SETS_SHEET}”, and are counted once."


def kind_of(keys: frozenset[str]) -> dict[str, str] | None:
    """The columns of the sheet by field, None for a table of another kind."""
    if {"nodepoolsize", "targetnodes", "clusters"} <= keys:
        return _POOLS
    if {"akssfc", "vmsize", "instances"} <= keys:
        return _SETS
    return _VMS if {"subscription", "resourcegroup", "vmname", "vmsize", "nicname"} <= keys else None


def recognises(head: Head) -> bool:
    """The columns of one of the three sheets."""
    return head.table is not None and kind_of(head.table.keys) is not None


def read(head: Head, catalogue: Catalogue, options: Options) -> Reading:
    """Each resource once; its further rows are other rows."""
    table = head.table
    names = kind_of(table.keys) if table else None
    layout = find_layout(table, catalogue, lambda t: (names or {}).get(squash(t))) if table else None
    if table is None or names is None or layout is None:
        raise ValueError("recognised without sizes")
    places = {squash(title): place for place, title in reversed(list(enumerate(table.header)))}
    keys = [places[key] for key in _KEYS if key in places]
    problems = Problems()
    raw, spoilt = _read_keys(head, layout, [*keys, *(places[key] for key in ("resourceu",) if key in places)], problems)
    if "resourceu" in places and names is not _POOLS:
        first = raw.columns[places["resourceu"]].flag(lambda text: text.strip(BLANKS) not in ("0", "0.0"))
    else:
        first = _first_of(raw, keys)
    layout = replace(layout, tags={"Subscription": places["subscription"]} if "subscription" in places else {})
    return finish(
        head,
        keep_rows(raw, first),
        layout,
        catalogue,
        options,
        problems,
        format_name=NAME,
        spoilt=spoilt,
        skipped=int((~first).sum()),
    )


def _read_keys(head: Head, layout: Layout, keys: list[int], problems: Problems) -> tuple[RawTable, int]:
    """The raw table with the columns `keys` too, that of names among them."""
    fields = {name: place for name, place in layout.fields.items() if name != "name"}
    tags = {str(place): place for place in keys if place not in fields.values()}
    if "name" in layout.fields:
        tags["name"] = layout.fields["name"]
    raw, spoilt = read_raw(head, replace(layout, fields=fields, tags=tags), problems)
    if "name" not in layout.fields:
        return raw, spoilt
    column = raw.columns[layout.fields["name"]]
    return replace(raw, names=[column.values[code] for code in column.codes.tolist()]), spoilt


def _first_of(raw: RawTable, keys: list[int]) -> Mask:
    """The first row of each combination of the key columns."""
    found = np.zeros(len(raw.lines), dtype=np.bool_)
    if len(found):
        found[combined([raw.columns[place] for place in keys], np.ones(len(found), dtype=np.bool_))[1]] = True
    return found


def counted_once() -> Problem:
    """What is said of a sheet of node pools beside a sheet of scale sets."""
    return Problem(kind="same_pool_as_vmss", severity="warning", message=COUNTED_ONCE)
