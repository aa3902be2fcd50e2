"""Spoilt files: whatever is wrong with a file, no traceback and no lost row; `make fuzz` tries many more."""

from __future__ import annotations

import io
import random
import zlib

import pytest

from advisor.engine.readers import read_file
from advisor.engine.readers.mapping import ColumnMapping
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.tops import table_tops
from advisor.engine.readers.trial import trial
from tests import shipped
from tests.mutations import mutated, samples
from tests.profiles import FUZZ

CATALOGUE = shipped.catalogue()
#: Spoilt files per sample, read as they are and with columns matched by hand.
TRIED, MATCHED = (200, 16) if FUZZ else (4, 1)


def check(reading: Reading) -> None:
    assert reading.rows_read == reading.gpu_rows + reading.other_rows + reading.error_rows
    if reading.ledger is None:
        assert reading.gpu_rows == len(reading.fleet)
    else:  # of a usage file a row of the fleet is a machine, with at least one row of the file
        assert bool(reading.gpu_rows) == bool(len(reading.fleet))
        assert len(reading.fleet) <= reading.gpu_rows
    assert all(problem.message for problem in reading.problems)
    if not reading.usable:
        assert reading.problems, "nothing says what is wrong"


@pytest.mark.parametrize(("name", "data"), samples(), ids=[name for name, _ in samples()])
def test_a_spoilt_file_is_read_or_refused(name: str, data: bytes) -> None:
    for number in range(TRIED):
        rng = random.Random(zlib.crc32(name.encode()) + number)
        check(read_file(name, io.BytesIO(mutated(data, rng)), CATALOGUE))


@pytest.mark.parametrize(("name", "data"), samples(), ids=[name for name, _ in samples()])
def test_a_spoilt_file_can_be_matched_by_hand(name: str, data: bytes) -> None:
    """Its tables are shown, and the trial and the whole file are read with any column as the size."""
    for number in range(MATCHED):
        rng = random.Random(zlib.crc32(name.encode()) + number)
        spoilt = mutated(data, rng)
        for top in table_tops(name, io.BytesIO(spoilt), CATALOGUE)[:2]:
            columns = {"size": rng.choice(top.names), "count": rng.choice(("", *top.names))}
            mapping = ColumnMapping(columns=columns, header_line=top.header_line, sheet=top.part)
            assert all(place < len(top.names) for place in top.guess(CATALOGUE).values())
            top.lines()
            check(trial(name, top, CATALOGUE, mapping).reading)
            check(read_file(name, io.BytesIO(spoilt), CATALOGUE, mapping=mapping))
