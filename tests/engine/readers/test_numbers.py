"""Numbers as people write them: one convention per column, nothing guessed into 0."""

from __future__ import annotations

import math

import pytest

from advisor.engine.readers.numbers import read_numbers


def values(*texts: str, delimiter: str | None = None) -> list[float | None]:
    read = read_numbers(texts, delimiter=delimiter)
    return [None if math.isnan(value) else value for value in read.values.tolist()]


def test_point_convention():
    assert values("1,460", "730.0", "7.3E+02", "3650") == [1460, 730, 730, 3650]


def test_comma_convention():
    assert values("1.460,00", "365,5", "730") == [1460, 365.5, 730]


def test_french_and_swiss_groups():
    assert values("1 234,5", "1\u202f000,0") == [1234.5, 1000]
    assert values("1'234.5", "1\u2019000.0") == [1234.5, 1000]


def test_convention_is_that_of_the_column_and_not_of_the_cell():
    read = read_numbers(["1.234,56", "7,5", "1,234.56"])
    assert read.convention == "comma"
    assert read.bad.tolist() == [False, False, True]


def test_without_proof_thousands_are_assumed_and_said():
    read = read_numbers(["1,460", "2,190"])
    assert (read.values.tolist(), read.assumed) == ([1460, 2190], True)


def test_a_point_before_three_digits_groups_only_where_semicolons_separate():
    assert values("1.460") == [1.46]
    assert values("1.460", delimiter=";") == [1460]


@pytest.mark.parametrize(
    "text",
    [
        "n/a",
        "-",
        "두 대",
        "nan",
        "inf",
        "1e999",
        "12h",
        "1,2,3",
        "=1+1",
        "0x10",
        "1_000",
        "٣",
        "1" * 40_000 + ",",
        "1 " * 40,
    ],
)
def test_what_is_no_number_is_refused_and_not_zero(text):
    read = read_numbers([text, "5"])
    assert read.bad.tolist() == [True, False]


def test_empty_is_unknown_and_not_bad():
    read = read_numbers(["", " \u00a0"])
    assert values("") == [None]
    assert not read.bad.any()
