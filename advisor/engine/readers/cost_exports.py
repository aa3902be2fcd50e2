"""Cost and usage exports as text: EA, EA before 2020, MCA, pay-as-you-go, cost analysis, FOCUS 1.0 to 1.3.

Actual and amortised exports have the same columns. A row is the hours of one machine on one day, so machines are
counted by their names and not by rows, and only sums are kept, whatever the length of the file.
"""

from __future__ import annotations

import itertools

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.blocks import Irregular, read_blocks
from advisor.engine.readers.delimited import CHUNK_RECORDS, read_carefully, warn_about_file
from advisor.engine.readers.head import Head, Table, body_offset, body_records
from advisor.engine.readers.ignored import merge_ignored
from advisor.engine.readers.problems import Problems
from advisor.engine.readers.reading import Problem, Reading
from advisor.engine.readers.refusals import LIST_INSTEAD, refuse
from advisor.engine.readers.rows import Options
from advisor.engine.readers.usage_block import UsageFile
from advisor.engine.readers.usage_columns import FORMATS, UsageLayout, usage_layout
from advisor.engine.readers.usage_fleet import ledger_fleet, ledger_period, usage_notes, warn_about_usage
from advisor.engine.readers.usage_ledger import UsageLedger
from advisor.engine.readers.usage_rows import add_block

NAME = "cost-exports"
NAMES = FORMATS
NO_SIZES = (
    "This is a cost export without the columns that say what was used (meter name, product, additional info; in FOCUS "
    f"x_SkuMeterName or SkuMeter), so no size can be told. Export it with all columns. {LIST_INSTEAD}"
)


def recognises(head: Head) -> bool:
    """The columns of a cost or usage export."""
    return head.table is not None and usage_layout(head.table.header) is not None


def read(head: Head, catalogue: Catalogue, options: Options) -> Reading:
    """Read every row; the answer has the format's own name."""
    table = head.table
    layout = usage_layout(table.header) if table else None
    if table is None or layout is None:
        raise ValueError(f"{head.name} is no cost export")
    if not layout.says_sizes:
        return refuse(head.name, layout.format, "no_meter_columns", NO_SIZES, head=head)
    file = new_file(layout, catalogue, options, delimiter=table.delimiter)
    spoilt = 0
    if not _read_fast(head, table, file):
        file = new_file(layout, catalogue, options, delimiter=table.delimiter)
        spoilt = _read_carefully(head, file)
    warn_about_file(head, table, file.problems)
    return finish_usage(file, head.name, encoding=head.decoding.label, spoilt=spoilt)


def new_file(
    layout: UsageLayout, catalogue: Catalogue, options: Options, *, delimiter: str | None = None, is_items: bool = False
) -> UsageFile:
    """A usage file of which nothing is read yet."""
    ledger = UsageLedger(open_end=layout.is_focus, is_items=is_items)
    return UsageFile(layout, catalogue, options, Problems(), ledger, delimiter=delimiter)


def _read_fast(head: Head, table: Table, file: UsageFile) -> bool:
    """Read a regular file by blocks of bytes; False where it is not regular."""
    offset = body_offset(head)
    if offset is None:
        return False
    width, places = len(table.header), list(file.layout.read.coded)
    try:
        blocks = read_blocks(head.stream, offset, table.next_line, table.delimiter, width, places, head.progress)
        for lines, columns in blocks:
            add_block(file, lines, columns)
    except Irregular:
        return False
    return True


def _read_carefully(head: Head, file: UsageFile) -> int:
    """Read record by record, some thousand at a time; answers how many records are spoilt."""
    records, spoilt = body_records(head), 0
    while some := list(itertools.islice(records, CHUNK_RECORDS)):
        raw, bad = read_carefully(some, file.layout.read, file.problems)
        add_block(file, raw.lines, raw.columns)
        spoilt += bad
    return spoilt


def finish_usage(file: UsageFile, name: str, *, encoding: str | None, spoilt: int = 0) -> Reading:
    """The reading of a usage file that is read to its end; `spoilt` records have no cells."""
    ledger, problems = file.ledger, file.problems
    other = sum(entry.rows for entry in ledger.ignored.values())
    fleet, period = ledger_fleet(ledger), ledger_period(ledger)
    warn_about_usage(ledger, fleet, period, problems)
    if not ledger.gpu_rows + other:
        what = "no row of the file could be read" if ledger.rows + spoilt else "the file has no rows below its columns"
        message = f"No fleet: {what}. Export the cost of the subscription again, or hand in a list of its machines."
        problems.add(Problem(kind="no_rows", severity="error", message=message))
    listed, left_out = problems.listed()
    reading = Reading(
        file=name,
        format=file.layout.format,
        encoding=encoding,
        delimiter=file.delimiter,
        usable=ledger.gpu_rows + other > 0,
        rows_read=ledger.rows + spoilt,
        gpu_rows=ledger.gpu_rows,
        other_rows=other,
        error_rows=ledger.rows - ledger.gpu_rows - other + spoilt,
        fleet=fleet,
        problems=listed,
        problems_left_out=left_out,
        period=period,
        notes=usage_notes(ledger),
        ignored=merge_ignored(ledger.ignored.values()),
        ledger=ledger,
    )
    _ = reading.kinds
    return reading
