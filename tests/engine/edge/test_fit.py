"""What fits which device: the collected column and the arithmetic worked by hand."""

from __future__ import annotations

import pytest

from advisor.engine.edge.devices import EdgeCatalogue
from advisor.engine.edge.fit import Fit, fit, size_fits


def ask(edge: EdgeCatalogue, device: str, *sizes: str, kubernetes: bool = False) -> Fit:
    return fit(edge, edge.device(device), [edge.size(name) for name in sizes], kubernetes)


def test_pro_gpu_with_kubernetes_by_hand(edge: EdgeCatalogue):
    """40 - 4 - 12 - 8 = 16 vCPU and 96 - 4 - 32 - 56 = 4 GiB are left."""
    found = ask(edge, "pro-gpu-2", "NC8as_T4_v3", kubernetes=True)
    assert found.verdict == "fits"
    (table,) = found.tables  # both statements give the same here
    assert (table.left_vcpus, table.left_memory_gib, table.left_gpus) == (16, 4, 0)


@pytest.mark.parametrize(
    ("device", "sizes", "kubernetes", "verdict"),
    [
        ("pro-gpu-2", ["NC4as_T4_v3", "NC4as_T4_v3"], True, "fits"),
        ("pro-gpu-2", ["NC8as_T4_v3", "NC8as_T4_v3"], False, "does not fit"),
        ("pro-gpu-1", ["NC4as_T4_v3", "NC4as_T4_v3"], False, "does not fit"),
        ("pro-gpu-1", ["NC16as_T4_v3"], False, "does not fit"),
        ("pro-r", ["NC16as_T4_v3"], False, "fits"),
        ("pro-r", ["NC16as_T4_v3"], True, "fits"),
        ("pro2-256g6t2gpu", ["NC32as_2A2_v1"], False, "fits"),
        ("pro2-256g6t2gpu", ["NC32as_2A2_v1"], True, "does not fit"),
        ("pro2-128g4t1gpu", ["NC4as_T4_v3"], False, "does not fit"),
        ("pro2-64g2t", [], True, "fits"),
        ("mini-r", [], False, "unknown"),
    ],
)
def test_verdicts(edge: EdgeCatalogue, device: str, sizes: list[str], kubernetes: bool, verdict: str):
    assert ask(edge, device, *sizes, kubernetes=kubernetes).verdict == verdict


def test_where_the_two_statements_disagree_it_is_unknown(edge: EdgeCatalogue):
    """Of 32 vCPU 16 + 2 are in VMs, 4 in the master, and the worker takes 12 by one page, 9.6 by the other."""
    found = ask(edge, "pro2-256g6t2gpu", "NC16as_A2", "F2s_HPN_A2", kubernetes=True)
    assert [table.left_vcpus for table in found.tables] == [-2, pytest.approx(0.4)]
    assert found.verdict == "unknown"


def test_the_other_card_is_named(edge: EdgeCatalogue):
    assert ask(edge, "pro-r", "NC4as_A2").reasons == ("NC4as_A2 is made for A2; this device has T4.",)


def test_every_size_stands_against_every_device_with_a_gpu(edge: EdgeCatalogue):
    rows = size_fits(edge)
    assert len(rows) == 34 * 5
    nowhere = {row.size.short for row in rows} - {row.size.short for row in rows if row.alone.verdict == "fits"}
    assert nowhere == {"NC32as_T4_v1", "NC32as_2T4_v1"}


def test_nothing_that_fits_beside_kubernetes_fails_alone(edge: EdgeCatalogue):
    assert all(row.alone.verdict == "fits" for row in size_fits(edge) if row.beside.verdict == "fits")
