"""The figures of the import page add up, and ignored rows are named with their reason."""

from __future__ import annotations

import io

import pytest

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers import read_file
from advisor.engine.readers.ignored import LISTED, merge_ignored
from advisor.engine.readers.overview import overview, whole_file_problem
from advisor.engine.readers.packing import pack, unpack
from advisor.engine.readers.reading import Ignored
from tests.engine.readers.usage_text import row, usage_csv

TEXT = """name,size,region,count,hours_per_vm,state
a,NC6s_v3,West Europe,2,100,running
b,Standard_NC6s_v3,westeurope,1,50,deallocated
c,NV4as_v4,North Europe,4,10,running
d,D4s_v5,West Europe,1,1,running
e,d4s_v5,West Europe,1,1,running
f,NP10s,West Europe,1,1,running
Total,,,7,,
g,NC9z,West Europe,1,1,running
"""


def read(text: str, catalogue: Catalogue):
    return read_file("fleet.csv", io.BytesIO(text.encode()), catalogue)


def test_rows_add_up_and_groups_sum(catalogue: Catalogue):
    seen = overview([pack(read(TEXT, catalogue))], catalogue)
    assert seen.rows_read == 8 == seen.gpu_rows + seen.other_rows + seen.error_rows
    assert (seen.gpu_rows, seen.other_rows, seen.error_rows) == (3, 4, 1)
    first, second = seen.groups
    assert (first.size, first.region, first.vms, first.deallocated) == ("Standard_NC6s_v3", "westeurope", 3, 1)
    assert (first.hours, first.gpus, first.first, first.last) == (250.0, 3.0, 2, 3)
    assert (second.vms, second.hours) == (4, 40.0)
    assert (seen.vms, seen.hours, seen.deallocated) == (7, 290.0, 1)
    assert second.slice_of_gpu == catalogue.sizes["Standard_NV4as_v4"].gpus
    assert seen.gpus == 3 + 4 * catalogue.sizes["Standard_NV4as_v4"].gpus


def test_two_files_are_one_overview(catalogue: Catalogue):
    packed = pack(read(TEXT, catalogue))
    seen = overview([packed, packed], catalogue)
    assert (seen.rows_read, seen.vms, len(seen.groups)) == (16, 14, 2)


def test_hours_that_some_row_lacks_are_unknown(catalogue: Catalogue):
    text = "size,region,hours\nNC6,West Europe,5\nNC6s_v3,West Europe,\n"
    assert overview([pack(read(text, catalogue))], catalogue).hours is None


def test_ignored_rows_say_which_why_and_where(catalogue: Catalogue):
    reading = read(TEXT, catalogue)
    found = {(entry.why, entry.size): (entry.rows, entry.first, entry.last) for entry in reading.ignored}
    assert found == {
        ("no_gpu", "D4s_v5"): (2, 5, 6),
        ("not_gpu", "Standard_NP10s"): (1, 7, 7),
        ("total", None): (1, 8, 8),
    }
    assert sum(entry.rows for entry in reading.ignored) == reading.other_rows


def test_ignored_rows_survive_packing(catalogue: Catalogue):
    reading = read(TEXT, catalogue)
    assert unpack(pack(reading)).ignored == reading.ignored


def test_elements_of_another_type_are_ignored_with_their_number(catalogue: Catalogue):
    vm = '{"type": "Microsoft.Compute/virtualMachines", "location": "westeurope", "hardwareProfile": {"vmSize": "NC6"}}'
    reading = read(f'[{vm}, {{"type": "Microsoft.Compute/disks"}}]', catalogue)
    assert reading.ignored == (Ignored(why="no_machine", rows=1),)


def test_many_ignored_sizes_are_summed_up():
    merged = merge_ignored(Ignored(why="no_gpu", size=f"D{n}", rows=2, first=n, last=n) for n in range(LISTED + 5))
    assert len(merged) == LISTED + 1
    assert merged[-1] == Ignored(why="more", rows=10)


def test_why_a_file_is_not_used(catalogue: Catalogue):
    assert whole_file_problem(read(TEXT, catalogue)) is None
    problem = whole_file_problem(read("a,b\n1,2\n", catalogue))
    assert problem is not None
    assert problem.kind == "no_size_column"


def test_hours_of_a_usage_file_are_those_of_a_month(catalogue):
    """24 h in the 744 h of October: 24 * 730 / 744 = 23.548 h a month."""
    text = usage_csv([row()])
    seen = overview([pack(read_file("c.csv", io.BytesIO(text.encode()), catalogue))], catalogue)
    assert seen.scaled
    assert seen.hours == pytest.approx(23.548387)
    assert seen.groups[0].hours == pytest.approx(23.548387)
