"""A user's table of benchmarks: what is read, and what is refused rather than compared."""

from __future__ import annotations

import csv
import io

import pytest

from advisor.engine.speed_file import COLUMNS, read_benchmarks
from advisor.engine.speed_score import UnreadableBenchmarks


def table(*rows: dict[str, str], delimiter: str = ",") -> io.StringIO:
    """A table of T4 rows with some cells changed; one row where none is given."""
    cells = dict.fromkeys(COLUMNS, "x") | {
        "gpus": "2",
        "gpu": "T4",
        "throughput": "10",
        "higher_is_better": "true",
        "speed_kind": "inference",
        "precision": "fp16",
    }
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, fieldnames=COLUMNS, delimiter=delimiter)
    writer.writeheader()
    writer.writerows(cells | changes for changes in rows or ({},))
    stream.seek(0)
    return stream


def test_a_file_is_read_as_benchmarks(catalogue):
    rows, problems = read_benchmarks(table(), catalogue)
    assert problems == ()
    assert (rows[0].gpu, rows[0].gpus, rows[0].throughput, rows[0].higher_is_better) == ("T4", 2.0, 10.0, True)


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("gpu", "Z9", "line 2: no GPU is called 'Z9'"),
        ("speed_kind", "cooking", "line 2: no kind is called 'cooking'"),
        ("throughput", "0", "line 2: throughput is '0', must be a number above 0"),
        ("gpus", "-1", "line 2: gpus is '-1', must be a number above 0"),
        ("comparable_group", " ", "line 2: comparable_group is empty"),
        ("higher_is_better", "", "line 2: higher_is_better is '', must be true or false"),
        ("higher_is_better", "maybe", "line 2: higher_is_better is 'maybe', must be true or false"),
        ("throughput", "fast", "line 2: throughput is 'fast', must be a number above 0"),
    ],
)
def test_a_bad_row_costs_one_row_and_names_its_line(catalogue, column, value, message):
    rows, problems = read_benchmarks(table({column: value}), catalogue)
    assert rows == ()
    assert problems[0].startswith(message)


def test_a_missing_column_is_named(catalogue):
    with pytest.raises(UnreadableBenchmarks, match="no column framework"):
        read_benchmarks(io.StringIO("benchmark,gpu\n"), catalogue)


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_other_delimiters_are_read_with_a_decimal_comma(catalogue, delimiter):
    rows, problems = read_benchmarks(table({"throughput": "10,5"}, delimiter=delimiter), catalogue)
    assert (rows[0].throughput, problems) == (10.5, ())


@pytest.mark.parametrize(
    ("column", "one", "other"),
    [("unit", "ms", "s"), ("higher_is_better", "true", "false"), ("speed_kind", "inference", "training")],
)
def test_rows_that_cannot_be_compared_cost_their_group(catalogue, column, one, other):
    mixed = [{"comparable_group": "g", column: one}, {"comparable_group": "g", "gpu": "K80", column: other}]
    rows, problems = read_benchmarks(table(*mixed, {"comparable_group": "fine"}), catalogue)
    assert [row.group for row in rows] == ["fine"]
    told = " ,".join(sorted((one, other))).replace(" ,", ", ")
    assert problems == (f"comparable_group 'g': {column} differs ({told}); its rows are left out",)


def test_precisions_may_differ_within_a_group(catalogue):
    rows, problems = read_benchmarks(table({"precision": "fp32"}, {"precision": "tf32", "gpu": "A2"}), catalogue)
    assert (len(rows), problems) == (2, ())


@pytest.mark.parametrize(
    "word", ["FP16", "float32", "bfloat16", "half", "q4_k_m", "int4", "awq", "fp32 (fp16 storage)", ""]
)
def test_words_for_a_precision_are_known(catalogue, word):
    assert read_benchmarks(table({"precision": word}), catalogue)[1] == ()


def test_a_precision_that_nobody_knows_is_told(catalogue):
    rows, problems = read_benchmarks(table({"precision": "int3"}), catalogue)
    assert len(rows) == 1
    assert problems == ("line 2: precision 'int3' is not known; it is scored as 16 bits",)


def test_times_of_different_numbers_of_gpus_are_told(catalogue):
    time = {"higher_is_better": "false", "comparable_group": "g"}
    rows, problems = read_benchmarks(table(time, time | {"gpu": "K80", "gpus": "8"}), catalogue)
    assert len(rows) == 2
    assert problems[0].startswith("comparable_group 'g': times of different numbers of GPUs are compared as they are")


def test_the_shipped_benchmarks_are_all_read(catalogue):
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, fieldnames=COLUMNS)
    writer.writeheader()
    for row in catalogue.benchmarks:
        cells = {column: getattr(row, column, "") for column in COLUMNS}
        writer.writerow(cells | {"comparable_group": row.group, "speed_kind": row.kind})
    stream.seek(0)
    assert read_benchmarks(stream, catalogue) == (catalogue.benchmarks, ())
