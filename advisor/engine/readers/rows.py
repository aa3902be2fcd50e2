"""Judges the rows of a raw table: GPU row, other row or error row, each exactly once, with every problem said."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers import fields
from advisor.engine.readers.fields import Fault, Parsed, Parser
from advisor.engine.readers.names import Kind, SizeName
from advisor.engine.readers.numbers import DecimalMark
from advisor.engine.readers.problems import Problems, shown
from advisor.engine.readers.progress import Progress, unwatched
from advisor.engine.readers.reading import Problem, Severity
from advisor.engine.readers.seen import Seen
from advisor.engine.readers.table import Factor, Integers, Layout, Mask, RawTable
from advisor.engine.readers.text import BLANKS
from advisor.engine.readers.words import is_total, may_be_total

TOTALS_SHOWN = 5

HoursReading = Literal["per-vm", "per-row"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the user says about a file: how to read hours, and the region of rows that have none (ARM name)."""

    hours: HoursReading | None = None
    default_region: str | None = None
    progress: Progress = unwatched


@dataclass(kw_only=True)
class Judged:
    """The verdict on each row, and the parsed columns from which the fleet is built."""

    table: RawTable
    layout: Layout
    gpu: Mask
    other: Mask
    error: Mask
    sizes: list[SizeName]
    regions: list[str | None] | None  # of each distinct text; None: the file has no region column
    parsed: dict[str, Parsed]
    deallocated: Mask
    totals: Integers  # lines, or elements, of the first rows that are totals
    not_gpu: int  # rows that name FPGA or media sizes
    seen: Seen

    @cached_property
    def gpu_lines(self) -> Integers:
        """Of each GPU row; where records stand for several rows, of none in particular."""
        return self.table.lines[: self.table.number][self.gpu]


def judge(
    table: RawTable,
    layout: Layout,
    catalogue: Catalogue,
    options: Options,
    problems: Problems,
    seen: Seen,
) -> Judged:
    """Give each row its verdict. A row with a wrong field is an error row; all its wrong fields are reported.

    `seen` is what blocks of the same file before this one have shown. Raises ReadAgain.
    """
    size = table.factor(layout, "size")
    if size is None:
        raise ValueError("the layout has no size column")
    sizes = seen.sizes(size.values, catalogue)
    kinds = np.array([int(name.kind) for name in sizes] or [0], dtype=np.int8)[size.codes]
    suspects = ((kinds == Kind.BLANK) | (kinds == Kind.NO_SIZE)) & size.flag(may_be_total)
    totals = (kinds == Kind.TOTAL) | _total_rows(table, layout, suspects)
    other = (kinds == Kind.OTHER) | (kinds == Kind.NOT_GPU) | totals
    gpu = kinds == Kind.GPU
    report = RowReport(table, layout, problems, seen)
    report_sizes(report, size, kinds, other | gpu, catalogue)
    regions = judge_regions(report, gpu, catalogue, options)
    parsed = {
        name: parse_field(report, name, gpu, seen.mark(name), fields.PARSERS[name])
        for name in fields.PARSERS
        if name in layout.fields
    }
    deallocated = _judge_states(report, gpu)
    good = gpu & ~report.bad
    return Judged(
        table=table,
        layout=layout,
        gpu=good,
        other=other,
        error=~(good | other),
        sizes=sizes,
        regions=regions,
        parsed=parsed,
        deallocated=deallocated,
        totals=table.lines[table.per_line(totals)][:TOTALS_SHOWN],
        not_gpu=int(np.count_nonzero(table.per_line(kinds == Kind.NOT_GPU))),
        seen=seen,
    )


class RowReport:
    """Writes problems of rows and remembers which rows are spoilt."""

    def __init__(self, table: RawTable, layout: Layout, problems: Problems, seen: Seen | None = None) -> None:
        self.seen = seen or Seen()
        self.table = table
        self.layout = layout
        self.problems = problems
        self.bad: Mask = np.zeros(table.number, dtype=np.bool_)
        self.where = "element" if table.is_items else "line"

    def row(
        self,
        kind: str,
        row: int,
        field_name: str,
        message: str,
        *,
        value: str = "",
        severity: Severity = "error",
        suggestions: tuple[str, ...] = (),
    ) -> None:
        """Report one row; see `problem`."""
        self.problems.add(
            self.problem(kind, row, field_name, message, value=value, severity=severity, suggestions=suggestions)
        )

    def problem(
        self,
        kind: str,
        row: int,
        field_name: str,
        message: str,
        *,
        value: str = "",
        severity: Severity = "error",
        suggestions: tuple[str, ...] = (),
    ) -> Problem:
        """What is wrong with one row; `message` says what was found and what is allowed, the place is put before it."""
        place = int(self.table.lines[row])
        title = self.layout.title(field_name)
        meant = f" Did you mean {' or '.join(suggestions)}?" if suggestions else ""
        at = f"{self.where.capitalize()} {place}" + (f", column {shown(title)}" if title else "")
        return Problem(
            kind=kind,
            severity=severity,
            message=f"{at}: {message}{meant}",
            column=title,
            value=value or None,
            line=None if self.table.is_items else place,
            item=place if self.table.is_items else None,
            suggestions=suggestions,
            parameters=(("field", field_name),),
        )

    def spoil(self, rows: Mask) -> list[int]:
        """Mark rows as errors; answers those to report, and counts the rest as not listed."""
        self.bad |= rows
        number, room = int(np.count_nonzero(rows)), self.problems.room("error")
        self.problems.unlisted += max(0, number - room)
        return [int(place) for place in np.flatnonzero(rows)[:room]] if number and room else []

    def whole(self, kind: str, message: str, *, column: str | None = None) -> None:
        self.problems.once(Problem(kind=kind, severity="warning", message=message, column=column))


