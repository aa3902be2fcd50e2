"""Files without a fleet: each is refused with what it is and what to export instead, and none raises."""

from __future__ import annotations

import json

import pytest

from advisor.engine.readers import head
from tests.engine.readers.conftest import errors

CASES = [
    ("", "empty_file", "empty"),
    ("\ufeff \n\n", "empty_file", "empty"),
    (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "not_text", "picture"),
    (bytes(range(256)) * 40, "not_text", "az vm list"),
    (b"PK\x03\x04" + bytes(26) + b"xl/workbook.xml", "bad_workbook", "CSV UTF-8"),
    (b"PK\x03\x04 part_0.csv", "bad_archive", "Unpack"),
    (b"\x1f\x8b\x08\x00data", "bad_archive", "Unpack"),
    (b"PAR1data", "bad_parquet", "CSV"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1", "bad_workbook", "CSV UTF-8"),
    ("version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "not_data", "git lfs pull"),
    ("<html><table></table></html>", "unsupported_format", "CSV UTF-8"),
    ("Quota,Region,Usage,Current Limit,Usage%\nA,eastus,1,2,50%\n", "quota_not_fleet", "az vm list"),
    (
        "Name,Id,HardwareProfile\na,b,Microsoft.Azure.Management.Compute.Models.HardwareProfile\n",
        "no_size_column",
        "VmSize",
    ),
]


@pytest.mark.parametrize(("content", "kind", "word"), CASES)
def test_refused_with_a_reason(read, content, kind, word):
    reading = read(content)
    assert (reading.usable, errors(reading)) == (False, [(None, kind)])
    assert word in reading.problems[0].message


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_rows_of_a_long_file_without_a_fleet_are_its_lines(read, end, monkeypatch):
    monkeypatch.setattr(head, "COUNTED_RECORDS", 3)
    monkeypatch.setattr(head, "BLOCK_BYTES", 5)
    reading = read(end.join(["name,colour", "a,red", "", 'b,"blue', 'c,d"e', "f,green", "", "g,grey"]))
    assert (reading.usable, reading.rows_read, reading.error_rows) == (False, 5, 5)


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("BilledCost,ChargePeriodStart,ProviderName", "focus-1.0"),
        ("InvoiceSectionName,MeterCategory,MeterSubCategory,Quantity,CostInBillingCurrency", "cost-ea"),
        ("resourceGroupName,meterCategory,quantity,costInBillingCurrency", "cost-mca"),
        ("SubscriptionGuid,MeterCategory,UsageQuantity", "cost-payg-usage"),
        ("index, name, utilization.gpu [%], memory.total [MiB]", "nvidia-smi-csv"),
    ],
)
def test_tables_of_other_formats_are_named(read, header, name):
    reading = read(header + "\n")
    assert (reading.format, reading.usable) == (name, False)


def test_json_without_sizes_names_what_it_has(read):
    reading = read(json.dumps({"count": 1, "data": [{"name": "a", "location": "eastus"}]}))
    assert (reading.format, reading.usable, errors(reading)) == (
        "resource-graph-json",
        False,
        [(None, "no_size_column")],
    )


def test_a_table_of_the_command_line_gets_the_command_with_the_size(read):
    reading = read("Name   ResourceGroup   Location\n-----  --------------  ---------\na      rg              eastus\n")
    assert (reading.format, reading.rows_read) == ("az-vm-list-table", 1)
    assert "`az vm list -d -o json > vms.json`" in reading.problems[0].message
