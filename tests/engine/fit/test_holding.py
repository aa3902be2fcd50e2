"""Which sizes hold a model, and up to where: hand-worked rooms, and never a fit on a guess."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from advisor.engine.advice import advise
from advisor.engine.candidates import World
from advisor.engine.catalogue import Catalogue
from advisor.engine.fit.answer import FitAnswer, answer
from advisor.engine.fit.facts import FitFacts, Model
from advisor.engine.fit.hold import hold, splits, verdict_of
from advisor.engine.fit.need import need_on_each
from advisor.engine.fit.parts import Need, Part
from advisor.engine.fit.room import Room, least_readings, rooms
from advisor.engine.fit.words import no_first, notes
from advisor.engine.fit.work import Split, Work
from tests.factories import make_reading, make_request, make_row

DAY = date(2026, 11, 30)
GIB = 2**30


@pytest.fixture(scope="module")
def places(facts: FitFacts, catalogue: Catalogue) -> dict[str, Room]:
    return {room.size.name: room for room in rooms(catalogue, facts.readings)}


def ask(facts: FitFacts, catalogue: Catalogue, model: str | Model, **work: object) -> FitAnswer:
    chosen = facts.models[model] if isinstance(model, str) else model
    return answer(facts, catalogue, chosen, Work(**work), DAY)


def needs(low: float, expected: float, high: float | None) -> Need:
    part = Part(
        code="x", label="", low=low * GIB, expected=expected * GIB, high=None if high is None else high * GIB,
        formula="", source="",
    )  # fmt: skip
    return Need(parts=(part,), questions=())


@pytest.mark.parametrize(
    ("need", "verdict"),
    [
        (needs(17.9, 18.0, 20.0), "holds"),  # a tenth of 20 stays free, and the most fits
        (needs(17.9, 18.1, 19.0), "unsure"),  # the margin is gone
        (needs(15.0, 16.0, 20.1), "unsure"),  # the most does not fit
        (needs(1.0, 1.0, None), "unsure"),  # nobody knows the most
        (needs(20.1, 21.0, 22.0), "too-small"),
    ],
)
def test_the_verdict_on_20_gib(need: Need, verdict: str):
    assert verdict_of(need, 20.0, Work()) == verdict


def test_memory_is_what_the_least_reading_shows(places: dict[str, Room], facts: FitFacts):
    # three readings of a T4: 15,109 MiB = 14.75, PyTorch's 14.75 and 14.56; the least counts
    assert least_readings(facts.readings)["T4"].usable_gib == 14.56
    assert places["Standard_NC4as_T4_v3"].usable_gib == pytest.approx(14.56)
    assert places["Standard_NC64as_T4_v3"].gpus == 4


def test_a_gpu_without_a_reading_lacks_the_most_that_any_lacks(places: dict[str, Room]):
    # T4: 14.56 of 16 = 0.91
    room = places["Standard_NC24lds_xl_RTXPRO6000BSE_v6"]  # a quarter of 96
    assert room.reading is None
    assert room.usable_gib == pytest.approx(24 * 0.91)


def test_gpus_divide_the_attention_heads(places: dict[str, Room], facts: FitFacts):
    eight = places["Standard_ND96isr_H100_v5"]
    inside = [split for split in splits(facts.models["Qwen2.5 7B"], Work(), eight) if split.stages == 1]
    assert [split.tensor for split in inside] == [1, 2, 4]  # 28 heads do not divide by 8
    assert [split.tensor for split in splits(facts.models["GPT-2"], Work(), eight)][:3] == [1, 2, 4]  # nor do 12


def test_only_infiniband_joins_machines(places: dict[str, Room], facts: FitFacts):
    model = facts.models["Llama 3.1 405B"]
    assert Split(tensor=8, stages=2) in list(splits(model, Work(), places["Standard_ND96isr_H100_v5"]))
    assert all(split.stages == 1 for split in splits(model, Work(), places["Standard_NC48ads_A100_v4"]))


def test_llama_3_70b_takes_two_gpus_of_80(facts: FitFacts, catalogue: Catalogue, places: dict[str, Room]):
    # weights 70,553,706,496 x 2 / 2 = 65.7 GiB on each of two; 131.4 on one, more than any GPU but H200 and MI300X
    found = hold(facts.models["Llama 3.1 70B"], Work(), places["Standard_NC48ads_A100_v4"])
    assert (found.verdict, found.split) == ("holds", Split(tensor=2))
    weights = found.need.part("weights")
    assert weights is not None and weights.expected == 70_553_706_496


def test_training_in_32_bits_needs_twice_the_layer(places: dict[str, Room]):
    # vocabulary 128,256 x width 8,192 = 1,050,673,152 weights of the largest table x 8 bytes = 7.83 GiB on each of 24
    # GPUs; 66.5 GiB with half of it would leave the margin of 15 % of 79.1, 70.4 does not
    shape = {"layers": 80, "hidden_size": 8192, "heads": 64, "kv_heads": 8, "head_dim": 128, "mlp_size": 28672}
    model = Model(
        name="", family="", kind="decoder", parameters=70_000_000_000, vocab_size=128256, tied=False, source="",
        as_of=DAY, **shape,
    )  # fmt: skip
    work = Work(task="training", precision="fp32")
    found = hold(model, work, places["Standard_ND96amsr_A100_v4"])
    need = need_on_each(model, work, Split(tensor=8, stages=3))
    assert need.expected_gib == pytest.approx(70.4, abs=0.05)
    assert verdict_of(need, found.room.usable_gib, work) == "unsure"
    assert found.machines > 3


def test_u73_the_answer_names_an_azure_size(facts: FitFacts, catalogue: Catalogue):
    for model, precision in (("Llama 3 8B", "bf16"), ("DeepSeek V3", "fp8"), ("Llama 3.1 405B", "fp8")):
        first = ask(facts, catalogue, model, precision=precision).first
        assert first is not None and first.room.size.name.startswith("Standard_N")
        assert first.room.size.name in catalogue.sizes


def test_the_smallest_has_the_least_memory_of_those_that_hold_it(facts: FitFacts, catalogue: Catalogue):
    found = ask(facts, catalogue, "Llama 3 8B", precision="fp16")
    assert found.first is not None
    assert found.first.gpu_memory_gib == min(one.gpu_memory_gib for one in found.holding)
    # 14.96 of weights and 0.5 of cache on a T4 that shows 14.56: certainly not
    assert "Standard_NC4as_T4_v3" in {one.room.size.name for one in found.too_small}


def test_longest_context_and_most_users_are_the_last_that_hold(facts: FitFacts, catalogue: Catalogue):
    found = ask(facts, catalogue, "Llama 3 8B")
    first, context, users = found.first, found.longest_context, found.most_users
    assert first is not None and context is not None and users is not None
    for inside, outside in (
        (Work(context=context), Work(context=context + 1)),
        (Work(users=users), Work(users=users + 1)),
    ):
        assert hold(found.model, inside, replace(first.room, gpus=1)).verdict == "holds"
        assert hold(found.model, outside, replace(first.room, gpus=1)).verdict != "holds"


def test_a_larger_batch_of_an_encoder_takes_a_larger_gpu(facts: FitFacts, catalogue: Catalogue):
    # 16 sequences: 0.22 GiB of activations; 4,096: 56 GiB, beyond any slice
    few, many = (ask(facts, catalogue, "BERT large", context=512, users=users) for users in (16, 4096))
    assert few.first is not None and many.first is not None
    assert few.most_users is not None and 16 <= few.most_users < 4096
    assert not many.first.room.size.is_slice
    assert few.first.gpu_memory_gib < many.first.gpu_memory_gib


def test_the_context_ends_where_the_model_does(facts: FitFacts, catalogue: Catalogue):
    found = ask(facts, catalogue, "Llama 2 7B", context=8192)
    assert found.longest_context == 4096
    assert found.beyond


def test_what_goes_back_to_a_pool_holds_with_margin_and_driver(facts: FitFacts, catalogue: Catalogue):
    found = ask(facts, catalogue, "Llama 3 8B")
    assert found.first is not None and found.carry_gib is not None
    # expected / 0.9, or the most; then / 0.91 for what drivers keep; rounded up to 0.1
    wanted = max(found.alone.high_gib or 0.0, found.alone.expected_gib / 0.9) / 0.91
    assert wanted <= found.carry_gib < wanted + 0.1


@pytest.mark.parametrize(
    ("model", "precision"), [("Llama 3.1 70B", "fp8"), ("Llama 3.1 405B", "fp8"), ("GPT-2", "fp16")]
)
def test_what_goes_back_does_not_refuse_the_size_that_was_named(
    facts: FitFacts, catalogue: Catalogue, places: dict[str, Room], model: str, precision: str
):
    found = ask(facts, catalogue, model, precision=precision)
    assert found.first is not None and found.carry_gib is not None
    # 85.7 GiB at most / 0.91 would be 94.2, above the 94 of the H100 NVL, which shows 93
    assert found.carry_gib <= found.first.room.nominal_gib
    for room in places.values():
        if room.nominal_gib >= found.carry_gib:
            assert verdict_of(found.first.need, room.usable_gib, found.work) == "holds"


def test_what_the_nearest_lacks_is_said(facts: FitFacts, catalogue: Catalogue):
    found = ask(facts, catalogue, "Llama 3 8B")
    assert found.first is not None
    assert no_first(found) == ""
    room = found.first.room  # 20 GiB, of which a tenth stays free
    margin, bound, unknown = (
        replace(found.first, room=replace(room, usable_gib=20.0), need=need, verdict="unsure")
        for need in (needs(17.0, 18.5, 19.0), needs(15.0, 16.0, 21.0), needs(1.0, 1.0, None))
    )
    name = room.size.name
    for holdings, said in (
        ((unknown, margin, bound), f"the nearest, {name}, needs 18.5 of 20.0 GiB on each GPU; 10 % must stay free"),
        ((bound, unknown), f"the nearest, {name}, may need up to 21.0 of 20.0 GiB on each GPU."),
        ((unknown,), "too little is known to say so."),
        ((replace(margin, doubt="No source says."),), "No source says."),
    ):
        assert said in no_first(replace(found, first=None, holdings=holdings))


def test_a_fact_that_is_unknown_never_fits(facts: FitFacts, catalogue: Catalogue):
    model = replace(facts.models["Llama 3 8B"], parameters=None)
    found = ask(facts, catalogue, model)
    assert found.holding == ()
    assert (found.first, found.longest_context, found.most_users, found.carry_gib) == (None, None, None, None)
    assert found.unsure
    assert found.alone.questions[0] == "How many parameters has the model?"


def test_without_key_value_heads_only_what_holds_all_heads_is_called_a_fit(facts: FitFacts, catalogue: Catalogue):
    known, unknown = facts.models["Llama 3 8B"], replace(facts.models["Llama 3 8B"], kv_heads=None)
    work = {"context": 32768, "users": 4}
    sure = {one.room.size.name for one in ask(facts, catalogue, unknown, **work).holding}
    all_heads = {one.room.size.name for one in ask(facts, catalogue, replace(known, kv_heads=32), **work).holding}
    assert sure <= all_heads
    assert sure < {one.room.size.name for one in ask(facts, catalogue, known, **work).holding}


@pytest.mark.parametrize("model", ["ResNet-50", "Stable Diffusion v1", "T5 3B", "GPT-2 XL", "BERT base"])
def test_a_model_of_which_too_little_is_published_is_never_said_to_fit(
    facts: FitFacts, catalogue: Catalogue, model: str
):
    assert ask(facts, catalogue, model, precision="fp16").holding == ()


def test_no_size_holds_what_is_too_large_for_all(facts: FitFacts, catalogue: Catalogue):
    giant = replace(facts.models["Llama 3.1 405B"], parameters=10**15)
    found = ask(facts, catalogue, giant)
    assert len(found.too_small) == len(found.holdings) > 0


@pytest.mark.parametrize(
    ("model", "precision", "context", "users", "least"),
    [
        # BF16 from compute capability 8.0, FP8 from 8.9; a T4 has 7.5, a V100 7.0, an A100 8.0
        ("Llama 3 8B", "bf16", 4096, 1, 8.0),
        ("Llama 3 8B", "fp8", 4096, 1, 8.9),
        ("DeepSeek V3", "fp8", 163_840, 8, 8.9),
    ],
)
def test_u25_only_gpus_that_compute_in_the_precision_hold_it(
    facts: FitFacts, catalogue: Catalogue, model: str, precision: str, context: int, users: int, least: float
):
    found = ask(facts, catalogue, model, precision=precision, context=context, users=users)
    assert found.first is not None
    sizes = [one.room.size for one in (*found.holding, *found.unsure, *found.too_small)]
    able = [catalogue.gpus[size.gpu or ""].compute_capability for size in sizes]
    assert min(each for each in able if each is not None) >= least
    assert {"Standard_ND40rs_v2", "Standard_NC4as_T4_v3"} <= set(found.refused)
    assert {reason.code for reason in found.refused.values()} == {"dtype"}
    assert all(name not in found.refused for name in (size.name for size in sizes))
    assert any(f"{len(found.refused)} sizes left out" in note and precision.upper() in note for note in notes(found))


def test_a_format_of_which_no_source_speaks_is_never_called_a_fit(facts: FitFacts, catalogue: Catalogue):
    # no data sheet gives a rate in bf16 for a V710, which is no CUDA device
    asked = {"context": 512, "users": 4}
    half, brain = (ask(facts, catalogue, "GPT-2", precision=precision, **asked) for precision in ("fp16", "bf16"))
    slice_ = "Standard_NV12ads_V710_v5"
    assert slice_ in {one.room.size.name for one in half.holding}
    doubts = {one.room.size.name: one.doubt for one in brain.unsure}
    assert "no source says whether" in doubts[slice_]
    assert slice_ not in brain.refused


def test_a_size_is_not_named_before_its_gpu_appeared(facts: FitFacts, catalogue: Catalogue):
    # T4 2018, V100 2017; A10 2021, V710 2024, RTX PRO 6000 2025
    found = answer(facts, catalogue, facts.models["GPT-2"], Work(precision="fp16"), date(2020, 1, 1))
    names = {one.room.size.gpu for one in found.holdings}
    assert found.first is not None
    assert "T4" in names
    assert not names & {"A10", "V710", "RTX PRO 6000 BSE", "H100 NVL 94GB"}
    assert {"not-yet"} == {reason.code for reason in found.refused.values()}
    # none of 2019 computes in bf16: the first A100 is of 2020
    none = answer(facts, catalogue, facts.models["GPT-2"], Work(), date(2019, 12, 31))
    assert none.first is None
    assert {"not-yet", "dtype"} == {reason.code for reason in none.refused.values()}


@pytest.mark.parametrize("precision", ["bf16", "fp8"])
def test_the_advice_refuses_the_same_sizes(facts: FitFacts, catalogue: Catalogue, world: World, precision: str):
    (pool,) = advise([make_reading(make_row("NC24ads_A100_v4"))], world, make_request(precision=precision)).pools
    refused = {row.size for row in pool.rejected if "dtype" in {reason.code for reason in row.reasons}}
    here = set(ask(facts, catalogue, "GPT-2", precision=precision).refused)
    # the fit asks only of sizes that can be had; who stays on today's size is warned and not refused
    assert here
    assert here <= refused | {pool.size}
    assert not refused & {one.room.size.name for one in ask(facts, catalogue, "GPT-2", precision=precision).holdings}
