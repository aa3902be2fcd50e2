"""Reads the body of delimited text into a Reading: the fast way where the file is regular, else record by record."""

from __future__ import annotations

from collections.abc import Iterable

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.blocks import Irregular, add_blocks
from advisor.engine.readers.fleet_table import build_fleet
from advisor.engine.readers.head import Head, Table, body_offset, body_records
from advisor.engine.readers.ignored import ignored_rows
from advisor.engine.readers.problems import Problems, shown
from advisor.engine.readers.reading import Problem, Reading
from advisor.engine.readers.records import Record
from advisor.engine.readers.rows import Options, judge
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
    problems = Problems()
    raw, spoilt = read_raw(head, layout, problems)
    if empty_marks:
        for column in raw.columns.values():
            column.values[:] = ["" if value.strip(BLANKS) in empty_marks else value for value in column.values]
    return finish(head, raw, layout, catalogue, options, problems, format_name=format_name, spoilt=spoilt)


def read_raw(head: Head, layout: Layout, problems: Problems) -> tuple[RawTable, int]:
    """The records of delimited text that have their cells, and how many are spoilt; what is wrong goes to `problems`.

    The fast way where the file is regular, else the careful one, with the same answer.
    """
    table = head.table
    if table is None:
        raise ValueError(f"{head.name} is no delimited text")
    raw, spoilt = _fast(head, table, layout), 0
    if raw is None:
        raw, spoilt = read_carefully(body_records(head), layout, problems)
    warn_about_file(head, table, problems)
    return raw, spoilt


def _fast(head: Head, table: Table, layout: Layout) -> RawTable | None:
    offset = body_offset(head)
    if offset is None:
        return None
    builder = TableBuilder(layout)
    try:
        add_blocks(head.stream, offset, table.next_line, table.delimiter, builder, head.progress)
    except Irregular:
        return None
    return builder.build()


def read_carefully(records: Iterable[Record], layout: Layout, problems: Problems) -> tuple[RawTable, int]:
    """The records that have their cells, and how many are spoilt (each reported)."""
    builder = TableBuilder(layout)
    width = len(layout.header)
    needed = max(*layout.fields.values(), *layout.tags.values(), 0) + 1
    lines: list[int] = []
    rows: list[list[str]] = []
    spoilt = short = 0
    for record in records:
        if record.blank:
            continue
        if spoilt + short > IRREGULAR_MAX:
            problems.add(_no_table(record))
            break
        cells = record.cells
        if record.fault or (len(cells) > width and "".join(cells[width:]).strip(BLANKS)):
            spoilt += 1
            if not problems.count_unlisted("error"):
                problems.add(spoilt_record(record, width))
            continue
        if len(cells) < needed:
            short += 1
            if not problems.count_unlisted("warning"):
                problems.add(_short_record(record, width))
            cells = cells + [""] * (needed - len(cells))
        lines.append(record.line)
        rows.append(cells)
        if len(rows) == CHUNK_RECORDS:
            builder.add_rows(lines, rows)
            lines, rows = [], []
    builder.add_rows(lines, rows)
    return builder.build(), spoilt


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
    """Judge the rows and put the Reading together; `skipped` rows are other rows that have no cells.

    A file without any row that could be used is not usable.
    """
    delimiter = head.table.delimiter if head.table else None
    judged = judge(raw, layout, catalogue, options, problems, delimiter=delimiter)
    fleet = build_fleet(judged, options, problems)
    gpu, other, errors = int(judged.gpu.sum()), int(judged.other.sum()) + skipped, int(judged.error.sum()) + spoilt
    if not gpu + other:
        what = "no row of the file could be read" if errors else "the file has no rows below its column names"
        message = f"No fleet: {what}. `inspect --template` prints a list to fill in."
        problems.add(Problem(kind="no_rows", severity="error", message=message))
    listed, left_out = problems.listed()
    reading = Reading(
        file=head.name,
        format=format_name,
        encoding=head.decoding.label,
        delimiter=delimiter,
        usable=gpu + other > 0,
        rows_read=gpu + other + errors,
        gpu_rows=gpu,
        other_rows=other,
        error_rows=errors,
        fleet=fleet,
        problems=listed,
        problems_left_out=left_out,
        notes=tuple(judged.notes),
        ignored=ignored_rows(judged, skipped),
    )
    _ = reading.kinds  # grouping is part of reading: advice must not cost more for a longer file
    return reading
