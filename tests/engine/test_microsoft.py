"""Microsoft's documented move: always named, with what this advice makes of it (design 4.7)."""

from __future__ import annotations

from datetime import date

import pytest

from advisor.engine.catalogue import Catalogue
from advisor.engine.microsoft import moves_for
from tests.engine.conftest import Ask
from tests.factories import option_of


def targets(catalogue: Catalogue, size: str, kind: str) -> set[str]:
    return {target.short for target, _ in moves_for(catalogue, f"Standard_{size}", kind)}


def test_a_size_named_by_the_guide(catalogue: Catalogue) -> None:
    assert targets(catalogue, "NC12", "training") == {"NC16as_T4_v3"}


def test_series_guidance_takes_the_size_with_as_many_gpus(catalogue: Catalogue) -> None:
    assert {"NC40ads_H100_v5"} <= targets(catalogue, "NC6s_v3", "inference")
    assert {"NC80adis_H100_v5"} <= targets(catalogue, "NC12s_v3", "inference")  # two GPUs


def test_of_several_with_as_many_gpus_the_smaller_vm(catalogue: Catalogue) -> None:
    """By name alone NV36adms_A10_v5 with twice the memory once stood for one GPU."""
    assert "NV36ads_A10_v5" in targets(catalogue, "NV12s_v3", "graphics")
    assert "NV36adms_A10_v5" not in targets(catalogue, "NV12s_v3", "graphics")


def test_where_none_has_as_many_gpus_the_largest(catalogue: Catalogue) -> None:
    assert "NC80adis_H100_v5" in targets(catalogue, "NC24s_v3", "inference")  # four GPUs, two are the most


def test_a_move_that_ranks_says_its_rank_and_count(ask: Ask) -> None:
    pool = ask("NC6", 12, workload="training")
    t4 = option_of(pool, "NC4as_T4_v3")
    (move,) = (move for move in pool.microsoft_move if move.size == "Standard_NC4as_T4_v3")
    assert (move.agrees, move.rank, move.outdated) == (True, t4.rank, None)
    assert move.why.startswith(f"{t4.vms} of them")


def test_a_move_that_retired_is_outdated(ask: Ask) -> None:
    pool = ask("NV12", 2, columns={"os": "windows"})
    told = {move.size: (move.agrees, move.rank, move.outdated) for move in pool.microsoft_move}
    assert told["Standard_NV24s_v3"] == (False, None, "NVv3 retired 2026-09-30")
    assert told["Standard_NV32as_v4"] == (False, None, "NVv4 retired 2026-09-30")


def test_a_move_that_is_refused_says_why(ask: Ask) -> None:
    pool = ask("ND6s", 2, "southcentralus", workload="training")
    (move,) = (move for move in pool.microsoft_move if move.size == "Standard_NC4as_T4_v3")
    assert not move.agrees
    assert "16 GiB" in move.why and "24 GiB" in move.why


def test_a_page_younger_than_the_day_is_said_to_be_so(ask: Ask) -> None:
    pool = ask("NC6s_v3", 1, workload="training", as_of=date(2023, 1, 1))
    assert pool.microsoft_move
    for move in pool.microsoft_move:
        assert "after the day that is asked for" in move.why and "2025-05-28" not in (move.outdated or "")
    for move in ask("NC6s_v3", 1, workload="training").microsoft_move:
        assert "after the day that is asked for" not in move.why


@pytest.mark.parametrize("size", ["NC24ads_A100_v4", "ND40rs_v2", "ND96isr_H100_v5"])
def test_a_living_size_has_no_move(ask: Ask, size: str) -> None:
    assert ask(size, 1).microsoft_move == ()
