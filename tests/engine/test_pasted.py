"""Pasted lines need no column names; with column names they are read like a file."""

from __future__ import annotations

import io

import pytest

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers import read_file
from advisor.engine.readers.pasted import read_pasted, typed_text


def paste(text: str, catalogue: Catalogue):
    return read_pasted("pasted", io.BytesIO(text.encode()), catalogue)


def values(reading) -> list[tuple]:
    return [
        (r.size, r.region, r.count, r.hours, r.line)
        for r in reading.fleet[["size", "region", "count", "hours", "line"]].itertuples()
    ]


@pytest.mark.parametrize("mark", [", ", ";", "\t"])
def test_lines_are_size_region_count_hours(mark: str, catalogue: Catalogue):
    lines = "\n".join(
        mark.join(cells) for cells in (("NC6s_v3", "West Europe", "12", "520"), ("NC6", "eastus", "1", "8"))
    )
    reading, refused = paste(lines, catalogue)
    assert refused is None
    assert values(reading) == [
        ("Standard_NC6s_v3", "westeurope", 12, 520.0, 1),
        ("Standard_NC6", "eastus", 1, 8.0, 2),
    ]


def test_count_and_hours_may_be_left_out(catalogue: Catalogue):
    reading, _ = paste("NC6s_v3, West Europe\n", catalogue)
    assert (reading.gpu_rows, reading.fleet["count"].tolist()) == (1, [1])


def test_column_names_in_any_order(catalogue: Catalogue):
    reading, _ = paste("region,count,size\nWest Europe,3,NC6\n", catalogue)
    assert reading.fleet[["size", "count"]].values.tolist() == [["Standard_NC6", 3]]


def test_a_bad_first_line_is_refused_and_not_taken_for_column_names(catalogue: Catalogue):
    reading, refused = paste("NC6sv, West Europe, 1, 1\nNC6, West Europe, 1, 1\n", catalogue)
    assert (reading.rows_read, reading.gpu_rows, reading.error_rows) == (2, 1, 1)
    assert refused is not None
    assert refused.rows[0].at == 1


def test_az_json_may_be_pasted(catalogue: Catalogue):
    reading, _ = paste(
        '[{"name": "a", "location": "westeurope", "hardwareProfile": {"vmSize": "Standard_NC6"}}]', catalogue
    )
    assert (reading.format, reading.gpu_rows) == ("az-vm-list-json", 1)


def test_typed_rows_keep_their_lines(catalogue: Catalogue):
    text = typed_text([["", "", "", "", ""], ["NC6x", 'a "b"\nc', "1", "", ""]])
    reading = read_file("typed", io.BytesIO(text), catalogue)
    assert [problem.line for problem in reading.problems if problem.kind == "unknown_size"] == [3]
