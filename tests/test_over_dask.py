"""Parts read over Dask: the same readings to the last digit, whoever is ready first; what fails is one clear error."""

from __future__ import annotations

import sys
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor import over_dask
from advisor.engine.readers.export_folder import read_folder, read_part
from advisor.engine.readers.export_runs import Part
from advisor.engine.readers.summary import reading_json
from advisor.over_dask import NoCluster, check_address, parts_over
from tests.engine.readers.usage_text import row, usage_csv
from tests.profiles import examples

FIGURES = ("0.1", "0.2", "0.3", "23.7", "7.123456789")  # of which no two orders of adding need be equal
ROWS = [
    row(f"vm-{number % 5}", Date=f"10/{number % 9 + 1:02}/2026", Quantity=FIGURES[number % 5])
    | {"CostInBillingCurrency": FIGURES[number % 3]}
    for number in range(60)
]


@pytest.fixture(scope="module")
def cluster():
    """Two workers of one thread each, in this process."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import distributed  # noqa: PLC0415

        with distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0", silence_logs=50
        ) as found:
            yield found.scheduler_address


@pytest.fixture(scope="module")
def read_there(cluster, catalogue):
    with parts_over(cluster, catalogue, {}) as read_parts:
        yield read_parts


@given(cuts=st.lists(st.integers(0, len(ROWS)), min_size=1, max_size=4).map(sorted))
@settings(max_examples=examples(3))
def test_however_an_export_is_split_two_workers_read_what_one_reads(read_there, catalogue, tmp_path_factory, cuts):
    folder = tmp_path_factory.mktemp("export")
    for number, (start, end) in enumerate(zip([0, *cuts], [*cuts, len(ROWS)], strict=True)):
        (folder / f"part_{number}_0001.csv").write_text(usage_csv(ROWS[start:end]))
    here = read_folder(folder, lambda parts: [read_part(part, catalogue, {}) for part in parts])
    there = read_folder(folder, read_there)
    assert [reading_json(reading) for reading in there] == [reading_json(reading) for reading in here]
    assert here[0].rows_read == len(ROWS)


def test_a_part_that_a_worker_cannot_open_is_named(read_there, tmp_path):
    with pytest.raises(NoCluster, match=r"gone\.csv: a Dask worker"):
        read_there([Part(tmp_path / "gone.csv", "gone.csv")])


def test_no_scheduler_is_one_error(catalogue, monkeypatch):
    monkeypatch.setattr(over_dask, "CONNECT_SECONDS", 0.2)
    with pytest.raises(NoCluster, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):  # noqa: SIM117
        with parts_over("tcp://127.0.0.1:9", catalogue, {}):
            pass


def test_a_worker_with_another_version_is_refused(cluster, catalogue, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(over_dask, "fingerprint", lambda: "of another day")
    monkeypatch.setattr(over_dask, "_packed_engine", lambda folder, _version: empty(folder / "advisor-engine.zip"))
    with pytest.raises(NoCluster, match="2 of 2 Dask workers have another version"):  # noqa: SIM117
        with parts_over(cluster, catalogue, {}):
            pass


def empty(path):
    path.write_bytes(b"PK\x05\x06" + bytes(18))
    return path


@pytest.mark.parametrize("address", ["local", "tcp://10.0.0.5:8786", "tls://scheduler:8786"])
def test_an_address_is_kept(address):
    assert check_address(address) == address


@pytest.mark.parametrize("address", ["", "10.0.0.5:8786", "http://x", "tcp://"])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(ValueError, match="tcp://"):
        check_address(address)
