"""Quota lists are no fleet, and their GPU families are kept."""

from __future__ import annotations

import json

import pytest

from advisor.engine.readers.packing import pack, unpack
from tests.engine.readers.conftest import SAMPLES, errors

TABLE = """\
Name                        CurrentValue    Limit
--------------------------  --------------  -------
Total Regional vCPUs        142             350
Standard NC Family vCPUs    12              48
Standard NPS Family vCPUs   0               10
Standard DSv5 Family vCPUs  24              100
"""
JSON = json.dumps(
    [
        {"currentValue": "12", "limit": "48", "localName": "Standard NC Family vCPUs", "name": {"value": "x"}},
        {"currentValue": "142", "limit": "350", "localName": "Total Regional vCPUs"},
        {"currentValue": "0", "limit": "100", "localName": "Standard DSv5 Family vCPUs"},
        {"currentValue": "0", "limit": "10", "localName": "Standard NPS Family vCPUs"},
    ]
)
CSV = "Quota,Region,Usage,Current Limit,Usage%\nStandard NC Family vCPUs,East US,12,48,25%\nCores,East US,1,2,50%\n"


@pytest.mark.parametrize(
    ("text", "name", "region"),
    [(TABLE, "az-vm-list-usage-table", None), (JSON, "az-vm-list-usage-json", None), (CSV, "quota-csv", "eastus")],
)
def test_gpu_families_are_kept(read, text, name, region):
    reading = read(text)
    assert (reading.format, reading.usable, errors(reading)) == (name, False, [(None, "quota_not_fleet")])
    assert [(q.family, q.used, q.limit, q.region) for q in reading.quota] == [
        ("Standard NC Family vCPUs", 12, 48, region)
    ]
    assert unpack(pack(reading)).quota == reading.quota


def test_an_unknown_limit_is_not_zero(read):
    assert read(CSV.replace(",48,", ",n/a,")).quota[0].limit is None


def test_families_of_a_real_table(read):
    quota = read((SAMPLES / "14_az_vm_list_usage_table.txt").read_bytes()).quota
    assert len(quota) == 11  # 17 rows without 3 totals, availability sets, DSv5 and the FPGA family NPS
    assert sum(line.used for line in quota) == 12 + 0 + 12 + 48 + 16 + 24 + 0 + 0 + 6 + 0 + 0
