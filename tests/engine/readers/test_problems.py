"""The list of problems: bounded, in file order, errors first when there are too many."""

from __future__ import annotations

from advisor.engine.readers.problems import LISTED, Problems, shown
from advisor.engine.readers.reading import Problem


def problem(line: int, severity: str = "error") -> Problem:
    return Problem(kind="x", severity=severity, message="x", line=line)


def test_a_file_of_errors_is_counted_and_not_listed_without_end(read):
    reading = read("size,region\n" + "NC99,eastus\n" * 3_000 + "NC6,eastus\n")
    assert (reading.error_rows, len(reading.problems), reading.problems_left_out) == (3_000, LISTED, 2_000)


def test_errors_take_the_places_of_warnings():
    found = Problems()
    for line in range(LISTED):
        found.add(problem(line, "warning"))
    found.add(problem(5_000))
    listed, left_out = found.listed()
    assert (len(listed), left_out, listed[-1].line) == (LISTED, 1, 5_000)


def test_a_problem_of_the_whole_file_is_always_listed():
    found = Problems()
    for line in range(LISTED + 5):
        found.add(problem(line))
    found.add(Problem(kind="whole", severity="error", message="x"))
    listed, left_out = found.listed()
    assert (listed[0].kind, left_out) == ("whole", 6)


def test_cells_are_shown_on_one_short_line():
    assert shown("a\n b") == "a b"
    assert len(shown("x" * 500)) == 80
