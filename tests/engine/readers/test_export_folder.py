"""Folders of partitioned cost exports: which parts count, which do not, and that the parts of a run are one file."""

from __future__ import annotations

import gzip
import json
import re

import pytest

from advisor.engine.readers.export_folder import read_folder, read_part, read_to_send, received
from advisor.engine.readers.export_runs import BadFolder, find_runs
from advisor.engine.readers.summary import gpu_summary, reading_json
from tests.engine.readers.conftest import warnings
from tests.engine.readers.usage_text import row, usage_csv

PERIOD = "20261001-20261031"


def write_run(folder, parts, *, stamp="202611010000", run="aaaa", manifest="manifest.json", listed=None, **config):
    """A run as Azure writes it; `parts` are rows of each, `listed` names parts of its manifest, None: all of them."""
    place = folder / PERIOD / stamp / run
    place.mkdir(parents=True)
    names = [f"part_{number}_0001.csv" for number in range(len(parts))]
    for name, rows in zip(names, parts, strict=True):
        (place / name).write_text(usage_csv(rows))
    if manifest:
        blobs = [f"exports/daily/{PERIOD}/{stamp}/{run}/{name}" for name in (names if listed is None else listed)]
        content = {
            "exportConfig": {"exportName": "daily", "type": "ActualCost"} | config,
            "runInfo": {"submittedTime": f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}T00:00:00Z", "startDate": "2026-10-01"},
            "blobs": [{"blobName": blob, "byteCount": 1} for blob in blobs],
        }
        (place / manifest).write_text(json.dumps(content))
    return place


@pytest.fixture
def read_all(tmp_path, catalogue):
    def read(folder=tmp_path):
        return read_folder(folder, lambda parts: [read_part(part, catalogue, {}) for part in parts])

    return read


def figures(reading):
    return [(e["count"], e["hours"], e["cost"]) for e in gpu_summary(reading.kinds)]


HALVES = [[row(), row("vm-b")], [row(Date="10/02/2026"), row("vm-b", Quantity="6.5", CostInBillingCurrency="3.25")]]


@pytest.mark.parametrize("manifest", ["manifest.json", "_manifest.json", None])
def test_the_parts_of_a_run_are_one_file(tmp_path, read_all, manifest):
    """vm-a 24 + 24 h, vm-b 24 + 6.5 h of one and the same day, which stands in both parts: 78.5 h, 39.25 USD."""
    write_run(tmp_path, HALVES, manifest=manifest)
    (reading,) = read_all()
    assert figures(reading) == [(2, 78.5, 39.25)]
    assert (reading.rows_read, reading.gpu_rows, reading.format) == (4, 4, "cost-ea")
    assert reading.period.hours == 744.0
    assert reading.file == f"{tmp_path.name}/{PERIOD}/202611010000/aaaa"


@pytest.mark.parametrize("manifest", ["manifest.json", None])
def test_an_older_run_of_the_period_is_not_counted(tmp_path, read_all, manifest):
    """The newest has 24 h; the older one of the same month would add 24 h and another machine."""
    write_run(tmp_path, [[row(), row("vm-gone")]], stamp="202610310000", manifest=manifest)
    write_run(tmp_path, [[row()]], stamp="202611010000", manifest=manifest)
    (reading,) = read_all()
    assert figures(reading) == [(1, 24.0, 12.0)]
    assert warnings(reading).count("left_out") == 1


def test_a_run_without_a_manifest_is_left_out_where_another_of_its_period_has_one(tmp_path, read_all):
    write_run(tmp_path, [[row()]], stamp="202611010000")
    write_run(tmp_path, [[row("vm-b")]], stamp="202611020000", manifest=None)
    (reading,) = read_all()
    assert figures(reading) == [(1, 24.0, 12.0)]


