"""The order simulation against every collected case, and what stands beside the outcome."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from advisor.engine.edge.devices import EdgeCatalogue, UnknownEdgeName, some_device
from advisor.engine.edge.orders import Plan, plan
from advisor.engine.edge.steps import InvalidOrder, parse_order

CASES = Path(__file__).parents[2] / "samples" / "edge" / "order_cases.csv"
ROWS = list(csv.DictReader(CASES.read_text(encoding="utf-8").splitlines()))


def play(edge: EdgeCatalogue, device: str, sequence: str, **options: object) -> Plan:
    return plan(edge, edge.device(device), parse_order(edge, sequence), **options)


def shown(count: int | None) -> str:
    return "?" if count is None else str(count)


@pytest.mark.parametrize("row", ROWS, ids=[row["case_id"] for row in ROWS])
def test_a_collected_case(edge: EdgeCatalogue, row: dict[str, str]):
    gpus = int(row["gpus_on_device"])
    for card in ("T4", "A2") if gpus else (None,):
        found = plan(edge, some_device(gpus, card), parse_order(edge, row["sequence"]))
        assert ";".join(f"{r.step.text}:{r.outcome}" for r in found.steps) == row["step_outcomes"]
        end = (found.end.vm_gpus, found.end.k8s_gpus, found.end.free_gpus)
        assert tuple(map(shown, end)) == (row["vm_gpus_end"], row["k8s_gpus_end"], row["free_gpus_end"])
        assert found.certain == row["certain"]
        if row["certain"] == "no":
            assert [w for w in found.warnings if w.level == "unknown"]


def test_all_cases_are_there():
    assert len(ROWS) == 66


def test_the_failing_order_has_both_ways_out(edge: EdgeCatalogue):
    found = play(edge, "pro-gpu-2", "k8s>vm")
    assert [(r.kind, r.done, r.todo) for r in found.repairs] == [
        ("reorder", 0, "vm>k8s"),
        ("rebuild", 2, "rmk8s>vm>k8s"),
    ]
    assert all(step.works for repair in found.repairs for step in repair.plan.steps[repair.done :])
    assert "order-back-up" in {w.code for w in found.warnings}


def test_no_way_out_where_no_order_can_help(edge: EdgeCatalogue):
    found = play(edge, "pro-gpu-1", "vm>vm>k8s")
    assert found.repairs == ()
    assert "order-one-owner" in {w.code for w in found.warnings}


def test_who_has_which_gpu_is_told_by_name(edge: EdgeCatalogue):
    found = play(edge, "pro-gpu-2", "vm>k8s")
    assert [(s.kind, s.name) for s in found.end.slots] == [("vm", "VM 1"), ("k8s", "")]


def test_an_open_end_names_who_may_have_it(edge: EdgeCatalogue):
    found = play(edge, "pro-gpu-1", "vm>k8s>delvm")
    assert found.end.slots[0].maybe == ("Kubernetes", "free")
    assert "stop-with-k8s" in {c.code for c in found.conflicts}


def test_removing_kubernetes_settles_an_open_end(edge: EdgeCatalogue):
    found = play(edge, "pro-gpu-1", "vm>k8s>stopvm>rmk8s>startvm")
    assert (found.end.vm_gpus, found.steps[-1].outcome) == (1, "succeeds")


@pytest.mark.parametrize(
    ("device", "sequence", "code"),
    [
        ("pro-gpu-1", "vm:NC4as_A2", "size-card"),
        ("pro2-128g4t1gpu", "vm:nc4as_t4_v3", "size-card"),
        ("pro-gpu-1", "vm:NC16as_T4_v3", "room-memory-limits"),
        ("pro-gpu-2", "vm:NC8as_T4_v3>vm:NC8as_T4_v3", "room-memory-limits"),
        ("pro-gpu-2", "vm2g:NC32as_2T4_v1", "room-memory-limits"),
        ("pro2-64g2t", "vm", "order-vm-no-gpu"),
    ],
)
def test_a_named_size_is_checked(edge: EdgeCatalogue, device: str, sequence: str, code: str):
    last = play(edge, device, sequence).steps[-1]
    assert (last.outcome, last.code) == ("fails", code)


def test_kubernetes_beside_a_vm_that_leaves_no_room_is_open(edge: EdgeCatalogue):
    found = play(edge, "pro-gpu-2", "vm:NC32as_T4_v3>k8s")
    assert (found.steps[-1].outcome, found.steps[-1].code) == ("unknown", "order-k8s-room")


def test_u77_the_answer_depends_on_the_software(edge: EdgeCatalogue):
    assert play(edge, "pro-gpu-1", "vm:Custom_GPU_T4_v3", software="2301").steps[0].code == "size-custom"
    assert play(edge, "pro-gpu-1", "vm:Custom_GPU_T4_v3", software="2309").works
    assert play(edge, "pro-gpu-1", "k8s", software="2210").steps[0].outcome == "fails"


def test_two_nodes_are_warned_of(edge: EdgeCatalogue):
    codes = {w.code for w in play(edge, "pro-gpu-2", "vm>k8s", nodes=2).warnings}
    assert {"cluster-order", "cluster-failover", "cluster-no-updates"} <= codes


def test_every_step_has_source_and_day(edge: EdgeCatalogue):
    for result in play(edge, "pro-gpu-2", "vm>k8s>stopvm>startvm>rmk8s>delvm>cpuvm").steps:
        assert result.source
        assert result.as_of


def test_steps_without_anything_to_do_fail(edge: EdgeCatalogue):
    found = play(edge, "pro-gpu-2", "delvm>stopvm>startvm>rmk8s>k8s>k8s")
    assert [r.outcome for r in found.steps] == ["fails"] * 4 + ["succeeds", "fails"]


def test_the_25th_vm_is_refused(edge: EdgeCatalogue):
    found = play(edge, "pro-gpu-2", ">".join(["cpuvm"] * 25))
    assert [r.outcome for r in found.steps] == ["succeeds"] * 24 + ["fails"]


@pytest.mark.parametrize("text", ["vn", "k8s:NC4as_T4_v3", "vm>", "vm2g:NC4as_T4_v3", ">".join(["vm"] * 61)])
def test_what_is_no_order_is_refused(edge: EdgeCatalogue, text: str):
    with pytest.raises(InvalidOrder):
        parse_order(edge, text)


def test_an_unknown_size_names_near_ones(edge: EdgeCatalogue):
    with pytest.raises(UnknownEdgeName, match="NC4as_T4_v3"):
        parse_order(edge, "vm:NC4as_T4")


def test_a_vm_after_kubernetes_is_told_apart_from_a_device_that_is_full(edge: EdgeCatalogue):
    assert play(edge, "pro-gpu-1", "k8s>vm").steps[-1].code == "order-vm-after-k8s"
    assert play(edge, "pro-gpu-1", "vm>vm").steps[-1].code == "order-vm-no-gpu"


def test_a_stopped_vm_keeps_nothing_once_kubernetes_is_gone(edge: EdgeCatalogue):
    end = play(edge, "pro-gpu-1", "vm>k8s>stopvm>rmk8s").end
    assert (end.vm_gpus, end.k8s_gpus, end.free_gpus) == (0, 0, 1)
