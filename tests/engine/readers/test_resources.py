"""Scale sets, node pools and answers of Resource Graph: machines are counted once, and what is unknown is said."""

from __future__ import annotations

import json

import pytest

from advisor.engine.readers.summary import gpu_summary
from tests.engine.readers.conftest import errors, warnings

PROPERTIES = {"hardwareProfile": {"vmSize": "Standard_NC6s_v3"}, "storageProfile": {"osDisk": {"osType": "Linux"}}}
POOLS = [
    {"name": "system", "count": 3, "vmSize": "Standard_D4s_v5", "osType": "Linux"},
    {"name": "gpu", "count": 2, "vmSize": "Standard_NC4as_T4_v3", "osType": "Linux", "scaleSetPriority": "Spot"},
    {"name": "off", "count": 4, "vmSize": "Standard_NV6", "osType": "Linux", "powerState": {"code": "Stopped"}},
]
CLUSTER = {"name": "aks", "location": "eastus", "nodeResourceGroup": "MC_aks", "agentPoolProfiles": POOLS}


def counts(reading):
    return [(e["size"], e["region"], e["count"], e["deallocated"], e["spot"]) for e in gpu_summary(reading.kinds)]


def test_every_node_pool_of_a_cluster_is_a_row(read):
    reading = read(json.dumps([CLUSTER]))
    assert (reading.format, reading.rows_read, reading.gpu_rows, reading.other_rows) == ("az-aks-list-json", 3, 2, 1)
    assert counts(reading) == [("Standard_NC4as_T4_v3", "eastus", 2, 0, 2), ("Standard_NV6", "eastus", 4, 4, 0)]
    assert set(reading.fleet["service"]) == {"aks"}


def test_node_pools_alone_have_no_region(read):
    reading = read(json.dumps(POOLS))
    assert warnings(reading) == ["no_region_column"]
    assert [row[1] for row in counts(reading)] == [None, None]
    assert counts(read(json.dumps(POOLS), default_region="eastus"))[0][1] == "eastus"


def test_a_pool_whose_scale_set_stands_in_the_file_counts_once(read):
    scale_set = {
        "name": "aks-gpu-12345678-vmss",
        "resourceGroup": "mc_AKS",
        "location": "eastus",
        "sku": {"name": "Standard_NC4as_T4_v3", "capacity": 2},
        "virtualMachineProfile": {"priority": "Spot"},
    }
    reading = read(json.dumps([CLUSTER, scale_set]))
    # the set's 2 nodes; the pool of 4 has no set here and counts itself; the system pool and the cluster are one row
    assert counts(reading) == [("Standard_NC4as_T4_v3", "eastus", 2, 0, 2), ("Standard_NV6", "eastus", 4, 4, 0)]
    assert (reading.rows_read, reading.gpu_rows, reading.other_rows) == (3, 2, 1)
    assert [(p.kind, p.item) for p in reading.problems] == [("same_pool_as_vmss", 0)]


def test_raw_columns_of_resource_graph_are_json_in_cells(read):
    cell = json.dumps(PROPERTIES).replace('"', '""')
    text = (
        "id,name,type,tenantId,location,resourceGroup,sku,properties,tags\n"
        f'/a,one,microsoft.compute/virtualmachines,t,eastus,rg,null,"{cell}","{{""env"":""a\nb""}}"\n'
        "/b,set,microsoft.compute/virtualmachinescalesets,t,westeurope,rg,"
        '"{""name"":""Standard_NV6"",""capacity"":5}",{},null\n'
        "/c,disk,microsoft.compute/disks,t,eastus,rg,null,{},null\n"
        '/d,cut,microsoft.compute/virtualmachines,t,eastus,rg,null,"{""hardwareProfile"":",null\n'
    )
    reading = read(text)
    assert (reading.format, reading.rows_read, reading.gpu_rows, reading.other_rows) == ("resource-graph-csv", 4, 2, 1)
    assert counts(reading) == [("Standard_NC6s_v3", "eastus", 1, 0, 0), ("Standard_NV6", "westeurope", 5, 0, 0)]
    assert errors(reading) == [(6, "broken_json")]  # the first record takes lines 2 and 3


def test_a_summarised_query_says_how_many_machines_a_row_is(read):
    reading = read("vmSize,location,count_\nStandard_NC6,eastus,7\n")
    assert (reading.format, counts(reading)) == ("resource-graph-csv", [("Standard_NC6", "eastus", 7, 0, 0)])


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"count": 1, "total_records": 9, "skip_token": None}, "1 of 9 rows"),
        ({"count": 1, "total_records": 1, "skip_token": "abc"}, "it has 1 rows"),
        ({"totalRecords": 3, "resultTruncated": "true"}, "1 of 3 rows"),
    ],
)
def test_a_cut_off_answer_says_so(read, answer, message):
    reading = read(json.dumps({"data": [{"vmSize": "NC6", "location": "eastus"}], **answer}))
    assert warnings(reading) == ["truncated_result"]
    assert message in reading.problems[0].message


def test_a_whole_answer_says_nothing(read):
    answer = {"count": 1, "data": [{"vmSize": "NC6", "location": "eastus"}], "skip_token": None, "total_records": 1}
    assert read(json.dumps(answer)).problems == ()


def test_columns_and_rows_of_the_older_answer(read):
    data = {"columns": [{"name": "vmSize"}, {"name": "location"}], "rows": [["NC6", "eastus"], ["NV6", "eastus"]]}
    reading = read(json.dumps({"totalRecords": 2, "count": 2, "data": data}))
    assert [row[0] for row in counts(reading)] == ["Standard_NC6", "Standard_NV6"]


def test_flat_objects_are_a_list(read):
    reading = read('[{"name": "a", "size": "Standard_NC6", "region": "eastus", "count": 3}, {"size": "NC66"}]')
    assert (reading.format, reading.gpu_rows, errors(reading)) == ("hand-list", 1, [(1, "unknown_size")])
    assert counts(reading) == [("Standard_NC6", "eastus", 3, 0, 0)]


def test_a_set_without_capacity_is_not_zero_machines(read):
    reading = read(
        json.dumps([{"name": "s", "location": "eastus", "sku": {"name": "NC6"}, "virtualMachineProfile": {}}])
    )
    assert (counts(reading), warnings(reading)) == ([("Standard_NC6", "eastus", 1, 0, 0)], ["count_assumed"])
