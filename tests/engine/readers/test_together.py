"""Several files at once: a machine in more than one of them counts once, and no hour or cost twice."""

from __future__ import annotations

import gzip
import io
import zipfile
from datetime import date

import pytest

from advisor.engine.pools import make_pools
from advisor.engine.readers.summary import gpu_summary
from advisor.engine.readers.together import together
from tests.engine.readers.conftest import errors, warnings
from tests.engine.readers.usage_text import HEADER, row, usage_csv
from tests.factories import make_request

UNBILLED = [name for name in HEADER if not name.startswith("BillingPeriod")]


def figures(readings):
    """Machines, hours and cost of each file."""
    found = []
    for reading in readings:
        (entry,) = gpu_summary(reading.kinds) or ({"count": 0, "hours": None, "cost": None},)
        found.append((entry["count"], entry["hours"], entry["cost"]))
    return found


def test_parts_of_a_month_are_one_file(read, catalogue):
    """30 days of 24 h in two parts of 15: W = 720 * 730 / 720 = 730 h, and not twice that."""
    parts = [[row(Date=f"2026-09-{day:02}") for day in days] for days in (range(1, 16), range(16, 31))]
    found = together([read(usage_csv(part, UNBILLED)) for part in parts])
    assert figures(found) == [(1, 720.0, 360.0), (0, None, None)]
    assert (found[0].period.start, found[0].period.end) == (date(2026, 9, 1), date(2026, 9, 30))
    (pool,) = make_pools(found, catalogue, make_request())
    assert (pool["vms"], pool["hours_per_vm_month"]) == (1, pytest.approx(730))
    assert pool["cost"] == pytest.approx(360 * 730 / 720)


def test_a_later_run_completes_an_earlier_one_and_adds_nothing_twice(read):
    """Day 1 stands in both, day 2 was cut short at 10 h, day 3 is new: 24 + 24 + 24 h, 12 + 12 + 12 USD."""
    early = [row(), row(Date="10/02/2026", Quantity="10", CostInBillingCurrency="5")]
    late = [row(), row(Date="10/02/2026"), row(Date="10/03/2026")]
    for order in ([early, late], [late, early]):
        assert figures(together([read(usage_csv(rows)) for rows in order])) == [(1, 72.0, 36.0), (0, None, None)]


def test_actual_and_amortised_costs_are_not_added(read):
    """vm-a is reserved: 0 in the actual export, 7 in the amortised one. vm-b costs 12 in both: 7 + 12 USD."""
    reserved = {"PricingModel": "Reservation", "Term": "12"}
    actual = [row(**reserved, CostInBillingCurrency="0"), row("vm-b")]
    amortised = [row(**reserved, CostInBillingCurrency="7"), row("vm-b")]
    found = together([read(usage_csv(rows)) for rows in (actual, amortised)])
    assert figures(found) == [(2, 48.0, 19.0), (0, None, None)]
    assert warnings(found[0]).count("counted_together") == 1


def test_months_with_a_gap_count_the_days_that_are_covered(read):
    """January and March: 31 + 31 days, not the 90 from the first to the last."""
    january = {"BillingPeriodStartDate": "01/01/2026", "BillingPeriodEndDate": "01/31/2026", "Date": "01/31/2026"}
    march = {"BillingPeriodStartDate": "03/01/2026", "BillingPeriodEndDate": "03/31/2026", "Date": "03/31/2026"}
    found = together([read(usage_csv([row(**cells)])) for cells in (january, march)])
    assert (found[0].period.hours, found[0].period.end) == (62 * 24.0, date(2026, 3, 31))
    assert figures(found) == [(1, 48.0, 24.0), (0, None, None)]


def test_files_without_a_machine_in_common_keep_their_own_periods(read):
    found = together([read(usage_csv([row()])), read(usage_csv([row("vm-b", Date="2026-09-01")], UNBILLED))])
    assert [reading.period.hours for reading in found] == [744.0, 24.0]
    assert figures(found) == [(1, 24.0, 12.0), (1, 24.0, 12.0)]


LIST = "name,resource group,size,region,os,workload,count,state\n"


