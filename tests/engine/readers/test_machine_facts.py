"""Facts of the machine itself: read from a hand list and from az vm list, and a strange text costs no row."""

from __future__ import annotations

import json

import pytest

from advisor.engine.readers.hand_list import TEMPLATE
from advisor.engine.vm_facts import NAMES
from tests.engine.readers.conftest import errors


def facts(reading, row: int = 0):
    text = reading.fleet["facts"].iloc[row]
    return json.loads(text) if isinstance(text, str) else {}


def test_a_hand_list_gives_facts_by_clear_column_names(read):
    reading = read(
        "size,region,nics,availability set,zone,image,driver version,cuda,extensions\n"
        "NC6s_v3,westeurope,2,yes,2,UbuntuServer 18.04-LTS,535.161,11.2,NvidiaGpuDriverLinux;OmsAgent\n"
        "NC6s_v3,westeurope,,,,,,,\n"
    )
    assert facts(reading) == {
        "nics": 2.0,
        "availability_set": 1.0,
        "zone": "2",
        "image": "ubuntu 18.04",
        "driver": "535.161",
        "cuda": "11.2",
        "extensions": "nvidia-driver+other",
    }
    assert facts(reading, 1) == {}  # nothing said is nothing known, never no


def test_a_fact_that_cannot_be_read_is_unknown_and_told_and_costs_no_row(read):
    reading = read("size,region,zone,secure boot\nNC6,westeurope,europe-west1-b,perhaps\n")
    assert (reading.gpu_rows, errors(reading), facts(reading)) == (1, [], {})
    told = [problem.message for problem in reading.problems if problem.kind == "fact_reading"]
    assert any("europe-west1-b" in text and "1, 2, 3 or none" in text for text in told)
    assert any("perhaps" in text and "yes or no" in text for text in told)


def test_the_name_of_somebody_s_image_is_not_kept(read):
    reading = read("size,region,image\nNC6,westeurope,contoso-secret-golden-7\n")
    assert facts(reading) == {"image": "other"}


def test_az_vm_list_tells_sets_zones_security_and_disks(read):
    item = {
        "type": "Microsoft.Compute/virtualMachines",
        "location": "eastus",
        "hardwareProfile": {"vmSize": "Standard_NC6s_v3"},
        "availabilitySet": {"id": "/x/availabilitySets/a"},
        "proximityPlacementGroup": None,
        "zones": None,
        "networkProfile": {"networkInterfaces": [{}, {}]},
        "securityProfile": {"securityType": "TrustedLaunch", "uefiSettings": {"secureBootEnabled": True}},
        "storageProfile": {
            "imageReference": {"offer": "0001-com-ubuntu-server-jammy", "sku": "22_04-lts-gen2"},
            "osDisk": {"osType": "Linux", "diskSizeGb": 360, "diffDiskSettings": {"option": "Local"}},
            "diskControllerType": "SCSI",
        },
        "resources": [{"id": "/x/extensions/AzureDiskEncryptionForLinux"}],
    }
    assert facts(read(json.dumps([item]))) == {
        "availability_set": 1.0,
        "proximity_group": 0.0,
        "zone": "none",
        "nics": 2.0,
        "security_type": "trusted-launch",
        "secure_boot": 1.0,
        "image": "ubuntu 22.04",
        "os_disk_gib": 360.0,
        "ephemeral_os_disk": 1.0,
        "disk_controller": "scsi",
        "extensions": "disk-encryption",
        "disk_encryption": 1.0,
    }


def test_what_az_vm_list_does_not_name_is_unknown(read):
    bare = {"type": "Microsoft.Compute/virtualMachines", "location": "eastus", "hardwareProfile": {"vmSize": "NC6"}}
    assert facts(read(json.dumps([bare]))) == {}


@pytest.mark.parametrize("name", NAMES)
def test_the_template_has_a_column_for_every_fact(read, name: str):
    assert name in TEMPLATE.splitlines()[0].split(",")
    reading = read(TEMPLATE)
    assert (reading.gpu_rows, reading.error_rows) == (2, 0)
    assert not [problem for problem in reading.problems if problem.kind == "fact_reading"]


def test_a_service_of_another_meaning_costs_no_row(read):
    reading = read("size,region,service\nNC6,westeurope,AKS\nNC6,westeurope,billing-portal\nNC6,westeurope,\n")
    found = reading.fleet["service"]
    assert (reading.gpu_rows, found.iloc[0], found.isna().tolist()) == (3, "aks", [False, True, True])
