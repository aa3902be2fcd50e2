"""The speed model: its formula by hand, its laws, and what it does where data ends."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from advisor.engine.catalogue import Catalogue, CatalogueError, SpeedFit
from advisor.engine.speed import SpeedModel, Speedup, UnknownGpu, UnknownWork, resolve_gpu
from advisor.engine.speed_fit import Z80
from advisor.engine.speed_own import OwnRatio
from advisor.engine.speed_prior import NAMES
from advisor.engine.speed_work import GROUPS_OF, Work, work_of

K80, T4, V100 = "K80", "T4", "V100 SXM2 16GB"
V100_PCIE, A100, A100_40 = "V100 PCIe 16GB", "A100 SXM 80GB", "A100 SXM 40GB"


@pytest.fixture(scope="module")
def model(catalogue: Catalogue) -> SpeedModel:
    return SpeedModel(catalogue)


#: A fit with every parameter 0, so that F = 1, M = the bytes of the precision and H = 1 for the kinds that are fitted.
PLAIN = SpeedFit(
    left_out="",
    parameters=dict.fromkeys(NAMES, 0.0),
    variances={"rest of training": 0.01, "compute of a board": 0.01},
    stretches={"all": 1.0},
    source="made up",
    as_of=date(2026, 11, 30),
)


@pytest.fixture(scope="module")
def formula(catalogue: Catalogue) -> SpeedModel:
    """The time model alone: plain parameters, and no benchmark to learn from."""
    return SpeedModel(replace(catalogue, benchmarks=()), fit=PLAIN)


def on(model: SpeedModel, source: str, target: str, kind: str, precision: str, **said: Any) -> float:
    return known(model.speedup_on(Work(kind=kind, precision=precision, **said), source, target)).expected


def known(answer: Speedup | None) -> Speedup:
    assert answer is not None
    return answer


def width(answer: Speedup | None) -> float:
    return math.log(known(answer).high / known(answer).low)


# The formula. Data sheets: V100 SXM2 15.7 TFLOPS fp32, 125 tensor, 7.834 fp64, 900 GB/s; K80 4.37 fp32, 240 GB/s;
# A100 SXM 80GB 156 TF32, 312 tensor, 624 TOPS int8, 2039 GB/s. Shares: V100 0.90, 0.76, 0.87; K80 0.64 fp32, 0.58
# bandwidth; A100 SXM 80GB 0.83 tensor, 0.77 bandwidth.


def test_fp32_training_follows_the_formula(formula):
    k80 = (15.7 * 0.90) / (4.37 * 0.64) + (900 * 0.87) / (240 * 0.58) + 1  # F / C + M / B + H with F = M = H = 1
    assert on(formula, K80, V100, "training", "fp32", network="cnn") == pytest.approx(k80 / 3)


def test_mixed_training_uses_tensor_cores_and_moves_fewer_bytes(formula):
    v100 = (15.7 * 0.90) / (125 * 0.76) + 0.6 + 1
    a100 = (15.7 * 0.90) / (312 * 0.83) + 0.6 * (900 * 0.87) / (2039 * 0.77) + 1
    assert on(formula, V100, A100, "training", "mixed", network="cnn") == pytest.approx(v100 / a100)


def test_mixed_training_without_tensor_cores_runs_at_the_fp32_rate(formula):
    k80 = (15.7 * 0.90) / (4.37 * 0.64) + 0.6 * (900 * 0.87) / (240 * 0.58) + 1
    v100 = (15.7 * 0.90) / (125 * 0.76) + 0.6 + 1
    assert on(formula, K80, V100, "training", "mixed", network="cnn") == pytest.approx(k80 / v100)


def test_fp32_training_uses_tf32_from_ampere_on(formula):
    a100 = (15.7 * 0.90) / (156 * 0.83) + (900 * 0.87) / (2039 * 0.77) + 1
    assert on(formula, V100, A100, "training", "fp32", network="cnn") == pytest.approx(3 / a100)


def test_int8_on_a_gpu_without_int8_cores_runs_at_the_fp16_rate(formula):
    v100 = (15.7 * 0.90) / (125 * 0.76) + 0.3 + 1  # batch 1: the logarithm of the batch adds nothing to H
    a100 = (15.7 * 0.90) / (624 * 0.83) + 0.3 * (900 * 0.87) / (2039 * 0.77) + 1
    said = {"network": "cnn", "batch": 1.0, "runtime": "engine"}
    assert on(formula, V100, A100, "inference-small", "int8", **said) == pytest.approx(v100 / a100)


def test_a_parameter_shifts_its_weight_by_a_factor(catalogue):
    shifted = replace(PLAIN, parameters=PLAIN.parameters | {"bandwidth cnn": math.log(2), "fixed batch": -1.0})
    model = SpeedModel(replace(catalogue, benchmarks=()), fit=shifted)
    k80 = (15.7 * 0.90) / (4.37 * 0.64) + 2 * (900 * 0.87) / (240 * 0.58) + 1 / 8  # M = 2, H = 1 / batch
    v100 = 1 + 2 + 1 / 8
    said = {"network": "cnn", "batch": 8.0, "runtime": "engine"}
    assert on(model, K80, V100, "inference-small", "fp32", **said) == pytest.approx(k80 / v100)


def test_sequences_of_an_llm_share_the_weights_and_the_launches(catalogue):
    shifted = replace(PLAIN, parameters=PLAIN.parameters | {"bandwidth llm batch": -0.5, "fixed batch": -1.0})
    model = SpeedModel(replace(catalogue, benchmarks=()), fit=shifted)

    def time(compute: float, bandwidth: float, batch: float) -> float:
        """F / C + M / B + H with M = 0.5 (fp16) * batch ** -0.5 and H = 1 / batch."""
        return (15.7 * 0.90) / compute + 0.5 * batch**-0.5 * (900 * 0.87) / bandwidth + 1 / batch

    v100, a100 = (125 * 0.76, 900 * 0.87), (312 * 0.83, 2039 * 0.77)
    found = {batch: on(model, V100, A100, "llm-decode", "fp16", batch=batch) for batch in (1.0, 16.0, 64.0, 500.0)}
    for batch in (1.0, 16.0, 64.0):
        assert found[batch] == pytest.approx(time(*v100, batch) / time(*a100, batch))
    assert found[500.0] == found[64.0]
    # nobody said how many: one and sixty-four are alike likely
    assert on(model, V100, A100, "llm-decode", "fp16") == pytest.approx(math.sqrt(found[1.0] * found[64.0]))


def test_a_large_item_waits_less_for_the_host(catalogue):
    shifted = replace(PLAIN, parameters=PLAIN.parameters | {"fixed item": -0.5})
    model = SpeedModel(replace(catalogue, benchmarks=()), fit=shifted)

    def ratio(gflop: float) -> float:
        fixed = (gflop / 8.2) ** -0.5
        k80 = (15.7 * 0.90) / (4.37 * 0.64) + (900 * 0.87) / (240 * 0.58) + fixed
        return k80 / (2 + fixed)

    said: dict[str, Any] = {"batch": 1.0, "runtime": "engine"}
    for network, gflop, expected in (("cnn", None, 8.2), ("transformer", None, 261.0), ("transformer", 28.0, 28.0)):
        answer = on(model, K80, V100, "inference-small", "fp32", network=network, gflop=gflop, **said)
        assert answer == pytest.approx(ratio(expected))


@pytest.mark.parametrize(
    ("benchmark", "gflop"),
    [
        ("MLPerf Inference v0.7 bert-99 SingleStream p90 latency", 261.0),  # 2 x 340 million x 384 tokens
        ("BERT LARGE inference latency seq 384", 261.0),
        ("BERT BASE inference latency seq 128", 28.0),  # 2 x 110 million x 128
        ("BERT-base encoder inference seq 384", 84.0),
        ("ResNet-50 v1.5 inference", 8.2),
        ("MLPerf Inference v1.1 ssd-mobilenet SingleStream", 2.47),
        ("FastPitch + WaveGlow inference", None),
    ],
)
def test_the_arithmetic_of_an_item_is_told_by_the_name(catalogue, benchmark, gflop):
    row = next(row for row in catalogue.benchmarks if row.kind == "inference")
    assert work_of(replace(row, benchmark=benchmark)).gflop == gflop


def test_a_large_batch_is_as_many_as_fill_the_gpu(catalogue):
    row = next(row for row in catalogue.benchmarks if row.kind == "inference")
    assert work_of(replace(row, batch_size="large")).batch == 1024
    assert work_of(replace(row, batch_size="128")).batch == 128


def test_work_that_leaves_its_network_open_is_the_mean_of_those_that_are_published(catalogue):
    shifted = replace(PLAIN, parameters=PLAIN.parameters | {"bandwidth cnn": 1.0, "fixed speech": 2.0})
    model = SpeedModel(replace(catalogue, benchmarks=()), fit=shifted)
    cnn, speech, other = (on(model, K80, A100, "training", "fp32", network=n) for n in ("cnn", "speech", "recurrent"))
    # of the 40 tables of training 21 hold a CNN, 6 speech, 4 recurrent networks and 9 transformers
    middle = math.exp((21 * math.log(cnn) + 6 * math.log(speech) + 13 * math.log(other)) / 40)
    assert on(model, K80, A100, "training", "fp32") == pytest.approx(middle)


def test_the_likelihood_of_a_network_is_its_share_of_published_groups(catalogue):
    found: dict[str, dict[str, set[str]]] = {}
    for row in catalogue.benchmarks:
        if row.kind in GROUPS_OF:
            found.setdefault(row.kind, {}).setdefault(str(work_of(row).network), set()).add(row.group)
    assert {kind: {n: len(g) for n, g in groups.items()} for kind, groups in found.items()} == GROUPS_OF


def test_work_that_says_more_has_a_narrower_range(model):
    open_work = model.speedup(T4, A100_40, "inference-small", "fp16")
    said = Work(kind="inference-small", precision="fp16", network="transformer", batch=8.0, runtime="engine")
    assert width(model.speedup_on(said, T4, A100_40)) < width(open_work)


def test_a_small_batch_gains_less_from_a_faster_gpu(model):
    gains = [
        on(model, T4, A100_40, "inference-small", "fp16", network="cnn", batch=batch, runtime="framework")
        for batch in (1.0, 2.0, 4.0, 8.0)
    ]
    assert gains == sorted(gains)
    assert gains[0] < 0.6 * gains[-1]


def test_a_framework_gains_less_than_an_engine_from_tf32(model):
    # EfficientNet-B4, V100 in fp32 to A100 in TF32, PyTorch: 1.86 times as fast (DeepLearningExamples at 0107cf27, not
    # in the fit). A framework moves more bytes, and those move only 2.2 times as fast.
    engine, framework = (
        on(model, V100, A100, "inference", "fp32", network="cnn", batch=128.0, runtime=runtime)
        for runtime in ("engine", "framework")
    )
    assert framework < 0.8 * engine
    assert framework == pytest.approx(1.86, rel=0.7)


def test_bandwidth_bound_work_follows_bandwidth(formula):
    ratio = (2039 * 0.77) / (900 * 0.87)
    assert known(formula.speedup(V100, A100, "hpc-bandwidth", "fp64")).expected == pytest.approx(ratio)


def test_graphics_uses_the_fp32_vector_rate_and_is_assumed(formula, catalogue):
    def time(name):
        gpu = catalogue.gpus[name]
        tflops, bandwidth = gpu.fp32_tflops * gpu.share_fp32, gpu.memory_bandwidth_gbps * gpu.share_bandwidth
        return 0.6 * (15.7 * 0.90) / tflops + 0.3 * (900 * 0.87) / bandwidth + 0.1

    answer = known(formula.speedup("M60", "A10", "graphics", "mixed"))
    assert answer.expected == pytest.approx(time("M60") / time("A10"))
    assert answer.basis == "assumed"


# Laws.


@pytest.mark.parametrize("kind", ["training", "inference-small", "graphics", "unknown"])
def test_the_same_gpu_is_once_as_fast_without_a_range(model, kind):
    answer = known(model.speedup(T4, T4, kind, "fp16"))
    assert (answer.low, answer.expected, answer.high) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(("source", "target"), [(K80, A100), (V100_PCIE, T4), ("M60", "A10"), ("MI25", "V710")])
def test_the_way_back_is_the_inverse(model, source, target):
    there = known(model.speedup(source, target, "inference", "fp16"))
    back = known(model.speedup(target, source, "inference", "fp16"))
    assert there.expected * back.expected == pytest.approx(1)
    assert there.low * back.high == pytest.approx(1)


def test_two_steps_are_as_far_as_one(model):
    first = known(model.speedup(K80, V100, "training", "fp32")).expected
    second = known(model.speedup(V100, A100, "training", "fp32")).expected
    assert first * second == pytest.approx(known(model.speedup(K80, A100, "training", "fp32")).expected)


def test_every_range_holds_its_expected_value(model, catalogue):
    for source in catalogue.gpus:
        for target in catalogue.gpus:
            answer = model.speedup(source, target, "inference", "fp16")
            assert answer is None or 0 < answer.low <= answer.expected <= answer.high


def test_a_pair_that_no_group_joins_is_wider(model):
    joined, chained = model.speedup(K80, V100, "training", "fp32"), model.speedup(K80, A100, "training", "fp32")
    assert not known(joined).chained
    assert known(chained).chained
    assert known(chained).groups == 0
    assert width(chained) > width(joined)


def test_an_answer_measured_at_the_same_precision_says_so(model):
    answer = known(model.speedup(V100, A100_40, "training", "mixed"))
    assert answer.basis == "measured"
    assert answer.groups == len([item for item in answer.evidence if item.kind == "measured"]) > 0
    assert all("fp32" not in item.note and "tf32" not in item.note for item in answer.evidence)


def test_measurements_move_the_expected_value(catalogue, model):
    groups = {row.group for row in catalogue.benchmarks if row.gpu == K80 and row.kind == "training"}
    doubled = replace(
        catalogue,
        benchmarks=tuple(
            replace(row, throughput=row.throughput * (2 if row.higher_is_better else 0.5))
            if row.group in groups and row.gpu != K80
            else row
            for row in catalogue.benchmarks
        ),
    )
    shipped = known(model.speedup(K80, V100, "training", "fp32")).expected
    moved = known(SpeedModel(doubled).speedup(K80, V100, "training", "fp32")).expected
    assert shipped < moved < 2 * shipped


def test_the_users_own_ratio_replaces_everything(catalogue):
    own = SpeedModel(catalogue, measured=[OwnRatio(from_gpu=K80, to_gpu=T4, ratio=2.5)])
    there, back = known(own.speedup(K80, T4, "training", "fp32")), known(own.speedup(T4, K80, "training", "fp32"))
    assert (there.low, there.expected, there.high, there.basis) == (2.5, 2.5, 2.5, "user")
    assert (back.expected, back.basis) == (pytest.approx(0.4), "user")


@pytest.mark.parametrize("ratio", [0.0, -1.0, math.nan, math.inf])
def test_a_ratio_that_is_no_speed_is_refused(ratio):
    with pytest.raises(ValueError, match="must be above 0"):
        OwnRatio(from_gpu=K80, to_gpu=T4, ratio=ratio)


def test_a_slice_runs_at_its_share_and_is_wider(model):
    whole = model.speedup("M60", "A10", "graphics", "fp32")
    sixth = model.speedup("M60", "A10", "graphics", "fp32", target_share=1 / 6)
    assert known(sixth).expected == pytest.approx(known(whole).expected / 6)
    assert width(sixth) > width(whole)


def test_more_slices_of_the_same_card_are_not_certain(model):
    answer = known(model.speedup("A10", "A10", "graphics", "fp32", source_share=1 / 6))
    assert answer.expected == pytest.approx(6)
    assert answer.low < 6 < answer.high


# Assumptions.


@pytest.mark.parametrize("kind", ["training", "inference"])
@pytest.mark.parametrize("target", ["A10", A100, "H100 SXM 80GB"])
def test_tf32_is_a_switch_worth_a_factor_of_about_1_to_4(catalogue, model, kind, target):
    off = SpeedModel(catalogue, tf32=False)
    gain = (
        known(model.speedup(V100, target, kind, "fp32")).expected
        / known(off.speedup(V100, target, kind, "fp32")).expected
    )
    assert 1.2 < gain < 4.5


def test_tf32_is_worth_more_than_2_on_an_a100(catalogue, model):
    off = SpeedModel(catalogue, tf32=False)
    on = known(model.speedup(V100, A100, "inference", "fp32"))
    assert 2 < on.expected / known(off.speedup(V100, A100, "inference", "fp32")).expected < 4.5
    assert any("TF32" in item.note for item in on.evidence if item.kind == "assumed")


@pytest.mark.parametrize("kind", ["hpc-md", "hpc-bandwidth"])
def test_hpc_never_uses_tf32(catalogue, model, kind):
    off = SpeedModel(catalogue, tf32=False)
    with_switch = known(model.speedup(V100, A100, kind, "fp32")).expected
    assert with_switch == pytest.approx(known(off.speedup(V100, A100, kind, "fp32")).expected, rel=0.05)


@pytest.mark.parametrize("target", [T4, "A10", "GB300", "RTX PRO 6000 BSE"])
def test_fp64_on_a_gpu_with_few_fp64_units_is_a_small_fraction(model, target):
    assert known(model.speedup("P100 PCIe 16GB", target, "hpc-fp64", "fp64")).high < 1
    assert known(model.speedup("V100 PCIe 16GB", target, "hpc-fp64", "fp64")).expected < 0.3


# Where data ends.


def test_a_missing_fp64_rate_is_unknown(catalogue):
    blind = replace(catalogue, gpus={**catalogue.gpus, T4: replace(catalogue.gpus[T4], fp64_tflops=None)})
    assert SpeedModel(blind).speedup(V100, T4, "hpc-fp64", "fp64") is None
    assert SpeedModel(blind).speedup(V100, T4, "training", "fp32") is not None


def test_a_gpu_that_nobody_measured_is_modelled_and_wide(model):
    amd, nvidia = model.speedup(V100, "V620", "inference", "fp16"), model.speedup(V100, "A10", "inference", "fp16")
    assert known(amd).basis == "modelled"
    assert width(amd) > width(nvidia)
    assert any("no benchmark of V620" in item.note for item in known(amd).evidence)


def test_a_model_without_benchmarks_still_answers(formula):
    answer = known(formula.speedup(V100, A100, "training", "mixed"))
    assert answer.basis == "modelled"
    assert answer.kind_groups == 0
    assert width(answer) > 2 * Z80 * 0.1


@pytest.mark.parametrize(
    ("source", "target", "kind", "precision", "low", "high"),
    [
        (K80, T4, "training", "fp32", 1.4, 1.8),
        (V100_PCIE, T4, "inference-small", "fp16", 0.4, 0.65),
        ("V100 SXM2 32GB", A100_40, "training", "mixed", 1.6, 2.0),
        ("V100 SXM2 32GB", A100, "training", "mixed", 1.9, 2.4),
        (A100, "H100 SXM 80GB", "training", "mixed", 1.5, 2.0),
    ],
)
def test_usual_moves_are_what_an_expert_expects(model, source, target, kind, precision, low, high):
    assert low < known(model.speedup(source, target, kind, precision)).expected < high


def test_a_catalogue_without_a_fit_says_what_to_do(catalogue):
    with pytest.raises(CatalogueError, match="has no speed fit"):
        SpeedModel(replace(catalogue, speed_fits=()))


# Names.


def test_a_short_name_that_fits_one_gpu_is_enough(catalogue):
    assert resolve_gpu(catalogue, "h100 nvl") == "H100 NVL 94GB"


def test_an_exact_name_wins_over_longer_ones(catalogue):
    assert resolve_gpu(catalogue, "K80") == "K80"


def test_a_short_name_that_fits_several_lists_them(catalogue):
    with pytest.raises(UnknownGpu, match=r"V100 PCIe 16GB, V100 PCIe 32GB, V100 SXM2 16GB"):
        resolve_gpu(catalogue, "V100")


def test_an_unknown_name_lists_all(catalogue):
    with pytest.raises(UnknownGpu, match="no GPU is called 'Z9'; there are: A10,"):
        resolve_gpu(catalogue, "Z9")


def test_wrong_work_is_refused(model):
    with pytest.raises(UnknownWork, match="no kind is called 'cooking'"):
        model.speedup(K80, T4, "cooking", "fp32")
    with pytest.raises(UnknownWork, match="no precision is called 'fp12'"):
        model.speedup(K80, T4, "training", "fp12")
    with pytest.raises(ValueError, match="a share is above 0"):
        model.speedup(K80, T4, "training", "fp32", target_share=0.0)


def test_shares_read_from_a_left_out_source_are_not_used(catalogue):
    blind = SpeedModel(
        replace(catalogue, benchmarks=tuple(r for r in catalogue.benchmarks if r.source_family == "FluidX3D")),
        leave_out=lambda row: row.source_family == "FluidX3D",
    )
    answer = known(blind.speedup(A100_40, A100, "hpc-bandwidth", "fp32"))
    assert answer.expected == pytest.approx(2039 / 1555)
    with pytest.raises(UnknownWork, match="no network is called 'brain'"):
        blind.speedup_on(Work(kind="training", precision="fp32", network="brain"), K80, T4)
    with pytest.raises(UnknownWork, match="a batch is above 0, not 0"):
        blind.speedup_on(Work(kind="inference", precision="fp32", batch=0.0), K80, T4)
