"""Benchmarks of a user's own, as a table with the columns of the collected ones."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TextIO

from advisor.engine.catalogue import Benchmark, Catalogue
from advisor.engine.readers.problems import shown
from advisor.engine.speed_fit import CALIBRATION_KIND
from advisor.engine.speed_score import UnreadableBenchmarks
from advisor.engine.speed_work import KINDS, is_precision

COLUMNS = (
    "benchmark",
    "framework",
    "precision",
    "batch_size",
    "gpus",
    "gpu",
    "throughput",
    "unit",
    "higher_is_better",
    "source",
    "as_of",
    "comparable_group",
    "speed_kind",
    "source_family",
)
DELIMITERS = (",", ";", "\t")
TRUTHS: Mapping[str, bool] = {
    **dict.fromkeys(("true", "1", "yes", "y"), True),
    **dict.fromkeys(("false", "0", "no", "n"), False),
}


def read_benchmarks(stream: TextIO, catalogue: Catalogue) -> tuple[tuple[Benchmark, ...], tuple[str, ...]]:
    """Rows of a benchmark CSV (comma, semicolon or tab), and a message for all that cannot be used or is doubtful.

    A bad row costs that row and is named by its line; rows of a group that cannot be compared with each other cost the
    group. Raises UnreadableBenchmarks when a column is missing.
    """
    first = stream.readline()
    delimiter = max(DELIMITERS, key=first.count)
    header = next(csv.reader([first], delimiter=delimiter), [])
    missing = [column for column in COLUMNS if column not in header]
    if missing:
        raise UnreadableBenchmarks(f"the file has no column {', '.join(missing)}")
    reader = csv.DictReader(stream, fieldnames=header, delimiter=delimiter)
    rows: list[Benchmark] = []
    problems: list[str] = []
    for line in reader:
        try:
            row = _benchmark({column: (line[column] or "").strip() for column in COLUMNS}, catalogue, delimiter)
        except ValueError as error:
            problems.append(f"line {reader.line_num + 1}: {error}")
            continue
        rows.append(row)
        if not is_precision(row.precision):
            problems.append(
                f"line {reader.line_num + 1}: precision {shown(row.precision)!r} is not known; it is scored as 16 bits"
            )
    unlike = dict(_unlike(rows))
    problems += unlike.values()
    problems += _times(rows)
    return tuple(row for row in rows if row.group not in unlike), tuple(problems)


def _benchmark(cells: Mapping[str, str], catalogue: Catalogue, delimiter: str) -> Benchmark:
    if not cells["comparable_group"]:
        raise ValueError("comparable_group is empty, so there is nothing to compare the row with")
    if cells["gpu"] not in catalogue.gpus:
        raise ValueError(f"no GPU is called {shown(cells['gpu'])!r}")
    if cells["speed_kind"] not in (*KINDS, CALIBRATION_KIND):
        raise ValueError(f"no kind is called {shown(cells['speed_kind'])!r}; there are: {', '.join(KINDS)}")
    better = TRUTHS.get(cells["higher_is_better"].casefold())
    if better is None:
        raise ValueError(f"higher_is_better is {shown(cells['higher_is_better'])!r}, must be true or false")
    return Benchmark(
        group=cells["comparable_group"],
        kind=cells["speed_kind"],
        gpu=cells["gpu"],
        gpus=_number(cells["gpus"] or "1", "gpus", delimiter),
        precision=cells["precision"],
        batch_size=cells["batch_size"],
        benchmark=cells["benchmark"],
        framework=cells["framework"],
        throughput=_number(cells["throughput"], "throughput", delimiter),
        unit=cells["unit"],
        higher_is_better=better,
        source=cells["source"],
        source_family=cells["source_family"] or cells["source"],
        as_of=cells["as_of"],
    )


def _number(text: str, column: str, delimiter: str) -> float:
    try:
        value = float(text if delimiter == "," else text.replace(",", "."))
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise ValueError(f"{column} is {shown(text)!r}, must be a number above 0 like 1234.5")
    return value


def _unlike(rows: Sequence[Benchmark]) -> Iterator[tuple[str, str]]:
    """Groups whose rows are not of one unit, direction and kind, with what is said of them."""
    for group, members in _groups(rows).items():
        for column, values in (
            ("unit", {row.unit for row in members}),
            ("higher_is_better", {str(row.higher_is_better).lower() for row in members}),
            ("speed_kind", {row.kind for row in members}),
        ):
            if len(values) > 1:
                told = ", ".join(shown(value) for value in sorted(values))
                yield group, f"comparable_group {shown(group)!r}: {column} differs ({told}); its rows are left out"
                break


def _times(rows: Sequence[Benchmark]) -> Iterator[str]:
    """A doubt for each group of times on different numbers of GPUs: a time says nothing of one GPU."""
    for group, members in _groups(rows).items():
        if not members[0].higher_is_better and len({row.gpus for row in members}) > 1:
            yield (
                f"comparable_group {shown(group)!r}: times of different numbers of GPUs are compared as they are; "
                "multiply each by its number of GPUs for a comparison per GPU"
            )


def _groups(rows: Sequence[Benchmark]) -> dict[str, list[Benchmark]]:
    groups: dict[str, list[Benchmark]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    return groups
