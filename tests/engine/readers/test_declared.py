"""Infrastructure code: literal values count, expressions are told by line, and a broken block costs itself."""

from __future__ import annotations

import json

import pytest

from advisor.engine.readers import terraform
from advisor.engine.readers.summary import gpu_summary
from tests.engine.readers.conftest import errors


def counts(reading):
    return [(e["size"], e["region"], e["count"], e["spot"]) for e in gpu_summary(reading.kinds)]


def machine(*lines, name="a", kind="azurerm_linux_virtual_machine"):
    return "\n".join([f'resource "{kind}" "{name}" {{', *(f"  {line}" for line in lines), "}", ""])


LITERAL = ('size = "Standard_NC6"', 'location = "eastus"')


@pytest.mark.parametrize(
    ("lines", "count"),
    [((), 1), (("count = 4",), 4), (('for_each = toset(["a", "b", "c"])',), 3), (('for_each = { a = 1, b = 2 }',), 2)],
)  # fmt: skip
def test_how_often_a_resource_is_made(read, lines, count):
    assert counts(read(machine(*LITERAL, *lines))) == [("Standard_NC6", "eastus", count, 0)]


@pytest.mark.parametrize(
    ("lines", "column", "value"),
    [
        (("size = var.size", 'location = "eastus"'), "size", "var.size"),
        (('size = "Standard_${var.size}"', 'location = "eastus"'), "size", '"Standard_${var.size}"'),
        (('size = "Standard_NC6"', "location = var.region"), "location", "var.region"),
        ((*LITERAL, "count = var.many"), "count", "var.many"),
        ((*LITERAL, "for_each = var.many"), "count", "for_each = ${var.many}"),
    ],
)
def test_what_is_not_in_the_file_is_an_error_on_its_line(read, lines, column, value):
    reading = read("# first line\n" + machine(*lines) + machine(*LITERAL, name="b"))
    assert (reading.gpu_rows, errors(reading)) == (1, [(2, "unresolved_value")])
    problem = reading.problems[0]
    assert (problem.column, problem.value) == (column, value)
    assert "terraform show -json" in problem.message


def test_a_region_that_is_not_in_the_file_is_that_of_the_whole_file(read):
    text = machine('size = "Standard_NC6"', "location = var.region")
    assert counts(read(text, default_region="koreacentral")) == [("Standard_NC6", "koreacentral", 1, 0)]


def test_a_default_is_suggested_and_never_taken(read):
    reading = read('variable "s" {\n  default = "Standard_NC6"\n}\n' + machine("size = var.s", 'location = "eastus"'))
    assert (reading.gpu_rows, reading.problems[-1].suggestions) == (0, ("Standard_NC6",))


def test_a_broken_block_costs_itself(read):
    for value in ('= "Standard_NC6"', "(" * 60_000):
        broken = f'resource "azurerm_linux_virtual_machine" "x" {{\n  size = {value}\n}}\n'
        reading = read(broken + machine(*LITERAL))
        assert (reading.gpu_rows, errors(reading)) == (1, [(1, "broken_block")])


def test_more_blocks_than_are_parsed_are_errors(read, monkeypatch):
    monkeypatch.setattr(terraform, "PARSED_MAX", 1)
    reading = read(machine(*LITERAL) + machine(*LITERAL, name="b"))
    assert (reading.rows_read, reading.gpu_rows, errors(reading)) == (2, 1, [(5, "broken_block")])


def test_clusters_pools_and_batch(read):
    text = (
        machine('location = "eastus"', "scale_settings {", '  max_node_count = 4', "  min_node_count = 0", "}",
                'vm_size = "STANDARD_NC6S_V3"', 'vm_priority = "LowPriority"',
                kind="azurerm_machine_learning_compute_cluster")
        + machine('name = "b"', 'location = "westus"', kind="azurerm_batch_account", name="acc")
        + machine("account_name = azurerm_batch_account.acc.name", 'vm_size = "Standard_NV6"', "fixed_scale {",
                  "  target_dedicated_nodes = 2", "  target_low_priority_nodes = 3", "}", kind="azurerm_batch_pool")
    )  # fmt: skip
    reading = read(text)
    # Machine Learning: at most 4, low priority; Batch: 2 dedicated and 3 low-priority ones in two rows
    assert counts(reading) == [("Standard_NC6s_v3", "eastus", 4, 4), ("Standard_NV6", "westus", 5, 3)]


def test_a_state_file_has_instances(read):
    instance = {"attributes": {"size": "Standard_NC6", "location": "eastus", "priority": "Spot"}}
    resource = {"mode": "managed", "type": "azurerm_linux_virtual_machine", "name": "a", "instances": [instance] * 2}
    state = {"version": 4, "terraform_version": "1.7.5", "resources": [resource, {**resource, "mode": "data"}]}
    reading = read(json.dumps(state))
    assert (reading.format, counts(reading)) == ("terraform-json", [("Standard_NC6", "eastus", 2, 2)])


def test_a_value_known_after_apply_is_an_error(read):
    values = {"address": "a", "mode": "managed", "type": "azurerm_linux_virtual_machine", "values": {"size": None}}
    reading = read(json.dumps({"terraform_version": "1", "planned_values": {"root_module": {"resources": [values]}}}))
    assert (reading.usable, errors(reading)[:2]) == (False, [(None, "no_rows"), (0, "unresolved_value")])


def test_comments_in_bicep_are_no_code(read):
    text = (
        "resource a 'Microsoft.Compute/virtualMachines@2023-09-01' = {\n  name: 'a'\n  location: 'eastus'\n"
        "  properties: {\n    hardwareProfile: {\n      // vmSize: 'Standard_NC24'\n      vmSize: 'Standard_NC6'\n"
        "    }\n  }\n}\n"
    )
    assert counts(read(text)) == [("Standard_NC6", "eastus", 1, 0)]


def test_a_loop_in_bicep_has_no_count(read):
    text = "resource a 'Microsoft.Compute/virtualMachines@2023-09-01' = [for i in range(0, n): {\n  vmSize: 'x'\n}]\n"
    assert read(text).gpu_rows == 0
