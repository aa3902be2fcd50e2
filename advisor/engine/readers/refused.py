"""The refused rows of a file as written, kept so that they can be corrected in place and read again.

Only rows that a problem names are kept, at most `KEPT`; everything else of the file is forgotten after reading.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, BinaryIO

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers import az_vm_list, az_vmss_list, hand_list, portal
from advisor.engine.readers.head import Head, body_records, read_head
from advisor.engine.readers.jsontext import BrokenJson, iterate_elements
from advisor.engine.readers.layout import find_layout
from advisor.engine.readers.mapping import ColumnMapping
from advisor.engine.readers.reading import Problem, Reading
from advisor.engine.readers.records import open_text
from advisor.engine.readers.resources import flat, kind_of, scale_set_cells
from advisor.engine.readers.table import Layout
from advisor.engine.readers.text import BLANKS, detect
from advisor.engine.readers.vm_cells import LAYOUT, vm_cells

KEPT = 200  # rows a person corrects in a browser; more are corrected in the file
CELL_CHARACTERS = 2_000  # of a kept cell: no size, region or number is longer
_NUMBER_FIELDS = frozenset(
    {"count", "hours", "hours_per_vm", "cost", "utilisation", "gpu_memory_gib", "job_gpus", "min_vms"}
)
_RESOURCES = frozenset({az_vm_list.NAME, az_vmss_list.NAME})
_NO_ROW = frozenset({"broken_json", "not_a_table"})  # where reading stopped, not a row
_LOOKALIKES = str.maketrans({"O": "0", "o": "0", "l": "1", "I": "1", "S": "5", "B": "8"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """One thing wrong with a refused row. `place` is the cell, 0-based; None: the record as a whole."""

    kind: str
    message: str
    place: int | None = None
    field: str = ""
    column: str | None = None
    value: str = ""
    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedRow:
    """A row as written, on its physical line, or as element `at` of JSON."""

    at: int
    cells: tuple[str, ...]
    wrong: tuple[Wrong, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The refused rows of one file and what it takes to read them again; `left_out` rows are not kept."""

    file: str
    format: str
    encoding: str | None
    delimiter: str | None
    is_items: bool
    header: tuple[str, ...]
    fields: dict[str, int]
    tags: dict[str, int]
    rows: tuple[RefusedRow, ...]
    left_out: int = 0


def refused_rows(
    stream: BinaryIO,
    reading: Reading,
    catalogue: Catalogue,
    mapping: ColumnMapping | None = None,
    *,
    head: Head | None = None,
) -> Refused | None:
    """The rows of `reading` that are refused, read again from its stream; None where there are none with cells.

    `mapping` as in `read_file`; `head` is that of the file where its reader was given one made by hand. A reading
    that is refused as a whole has no such rows.
    """
    by_place: dict[int, list[Problem]] = {}
    for problem in reading.problems:
        place = problem.line if problem.line is not None else problem.item
        if problem.severity == "error" and place is not None and problem.kind not in _NO_ROW:
            by_place.setdefault(place, []).append(problem)
    if not by_place:
        return None
    if head is None and (decoding := detect(stream)) is not None:
        header_line = mapping.header_line if mapping else None
        head = read_head(reading.file, stream, decoding, catalogue, header_line=header_line)
    layout = layout_of(head, reading.format, catalogue, mapping) if head else None
    if head is None or layout is None:
        return None
    wanted = dict(sorted(by_place.items())[:KEPT])
    marks = portal.EMPTY_MARKS if reading.format == portal.NAME else frozenset[str]()
    rows = tuple(_rows(_cells(head, max(wanted)), wanted, layout, reading.delimiter or ",", marks))
    return Refused(
        file=reading.file,
        format=reading.format,
        encoding=reading.encoding,
        delimiter=reading.delimiter,
        is_items=head.table is None,
        header=layout.header,
        fields=dict(layout.fields),
        tags=dict(layout.tags),
        rows=rows,
        left_out=max(0, reading.error_rows - len(rows)),
    )


