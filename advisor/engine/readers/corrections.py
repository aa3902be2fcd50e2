"""Refused rows corrected by hand: judged by the rules of their own reader, and merged into what was read before."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from advisor.engine.catalogue import Catalogue
from advisor.engine.kinds import grouped
from advisor.engine.readers.delimited import finish, read_carefully
from advisor.engine.readers.head import Head, Table
from advisor.engine.readers.ignored import ignored_json, ignored_of, merge_ignored
from advisor.engine.readers.packing import fleet_of, pack
from advisor.engine.readers.problems import Problems
from advisor.engine.readers.reading import Problem, Reading
from advisor.engine.readers.records import Record
from advisor.engine.readers.refused import Refused, RefusedRow, as_line, wrong_of
from advisor.engine.readers.rows import HoursReading, Options
from advisor.engine.readers.summary import Json, gpu_summary, problem_json
from advisor.engine.readers.table import Layout, TableBuilder
from advisor.engine.readers.text import BLANKS, Decoding

WHOLE = -1  # the place of a correction of the whole record

#: New texts by row (its place in the file) and cell.
Changes = Mapping[int, Mapping[int, str]]


@dataclass(frozen=True, kw_only=True)
class Corrected:
    """The corrected rows as read again, and the refused rows as they now stand."""

    reading: Reading
    refused: Refused
    tried: frozenset[int]  # places of the rows that were read again
    accepted: int


def correct(refused: Refused, changes: Changes, catalogue: Catalogue, hours: HoursReading | None = None) -> Corrected:
    """Read the changed rows again; those that are still wrong stay refused, with what is wrong with them now.

    A row that would be left without any text stays as it is: an empty line is no row, and none may be lost.
    """
    changed = [_changed(row, changes[row.at], refused) for row in refused.rows if changes.get(row.at)]
    rows = [row for row in changed if "".join(row.cells).strip(BLANKS)]
    layout = Layout(header=refused.header, fields=refused.fields, tags=refused.tags)
    reading = _read(refused, rows, layout, catalogue, hours)
    errors: dict[int, list[Problem]] = {}
    for problem in reading.problems:
        place = problem.line if problem.line is not None else problem.item
        if problem.severity == "error" and place is not None:
            errors.setdefault(place, []).append(problem)
    still = {row.at: _judged(row, errors[row.at], layout, refused) for row in rows if row.at in errors}
    tried = frozenset(row.at for row in rows)
    kept = tuple(still.get(row.at, row) for row in refused.rows if row.at not in tried or row.at in still)
    return Corrected(
        reading=reading, refused=replace(refused, rows=kept), tried=tried, accepted=len(tried) - len(still)
    )


def _changed(row: RefusedRow, texts: Mapping[int, str], refused: Refused) -> RefusedRow:
    """The row with its new texts, each on one line."""
    plain = {place: " ".join(text.split()) for place, text in texts.items()}
    if WHOLE in plain:
        line = csv.reader(io.StringIO(plain[WHOLE]), delimiter=refused.delimiter or ",", skipinitialspace=True)
        return replace(row, cells=tuple(next(line, ())))
    cells = list(row.cells) + [""] * max(0, len(refused.header) - len(row.cells))
    for place, text in plain.items():
        cells[place] = text
    return replace(row, cells=tuple(cells))


def _judged(row: RefusedRow, problems: Sequence[Problem], layout: Layout, refused: Refused) -> RefusedRow:
    line = as_line(row.cells, refused.delimiter or ",")
    return replace(row, wrong=tuple(wrong_of(problem, row.cells, line, layout) for problem in problems))


def _read(
    refused: Refused, rows: Sequence[RefusedRow], layout: Layout, catalogue: Catalogue, hours: HoursReading | None
) -> Reading:
    problems, spoilt = Problems(), 0
    if refused.is_items:
        builder = TableBuilder(layout, is_items=True)
        builder.add_rows([row.at for row in rows], [row.cells for row in rows])
        raw = builder.build()
    else:
        raw, spoilt = read_carefully([Record(row.at, list(row.cells)) for row in rows], layout, problems)
    head, options = _head(refused), Options(hours=hours)
    return finish(head, raw, layout, catalogue, options, problems, format_name=refused.format, spoilt=spoilt)


def _head(refused: Refused) -> Head:
    """The beginning of the file as far as its rows need it: its name, encoding and delimiter."""
    label = refused.encoding or "utf-8"
    table = Table(
        delimiter=refused.delimiter or ",",
        line=1,
        next_line=2,
        header=refused.header,
        keys=frozenset(),
        sample=(),
        headless=False,
    )
    return Head(
        name=refused.file,
        stream=io.BytesIO(),
        decoding=Decoding(codec="utf-8", label=label),
        text="",
        table=None if refused.is_items else table,
    )


def merge(packed: Json, corrected: Corrected) -> Json:
    """A packed reading with the accepted rows in it; rows read stays, and the counts still add up."""
    summary, new = packed["summary"], pack(corrected.reading)
    rows = packed["rows"] + new["rows"]
    gpu, other = corrected.reading.gpu_rows, corrected.reading.other_rows
    counts = {
        "usable": summary["usable"] or gpu + other > 0,
        "gpu_rows": summary["gpu_rows"] + gpu,
        "other_rows": summary["other_rows"] + other,
        "error_rows": summary["error_rows"] - gpu - other,
        "gpu": gpu_summary(grouped(fleet_of(rows))[0]),
    }
    ignored = [ignored_of(entry) for entry in packed.get("ignored", ())]
    return {
        "summary": summary | counts | {"problems": _problems(summary["problems"], corrected, counts["usable"])},
        "rows": rows,
        "ignored": [ignored_json(entry) for entry in merge_ignored([*ignored, *corrected.reading.ignored])],
    }


def _problems(before: Sequence[Json], corrected: Corrected, usable: bool) -> list[Json]:
    """The problems that still hold: those of the rows read again are replaced by what is said of them now."""
    kept = [
        problem
        for problem in before
        if not (problem["severity"] == "error" and _place(problem) in corrected.tried)
        and not (usable and problem["kind"] == "no_rows")
    ]
    for problem in map(problem_json, corrected.reading.problems):
        if problem["kind"] != "no_rows" and problem not in kept:
            kept.append(problem)
    return sorted(kept, key=lambda problem: (_place(problem) is not None, _place(problem) or 0))


def _place(problem: Mapping[str, Any]) -> int | None:
    line: int | None = problem["line"]
    return line if line is not None else problem["item"]
