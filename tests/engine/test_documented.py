"""Microsoft's documented moves, each judged by the advice itself: agree, disagree with the reason, or outdated."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import pytest

from advisor.engine.candidates import World
from advisor.engine.documented import JudgedMove, judge_documented
from advisor.engine.rulebook.machine import PREVIEW
from tests.factories import AS_OF, make_request

Judged = Mapping[tuple[str, str, str], JudgedMove]


@pytest.fixture(scope="module")
def judged(world: World) -> Judged:
    """All moves on the day of the tests, by from, to and workload, names without Standard_."""
    found = judge_documented(world, AS_OF)
    keys = [(one.move.from_size, one.move.to_size or one.move.to_series or "", one.move.workload) for one in found]
    return {
        (a.removeprefix("Standard_"), b.removeprefix("Standard_"), work): one
        for (a, b, work), one in zip(keys, found, strict=True)
    }


def one_of(judged: Judged, source: str, target: str, work: str = "") -> JudgedMove:
    return judged[source, target, work]


def codes(one: JudgedMove) -> set[str]:
    return {reason.code for reason in one.reasons}


def test_every_documented_move_is_judged_once(world: World, judged: Judged) -> None:
    assert len(judged) == len(world.catalogue.moves) == 154
    assert all(one.why for one in judged.values())


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("NC6", "NC4as_T4_v3"),
        ("NC6", "NC8as_T4_v3"),
        ("NC24", "NC64as_T4_v3"),  # 4 GPUs to 4
        ("NC6s_v2", "NC24ads_A100_v4"),
        ("NC12s_v2", "NC48ads_A100_v4"),
        ("NC24rs_v2", "NC96ads_A100_v4"),  # design 4.9: the job fits into one VM, no InfiniBand needed
        ("ND24rs", "ND96amsr_A100_v4"),
        ("NC6s_v3", "NCads_H100_v5"),
    ],
)
def test_moves_that_hold_are_agreed_with(judged: Judged, source: str, target: str) -> None:
    one = one_of(judged, source, target)
    assert (one.judgement, one.option is not None) == ("agree", True)


def test_lost_infiniband_is_told(judged: Judged) -> None:
    for source, target in (("NC24r", "NC64as_T4_v3"), ("NC24rs_v2", "NC96ads_A100_v4")):
        assert "infiniband-lost" in codes(one_of(judged, source, target))
    assert "infiniband-lost" not in codes(one_of(judged, "NC24", "NC64as_T4_v3"))


def test_generation_1_only_sources_need_a_new_image(judged: Judged) -> None:
    """NC24rs_v3 boots Generation 1 only (azure-docs pull 118201), H100 Generation 2 only."""
    one = one_of(judged, "NC24rs_v3", "NCads_H100_v5")
    assert "generation" in codes(one)
    assert one.option is not None and one.option.verdict == "rebuild"


@pytest.mark.parametrize(
    "source, target", [("ND6s", "NC4as_T4_v3"), ("ND12s", "NC16as_T4_v3"), ("ND24s", "NC64as_T4_v3")]
)
def test_memory_that_shrinks_is_the_reason(judged: Judged, source: str, target: str) -> None:
    """24 GiB of a P40 against 16 GiB of a T4."""
    one = one_of(judged, source, target)
    assert one.judgement == "disagree"
    assert "16 GiB per GPU; today's machines have 24 GiB" in one.why


def test_fewer_gpus_are_the_reason_unless_one_does_the_work_of_two(world: World, judged: Judged) -> None:
    """Two GPUs of a K80 become one T4: a job of two fits when 1.25 (job_slack) times its speed is 2 or more."""
    one = one_of(judged, "NC12", "NC16as_T4_v3")
    speed = world.speed_model(make_request()).speedup("K80", "T4", "training", "fp32")
    assert speed is not None
    fits = 1.25 * speed.expected >= 2
    assert (one.judgement, codes(one) & {"spans-vms"}) == (("agree", set()) if fits else ("disagree", {"spans-vms"}))
    assert fits or "One job needs 2 GPUs" in one.why


def test_an_fpga_is_no_gpu(judged: Judged) -> None:
    of_np = [one for (source, _, _), one in judged.items() if source.startswith("NP")]
    assert len(of_np) == 14
    assert {(one.judgement, *codes(one)) for one in of_np} == {("disagree", "fpga")}


def test_amd_without_cuda_means_porting(judged: Judged) -> None:
    one = one_of(judged, "NV16as_v4", "NVadsA10_v5", "inference")
    assert one.option is not None and (one.judgement, one.option.verdict) == ("agree", "port")


@pytest.mark.parametrize(
    ("source", "target"),
    [("NV6", "NV12s_v3"), ("NV6", "NV16as_v4"), ("NV12", "NV24s_v3"), ("NV24", "NV48s_v3")],
)
def test_a_retired_target_is_outdated_with_date_and_source(judged: Judged, source: str, target: str) -> None:
    one = one_of(judged, source, target)
    assert one.judgement == "outdated"
    assert "retired on 2026-09-30" in one.why and "reservation sales ended on 2025-11-02" in one.why
    assert one.ends is not None and "retirement.md" in one.ends.source


def test_a_newer_page_makes_the_older_one_outdated(judged: Judged) -> None:
    one = one_of(judged, "NC6s_v3", "NC_A100_v4")
    assert one.judgement == "outdated"
    assert "The page of 2025-05-28 names NCads_H100_v5 instead." in one.why


@pytest.mark.parametrize(
    ("day", "outdated"), [(date(2024, 6, 1), False), (date(2025, 5, 27), False), (date(2025, 5, 28), True)]
)
def test_a_page_replaces_another_from_its_own_day_on(world: World, day: date, outdated: bool) -> None:
    """The page of 2025-05-28 no longer names NC_A100_v4, which that of 2024-03-19 named."""
    key = ("Standard_NC6s_v3", "NC_A100_v4")
    moves = [move for move in world.catalogue.moves if (move.from_size, move.to_series) == key]
    (one,) = judge_documented(world, day, only=moves)
    assert bool(one.newer) == outdated
    assert ("The page of 2025-05-28" in one.why) == outdated


def test_a_size_without_a_page_is_unknown_and_not_passed(judged: Judged) -> None:
    one = one_of(judged, "NV12hs_v3", "NVadsA10_v5", "graphics")
    assert (one.judgement, one.target, one.option) == ("unknown", None, None)


def test_preview_machines_are_made_anew(world: World, judged: Judged) -> None:
    assert world.catalogue.sizes["Standard_NC128ds_xl_RTXPRO6000BSE_v6"].special == PREVIEW
    one = one_of(judged, "NC128ds_xl_RTXPRO6000BSE_v6", "NC144ds_xl_RTXPRO6000BSE_v6")
    assert one.option is not None and one.option.verdict == "redeploy"
    assert "preview-ended" in codes(one)


def test_u06_u07_a_target_that_retires_inside_the_horizon_is_refused_with_the_day(world: World) -> None:
    """2025-12-01 and 36 months: NV12s_v3 ends on 2026-09-30, ten months on."""
    moves = [m for m in world.catalogue.moves if (m.from_size, m.to_size) == ("Standard_NV6", "Standard_NV12s_v3")]
    (one,) = judge_documented(world, date(2025, 12, 1), only=moves)
    assert one.judgement == "outdated"
    assert "retires on 2026-09-30, inside the horizon: the next forced move would come then" in one.why


@pytest.mark.parametrize(
    ("source", "target", "verdict"),
    [
        ("NV4as_v4", "NVads_V710_v5", "redeploy"),  # a temporary disk to none: no resize in place on Windows
        ("NV32as_v4", "NVads_V710_v5", "redeploy"),
        ("NV8as_v4", "NVadsA10_v5", "port"),  # from AMD to NVIDIA
    ],
)
def test_a_series_without_a_linux_driver_is_judged_on_windows(
    judged: Judged, source: str, target: str, verdict: str
) -> None:
    one = one_of(judged, source, target, "inference")
    assert one.os == "windows"
    assert one.option is not None and one.option.verdict == verdict


def test_all_other_compute_is_judged_on_linux(judged: Judged) -> None:
    on_windows = {one.move.from_size for one in judged.values() if one.os == "windows" and one.kind != "graphics"}
    assert all(name.endswith("_v4") and name.startswith("Standard_NV") for name in on_windows)