def layout_of(
    head: Head, format_name: str, catalogue: Catalogue, mapping: ColumnMapping | None = None
) -> Layout | None:
    """Which cell of the file holds which field, as its reader finds it; None for a format without such cells."""
    if format_name in _RESOURCES:
        return LAYOUT
    if head.table is None:
        return None
    if format_name == portal.NAME:
        return portal.portal_layout(head.table, catalogue)
    return find_layout(head.table, catalogue, by_hand=mapping) if format_name == hand_list.NAME else None


def _cells(head: Head, last: int) -> Iterator[tuple[int, list[str], bool]]:
    """Place, cells and whether they can be trusted, of each row up to `last`."""
    if head.table is not None:
        for record in body_records(head):
            if record.line > last:
                return
            yield record.line, record.cells, record.fault is None
        return
    text = open_text(head.stream, head.decoding)
    try:
        for index, item in enumerate(iterate_elements(text)):
            if index > last:
                return
            yield index, _resource_cells(item), True
    except BrokenJson:
        return
    finally:
        text.detach()


def _resource_cells(item: object) -> list[str]:
    resource = flat(item)
    return scale_set_cells(resource) if kind_of(resource) == "vmss" else vm_cells(resource)


def _rows(
    cells_of: Iterable[tuple[int, list[str], bool]],
    wanted: Mapping[int, Sequence[Problem]],
    layout: Layout,
    delimiter: str,
    empty_marks: frozenset[str],
) -> Iterator[RefusedRow]:
    for at, cells, trusted in cells_of:
        if at in wanted:
            plain = ["" if cell.strip(BLANKS) in empty_marks else cell[:CELL_CHARACTERS] for cell in cells]
            line = as_line(plain, delimiter) if trusted else " ".join(plain)
            wrong = tuple(wrong_of(problem, plain, line, layout) for problem in wanted[at])
            yield RefusedRow(at=at, cells=tuple(plain), wrong=wrong)


def wrong_of(problem: Problem, cells: Sequence[str], line: str, layout: Layout) -> Wrong:
    """What a problem says of a row's cells; of the record as a whole where it names no field."""
    field = dict(problem.parameters).get("field", "")
    place = layout.fields.get(field)
    if place is None:
        return Wrong(kind=problem.kind, message=problem.message, value=line[:CELL_CHARACTERS])
    value = cells[place].strip(BLANKS) if place < len(cells) else ""
    suggestions = problem.suggestions or likely_numbers(value, field)
    return Wrong(
        kind=problem.kind,
        message=problem.message,
        place=place,
        field=field,
        column=problem.column,
        value=value,
        suggestions=suggestions,
    )


def likely_numbers(text: str, field: str) -> tuple[str, ...]:
    """The number that was meant where letters stand for digits: `72O` is 720; none where that gives no number.

    >>> likely_numbers("72O", "hours")
    ('720',)
    """
    if field not in _NUMBER_FIELDS or not any(c.isdigit() for c in text):
        return ()
    meant = text.translate(_LOOKALIKES)
    return (meant,) if meant != text and re.fullmatch(r"\d+(?:[.,]\d+)?", meant) else ()


def as_line(cells: Sequence[str], delimiter: str) -> str:
    """Cells as one line of delimited text."""
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="").writerow([" ".join(cell.split("\n")) for cell in cells])
    return text.getvalue()


def refused_json(refused: Refused) -> dict[str, Any]:
    """The refused rows as JSON values."""
    return asdict(refused)


def refused_of(values: Mapping[str, Any]) -> Refused:
    """The refused rows that `refused_json` wrote."""
    rows = tuple(
        RefusedRow(
            at=row["at"],
            cells=tuple(row["cells"]),
            wrong=tuple(Wrong(**(wrong | {"suggestions": tuple(wrong["suggestions"])})) for wrong in row["wrong"]),
        )
        for row in values["rows"]
    )
    return Refused(**(dict(values) | {"header": tuple(values["header"]), "rows": rows}))
