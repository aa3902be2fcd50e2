"""What a person needs to say which column holds what: the first lines of each table of a file, and the best guess."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import BinaryIO, Literal

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.containers import refuse_container
from advisor.engine.readers.guesses import guess_fields
from advisor.engine.readers.head import HEADER_CELLS, PREAMBLE_LINES, TEXT_CHARACTERS, Table, read_head
from advisor.engine.readers.mapping import NO_HEADER, ColumnMapping, column_names, shape_of
from advisor.engine.readers.packed import read_packed
from advisor.engine.readers.problems import shown
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.records import Record, iterate_records
from advisor.engine.readers.refusals import refuse
from advisor.engine.readers.registry import read_file
from advisor.engine.readers.text import BLANKS, Decoding, detect, guess_delimiter, separator_line
from advisor.engine.readers.words import field_of
from advisor.engine.readers.workbook import is_workbook

ROWS_TRIED = 200  # below the header, read to show what a mapping makes of them
LINES_BELOW = 8  # of the header, as they are shown
LINES_ABOVE = 6
VALUES_SHOWN = 3
SHEET_ROWS = 600  # of a workbook's sheet that are looked at
_TEXT = Decoding(codec="utf-8", label="utf-8")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownLine:
    """One line of a file as its cells; `role` is what it is taken for."""

    line: int
    cells: tuple[str, ...]
    role: Literal["above", "header", "row"]


@dataclass(frozen=True, kw_only=True)
class TableTop:
    """The beginning of one table. `part` is its sheet, or file in a zip; None: the file has only this one."""

    part: str | None
    text: str
    table: Table
    header_line: int  # NO_HEADER where the first line is data already

    @cached_property
    def names(self) -> tuple[str, ...]:
        """A name of its own for each column."""
        return column_names(self.table.header)

    @property
    def shape(self) -> str | None:
        """See `shape_of`; None where there are no names to know another file by."""
        return None if self.header_line == NO_HEADER else shape_of(self.table.header)

    def guess(self, catalogue: Catalogue) -> dict[str, int]:
        """The place of the column that most likely holds each field, by its name, else by what stands in it."""
        return guess_fields(self.table, catalogue)

    def values(self, place: int) -> tuple[str, ...]:
        """The first values of a column that are not empty, each once."""
        cells = (row[place].strip(BLANKS) for row in self.table.sample[:50] if place < len(row))
        return tuple(dict.fromkeys(shown(cell) for cell in cells if cell))[:VALUES_SHOWN]

    def lines(self) -> tuple[ShownLine, ...]:
        """The lines around the header, as many as a person needs to see that it is the right one."""
        found: list[ShownLine] = []
        for record in iterate_records(_lines(self.text), self.table.delimiter):
            role: Literal["above", "header", "row"] = "above" if record.line < self.table.line else "row"
            role = "header" if record.line == self.header_line else role
            if not record.blank:
                found.append(ShownLine(line=record.line, cells=tuple(map(shown, record.cells)), role=role))
            if sum(one.role == "row" for one in found) == LINES_BELOW:
                break
        above = [one for one in found if one.role == "above"]
        return tuple(one for one in found if one.role != "above" or one in above[-LINES_ABOVE:])

    def records(self, most: int) -> list[Record]:
        """The first records below the header, blank ones too; a last one that may be cut off is left out."""
        found, number = self._below(most)
        return found[:number]

    def _below(self, most: int) -> tuple[list[Record], int]:
        """One record more than asked for, where there is one, and how many of them count."""
        text = "\n".join(self.text.split("\n")[self.table.next_line - 1 :])
        records = iterate_records(_lines(text), self.table.delimiter, self.table.next_line)
        found = list(islice(records, most + 1))
        cut_off = len(self.text) >= TEXT_CHARACTERS
        return found, min(most, max(0, len(found) - cut_off))

    def beginning(self, rows: int = ROWS_TRIED) -> tuple[bytes, bool]:
        """The text up to so many rows below the header, whole records only; and whether that is all of the table."""
        lines = self.text.split("\n")
        found, number = self._below(rows)
        if number < len(found):
            lines = lines[: found[number].line - 1]
        return ("\n".join(lines) + "\n").encode("utf-8", "replace"), number == len(found)


def _lines(text: str) -> Iterator[str]:
    return (line + "\n" for line in text.split("\n"))


def table_tops(name: str, stream: BinaryIO, catalogue: Catalogue) -> tuple[TableTop, ...]:
    """The tables of a file: itself, or its sheets, or the files in it; empty for what is no delimited text."""
    packs = is_workbook(stream) or _starts(stream, b"PK")
    tops: list[TableTop] = []

    def look(part: str, content: BinaryIO) -> Reading:
        decoding = detect(content) if refuse_container(part, content) is None else None
        head = read_head(part, content, decoding, catalogue) if decoding else None
        if head is not None and head.table is not None:
            line = NO_HEADER if head.table.headless else head.table.line
            top = TableTop(part=part if packs else None, text=head.text, table=head.table, header_line=line)
            tops.append(_below_preamble(top, catalogue))
        return refuse(part, "unknown", "only_looked_at", "")

    read_packed(name, stream, look, rows_max=SHEET_ROWS)
    return tuple(tops)


def _below_preamble(top: TableTop, catalogue: Catalogue) -> TableTop:
    """The header on the first line that is as wide as most are, where none has a name that is known."""
    if any(field_of(name) for name in top.table.header[:HEADER_CELLS]) or top.header_line == NO_HEADER:
        return top
    lines = list(enumerate(top.text.split("\n", PREAMBLE_LINES)[:PREAMBLE_LINES], start=1))
    filled = [(number, line) for number, line in lines if line.strip(BLANKS) and not separator_line(line)]
    widths = {number: line.count(guess_delimiter(line)) for number, line in filled}
    times = Counter(widths.values())
    usual = max(times, key=lambda width: (times[width], width), default=0)
    first = next((number for number, width in widths.items() if width == usual > 0), top.header_line)
    return top if first == top.header_line else with_header(top, first, catalogue) or top


def _starts(stream: BinaryIO, mark: bytes) -> bool:
    stream.seek(0)
    return stream.read(len(mark)) == mark


def with_header(top: TableTop, line: int, catalogue: Catalogue) -> TableTop | None:
    """The same table with its header on another line, None where that line is blank or there is none."""
    stream = io.BytesIO(top.text.encode("utf-8", "replace"))
    table = read_head("", stream, _TEXT, catalogue, header_line=line).table
    return None if table is None else replace(top, table=table, header_line=line)


def try_mapping(name: str, top: TableTop, catalogue: Catalogue, mapping: ColumnMapping) -> tuple[Reading, bool]:
    """What the reader makes of the first rows, by the same path as the whole file; and whether they are all."""
    beginning, whole = top.beginning()
    return read_file(name, io.BytesIO(beginning), catalogue, mapping=replace(mapping, sheet=None)), whole


def recall(
    name: str, stream: BinaryIO, catalogue: Catalogue, known: Mapping[str, ColumnMapping]
) -> tuple[str, ColumnMapping] | None:
    """The shape of a file and its mapping among those that are `known`, by shape; None where no table has one of them.

    The header may stand on another line than it did, and in a sheet of another name.
    """
    found: list[tuple[str, ColumnMapping]] = []
    for top in table_tops(name, stream, catalogue) if known else ():
        line, shape = next(((line, shape) for line, shape in _shapes(top) if shape in known), (None, ""))
        if line is not None:
            sheet = top.part if known[shape].sheet is not None else None
            found.append((shape, replace(known[shape], header_line=line, sheet=sheet)))
            if known[shape].sheet == sheet:
                return found[-1]
    return next(iter(found), None)


def _shapes(top: TableTop) -> Iterator[tuple[int, str]]:
    """Each line on which a header may stand, with the shape that it would give the table; the likely one first."""
    if top.shape is not None:
        yield top.header_line, top.shape
    for number, line in enumerate(top.text.split("\n", PREAMBLE_LINES)[:PREAMBLE_LINES], start=1):
        if line.strip(BLANKS):
            record = next(iterate_records(iter([line + "\n"]), guess_delimiter(line)), None)
            if record is not None and record.fault is None:
                yield number, shape_of([cell.strip(BLANKS) for cell in record.cells])
