"""The formula, part by part, against values worked out by hand. GiB are 2^30 bytes, MiB 2^20."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.engine.fit.facts import GIB, FitFacts
from advisor.engine.fit.need import need_on_each
from advisor.engine.fit.work import BadWork, Split, Work
from advisor.engine.worked import TIMES

MIB = 2**20


def size(facts: FitFacts, model: str, code: str, split: Split | None = None, **work: object) -> float:
    """Bytes of one part, as expected."""
    part = need_on_each(facts.models[model], Work(**work), split or Split()).part(code)
    assert part is not None
    return part.expected


def per_token(facts: FitFacts, model: str, **work: object) -> float:
    """Bytes of key-value cache of one token more, far below any window."""
    return size(facts, model, "kv-cache", context=2, **work) - size(facts, model, "kv-cache", context=1, **work)


@pytest.mark.parametrize(
    ("model", "parameters"),
    [
        # vocabulary x width (twice without a shared table) + layers x (queries + keys and values + output + 3 x
        # feed-forward + 2 norms) + 1 norm, all of them x width
        ("Llama 2 7B", 2 * 32000 * 4096 + 32 * (4 * 4096**2 + 3 * 4096 * 11008 + 2 * 4096) + 4096),
        (
            "Llama 3 8B",
            2 * 128256 * 4096 + 32 * (2 * 4096**2 + 2 * 4096 * 1024 + 3 * 4096 * 14336 + 2 * 4096) + 4096,
        ),
        # 8 experts of 14,336 and a router of 8 x width
        (
            "Mixtral 8x7B",
            2 * 32000 * 4096 + 32 * (2 * 4096**2 + 2 * 4096 * 1024 + 8 * 3 * 4096 * 14336 + 8 * 4096 + 2 * 4096) + 4096,
        ),
        # one table for embedding and output; heads of 256, 16 of queries and 8 of keys; 4 norms
        (
            "Gemma 2 9B",
            256000 * 3584 + 42 * (2 * 3584 * 4096 + 2 * 3584 * 2048 + 3 * 3584 * 14336 + 4 * 3584) + 3584,
        ),
        # 1,024 positions; projections with bias: 4 x width² + 4 x width, feed-forward 8 x width² + 5 x width
        ("GPT-2", (50257 + 1024) * 768 + 12 * (12 * 768**2 + 9 * 768 + 4 * 768) + 2 * 768),
    ],
)
def test_the_parameters_of_the_fixture_follow_from_its_shape(facts: FitFacts, model: str, parameters: int):
    assert facts.models[model].parameters == parameters


def test_weights_of_llama_2_7b(facts: FitFacts):
    # 6,738,415,616 x 2 bytes = 13,476,831,232 = 12.551 GiB
    assert size(facts, "Llama 2 7B", "weights", precision="fp16") == 13_476_831_232
    assert size(facts, "Llama 2 7B", "weights", precision="fp32") == 26_953_662_464
    assert size(facts, "Llama 2 7B", "weights", precision="bf16", split=Split(tensor=4)) == 13_476_831_232 / 4


def test_quantised_weights_keep_embedding_and_head_at_16_bits(facts: FitFacts):
    # kept: 2 x 32,000 x 4,096 = 262,144,000; the rest 6,476,271,616
    rest, kept = 6_476_271_616, 262_144_000
    assert size(facts, "Llama 2 7B", "weights", precision="int8") == rest + 2 * kept
    # 4 bits, and 16 + 4 bits for each group of 128: 0.5 + 2.5 / 128 = 0.51953125 bytes
    assert size(facts, "Llama 2 7B", "weights", precision="int4") == pytest.approx(rest * 0.51953125 + 2 * kept)
    model = facts.models["Llama 2 7B"]
    part = need_on_each(model, Work(precision="int8")).part("weights")
    assert part is not None and part.high == pytest.approx(1.21 * (rest + 2 * kept))


def test_a_checkpoint_that_is_known_beats_the_formula(facts: FitFacts):
    assert size(facts, "Llama 2 7B", "weights", precision="int4", weights_gib=4.0) == 4 * GIB


def test_u72_multi_head_and_grouped_query_attention(facts: FitFacts):
    # 2 x layers x key-value heads x numbers per head x bytes
    assert per_token(facts, "Llama 2 7B") == 2 * 32 * 32 * 128 * 2 == 524_288
    assert per_token(facts, "Llama 3 8B") == 2 * 32 * 8 * 128 * 2 == 131_072
    assert per_token(facts, "Llama 3.1 70B") == 2 * 80 * 8 * 128 * 2 == 327_680
    assert per_token(facts, "Qwen2.5 7B") == 2 * 28 * 4 * 128 * 2 == 57_344
    assert per_token(facts, "Llama 3 8B", kv_bytes=1.0) == 65_536
    assert per_token(facts, "Llama 3 8B", precision="fp32") == 262_144


def test_u72_multi_head_latent_attention(facts: FitFacts):
    # 512 + 64 numbers per token and layer, whatever the heads: 576 x 61 x 2
    assert per_token(facts, "DeepSeek V3") == 70_272
    # 32,768 tokens: 2,302,672,896 bytes = 2,196 MiB, what llama.cpp logs
    assert size(facts, "DeepSeek V3", "kv-cache", context=32768) == 2196 * MIB
    # the latent vector stands on every GPU that cuts the layers
    assert size(facts, "DeepSeek V3", "kv-cache", Split(tensor=8), context=32768) == 2196 * MIB
    assert size(facts, "DeepSeek V2-Lite", "kv-cache", context=1) == 576 * 27 * 2


def test_u72_sliding_window_attention(facts: FitFacts):
    token = 2 * 32 * 8 * 128 * 2  # Mistral 7B: each of 32 layers has the window
    assert size(facts, "Mistral 7B v0.1", "kv-cache", context=4096) == 4096 * token
    # 4,095 tokens of the window and a chunk of 8,192
    assert size(facts, "Mistral 7B v0.1", "kv-cache", context=32768) == 12287 * token
    assert size(facts, "Mistral 7B v0.3", "kv-cache", context=32768) == 32768 * token


def test_u72_layers_with_and_without_a_window(facts: FitFacts):
    layer = 2 * 8 * 256 * 2  # Gemma 2 9B: bytes per token of one of 42 layers, 21 of them with the window
    assert size(facts, "Gemma 2 9B", "kv-cache", context=8192) == 42 * 8192 * layer  # 8,192 < 4,095 + 8,192
    assert size(facts, "Gemma 2 9B", "kv-cache", context=32768) == (21 * 32768 + 21 * 12287) * layer


def test_heads_are_shared_out_and_repeated_where_gpus_are_more(facts: FitFacts):
    whole = size(facts, "Llama 3 8B", "kv-cache")
    assert size(facts, "Llama 3 8B", "kv-cache", Split(tensor=4)) == whole / 4
    assert size(facts, "Qwen2.5 7B", "kv-cache", Split(tensor=8)) == size(facts, "Qwen2.5 7B", "kv-cache") / 4
    # 126 layers on 4 machines: 32 on the fullest; one of 8 heads on each of 8 GPUs
    one = 2 * 128 * 2 * 4096
    assert size(facts, "Llama 3.1 405B", "kv-cache", Split(tensor=8, stages=4)) == pytest.approx(32 * one)


def test_activations_of_a_server(facts: FitFacts):
    # 100 tokens x 2 bytes x (3 x 14,336 + 2 x 4,096) + 1 x 128,256 x (2 + 3 x 4) bytes
    assert size(facts, "Llama 3 8B", "activations", context=100) == 100 * 2 * 51_200 + 128_256 * 14
    # never more tokens than one chunk
    assert size(facts, "Llama 3 8B", "activations", context=131072) == 8192 * 2 * 51_200 + 128_256 * 14


def test_an_encoder_works_on_its_whole_batch_at_once(facts: FitFacts):
    # BERT large: 3 x 4,096 + 2 x 1,024 = 14,336 numbers of 2 bytes for each token
    asked = {"precision": "fp16", "context": 512}
    assert size(facts, "BERT large", "activations", users=16, **asked) == 8192 * 2 * 14_336
    assert size(facts, "BERT large", "activations", users=4096, **asked) == 4096 * 512 * 2 * 14_336
    # kept scores: 16 heads x 512 of each of its tokens, twice
    kept = size(facts, "BERT large", "activations", users=64, flash=False, **asked)
    assert kept == 64 * 512 * 2 * 14_336 + 64 * 512 * 512 * 16 * 2 * 2


def test_training_with_adamw_takes_18_bytes_a_weight(facts: FitFacts):
    count = 6_738_415_616
    asked = {"task": "training", "context": 1}
    states = [size(facts, "Llama 2 7B", code, **asked) for code in ("weights", "gradients", "optimiser")]
    assert states == [6 * count, 4 * count, 8 * count]
    assert size(facts, "Llama 2 7B", "optimiser", optimiser="adam-8bit", **asked) == 2 * count
    assert size(facts, "Llama 2 7B", "optimiser", optimiser="sgd-momentum", **asked) == 4 * count
    assert size(facts, "Llama 2 7B", "weights", precision="fp32", **asked) == 4 * count
    assert size(facts, "Llama 2 7B", "optimiser", Split(tensor=8), **asked) == count


@pytest.mark.parametrize(("precision", "each"), [("bf16", 4), ("fp16", 4), ("tf32", 8), ("fp32", 8)])
def test_the_layer_put_together_is_as_wide_as_the_model_runs(facts: FitFacts, precision: str, each: int):
    # Llama 2 7B: embedding and head 2 x 32,000 x 4,096 = 262,144,000; the other 6,476,271,616 on 32 layers make
    # 202,383,488 weights a layer, more than the 131,072,000 of one table; weights and gradients stand beside each other
    asked = {"task": "training", "context": 1, "precision": precision}
    assert size(facts, "Llama 2 7B", "gathered", Split(tensor=8), **asked) == 202_383_488 * each


@pytest.mark.parametrize(("precision", "each"), [("bf16", 2), ("fp8", 2), ("int4", 2), ("fp32", 4)])
def test_frozen_weights_may_be_put_together_without_gradients(facts: FitFacts, precision: str, each: int):
    work = Work(task="training", method="lora", precision=precision)
    part = need_on_each(facts.models["Llama 2 7B"], work, Split(tensor=8)).part("gathered")
    assert part is not None
    assert (part.low, part.high) == (202_383_488 * each, 202_383_488 * each * 2)


def test_training_activations_with_and_without_checkpointing(facts: FitFacts):
    # Llama 2 7B, 2 sequences of 1,024 tokens, 16 bits: 2,048 x 4,096 x (16 x 2 + 2 = 34) bytes a layer
    asked = {"task": "training", "context": 1024, "users": 2}
    layer = 2048 * 4096 * 34
    assert size(facts, "Llama 2 7B", "activations", checkpointing=False, **asked) == 32 * layer
    assert size(facts, "Llama 2 7B", "activations", **asked) == 32 * 2048 * 4096 * 2 + layer
    # kept scores add (2 x 2 + 1) x 32 heads x 1,024² x 2 sequences a layer
    kept = size(facts, "Llama 2 7B", "activations", checkpointing=False, flash=False, **asked)
    assert kept == pytest.approx(32 * (layer + 5 * 32 * 1024**2 * 2))
    assert size(facts, "Llama 2 7B", "logits", **asked) == 2048 * 32000 * 8


def test_lora_trains_two_thin_matrices_for_each_that_it_adapts(facts: FitFacts):
    asked = {"task": "training", "method": "lora", "lora_rank": 16, "lora_matrices": 4}
    # 2 x 16 x 4,096 x 4 x 32 = 16,777,216 weights of 6 + 4 + 8 bytes; the others are only loaded
    assert size(facts, "Llama 2 7B", "adapters", **asked) == 16_777_216 * 18
    # in 32 bits there is no copy in 16: 4 + 4 + 8
    assert size(facts, "Llama 2 7B", "adapters", precision="fp32", **asked) == 16_777_216 * 16
    assert size(facts, "Llama 2 7B", "weights", **asked) == 13_476_831_232


def test_all_weights_are_not_trained_in_8_bits():
    with pytest.raises(BadWork, match="Choose LoRA"):
        Work(task="training", precision="int8")


def test_without_key_value_heads_the_cache_lies_between_one_and_all(facts: FitFacts):
    model = replace(facts.models["Llama 3 8B"], kv_heads=None)
    need = need_on_each(model, Work(context=4096))
    cache = need.part("kv-cache")
    assert cache is not None
    assert (cache.low, cache.high) == (2 * 32 * 1 * 128 * 2 * 4096, 2 * 32 * 32 * 128 * 2 * 4096)
    assert any("num_key_value_heads" in question for question in need.questions)


@pytest.mark.parametrize("fact", ["parameters", "layers", "hidden_size", "vocab_size", "mlp_size"])
def test_a_fact_that_is_unknown_leaves_the_need_open_and_asks(facts: FitFacts, fact: str):
    need = need_on_each(replace(facts.models["Llama 3 8B"], **{fact: None}), Work())
    assert need.high_gib is None
    assert 0 < need.low_gib < need_on_each(facts.models["Llama 3 8B"], Work()).low_gib
    assert need.questions


def test_no_formula_covers_a_model_that_is_no_transformer(facts: FitFacts):
    for model in ("ResNet-50", "Stable Diffusion v1"):
        need = need_on_each(facts.models[model], Work(precision="fp32"))
        assert need.high_gib is None
        assert "measure" in need.questions[-1]


def test_the_formula_stands_there_with_its_figures(facts: FitFacts):
    part = need_on_each(facts.models["Llama 3 8B"], Work(context=8192, users=3)).part("kv-cache")
    assert part is not None
    assert (
        part.formula.replace(TIMES, "x") == "2 x 8 heads x 128 numbers x 32 layers x 2 bytes x 8,192 tokens x 3 users"
    )
