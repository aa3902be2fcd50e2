"""The beginning of a file: what formats look at to recognise their own."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO

import numpy as np

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.jsontext import BrokenJson, iterate_elements, iterate_members, rows_of
from advisor.engine.readers.mapping import NO_HEADER
from advisor.engine.readers.names import is_known_size
from advisor.engine.readers.progress import StreamProgress, unwatched_stream
from advisor.engine.readers.records import Record, bounded_lines, iterate_records, open_text
from advisor.engine.readers.text import (
    BLANKS,
    BLOCK_BYTES,
    Decoding,
    guess_delimiter,
    header_keys,
    is_type_line,
    separator_line,
)
from advisor.engine.readers.words import field_of

TEXT_CHARACTERS = 1 << 18
PREAMBLE_LINES = 40  # above a header; price sheets have two, hand-made reports a few
HEADER_LINES_MAX = 200  # among which a person may say that the header is
SAMPLE_RECORDS = 300
HEADER_CELLS = 2_000  # of a line that are looked at to tell whether it is a header
SAMPLE_ELEMENTS = 5
LIST_MEMBERS = ("data", "Data", "value")  # under which an answer of Azure holds its list
WATCHED_RECORDS = 20_000  # between two words of progress
COUNTED_RECORDS = 20_000  # one by one; nobody compares the count of a longer file that holds no fleet
DASHES = re.compile(r"-{2,}(?: {2,}-{2,})*\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The header of delimited text and the first records below it."""

    delimiter: str
    line: int  # of the header, physical and 1-based
    next_line: int  # on which the first record below the header starts
    header: tuple[str, ...]
    keys: frozenset[str]  # every name under which a column may be known
    sample: tuple[list[str], ...]
    headless: bool  # the first record is found to be data already; columns have made-up names


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A text file as formats see it before one of them reads it."""

    name: str
    stream: BinaryIO
    decoding: Decoding
    text: str  # the first characters, line ends as line feeds
    table: Table | None  # None for JSON, markup and fixed-width tables
    items: tuple[object, ...] = ()  # the first elements of JSON
    progress: StreamProgress = unwatched_stream  # told how far the reading of the body is

    @property
    def is_json(self) -> bool:
        return self.text.lstrip(BLANKS)[:1] in ("{", "[")

    @property
    def wrapped(self) -> bool:
        """The list of a JSON file stands inside an object, with more about it beside."""
        first = self.items[0] if len(self.items) == 1 else None
        return isinstance(first, dict) and any(isinstance(first.get(name), (list, dict)) for name in LIST_MEMBERS)

    @property
    def elements(self) -> tuple[object, ...]:
        """The first elements of the list of a JSON file, bare or wrapped."""
        first = self.items[0] if self.items else None
        if not self.wrapped or not isinstance(first, dict):
            return self.items
        inner = next(value for name in LIST_MEMBERS if isinstance(value := first.get(name), (list, dict)))
        return tuple(itertools.islice(inner if isinstance(inner, list) else rows_of(inner), SAMPLE_ELEMENTS))

    @property
    def fixed_width_header(self) -> str | None:
        """The first line of a table whose second line is dashes, as the command line prints them."""
        lines = [line for line in self.text[:20_000].split("\n") if line.strip(BLANKS)][:2]
        return lines[0] if len(lines) == 2 and DASHES.fullmatch(lines[1].strip(BLANKS)) else None


NameField = Callable[[str], str | None]  # the field that a column name stands for, None where it is not known


def read_head(
    name: str,
    stream: BinaryIO,
    decoding: Decoding,
    catalogue: Catalogue,
    name_field: NameField = field_of,
    *,
    header_line: int | None = None,
) -> Head:
    """Read the first characters and, in delimited text, find the header: the line with most names of `name_field`.

    A person may say on which line it stands instead, or that there is none (`mapping.NO_HEADER`); there is no table
    where that line is not one of the first `HEADER_LINES_MAX`, or is blank.
    """
    text_stream = open_text(stream, decoding)
    try:
        text = text_stream.read(TEXT_CHARACTERS)
    finally:
        text_stream.detach()
    head = Head(name=name, stream=stream, decoding=decoding, text=text, table=None)
    if head.is_json:
        return replace(head, items=_first_elements(head))
    if head.fixed_width_header or text.lstrip(BLANKS)[:1] == "<":
        return head
    if header_line is not None:
        return replace(head, table=_table_by_hand(text, header_line, catalogue))
    return replace(head, table=_find_table(text, catalogue, name_field))


def _first_elements(head: Head) -> tuple[object, ...]:
    text = open_text(head.stream, head.decoding)
    items: list[object] = []
    try:
        for item in itertools.islice(iterate_elements(text), SAMPLE_ELEMENTS):
            items.append(item)
    except BrokenJson:
        pass  # its reader reports it
    finally:
        text.detach()
    return tuple(items) or _outline(head)


def _outline(head: Head) -> tuple[object, ...]:
    """The beginning of an object too long to be taken at once: its members up to the first elements of its list."""
    text = open_text(head.stream, head.decoding)
    found: dict[str, object] = {}
    try:
        for name, value in iterate_members(text, LIST_MEMBERS):
            if name not in LIST_MEMBERS:
                found[name] = value
                continue
            listed = found.setdefault(name, [])
            if isinstance(listed, list):
                listed.append(value)
                if len(listed) == SAMPLE_ELEMENTS:
                    break
    except BrokenJson:
        pass  # its reader reports it
    finally:
        text.detach()
    return (found,) if any(name in found for name in LIST_MEMBERS) else ()


def _find_table(text: str, catalogue: Catalogue, name_field: NameField) -> Table | None:
    lines = text.split("\n")
    delimiter: str | None = None
    candidates: list[tuple[int, int, str]] = []  # known names, -line, delimiter
    for number, line in enumerate(lines[:PREAMBLE_LINES], start=1):
        if (named := separator_line(line)) is not None and number == 1:
            delimiter = named
        elif line.strip(BLANKS) and not is_type_line(line):
            mark = delimiter or guess_delimiter(line[:TEXT_CHARACTERS])
            candidates.append((_known_names(line, mark, name_field), -number, mark))
    if not candidates:
        return None
    best = max(candidates)
    if best[0] < 2 and not (best[0] and _names_size(lines[-best[1] - 1], best[2])):
        best = candidates[0]  # no line looks like a header: the first one is
    return _table_at(lines, -best[1], best[2], catalogue)


def _table_by_hand(text: str, header_line: int, catalogue: Catalogue) -> Table | None:
    lines = text.split("\n")
    named = separator_line(lines[0])
    first = next((n for n, line in enumerate(lines, 1) if line.strip(BLANKS) and (n > 1 or not named)), 0)
    number = header_line or first
    if not 0 < number <= min(len(lines), HEADER_LINES_MAX) or not lines[number - 1].strip(BLANKS):
        return None
    delimiter = named or guess_delimiter(lines[number - 1])
    return _table_at(lines, number, delimiter, catalogue, headless=header_line == NO_HEADER)


def _known_names(line: str, delimiter: str, name_field: NameField) -> int:
    cells = _first(iterate_records(iter([line + "\n"]), delimiter)).cells
    return len({field for cell in cells[:HEADER_CELLS] if (field := name_field(cell))})


def _names_size(line: str, delimiter: str) -> bool:
    return any(field_of(cell) == "size" for cell in _first(iterate_records(iter([line + "\n"]), delimiter)).cells)


def _first(records: Iterator[Record]) -> Record:
    return next(records, Record(1, []))


def _table_at(
    lines: list[str], number: int, delimiter: str, catalogue: Catalogue, *, headless: bool | None = None
) -> Table:
    """The table whose first line is `number`; whether that has data already is told by its sizes, or by a person."""
    below = iterate_records((line + "\n" for line in lines[number - 1 :]), delimiter, number)
    records = list(itertools.islice(below, SAMPLE_RECORDS + 1))
    cells = [cell.strip(BLANKS) for cell in records[0].cells]
    by_hand = headless is not None
    if headless is None:
        headless = any(is_known_size(cell, catalogue) for cell in cells[:HEADER_CELLS])
    if headless:
        header = tuple(f"column {place}" for place in range(1, len(cells) + 1))
        sample, next_line = records, number
    else:
        header, sample = tuple(cells), records[1:]
        next_line = records[1].line if len(records) > 1 else len(lines) + 1
    return Table(
        delimiter=delimiter,
        line=number,
        next_line=next_line,
        header=header,
        keys=frozenset(key for cell in header for key in header_keys(cell)),
        sample=tuple(record.cells for record in sample if not record.blank and record.fault is None),
        headless=headless and not by_hand,
    )


def body_records(head: Head) -> Iterator[Record]:
    """Every record below the header, blank ones too. Close the generator to let go of the stream."""
    table = head.table
    if table is None:
        return
    text = open_text(head.stream, head.decoding)
    try:
        body = itertools.islice(bounded_lines(text), table.next_line - 1, None)
        for count, record in enumerate(iterate_records(body, table.delimiter, table.next_line), start=1):
            yield record
            if count % WATCHED_RECORDS == 0:
                head.progress(head.stream.tell(), count)
    finally:
        text.detach()


def count_records(head: Head) -> int:
    """Records below the header that are not blank. In a file with more than `COUNTED_RECORDS` each line is one."""
    table = head.table
    if table is None:
        return 0
    count = 0
    for place, record in enumerate(body_records(head)):
        if place == COUNTED_RECORDS:
            above = head.text.split("\n")[: table.next_line - 1]
            return _count_lines(head.stream) - sum(map(bool, above))
        count += not record.blank
    return count


def _count_lines(stream: BinaryIO) -> int:
    """Lines of a stream that are not empty, in any encoding that keeps ASCII as bytes."""
    stream.seek(0)
    count, before = 0, b"\n"
    while block := stream.read(BLOCK_BYTES):
        text = np.frombuffer(before + block, dtype=np.uint8)
        ends = (text == 10) | (text == 13)  # line feeds and carriage returns
        count += int(np.count_nonzero(ends[:-1] & ~ends[1:]))
        before = block[-1:]
    return count


def body_offset(head: Head) -> int | None:
    """The byte at which the first record below the header starts; None where lines do not end with a line feed."""
    table = head.table
    if table is None or not head.decoding.plain:
        return None
    head.stream.seek(0)
    start = head.stream.read(4 * TEXT_CHARACTERS)
    offset = head.decoding.skip
    for _ in range(table.next_line - 1):
        found = start.find(b"\n", offset)
        if found < 0:
            return None
        offset = found + 1
    lone = start[:offset].replace(b"\r\n", b"")
    return None if b"\r" in lone else offset
