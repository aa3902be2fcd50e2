"""`resource-graph-csv`: CSV of the Resource Graph Explorer, projected by the query, or raw with JSON in its cells."""

from __future__ import annotations

import json

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.collecting import Collector
from advisor.engine.readers.delimited import finish, read_raw, spoilt_record
from advisor.engine.readers.head import Head, Table, body_records
from advisor.engine.readers.layout import find_layout
from advisor.engine.readers.problems import Problems
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.refusals import LIST_INSTEAD, refuse
from advisor.engine.readers.resource_file import finish_collected
from advisor.engine.readers.resources import Resources, flat
from advisor.engine.readers.rows import Options
from advisor.engine.readers.text import BLANKS
from advisor.engine.readers.vm_cells import LAYOUT

NAME = "resource-graph-csv"
_JSON_COLUMNS = frozenset({"properties", "sku", "tags", "zones"})
_NULL = "null"
_BROKEN = object()


def recognises(head: Head) -> bool:
    """The names of the table `resources` as it spells them, and no columns of a cost export."""
    table = head.table
    if table is None or not {"meter", "metercategory", "billedcost", "consumedquantity"}.isdisjoint(table.keys):
        return False
    titles = set(table.header)
    return _is_raw(table) or bool(titles & {"subscriptionId", "tenantId", "count_"}) or _has_ids(table)


def _is_raw(table: Table) -> bool:
    return "properties" in table.keys and not {"id", "subscriptionid", "tenantid"}.isdisjoint(table.keys)


def _has_ids(table: Table) -> bool:
    """A column named exactly `id` that holds identifiers of resources."""
    if "id" not in table.header:
        return False
    place = table.header.index("id")
    cells = [row[place] for row in table.sample if place < len(row)]
    return any("/providers/microsoft.compute/" in cell.casefold() for cell in cells[:20])


def read(head: Head, catalogue: Catalogue, options: Options) -> Reading:
    """One record is one resource; a column `count_` says how many machines a projected record stands for."""
    if head.table is None:
        raise ValueError(f"{head.name} is no delimited text")
    if _is_raw(head.table) and (raw := _read_raw_rows(head, head.table, catalogue, options)):
        return raw
    layout = find_layout(head.table, catalogue)
    if layout is None:
        message = (
            "The export has no column of sizes. Add `| extend vmSize = properties.hardwareProfile.vmSize` to the query "
            f"and export it again. {LIST_INSTEAD}"
        )
        return refuse(head.name, NAME, "no_size_column", message, head=head)
    problems = Problems()
    table, spoilt = read_raw(head, layout, problems)
    for column in table.columns.values():
        column.values[:] = [_plain(value) for value in column.values]
    return finish(head, table, layout, catalogue, options, problems, format_name=NAME, spoilt=spoilt)


def _plain(value: str) -> str:
    """The text `null` as nothing, a list in JSON as its members."""
    text = value.strip(BLANKS)
    if text == _NULL:
        return ""
    if text.startswith("[") and isinstance(found := _json(text), list):
        return "+".join(str(part) for part in found)
    return value


def _read_raw_rows(head: Head, table: Table, catalogue: Catalogue, options: Options) -> Reading | None:
    """Records with their properties as JSON; None where a projected size stands beside them."""
    names = [title.strip(BLANKS) for title in table.header]
    if any(name.casefold().replace("_", "").endswith("vmsize") for name in names):
        return None
    collector = Collector(LAYOUT, Problems(), is_items=False)
    resources = Resources(collector, catalogue)
    width = len(names)
    for record in body_records(head):
        if record.blank:
            continue
        if record.fault or len(record.cells) > width:
            collector.spoilt += 1
            collector.problems.add(spoilt_record(record, width))
            continue
        resource = {name: _value(name, cell) for name, cell in zip(names, record.cells, strict=False)}
        if resource.get("properties") is _BROKEN:
            collector.spoil(record.line, "broken_json", "the cell is no JSON, perhaps cut off.", column="properties")
        else:
            resources.add(record.line, flat(resource))
    resources.close()
    return finish_collected(head, collector, catalogue, options, NAME)


def _value(name: str, cell: str) -> object:
    """A cell of the table `resources` as JSON has it; `_BROKEN` where it should be JSON and is not."""
    text = cell.strip(BLANKS)
    if text in ("", _NULL):
        return None
    if name not in _JSON_COLUMNS:
        return text
    found = _json(text)
    return _BROKEN if found is None else found


def _json(text: str) -> object:
    try:
        return json.loads(text, parse_int=float)
    except (ValueError, RecursionError):
        return None
