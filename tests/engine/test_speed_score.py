"""Scoring the speed model: the target it must meet, and that it never sees what it is scored on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import pytest

from advisor.engine.catalogue import Benchmark, Catalogue
from advisor.engine.speed_fit import weighted_quantile
from advisor.engine.speed_score import (
    Score,
    ScoredPair,
    UnreadableBenchmarks,
    Validation,
    mixed_as,
    validate,
)
from tests.profiles import sample


@pytest.fixture(scope="module")
def by_source(catalogue: Catalogue) -> Validation:
    return validate(catalogue)


def perturbed(row: Benchmark, seed: int) -> Benchmark:
    return replace(row, throughput=row.throughput * math.exp(math.sin(seed)))


def answers(validation: Validation) -> dict[tuple[str, str, str], float]:
    return {(pair.group, pair.source, pair.target): pair.expected for pair in validation.pairs}


def test_the_errors_are_those_that_were_aimed_at(by_source):
    assert by_source.all.median_abs_log_error <= 0.115
    assert by_source.all.p90_abs_log_error <= 0.40
    assert by_source.sources["T4"].median_abs_log_error <= 0.18


def outside(scores: Mapping[str, Score]) -> dict[str, float]:
    """Shares inside the range that are not 78 to 90 %, where there are eight tables or more."""
    shares = {name: score.inside_interval for name, score in scores.items() if score.groups >= 8}
    return {name: share for name, share in shares.items() if not 0.78 <= share <= 0.90}


def test_78_to_90_percent_of_pairs_fall_inside_together_and_by_kind(by_source):
    assert 0.78 <= by_source.all.inside_interval <= 0.90
    assert outside(by_source.kinds) == {}


def test_no_gpu_has_ranges_that_are_too_narrow_and_two_too_wide(by_source):
    missed = outside(by_source.sources)
    assert set(missed) <= {"A10", "P100 PCIe 16GB"}  # 100 %: docs/speed-model.md says so
    assert all(share > 0.90 for share in missed.values())


def test_every_scored_pair_has_an_answer(by_source, catalogue):
    assert by_source.unanswered == 0
    assert by_source.all.groups == len({row.group for row in catalogue.benchmarks if row.kind != "kernel"})


def test_kernels_are_not_scored(by_source):
    assert "kernel" not in by_source.kinds


def test_pairs_go_from_older_to_newer(by_source, catalogue):
    for pair in by_source.pairs:
        old, new = catalogue.gpus[pair.source], catalogue.gpus[pair.target]
        assert (old.release_year, old.fp32_tflops) <= (new.release_year, new.fp32_tflops)


def test_every_group_weighs_one(by_source):
    total: dict[str, float] = {}
    for pair in by_source.pairs:
        total[pair.group] = total.get(pair.group, 0.0) + pair.weight
    assert all(weight == pytest.approx(1) for weight in total.values())


def test_measured_is_per_gpu(by_source):
    # MLPerf inference v1.0, ResNet-50: four T4 23309.3 samples/s, one A10 13276.0
    pair = next(
        p
        for p in by_source.pairs
        if p.group == "mlperf-inf-v1.0-resnet50-offline" and (p.source, p.target) == ("T4", "A10")
    )
    assert pair.measured == pytest.approx(13276.0 / (23309.3 / 4))


def test_a_time_is_turned_round(by_source):
    # MLPerf training v0.7, ResNet: V100 71.199 min, A100 39.78 min
    pair = next(p for p in by_source.pairs if p.group == "mlperf-train-v0.7-resnet")
    assert pair.measured == pytest.approx(71.199 / 39.78)


FEW = ("DeepLearningExamples", "FluidX3D", "apache/mxnet", "mlcommons/training")


@pytest.mark.parametrize("family", sample(FEW, 1))
def test_figures_of_the_left_out_source_change_no_answer(catalogue, family):
    rows = tuple(row for row in catalogue.benchmarks if row.source_family in FEW)  # a few sources, so that it is quick
    few = replace(catalogue, benchmarks=rows)
    moved = replace(
        few,
        benchmarks=tuple(perturbed(row, seed) if row.source_family == family else row for seed, row in enumerate(rows)),
    )
    groups = {row.group for row in rows if row.source_family == family}
    before = {key: value for key, value in answers(validate(few)).items() if key[0] in groups}
    assert before
    after = {key: value for key, value in answers(validate(moved)).items() if key[0] in groups}
    assert after == pytest.approx(before)


def test_figures_of_a_file_are_not_used_even_under_another_source(catalogue):
    rows = tuple(
        replace(row, source_family="mine") for row in catalogue.benchmarks if row.source_family == "tensorflow/docs"
    )
    moved = replace(
        catalogue,
        benchmarks=tuple(
            perturbed(row, seed) if row.source_family == "tensorflow/docs" else row
            for seed, row in enumerate(catalogue.benchmarks)
        ),
    )
    assert answers(validate(moved, rows=rows)) == pytest.approx(answers(validate(catalogue, rows=rows)))


def test_a_file_scores_only_its_own_pairs(catalogue):
    rows = tuple(row for row in catalogue.benchmarks if row.group == "mlperf-train-v0.7-resnet")
    validation = validate(catalogue, rows=rows, leave="group")
    assert [(pair.source, pair.target) for pair in validation.pairs] == [("V100 SXM2 16GB", "A100 SXM 40GB")]


def test_no_pair_is_an_error(catalogue):
    with pytest.raises(UnreadableBenchmarks, match="nothing to score"):
        validate(catalogue, rows=catalogue.benchmarks[:1])


def test_the_quantile_is_the_least_value_that_holds_the_share():
    assert weighted_quantile([3.0, 1.0, 2.0], [1.0, 1.0, 2.0], 0.5) == 2.0
    assert weighted_quantile([3.0, 1.0, 2.0], [1.0, 2.0, 1.0], 0.5) == 1.0
    assert weighted_quantile([3.0, 1.0, 2.0], [1.0, 1.0, 1.0], 0.9) == 3.0


def pair(kind: str, error: float, weight: float = 1.0, *, wide: float = 1.0) -> ScoredPair:
    """A pair of a measured 1 that the model is off by `error` on the log scale, with a range of a factor `wide`."""
    expected = math.exp(error)
    low, high = expected / wide, expected * wide
    return ScoredPair(
        group=f"{kind} {error}",
        source="K80",
        target="T4",
        kind=kind,
        measured=1.0,
        low=low,
        expected=expected,
        high=high,
        weight=weight,
    )


def test_errors_are_mixed_as_the_kinds_of_a_file_are():
    # of three pairs of training and one of inference, 0.1 and 0.5 off, a file holds one part training to nine inference
    own = [*(pair("training", 0.1, wide=2.0) for _ in range(3)), pair("inference", 0.5), pair("hpc-md", 2.0)]
    file = [pair("training", 0.3, 0.1), pair("inference", 0.3, 0.9)]
    mixed = mixed_as(own, file)
    assert mixed.median_abs_log_error == pytest.approx(0.5)
    assert mixed.inside_interval == pytest.approx(0.1)
    assert mixed.pairs == 4
    assert mixed_as(own, [pair("training", 0.3)]).median_abs_log_error == pytest.approx(0.1)


def test_errors_of_other_kinds_say_nothing_of_a_file():
    assert mixed_as([pair("training", 0.1)], [pair("hpc-md", 0.1)]) is None
