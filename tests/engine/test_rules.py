"""Rules: what each public case asks of the rule book, and that unknown never counts as passed (design 4.3)."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import pytest

from advisor.engine.answer import Option, PoolAdvice, Reason
from advisor.engine.arrays import Table
from advisor.engine.rulebook import BY_CODE, RULES
from advisor.engine.rules import PORT, REBUILD, Rule, effort, judge, rejects
from tests.engine.conftest import Ask
from tests.factories import codes_of, option_of, rejected_codes


def reason_of(option: Option, code: str) -> Reason:
    (found,) = (reason for reason in option.rules if reason.code == code)
    return found


# The machinery


def rule(**changes: Any) -> Rule:
    facts: dict[str, Any] = {"code": "r", "severity": "blocker", "reads": ("x",), "hits": lambda c: c["x"] < 5}
    return Rule(**(facts | {"message": "{x}"} | changes))


def verdicts(one: Rule, *values: float) -> list[tuple[bool, bool, bool]]:
    """Per value whether the rule hits, whether it is unknown, and whether it rejects."""
    judged = judge([one], Table.of({"x": list(values)}))
    masks = (judged.hits["r"], judged.unknown["r"], rejects(one, judged))
    return list(zip(*(np.broadcast_to(mask, judged.shape)[:, 0].tolist() for mask in masks), strict=True))


def test_hit_pass_and_unknown_are_three_answers() -> None:
    assert verdicts(rule(), 4.0, 5.0, np.nan) == [(True, False, True), (False, False, False), (False, True, False)]


def test_unknown_is_no_hit_where_a_rule_asks_for_a_difference() -> None:
    assert verdicts(rule(hits=lambda c: c["x"] != 5), np.nan) == [(False, True, False)]


def test_a_needed_fact_that_is_unknown_rejects() -> None:
    assert verdicts(rule(needed="x"), np.nan) == [(False, True, True)]


def test_a_rule_that_does_not_apply_asks_nothing() -> None:
    assert verdicts(rule(applies=lambda c: c["x"] > 100), np.nan) == [(False, False, False)]


def test_a_warning_rejects_nothing() -> None:
    assert verdicts(rule(severity="warning"), 4.0) == [(True, False, False)]


def test_the_largest_effort_is_the_verdict() -> None:
    rules = [rule(code="a", effort=REBUILD), rule(code="b", effort=PORT, hits=lambda c: c["x"] < 2)]
    assert effort(rules, judge(rules, Table.of({"x": [1.0, 3.0, 9.0]})))[:, 0].tolist() == [PORT, REBUILD, 0]


def test_codes_are_unique() -> None:
    assert len(BY_CODE) == len(RULES)


@pytest.mark.parametrize("one", RULES, ids=lambda one: one.code)
def test_every_rule_has_words_and_a_source(one: Rule) -> None:
    assert one.source
    assert one.message or one.question, "what is said when it hits, or when it is unknown"
    if one.needed:
        assert one.question and one.flips
    if one.severity in ("step", "warning"):
        assert one.fix


# Lifecycle


def test_u06_a_target_that_retires_inside_the_horizon_is_refused_with_its_day(ask: Ask) -> None:
    # the guide once sent NC6 to NC6s_v3, retired on 2025-09-30; seen from 2023-10-01
    pool = ask("NC6", 1, as_of=date(2023, 10, 1), workload="training")
    (refused,) = (entry for entry in pool.rejected if entry.size == "Standard_NC6s_v3")
    told = {reason.code: reason.message for reason in refused.reasons}
    assert "2025-09-30" in told["retires-in-horizon"]
    assert refused.flips_if == "the horizon ends before 2025-09-30"


def test_u06_a_horizon_that_ends_before_lets_it_in(ask: Ask) -> None:
    pool = ask("NC6", 1, as_of=date(2023, 10, 1), horizon_months=12, workload="training")
    assert "retires-in-horizon" not in rejected_codes(pool, "NC6s_v3")
    option_of(pool, "NC6s_v3")


def test_u07_nv6_does_not_go_to_nv12s_v3(ask: Ask) -> None:
    now = ask("NV6", 1, columns={"os": "windows"})
    then = ask("NV6", 1, columns={"os": "windows"}, as_of=date(2025, 1, 1))
    assert "retired" in rejected_codes(now, "NV12s_v3")
    assert "retires-in-horizon" in rejected_codes(then, "NV12s_v3")
    assert now.options and then.options


def test_u03_nc24rs_v3_goes_six_months_before_its_siblings(ask: Ask) -> None:
    between = date(2025, 6, 1)
    pool = ask("NC24s_v2", 1, "eastus", as_of=between, horizon_months=1, workload="training")
    assert "retired" in rejected_codes(pool, "NC24rs_v3")  # as a target: the earliest date of any source
    assert "retired" not in rejected_codes(pool, "NC24s_v3")


def test_staying_past_retirement_is_ranked_last_with_its_warning(ask: Ask) -> None:
    pool = ask("NV48s_v3", 3, "uaenorth", columns={"os": "windows"})
    stay = option_of(pool, "NV48s_v3")
    assert stay.rank == len(pool.options)
    assert "2027-01-31" in reason_of(stay, "stay-retires").message


def test_a_gpu_of_the_future_is_not_yet_there(ask: Ask) -> None:
    pool = ask("NC6s_v3", 1, as_of=date(2022, 6, 1), workload="training")
    assert "not-yet" in rejected_codes(pool, "NC40ads_H100_v5")


def test_a_special_size_can_be_asked_for_by_name(ask: Ask) -> None:
    name = "Standard_NCC40ads_H100_v5"
    pool = ask("NC6s_v3", 2, workload="inference", include=(name,))
    assert option_of(pool, "NCC40ads_H100_v5").monthly_cost > 0


def test_spot_is_no_basis_for_work_that_may_not_be_interrupted(ask: Ask) -> None:
    """U52"""
    assert ask("NC4as_T4_v3", 2, workload="training", price_model="spot").options == ()
    assert ask("NC4as_T4_v3", 2, workload="training", price_model="spot", interruptible=True).options != ()


def test_special_sizes_answer_no_general_need(ask: Ask) -> None:
    pool = ask("NC6", 1, "eastus2", workload="training")
    for size in ("NCC40ads_H100_v5", "NP10s", "ND128isr_NDR_GB200_v6", "ND40s_v2", "NC128ds_xl_RTXPRO6000BSE_v6"):
        assert "special" in rejected_codes(pool, size)


# Region


def test_a_region_that_has_nothing_is_refused_once(ask: Ask) -> None:
    """No price is no second reason where the size cannot be had: what flips the refusal stays visible."""
    pool = ask("NC6", 1, workload="training")
    (refused,) = (entry for entry in pool.rejected if entry.size == "Standard_ND96isr_H200_v5")
    assert [reason.code for reason in refused.reasons] == ["region"]
    assert refused.flips_if == "a region is allowed in which it is documented or listed"


def test_listed_is_graded_lower_than_documented(ask: Ask) -> None:
    pool = ask("NV12s_v3", 1, workload="graphics")
    assert option_of(pool, "NV12ads_A10_v5").grades.capacity == "B"
    listed = option_of(ask("NC6", 1, workload="training"), "NC4as_T4_v3")
    assert (listed.grades.capacity, "region-listed" in codes_of(listed)) == ("C", True)


def test_without_a_region_nothing_is_ranked_and_the_region_is_asked_first(ask: Ask) -> None:
    pool = ask("NC6", 1, None)
    assert not pool.options
    assert rejected_codes(pool, "NC4as_T4_v3") == {"unknown-region"}
    assert (pool.questions[0].field, pool.questions[0].changes_first_choice) == ("region", True)


# Memory


def test_memory_that_was_said_blocks(ask: Ask) -> None:
    pool = ask("NC6", 1, workload="training", gpu_memory_gib=20.0)
    assert rejected_codes(pool, "NC4as_T4_v3") == {"gpu-memory"}


def test_memory_that_was_assumed_says_what_flips_it(ask: Ask) -> None:
    pool = ask("ND6s", 1, "southcentralus", workload="training")
    (refused,) = (entry for entry in pool.rejected if entry.size == "Standard_NC4as_T4_v3")
    assert [reason.code for reason in refused.reasons] == ["gpu-memory-assumed"]
    assert refused.flips_if == "the work needs at most 16 GiB per GPU"


def test_the_memory_of_several_slices_is_never_added_up(ask: Ask) -> None:
    pool = ask("NC6", 12, workload="inference", gpu_memory_gib=9.0)
    assert "gpu-memory" in rejected_codes(pool, "NV12ads_A10_v5")  # a third of an A10: 8 GiB each


# Image, driver, software


@pytest.mark.parametrize("target", ["NC24ads_A100_v4", "NC40ads_H100_v5"])
def test_u14_u17_a_generation_1_source_needs_a_new_image(ask: Ask, target: str) -> None:
    option = option_of(ask("NC6", 1, workload="training"), target)
    assert option.verdict == "rebuild"
    assert "Trusted Launch" in reason_of(option, "generation").fix
    assert option.tco.components["migration_labour"] == (40 + option.vms * 3) * 95


def test_u15_generation_2_is_asked_per_size(ask: Ask) -> None:
    pool = ask("NC6", 1, workload="training")
    assert not codes_of(option_of(pool, "NC4as_T4_v3")) & {"generation", "generation-unknown"}  # boots both


def test_u16_nc24rs_v3_has_no_generation_2(ask: Ask) -> None:
    assert "generation" in codes_of(option_of(ask("NC24rs_v3", 1, workload="training"), "NC96ads_A100_v4"))
    sibling = option_of(ask("NC24s_v3", 1, workload="training"), "NC96ads_A100_v4")
    assert "generation-unknown" in codes_of(sibling)


def test_u14_what_the_file_says_of_the_image_settles_it(ask: Ask) -> None:
    for generation, found in ((1.0, {"generation"}), (2.0, set())):
        pool = ask("NC24s_v3", 1, columns={"generation": generation}, workload="training")
        assert codes_of(option_of(pool, "NC96ads_A100_v4")) & {"generation", "generation-unknown"} == found


def test_u19_a10_takes_the_grid_driver_only(ask: Ask) -> None:
    option = option_of(ask("NC6s_v3", 1, workload="inference"), "NV36ads_A10_v5")
    assert reason_of(option, "grid-driver-only").severity == "step"
    assert "hangs at boot" in reason_of(option, "grid-driver-only").message
    assert option.verdict == "rebuild"


def test_u20_from_grid_to_grid_the_branch_changes(ask: Ask) -> None:
    """NVv3 ends at vGPU 16.5, A10 hosts want 18: the old driver inside fails there."""
    option = option_of(ask("NV12s_v3", 1, workload="graphics"), "NV12ads_A10_v5")
    assert "NVadsA10_v5" in reason_of(option, "driver-branch").fix
    assert "driver-branch" not in codes_of(option_of(ask("NV12ads_A10_v5", 1), "NV36ads_A10_v5"))


def test_u23_an_unknown_grid_licence_rejects(ask: Ask) -> None:
    pool = ask("NV12s_v3", 1, workload="graphics")
    assert "unknown-grid-licence" in rejected_codes(pool, "NC4as_T4_v3")
    assert not rejected_codes(pool, "NV12ads_A10_v5")  # included there


def test_u23_the_price_of_a_grid_licence_settles_it(ask: Ask) -> None:
    pool = ask("NV12s_v3", 1, workload="graphics", assume=(("grid_licence", 30.0),))
    option = option_of(pool, "NC8as_T4_v3")
    assert "yours is counted for each Standard_NC8as_T4_v3" in reason_of(option, "grid-licence-counted").message
    assert option.tco.components["grid_licence"] > 0
    included = option_of(pool, "NV12ads_A10_v5")
    assert "grid-licence-counted" not in codes_of(included)
    assert included.tco.components["grid_licence"] == 0
    assert pool.baseline.components is not None and pool.baseline.components["grid_licence"] == 0  # NVv3 includes it


def test_u23_graphics_that_stays_where_nobody_says_counts_the_licence_on_both_sides(ask: Ask) -> None:
    pool = ask("NC8as_T4_v3", 2, workload="graphics", assume=(("grid_licence", 30.0),))
    stay = option_of(pool, "NC8as_T4_v3")
    assert stay.tco.components == pool.baseline.components
    assert stay.tco.components["grid_licence"] > 0


@pytest.mark.parametrize("target", ["NC24ads_A100_v4", "ND96asr_v4"])
def test_graphics_needs_a_graphics_driver(ask: Ask, target: str) -> None:
    assert "graphics-driver" in rejected_codes(ask("NV12s_v3", 1, workload="graphics"), target)


def test_u25_u26_staying_on_volta_tells_the_end_of_its_software(ask: Ask) -> None:
    stay = option_of(ask("ND40rs_v2", 1, workload="training"), "ND40rs_v2")
    assert "CUDA 12.9 is the last toolkit" in reason_of(stay, "framework-end").message


def test_u25_a_toolkit_that_no_longer_fits_is_a_rebuild(ask: Ask) -> None:
    # K80 ends at CUDA 11.8, RTX PRO 6000 begins at 12.8
    option = option_of(ask("NC6", 12, workload="training"), "NC24lds_xl_RTXPRO6000BSE_v6")
    assert "needs CUDA 12.8 or later" in reason_of(option, "cuda-too-old").message


def test_cuda_to_amd_is_a_port(ask: Ask) -> None:
    option = option_of(ask("NC6", 12, workload="training"), "NV24ads_V710_v5")
    assert option.verdict == "port"
    assert "ROCm" in reason_of(option, "gpu-vendor").message


def test_double_precision_on_a_gpu_without_it_is_an_alarm(ask: Ask) -> None:
    pool = ask("NC6s_v3", 4, workload="hpc", precision="fp64")
    assert "fp64-slow" not in codes_of(option_of(pool, "NC24ads_A100_v4"))
    for option in pool.options:
        if "T4" in option.size or "RTXPRO" in option.size or "A10_v5" in option.size:
            assert "fp64-slow" in codes_of(option)


# Disks and the machine


def test_u32_windows_cannot_be_resized_between_temp_disk_and_none(ask: Ask) -> None:
    option = option_of(ask("NC24ads_A100_v4", 1, columns={"os": "windows"}, workload="training"), "NC40ads_H100_v5")
    assert option.verdict == "redeploy"
    assert "no resize in place" in reason_of(option, "temp-disk").message


def test_u33_linux_may_and_both_sources_are_named(ask: Ask) -> None:
    option = option_of(ask("NC24ads_A100_v4", 1, workload="training"), "NC40ads_H100_v5")
    found = reason_of(option, "temp-disk-linux")
    assert (found.severity, option.verdict) == ("warning", "resize")
    assert "100882" in found.source and "427" in found.source


def test_u38_data_disks_are_counted_against_the_limit(ask: Ask) -> None:
    # NC24ads_A100_v4 takes 8
    for disks, refused in ((9.0, True), (8.0, False)):
        pool = ask("NC6", 1, columns={"data_disks": disks}, workload="training")
        assert ("data-disks" in rejected_codes(pool, "NC24ads_A100_v4")) is refused


def test_unknown_data_disks_are_asked_for(ask: Ask) -> None:
    pool = ask("NC6", 1, workload="training")
    assert "data-disks-unknown" in codes_of(option_of(pool, "NC4as_T4_v3"))
    assert "data_disks" in {question.field for question in pool.questions}


def test_quota_is_asked_for_the_new_family_in_vcpus(ask: Ask) -> None:
    t4 = option_of(ask("NC6", 12, workload="training"), "NC4as_T4_v3")
    assert f"Needs {4 * t4.vms} vCPUs of quota" in reason_of(t4, "quota").message
    assert "Standard NCASv3_T4 Family" in reason_of(t4, "quota").message
    same = option_of(ask("NC4as_T4_v3", 2, workload="training"), "NC8as_T4_v3")
    assert "quota" not in codes_of(same)


def test_another_number_of_vms_is_no_resize(ask: Ask) -> None:
    assert option_of(ask("NC6", 12, workload="training"), "NC4as_T4_v3").verdict == "redeploy"
    assert option_of(ask("NC6", 1, workload="training"), "NC4as_T4_v3").verdict == "resize"


# Speed


def test_a_job_that_would_take_three_times_as_long_is_refused(ask: Ask) -> None:
    pool = ask("NC6s_v3", 8, "koreacentral", workload="training")  # V100 to T4: about a third of the speed
    assert "job-too-slow" in rejected_codes(pool, "NC4as_T4_v3")


def test_offline_inference_counts_in_sum_and_may_be_slower_each(ask: Ask) -> None:
    pool = ask("NC6s_v3", 8, "koreacentral", workload="inference", shape="queue")
    t4 = option_of(pool, "NC4as_T4_v3")  # Microsoft's own move for offline inference
    assert t4.speedup.expected < 0.5


def test_a_slower_gpu_says_how_long_one_request_takes(ask: Ask) -> None:
    t4 = option_of(ask("NC6s_v3", 8, "koreacentral", workload="inference"), "NC4as_T4_v3")
    assert f"{1 / t4.speedup.expected:.1f} times as long" in reason_of(t4, "slower-job").message
    faster = option_of(ask("NC6", 8, workload="training"), "NC4as_T4_v3")
    assert "slower-job" not in codes_of(faster)


def test_a_seat_that_gets_too_slow_says_how_slow(ask: Ask) -> None:
    pool = ask("NC12_Promo", 2, workload="graphics")
    (refused,) = (entry for entry in pool.rejected if entry.size == "Standard_NC16as_T4_v3")
    (told,) = (reason.message for reason in refused.reasons if reason.code == "slower")
    assert "gives a seat 77 % of the speed it has today" in told


def test_development_may_be_slower(ask: Ask) -> None:
    pool = ask("NC6s_v3", 2, workload="dev", gpu_memory_gib=4.0)
    assert "slower" not in {reason.code for entry in pool.rejected for reason in entry.reasons}
    assert min(option.speedup.expected for option in pool.options) < 0.8


def test_far_too_large_names_the_nearest_smaller_size(ask: Ask) -> None:
    pool = ask("NC6", 1, workload="training")
    large = option_of(pool, "NC64as_T4_v3")  # 4 T4 for one K80
    smaller = reason_of(large, "oversized").fix.removeprefix("The nearest smaller size is ").rstrip(".")
    sizes = {option.size: option for option in pool.options}
    power = sizes[smaller].speedup.expected * max(1.0, sizes[smaller].gpus / sizes[smaller].vms)
    assert power < 4 * large.speedup.expected


def test_no_sentence_has_a_hole(ask: Ask) -> None:
    """No template ends up with None, nan or a bare brace where a figure should stand."""
    for pool in (ask("NC24rs_v2", 4, "southcentralus"), ask("NV6", 2), ask("NP10s", 1, "eastus"), ask("NC6", 1, None)):
        for text in _sentences(pool):
            assert not {"nan", "None", "{", "}", "inf"} & set(text.replace(".", " ").replace(",", " ").split())


def _sentences(pool: PoolAdvice) -> list[str]:
    reasons = [reason for option in pool.options for reason in option.rules]
    reasons += [reason for entry in pool.rejected for reason in entry.reasons]
    texts = [text for reason in reasons for text in (reason.message, reason.fix, reason.question)]
    texts += [question.message for question in pool.questions] + [option.why for option in pool.options]
    return texts + [entry.flips_if or "" for entry in pool.rejected] + [move.why for move in pool.microsoft_move]


def test_far_too_large_with_nothing_smaller_says_so(ask: Ask) -> None:
    fixes = {
        reason.fix
        for option in ask("NC6", 1, workload="training", gpu_memory_gib=90.0).options
        for reason in option.rules
        if reason.code == "oversized"
    }
    assert "No smaller size can be ranked." in fixes
    assert not any("nan" in fix for fix in fixes)