def test_a_machine_of_a_list_that_the_costs_have_counts_once_with_what_the_list_says(read, catalogue):
    listed = read(LIST + "VM-A,RG,NC4as_T4_v3,westeurope,windows,inference,1,running\n")
    for order in ((0, 1), (1, 0)):
        both = [read(usage_csv([row()])), listed]
        found = together([both[place] for place in order])
        (pool,) = make_pools(found, catalogue, make_request())
        assert (pool["vms"], pool["os"], pool["kind"], pool["hours_basis"]) == (1, "windows", "inference", "file")
        assert pool["hours_per_vm_month"] == pytest.approx(24 * 730 / 744)
        assert "counted_once" in [kind for reading in found for kind in warnings(reading)]


@pytest.mark.parametrize(
    "line",
    [
        "vm-b,rg,NC4as_T4_v3,westeurope,,,1,running",  # another name
        "vm-a,other,NC4as_T4_v3,westeurope,,,1,running",  # another group
        "vm-a,rg,NC8as_T4_v3,westeurope,,,1,running",  # another size
        "vm-a,rg,NC4as_T4_v3,eastus,,,1,running",  # another region
        "vm-a,rg,NC4as_T4_v3,westeurope,,,3,running",  # several machines
        ",rg,NC4as_T4_v3,westeurope,,,1,running",  # no name
    ],
)
def test_other_machines_stay(read, line):
    found = together([read(usage_csv([row()])), read(LIST + line + "\n")])
    assert sum(int(reading.fleet["count"].sum()) for reading in found) == 1 + (3 if ",3," in line else 1)


def test_machines_without_names_that_may_be_the_same_are_told(read):
    costs, counted = read(usage_csv([row()])), read("size,region,count\nNC4as_T4_v3,westeurope,7\n")
    found = together([costs, counted])
    assert warnings(found[1]) == ["may_be_the_same"]
    assert "7 machines" in found[1].problems[0].message
    elsewhere = read("size,region,count\nNC4as_T4_v3,eastus,7\n")
    assert warnings(together([costs, elsewhere])[1]) == []


def test_one_file_is_as_it_was(read):
    reading = read(usage_csv([row(), row()]))
    assert together([reading]) == [reading]


def zipped(**files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"run/{name}.csv", content)
    return stream.getvalue()


def test_parts_in_a_zip_are_one_export(read):
    """Two parts of a month, one of them packed by itself, with the manifest: 24 + 24 h of vm-a, 24 h of vm-b."""
    one = usage_csv([row()])
    two = gzip.compress(usage_csv([row(Date="10/31/2026"), row("vm-b")]).encode())
    reading = read(zipped(part_0=one, part_1=two, manifest='{"exportConfig": {"a": 1}, "blobs": [{"blobName": "p"}]}'))
    assert (reading.format, reading.usable, reading.period.hours) == ("cost-ea", True, 744.0)
    assert (reading.rows_read, reading.gpu_rows) == (3, 3)
    assert figures([reading]) == [(2, 72.0, 36.0)]


MANIFEST = '{"exportConfig": {"a": 1}, "blobs": [{"blobName": "run/part_0.csv"}, {"blobName": "run/part_1.csv.gz"}]}'


def test_a_manifest_alone_names_its_parts(read):
    reading = read(MANIFEST)
    assert (reading.format, reading.usable, errors(reading)) == ("export-manifest", False, [(None, "manifest_only")])
    assert "part_0.csv, part_1.csv.gz" in reading.problems[0].message


def test_a_manifest_tells_which_parts_are_missing(read):
    one, two = usage_csv([row()]), usage_csv([row("vm-b")])
    assert "parts_missing" in warnings(read(zipped(part_0=one, manifest=MANIFEST)))
    assert "parts_complete" in warnings(read(zipped(part_0=one, part_1=two, manifest=MANIFEST)))
    files = [read(MANIFEST), read(one, "part_0.csv"), read(two, "part_1.csv")]
    assert warnings(together(files)[0]) == ["parts_complete"]
    assert warnings(together(files[:2])[0]) == ["parts_missing"]


def test_a_run_in_a_zip_that_repeats_another_adds_nothing(read):
    again = usage_csv([row(), row("vm-b")])
    assert figures([read(zipped(a=again, b=again))]) == [(2, 48.0, 24.0)]


def test_a_packed_export_is_read_like_a_plain_one(read):
    text = usage_csv([row(), row("vm-b")])
    assert figures([read(gzip.compress(text.encode()))]) == figures([read(text)])
