"""`az-vm-list-usage-table` and `-json`: vCPU quota by family. No fleet, but kept beside one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from advisor.engine.catalogue import Catalogue, squash
from advisor.engine.readers.head import Head, body_records
from advisor.engine.readers.jsontext import BrokenJson, pick, plain_text
from advisor.engine.readers.names import canonical_region
from advisor.engine.readers.reading import Quota, Reading
from advisor.engine.readers.records import bounded_lines, open_text
from advisor.engine.readers.refusals import LIST_COMMAND, refuse
from advisor.engine.readers.resource_file import elements_of
from advisor.engine.readers.rows import Options
from advisor.engine.readers.text import BLANKS

NAME = "quota"
TABLE, JSON, CSV = "az-vm-list-usage-table", "az-vm-list-usage-json", "quota-csv"
FAMILIES_MAX = 10_000  # of one file; a region has about 150
_GPU_FAMILY = re.compile(r"standardn(?!p)[a-z].*family(?:vcpus|cores)?")
_COLUMNS = re.compile(r" {2,}")
_KEPT = (
    "This is a list of vCPU quota: it has no machines, so it cannot tell which sizes run. It is kept as the quota of "
    f"the fleet. Export the machines as well: `{LIST_COMMAND}`."
)


def recognises(head: Head) -> bool:
    """The columns CurrentValue and Limit, or Quota and Current Limit."""
    return _format_of(head) is not None


def _format_of(head: Head) -> str | None:
    if (header := head.fixed_width_header) is not None:
        return TABLE if {"CurrentValue", "Limit"} <= set(_COLUMNS.split(header.strip(BLANKS))) else None
    if head.table is not None:
        return CSV if head.table.keys.issuperset({"quota", "currentlimit"}) else None
    first = next(iter(head.elements), None)
    return JSON if pick(first, "currentValue") is not None and pick(first, "limit") is not None else None


def read(head: Head, catalogue: Catalogue, _options: Options) -> Reading:
    """No fleet; `quota` has the GPU families, in the order of the file."""
    format_name = _format_of(head) or NAME
    lines = list(_LINES[format_name](head))
    families = _gpu_families(catalogue)
    kept = tuple(
        replace(line, region=canonical_region(line.region, catalogue) if line.region else None)
        for line in lines
        if squash(line.family) in families or _GPU_FAMILY.fullmatch(squash(line.family))
    )
    refused = refuse(head.name, format_name, "quota_not_fleet", _KEPT, head=head, rows=len(lines))
    return replace(refused, quota=kept[:FAMILIES_MAX])


def _gpu_families(catalogue: Catalogue) -> frozenset[str]:
    """Every spelling of the families of GPU sizes; NP is FPGA, and totals have no series."""
    known = (family for family in catalogue.quota_families if family.series and family.series != "NP")
    return frozenset(squash(name) for family in known for name in family.spellings)


def _of_table(head: Head) -> Iterator[Quota]:
    text = open_text(head.stream, head.decoding)
    try:
        filled = (line.strip(BLANKS) for line in bounded_lines(text) if line.strip(BLANKS))
        for line in list(_head_off(filled)):
            parts = _COLUMNS.split(line)
            name, numbers = parts[0], parts[-2:] if len(parts) > 2 else ["", ""]
            yield Quota(family=name[:200], used=_whole(numbers[0]), limit=_whole(numbers[1]))
    finally:
        text.detach()


def _head_off(lines: Iterable[str]) -> Iterator[str]:
    """The lines below the column names and their dashes."""
    for number, line in enumerate(lines):
        if number >= 2:
            yield line


def _of_csv(head: Head) -> Iterator[Quota]:
    header = [squash(title) for title in (head.table.header if head.table else ())]
    for record in body_records(head):
        if not record.blank:
            cells = dict(reversed(list(zip(header, record.cells, strict=False))))  # Usage comes before Usage%
            yield Quota(
                family=cells.get("quota", "").strip(BLANKS)[:200],
                used=_whole(cells.get("usage", "")),
                limit=_whole(cells.get("currentlimit", "")),
                region=cells.get("region", "").strip(BLANKS) or None,
            )


def _of_json(head: Head) -> Iterator[Quota]:
    try:
        for item in elements_of(head, {}):
            name = (
                plain_text(pick(item, "localName"))
                or plain_text(pick(item, "name", "localizedValue"))
                or plain_text(pick(item, "name", "value"))
            )
            yield Quota(
                family=name[:200],
                used=_whole(plain_text(pick(item, "currentValue"))),
                limit=_whole(plain_text(pick(item, "limit"))),
            )
    except BrokenJson:
        return


_LINES = {TABLE: _of_table, JSON: _of_json, CSV: _of_csv}


def _whole(text: str) -> int | None:
    """The number, None for anything else: an unknown limit is never 0."""
    plain = text.strip(BLANKS).replace(",", "")
    return int(plain) if plain.isascii() and plain.isdigit() and len(plain) < 12 else None
