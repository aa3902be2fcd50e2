"""Lines that a person pastes or types into a page: size, region, count and hours, with or without column names."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from statistics import mode
from typing import BinaryIO

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers import hand_list
from advisor.engine.readers.head import Head, Table, read_head
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.records import iterate_records
from advisor.engine.readers.refused import Refused, refused_rows
from advisor.engine.readers.registry import read_file
from advisor.engine.readers.rows import HoursReading, Options
from advisor.engine.readers.text import detect
from advisor.engine.readers.words import field_of

#: What the cells of a line without column names are, in this order.
COLUMNS = ("size", "region", "count", "hours_per_month", "workload")
#: The columns of the form in which a fleet is typed; there the hours are those of each machine.
TYPED_COLUMNS = ("size", "region", "count", "hours_per_vm", "workload")


def read_pasted(
    name: str, stream: BinaryIO, catalogue: Catalogue, *, hours: HoursReading | None = None
) -> tuple[Reading, Refused | None]:
    """Read pasted text, and the rows that are refused. Text whose first line names columns is read like a file."""
    head = bare_lines(name, stream, catalogue)
    if head is None:
        reading = read_file(name, stream, catalogue, hours=hours)
        return reading, refused_rows(stream, reading, catalogue)
    reading = hand_list.read(head, catalogue, Options(hours=hours))
    return reading, refused_rows(stream, reading, catalogue, head=head)


def bare_lines(name: str, stream: BinaryIO, catalogue: Catalogue) -> Head | None:
    """The head of lines without column names, with the names they stand for; None for any other text."""
    decoding = detect(stream)
    head = read_head(name, stream, decoding, catalogue) if decoding else None
    if head is None or head.table is None:
        return None
    delimiter = head.table.delimiter
    records = list(iterate_records((line + "\n" for line in head.text.split("\n")), delimiter))
    filled = [record for record in records if not record.blank and record.fault is None]
    if not filled or any(field_of(cell) for cell in filled[0].cells):
        return None
    width = min(mode(len(record.cells) for record in filled), len(COLUMNS))
    table = Table(
        delimiter=delimiter,
        line=1,
        next_line=1,
        header=COLUMNS[:width],
        keys=frozenset(),
        sample=tuple(record.cells for record in filled),
        headless=False,
    )
    return replace(head, table=table)


def typed_text(rows: Sequence[Sequence[str]]) -> bytes:
    """Typed rows as a list with column names: row i of the form is line i + 2, empty rows too."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(TYPED_COLUMNS)
    writer.writerows([[" ".join(cell.split()) for cell in row] for row in rows])
    return text.getvalue().encode()
