"""Fitting the speed model: it finds what made-up tables were made with, and never sees what is left out."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from advisor.engine.catalogue import Benchmark, Catalogue, SpeedFit
from advisor.engine.speed_fit import Contrasts, Miss, Rows, robust_inverse
from advisor.engine.speed_prior import MEANS
from advisor.engine.speed_time import RateModel
from advisor.engine.speed_train import likeliest, stretches, train

DAY = date(2026, 11, 30)
# Data sheet x sustained share (fixtures/gpus.json): fp32 TFLOPS and GB/s.
V100, K80 = (15.7 * 0.90, 900 * 0.87), (4.37 * 0.64, 240 * 0.58)
P100 = (9.526 * 0.91, 732.2 * 0.69)


def row(group: str, gpu: str, throughput: float, source: str) -> Benchmark:
    return Benchmark(
        group=group,
        kind="training",
        gpu=gpu,
        gpus=1.0,
        precision="fp32",
        batch_size="",
        benchmark="ResNet-50",
        framework="PyTorch",
        throughput=throughput,
        unit="images/s",
        higher_is_better=True,
        source=source,
        source_family=source,
        as_of="2020",
    )


def tables(memory: float) -> list[Benchmark]:
    """Six tables of one work: compute weighs 1, memory `memory`, the fixed part nothing."""
    gpus = {"V100 SXM2 16GB": V100, "K80": K80, "P100 PCIe 16GB": P100}
    time = {name: V100[0] / compute + memory * V100[1] / bandwidth for name, (compute, bandwidth) in gpus.items()}
    return [row(f"g{n}", name, 100 / time[name], f"s{n}") for n in range(6) for name in gpus]


@pytest.fixture(scope="module")
def found(catalogue: Catalogue) -> dict[float, SpeedFit]:
    return {
        memory: train(replace(catalogue, benchmarks=tuple(tables(memory))), lambda row: False, left_out="", as_of=DAY)
        for memory in (0.1, 3.0)
    }


def weight(fit: SpeedFit) -> float:
    """M of fp32 training of a CNN: the product of its factors."""
    names = ("bandwidth learning", "bandwidth training", "bandwidth cnn")
    return math.exp(sum(fit.parameters[name] for name in names))


def test_the_weight_of_memory_follows_the_tables(found: dict[float, SpeedFit]) -> None:
    light, believed, heavy = weight(found[0.1]), math.exp(-1.0), weight(found[3.0])
    assert light < believed < heavy
    assert heavy > 1.5 * light  # part of the way: three chips may also differ by themselves


def test_rows_that_are_left_out_change_nothing(catalogue: Catalogue, found: dict[float, SpeedFit]) -> None:
    spoilt = [*tables(3.0), row("g9", "K80", 1e6, "bad"), row("g9", "V100 SXM2 16GB", 1.0, "bad")]
    rows = replace(catalogue, benchmarks=tuple(spoilt))
    fit = train(rows, lambda row: row.source_family == "bad", left_out="", as_of=DAY)
    assert fit.parameters == pytest.approx(found[3.0].parameters)


def test_a_source_is_off_alike_in_one_family_of_kinds(catalogue: Catalogue) -> None:
    kinds = ("training", "training-8gpu", "inference")
    made = [replace(row(kind, "K80", 1.0, "one"), kind=kind) for kind in kinds] + [row("other", "K80", 1.0, "two")]
    rows = Rows(replace(catalogue, benchmarks=tuple(made)), RateModel(catalogue), MEANS, lambda row: False)
    shared = rows.covariances()[0]["chip in a source"] > 0
    assert shared.tolist() == [
        [True, True, False, False],
        [True, True, False, False],
        [False, False, True, False],
        [False, False, False, True],
    ]


def test_the_likeliest_variance_is_the_mean_square() -> None:
    # 200 independent misses of variance 4: x = ln(mean square), the broad prior moves it by less than 0.05
    misses = 2.0 * np.random.default_rng(1).standard_normal(200)
    found = likeliest(np.array([np.eye(200)]), 1e-6 * np.eye(200), misses, np.array([-5.0]))
    assert found[0] == pytest.approx(math.log(float(np.mean(misses**2))), abs=0.05)


def test_contrasts_take_out_the_level_of_a_group() -> None:
    within = Contrasts(["a", "a", "b", "a"])  # b has one row: no contrast
    assert within.of(np.array([5.0, 5.0, 9.0, 5.0])) == pytest.approx([0.0, 0.0])
    assert within.matrix @ within.matrix.T == pytest.approx(np.eye(2))


def test_a_group_far_from_all_others_counts_for_less() -> None:
    # Two groups of one contrast each: a distance of 1 weighs (4 + 1) / (4 + 1) = 1. For a miss of 10 the weight w
    # settles where w = 5 / (4 + 100 w), that is at (-4 + sqrt(16 + 2000)) / 200 = 0.2045
    misses = np.array([1.0, 10.0])
    _inverse, weights = robust_inverse(1e-9 * np.eye(2), np.eye(2), misses, [slice(0, 1), slice(1, 2)])
    assert weights[0] == pytest.approx(1.0)
    assert weights[1] == pytest.approx(0.2045, abs=0.001)


def test_a_kind_with_few_tables_stays_near_the_common_stretch(catalogue: Catalogue) -> None:
    def miss(group: str, kind: str, size: float) -> Miss:
        one, other = row(group, "K80", 1.0, "s"), row(group, "V100 SXM2 16GB", 2.0, "s")
        one, other = replace(one, kind=kind), replace(other, kind=kind)
        return Miss(one=one, other=other, miss=size, weight=1.0, chained=False)

    misses = [miss(f"a{n}", "training", 1.28155) for n in range(92)]
    misses += [miss(f"b{n}", "hpc-md", 2 * 1.28155) for n in range(4)]
    misses += [miss(f"c{n}", "llm-decode", 0.1) for n in range(4)]
    factors = stretches(catalogue, misses)
    assert factors["all"] == pytest.approx(1.0, abs=0.001)  # 96 % of the misses fit the range as it is
    assert factors["hpc-md"] == pytest.approx(math.sqrt(2), abs=0.001)  # 4 groups: half of the way from 1 to 2
    assert factors["llm-decode"] == 1.0  # a kind whose few sources agree is as wide as the model says