def _total_rows(table: RawTable, layout: Layout, suspects: Mask) -> Mask:
    """Of the rows without a size, those in which some cell says that it is a line of totals."""
    found = np.zeros(len(suspects), dtype=np.bool_)
    if not suspects.any():
        return found
    for place, column in table.columns.items():
        if place != layout.fields["size"]:
            found |= column.flag(is_total)
    found &= suspects
    if "name" in layout.fields:
        for row in np.flatnonzero(suspects & ~found).tolist():
            found[row] = is_total(table.name(row).strip(BLANKS))
    return found


def report_sizes(report: RowReport, size: Factor, kinds: np.ndarray, fine: Mask, catalogue: Catalogue) -> None:
    """Spoil the rows that are not `fine`: their size is missing, unknown, or no size."""
    for row in report.spoil(~fine):
        kind, text = Kind(int(kinds[row])), size.cell(row).strip(BLANKS)
        if kind == Kind.BLANK:
            report.row("missing_size", row, "size", "the size is empty; give an Azure size such as Standard_NC6s_v3.")
            continue
        known = "no N-series size of that name is known." if kind == Kind.UNKNOWN else "this is no Azure size."
        report.row(
            "unknown_size" if kind == Kind.UNKNOWN else "not_a_size",
            row,
            "size",
            f"“{shown(text)}”: {known}",
            value=shown(text),
            suggestions=report.seen.near(text, catalogue.nearest_sizes),
        )


def judge_regions(report: RowReport, gpu: Mask, catalogue: Catalogue, options: Options) -> list[str | None] | None:
    """The region of each distinct text; the default region where a text is empty, None where it is not known."""
    column = report.table.factor(report.layout, "region")
    if column is None:
        if options.default_region is None and gpu.any():
            report.whole(
                "no_region_column",
                "The file has no region column: prices and availability need one. Add a column “region”, or choose the "
                "region of the whole file.",
            )
        return None
    texts = [text.strip(BLANKS) for text in column.values]
    found = report.seen.regions(texts, catalogue)
    regions = [name if text else options.default_region for text, name in zip(texts, found, strict=True)]
    bad = np.array([name is None for name in regions] or [False], dtype=np.bool_)
    for row in report.spoil(gpu & bad[column.codes]):
        text = texts[int(column.codes[row])]
        if not text:
            report.row("missing_region", row, "region", "the region is empty; give one such as westeurope.")
            continue
        report.row(
            "unknown_region",
            row,
            "region",
            f"“{shown(text)}” is no Azure region that is known here.",
            value=shown(text),
            suggestions=report.seen.near(text, catalogue.nearest_regions),
        )
    return regions


def parse_field(report: RowReport, name: str, rows: Mask, mark: DecimalMark, parser: Parser) -> Parsed:
    """The values of a field's column, one per distinct text; texts at fault in `rows` spoil their rows."""
    column = report.table.columns[report.layout.fields[name]]
    parsed = parser(column.values, mark)
    title = report.layout.title(name) or name
    if parsed.faults:
        bad = np.zeros(len(column.values), dtype=np.bool_)
        bad[list(parsed.faults)] = True
        for row in report.spoil(rows & bad[column.codes]):
            fault: Fault = parsed.faults[int(column.codes[row])]
            text = shown(column.cell(row).strip(BLANKS))
            report.row(fault.kind, row, name, f"“{text}” cannot be read; allowed is {fault.allowed}.", value=text)
    if parsed.assumed:
        report.whole(
            "number_reading",
            f"Column {shown(title)}: a mark before three digits, as in 1,460, is read as thousands.",
            column=title,
        )
    if parsed.proved:
        report.problems.deny("number_reading", title)
    if parsed.remark and not report.problems.has("fact_reading", title):
        report.whole("fact_reading", f"Column {shown(title)}: {parsed.remark}", column=title)
    if parsed.raised == "utilisation_reading":
        report.whole(
            "utilisation_reading",
            f"Column {shown(title)} is read as percent: 0.5 is half of one percent. Write 50 for one half.",
            column=title,
        )
    if parsed.denied:
        report.problems.deny(parsed.denied, title)
    return parsed


def _judge_states(report: RowReport, gpu: Mask) -> Mask:
    column = report.table.factor(report.layout, "state")
    if column is None:
        return np.zeros(len(gpu), dtype=np.bool_)
    states = [fields.is_deallocated(text.strip(BLANKS)) for text in column.values]
    strange = np.array([state is None for state in states] or [False], dtype=np.bool_)[column.codes] & gpu
    if strange.any():
        first = int(np.flatnonzero(strange)[0])
        text = shown(column.cell(first).strip(BLANKS))
        message = f"the state “{text}” is not understood and is read as running."
        problem = report.problem("unknown_state", first, "state", message, value=text, severity="warning")
        report.problems.count(problem, int(strange.sum()), lambda _rows: problem.message)
    return np.array([bool(state) for state in states] or [False], dtype=np.bool_)[column.codes]
