"""The other way round: the order found, replayed, gives what was asked; else the reason is true."""

from __future__ import annotations

import pytest

from advisor.engine.edge.devices import EdgeCatalogue
from advisor.engine.edge.steps import parse_order
from advisor.engine.edge.want import FOR_SURE, REMOVE_IF_ON, Want, Wish, want


def ask(edge: EdgeCatalogue, device: str, vms: int, k8s: int | None, start: str = "", **wish: object) -> Want:
    wanted = Wish(vms=vms, k8s_gpus=k8s, **{k: edge.size(v) if k == "size" else v for k, v in wish.items()})
    return want(edge, edge.device(device), wanted, start=parse_order(edge, start))


@pytest.mark.parametrize(
    ("device", "vms", "k8s", "start", "sequence"),
    [
        ("pro-gpu-2", 1, 1, "", "vm>k8s"),
        ("pro-gpu-2", 2, 0, "", "vm>vm>k8s"),
        ("pro-gpu-2", 0, 2, "", "k8s"),
        ("pro-gpu-2", 2, None, "", "vm>vm"),
        ("pro-gpu-2", 1, 0, "", "vm2g>k8s"),
        ("pro-gpu-1", 1, 0, "", "vm>k8s"),
        ("pro-gpu-2", 1, 1, "k8s", "k8s>rmk8s>vm>k8s"),
        ("pro-gpu-1", 0, 1, "vm>k8s", "vm>k8s>rmk8s>delvm>k8s"),
        ("pro-gpu-2", 1, 1, "vm>k8s", "vm>k8s"),
        ("pro2-64g2t", 0, 0, "", "k8s"),
    ],
)
def test_the_shortest_order(edge: EdgeCatalogue, device: str, vms: int, k8s: int | None, start: str, sequence: str):
    answer = ask(edge, device, vms, k8s, start)
    assert answer.possible
    assert answer.plan is not None
    assert answer.plan.sequence == sequence
    assert all(step.works for step in answer.plan.steps[answer.done :])
    assert answer.plan.end.k8s_gpus == (k8s or 0)


@pytest.mark.parametrize(
    ("device", "vms", "k8s", "words"),
    [
        ("pro-gpu-2", 2, 1, "needs 3 GPUs and the device has 2"),
        ("pro-gpu-1", 1, 1, "needs 2 GPUs and the device has 1"),
        ("pro-gpu-2", 0, 1, "takes every GPU that is free"),
    ],
)
def test_why_no_order_gives_it(edge: EdgeCatalogue, device: str, vms: int, k8s: int, words: str):
    answer = ask(edge, device, vms, k8s)
    assert (answer.possible, answer.plan) == (False, None)
    assert words in answer.why
    assert all(near.works for _, near in answer.instead)
    assert answer.instead


def test_a_size_that_does_not_fit_twice(edge: EdgeCatalogue):
    answer = ask(edge, "pro-gpu-2", 2, 0, size="NC8as_T4_v3")
    assert "112 GiB" in answer.why
    assert ask(edge, "pro-gpu-2", 2, 0, size="NC4as_T4_v3").possible


def test_one_vm_with_one_gpu_and_kubernetes_without_is_impossible(edge: EdgeCatalogue):
    assert not ask(edge, "pro-gpu-2", 1, 0, vm_gpus=1).possible


def test_kubernetes_that_may_not_be_on_is_removed_only_if_it_is(edge: EdgeCatalogue):
    """Two NC16as_A2 take 32 of 32 vCPU: no document says whether the cluster's own VMs still find room."""
    answer = ask(edge, "pro2-256g6t2gpu", 0, None, "2vm:NC16as_A2>k8s")
    assert answer.plan is not None
    assert answer.plan.sequence == "2vm:NC16as_A2>k8s>rmk8s>delvm>delvm"
    removal, *rest = answer.plan.steps[answer.done :]
    assert (removal.outcome, removal.code) == ("unknown", "order-nothing")
    assert all(step.works for step in rest)
    assert (answer.plan.end.vm_gpus, answer.plan.end.k8s_gpus, answer.plan.end.free_gpus) == (0, 0, 2)
    assert answer.why == REMOVE_IF_ON
    assert ask(edge, "pro-gpu-2", 1, 1, "k8s").why == FOR_SURE  # here it surely is on
