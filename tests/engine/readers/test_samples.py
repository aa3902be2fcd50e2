"""Whole files as people have them: each sample is read as its expected.json says."""

from __future__ import annotations

import json

import pytest

from advisor.engine.columns import FLEET
from advisor.engine.readers import read_file
from advisor.engine.readers.summary import gpu_summary
from tests.engine.readers.conftest import SAMPLES, errors

EXPECTED = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))
KEYS = ("size", "region", "count", "deallocated", "spot", "hours")
PRICED_APART = ("low_priority", "reservation", "savings_plan")  # 0 where expected.json does not name them


@pytest.fixture(params=sorted(EXPECTED))
def case(request, catalogue):
    with (SAMPLES / request.param).open("rb") as stream:
        return read_file(request.param, stream, catalogue), EXPECTED[request.param]


def test_format_encoding_and_delimiter(case):
    reading, expected = case
    assert [reading.format, reading.encoding, reading.delimiter, reading.usable] == [
        expected[key] for key in ("format", "encoding", "delimiter", "usable")
    ]


def test_rows_add_up(case):
    reading, expected = case
    assert [reading.rows_read, reading.gpu_rows, reading.other_rows, reading.error_rows] == expected["rows"]


def test_gpus_by_size_and_region(case):
    reading, expected = case
    listed = [dict.fromkeys(PRICED_APART, 0) | entry for entry in expected["gpu"]]
    keys = (*KEYS, *PRICED_APART)
    assert [{key: entry[key] for key in keys} for entry in gpu_summary(reading.kinds)] == listed


def test_errors_stand_on_their_lines(case):
    reading, expected = case
    assert errors(reading) == [tuple(error) for error in expected["errors"]]


def test_fleet_has_exactly_the_columns_of_the_stage(case):
    reading, _ = case
    assert [(name, str(dtype)) for name, dtype in reading.fleet.dtypes.items()] == [(c.name, c.dtype) for c in FLEET]