@pytest.mark.parametrize("place", ["", f"{PERIOD}/202610310000/old"])
def test_a_manifest_at_the_top_says_what_the_export_is(tmp_path, read_all, place):
    """Its two parts count; the part that it does not list, beside it or in an older run, does not."""
    run = write_run(tmp_path, HALVES)
    (run / "manifest.json").rename(tmp_path / "_manifest.json")
    (tmp_path / place).mkdir(parents=True, exist_ok=True)
    (tmp_path / place / "part_2_0001.csv").write_text(usage_csv([row("vm-old")]))
    (reading,) = read_all()
    assert figures(reading) == [(2, 78.5, 39.25)]
    assert "part_2_0001.csv" in reading.problems[0].message


def test_a_part_that_is_missing_is_an_error_that_names_it(tmp_path):
    write_run(tmp_path, HALVES, listed=["part_0_0001.csv", "part_1_0001.csv", "part_2_0001.csv"])
    with pytest.raises(BadFolder, match=r"manifest\.json: of the 3 parts .* one is missing: “.*part_2_0001\.csv”"):
        find_runs(tmp_path)


def test_a_part_of_another_run_does_not_stand_for_a_missing_one(tmp_path):
    write_run(tmp_path, HALVES, run="old", stamp="202610310000")
    write_run(tmp_path, HALVES[:1], listed=["part_0_0001.csv", "part_1_0001.csv"])
    with pytest.raises(BadFolder, match="part_1_0001"):
        find_runs(tmp_path)


def test_a_part_may_have_been_packed_since(tmp_path, read_all):
    run = write_run(tmp_path, HALVES)
    part = run / "part_1_0001.csv"
    part.with_suffix(".csv.gz").write_bytes(gzip.compress(part.read_bytes()))
    part.unlink()
    assert figures(read_all()[0]) == [(2, 78.5, 39.25)]


def test_two_months_and_a_list_are_readings_of_their_own(tmp_path, read_all):
    write_run(tmp_path / "costs", [[row()]])
    (tmp_path / "vms.csv").write_text("name,size,region\nvm-9,NC4as_T4_v3,westeurope\n")
    costs, listed = read_all()
    assert (costs.format, listed.format, listed.file) == ("cost-ea", "hand-list", "vms.csv")


def test_an_export_without_machines_is_left_out(tmp_path, read_all):
    write_run(tmp_path, [[row()]])
    sheets = tmp_path / "prices"
    write_run(sheets, [[row("vm-b")]], type="PriceSheet")
    (reading,) = read_all()
    assert figures(reading) == [(1, 24.0, 12.0)]
    assert any("pricesheet" in problem.message for problem in reading.problems)


def test_a_part_that_cannot_be_read_is_an_error(tmp_path, read_all):
    run = write_run(tmp_path, HALVES)
    (run / "part_1_0001.csv").write_text("what,ever\n1,2\n")
    (reading,) = read_all()
    (lost,) = [problem for problem in reading.problems if problem.kind == "part_not_read"]
    assert lost.severity == "error"
    assert "part_1_0001.csv" in lost.message


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [("manifest.json", "{", "no JSON"), ("_SUCCESS", "", "no file to read"), (".hidden", "x", "no file to read")],
)
def test_a_folder_that_cannot_be_read_says_why(tmp_path, name, content, says):
    (tmp_path / name).write_text(content)
    with pytest.raises(BadFolder, match=re.escape(str(tmp_path)) + f".*{says}"):
        find_runs(tmp_path)


def test_a_manifest_opens_nothing_outside_of_its_folder(tmp_path):
    (tmp_path / "secret.csv").write_text(usage_csv([row()]))
    inner = tmp_path / "export"
    write_run(inner, HALVES[:1], listed=["../../../../secret.csv", "/etc/passwd"])
    with pytest.raises(BadFolder, match="2 are missing"):
        find_runs(inner)


@pytest.mark.parametrize("name", ["costs.csv", "list.csv"])
def test_what_is_sent_from_another_process_is_the_same_reading(tmp_path, catalogue, name):
    text = usage_csv(HALVES[1]) if name == "costs.csv" else "name,size,region,count,os\na,NC6s_v3,westeurope,2,\n"
    (tmp_path / name).write_text(text)
    (part,) = find_runs(tmp_path).files
    sent = received(read_to_send(part, catalogue, {}))
    assert reading_json(sent) == reading_json(read_part(part, catalogue, {}))
