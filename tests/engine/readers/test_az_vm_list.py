"""`az vm list -d -o json`, element by element."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest

from tests.engine.readers.conftest import errors


def vm(**changes: Any) -> dict[str, Any]:
    base = {
        "name": "a",
        "location": "eastus",
        "resourceGroup": "rg",
        "hardwareProfile": {"vmSize": "standard_nc6"},
        "type": "Microsoft.Compute/virtualMachines",
    }
    return base | changes


def test_sku_tells_the_generation_where_it_says_so(read):
    skus = ["22_04-lts-gen2", "server-gen1", "2019-datacenter-gensecond", "2022-datacenter-g2", "18.04-LTS"]
    items = [vm(storageProfile={"imageReference": {"sku": sku}}) for sku in skus]
    found = read(json.dumps(items)).fleet["generation"]
    assert [None if pd.isna(value) else value for value in found] == [2, 1, 2, 2, None]


def test_disks_and_premium_storage(read):
    os_disk = {"osType": "Linux", "managedDisk": {"storageAccountType": "Premium_LRS"}}
    row = read(json.dumps([vm(storageProfile={"osDisk": os_disk, "dataDisks": [{}, {}]}), vm()])).fleet
    assert row["data_disks"].tolist()[0] == 2
    assert row["premium_disks"].iloc[0]
    assert row[["os", "data_disks", "premium_disks"]].iloc[1].isna().all()


def test_spot_state_and_licence(read):
    row = read(
        json.dumps([vm(priority="Spot", powerState="VM deallocated", licenseType="RHEL_BYOS", tags={"b": "1"})])
    ).fleet.iloc[0]
    assert row[["size", "price_model", "deallocated", "item"]].tolist() == ["Standard_NC6", "spot", 1, 0]
    assert json.loads(row["tags"]) == {"b": "1", "licenseType": "RHEL_BYOS"}
    assert pd.isna(row["line"])


def test_one_machine_of_az_vm_show(read):
    assert read(json.dumps(vm())).gpu_rows == 1


def test_powershell_writes_names_in_capitals(read):
    item = {"Name": "a", "Location": "eastus", "HardwareProfile": {"VmSize": "Standard_NC6"}}
    assert read(json.dumps([item])).gpu_rows == 1


def test_elements_count_from_zero(read):
    reading = read(json.dumps([vm(), vm(hardwareProfile={"vmSize": "NC99"}), vm(hardwareProfile=None)]))
    assert errors(reading) == [(1, "unknown_size"), (2, "missing_size")]


def test_other_types_are_other_rows(read):
    reading = read(json.dumps([vm(), vm(type="Microsoft.Compute/disks")]))
    assert (reading.gpu_rows, reading.other_rows) == (1, 1)


def test_a_cut_file_keeps_what_was_whole(read):
    text = json.dumps([vm(), vm(), vm()])[:-30]
    reading = read(text)
    assert (reading.gpu_rows, reading.error_rows, errors(reading)) == (2, 1, [(2, "broken_json")])


def test_the_last_of_two_equal_keys_counts_and_half_surrogates_do_no_harm(read):
    reading = read('[{"hardwareProfile":{"vmSize":"x","vmSize":"NC6"},"location":"eastus","name":"\\ud800"}]')
    assert reading.fleet["name"].tolist() == ["?"]


def test_elements_longer_than_the_window_are_read(read):
    items = [vm(name=str(number), extra="y" * 700_000) for number in range(5)]
    assert read(json.dumps(items, indent=2)).fleet["name"].tolist() == ["0", "1", "2", "3", "4"]


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[1, 2", "{]", "[]", '["a"]', "[null]", "{}"])
def test_json_without_machines_is_refused(read, text):
    reading = read(text)
    assert not reading.usable
    assert "az vm list" in reading.problems[0].message
