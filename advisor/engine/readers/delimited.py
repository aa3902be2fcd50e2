"""Reads the body of delimited text into a Reading: the fast way where the file is regular, else record by record.

Both ways give blocks of rows, and nothing of a block is kept but what it adds up to (docs/adr).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.blocks import Irregular, table_blocks
from advisor.engine.readers.head import Head, Table, body_offset, body_records
from advisor.engine.readers.list_reading import ListReading
from advisor.engine.readers.numbers import ReadAgain
from advisor.engine.readers.problems import Problems, shown
from advisor.engine.readers.reading import Problem, Reading
from advisor.engine.readers.records import Record
from advisor.engine.readers.rows import Options
from advisor.engine.readers.seen import Seen
from advisor.engine.readers.table import Layout, RawTable, TableBuilder
from advisor.engine.readers.text import BLANKS

CHUNK_RECORDS = 20_000
IRREGULAR_MAX = 1_000_000  # records with too few or too many cells, after which a file is no table


def read_table(
    head: Head,
    layout: Layout,
    catalogue: Catalogue,
    options: Options,
    format_name: str,
    *,
    empty_marks: frozenset[str] = frozenset(),
) -> Reading:
    """Read every record below the header. Cells that are one of `empty_marks` are read as empty."""
    table = _table(head)
    seen, regular = Seen(table.delimiter), True
    while True:
        reading = ListReading(head, layout, catalogue, options, Problems(), seen, format_name)
        careful = Careful(layout, reading.problems)
        blocks = _fast(head, table, layout) if regular else careful.blocks(body_records(head))
        try:
            for raw in blocks:
                _empty(raw, empty_marks)
                reading.add(raw)
        except ReadAgain:
            seen = seen.again()
        except Irregular:
            seen, regular = seen.again(), False
        else:
            warn_about_file(head, table, reading.problems)
            return reading.finish(spoilt=careful.spoilt)


def read_raw(head: Head, layout: Layout, problems: Problems) -> tuple[RawTable, int]:
    """All records of delimited text that have their cells, and how many are spoilt; what is wrong goes to `problems`.

    For formats of which some rows have to be seen together; `read_table` needs less memory.
    """
    table = _table(head)
    try:
        raw, spoilt = _together(_fast(head, table, layout), layout), 0
    except Irregular:
        raw, spoilt = read_carefully(body_records(head), layout, problems)
    warn_about_file(head, table, problems)
    return raw, spoilt


def read_carefully(records: Iterable[Record], layout: Layout, problems: Problems) -> tuple[RawTable, int]:
    """The records that have their cells, and how many are spoilt (each reported)."""
    careful = Careful(layout, problems)
    return _together(careful.blocks(records), layout), careful.spoilt


def _table(head: Head) -> Table:
    if head.table is None:
        raise ValueError(f"{head.name} is no delimited text")
    return head.table


def _fast(head: Head, table: Table, layout: Layout) -> Iterator[RawTable]:
    """Blocks of a regular file; raises Irregular, at the first block that shows that it is none."""
    offset = body_offset(head)
    if offset is None:
        raise Irregular
    yield from table_blocks(head.stream, offset, table.next_line, table.delimiter, layout, head.progress)


def _together(blocks: Iterable[RawTable], layout: Layout) -> RawTable:
    builder = TableBuilder(layout)
    for block in blocks:
        builder.add(block)
    return builder.build()


def _empty(raw: RawTable, marks: frozenset[str]) -> None:
    for column in raw.columns.values() if marks else ():
        column.values[:] = ["" if value.strip(BLANKS) in marks else value for value in column.values]


@dataclass(slots=True)
class Careful:
    """Reads record by record, in blocks; what is wrong with a record goes to `problems`."""

    layout: Layout
    problems: Problems
    spoilt: int = 0  # records whose cells cannot be trusted
    short: int = 0  # records with fewer cells than are read

    def blocks(self, records: Iterable[Record]) -> Iterator[RawTable]:
        """The records that have their cells."""
        needed = max(*self.layout.fields.values(), *self.layout.tags.values(), 0) + 1
        lines: list[int] = []
        rows: list[list[str]] = []
        for record in records:
            if record.blank:
                continue
            if self.spoilt + self.short > IRREGULAR_MAX:
                self.problems.add(_no_table(record))
                break
            if (cells := self._cells(record, needed)) is not None:
                lines.append(record.line)
                rows.append(cells)
            if len(rows) == CHUNK_RECORDS:
                yield _block(self.layout, lines, rows)
                lines, rows = [], []
        yield _block(self.layout, lines, rows)

    def _cells(self, record: Record, needed: int) -> list[str] | None:
        """The cells of a record, filled up where it is short; None where they cannot be trusted."""
        width, cells = len(self.layout.header), record.cells
        if record.fault or (len(cells) > width and "".join(cells[width:]).strip(BLANKS)):
            self.spoilt += 1
            if not self.problems.count_unlisted("error"):
                self.problems.add(spoilt_record(record, width))
            return None
        if len(cells) < needed:
            self.short += 1
            if not self.problems.count_unlisted("warning"):
                self.problems.add(_short_record(record, width))
            return cells + [""] * (needed - len(cells))
        return cells


def _block(layout: Layout, lines: list[int], rows: list[list[str]]) -> RawTable:
    builder = TableBuilder(layout)
    builder.add_rows(lines, rows)
    return builder.build()


def _no_table(record: Record) -> Problem:
    message = (
        f"Line {record.line}: more than {IRREGULAR_MAX:,} lines have another number of cells than the column names, so "
        "this is no table. Reading stopped here."
    )
    return Problem(kind="not_a_table", severity="error", line=record.line, message=message)


def spoilt_record(record: Record, width: int) -> Problem:
    """What is wrong with a record whose cells cannot be trusted, or that has more than its table has columns."""
    text = shown(" ".join(record.cells))
    if record.fault == "unclosed_quote":
        kind, what = "unclosed_quote", "a quotation mark is opened and never closed; double it or remove it."
    elif record.fault:
        kind, what = "line_too_long", "the line is too long to be a record of a table."
    else:
        kind = "extra_cells"
        what = f"{len(record.cells)} cells under {width} column names; quote a cell that has a delimiter inside."
    return Problem(kind=kind, severity="error", line=record.line, value=text, message=f"Line {record.line}: {what}")


def _short_record(record: Record, width: int) -> Problem:
    message = (
        f"Line {record.line}: {len(record.cells)} cells under {width} column names; the missing ones are read as empty."
    )
    return Problem(kind="missing_cells", severity="warning", line=record.line, message=message)


def warn_about_file(head: Head, table: Table, problems: Problems) -> None:
    """Say what had to be mended to read the text, and that it has no column names."""
    if head.decoding.has_nul:
        message = "The file has NUL characters, which are dropped."
        problems.add(Problem(kind="nul_dropped", severity="warning", message=message))
    if head.decoding.replaces:
        message = f"Some bytes are no {head.decoding.label} text and are replaced; save the file as UTF-8."
        problems.add(Problem(kind="bytes_replaced", severity="warning", message=message))
    if table.headless:
        message = (
            "The file has no line of column names: sizes and regions are found by their content, other columns are "
            "only tags. Add column names such as name,size,region,count."
        )
        problems.add(Problem(kind="no_header", severity="warning", message=message))


def finish(
    head: Head,
    raw: RawTable,
    layout: Layout,
    catalogue: Catalogue,
    options: Options,
    problems: Problems,
    *,
    format_name: str,
    spoilt: int = 0,
    skipped: int = 0,
) -> Reading:
    """Judge rows that were read together; see `ListReading`."""
    seen = Seen(head.table.delimiter if head.table else None)
    reading = ListReading(head, layout, catalogue, options, problems, seen, format_name)
    reading.add(raw)
    return reading.finish(spoilt=spoilt, skipped=skipped)
