"""The command fit: the names of its JSON to the letter, its text, and its refusals."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

pytestmark = pytest.mark.django_db

DAY = "--as-of=2026-11-30"


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("fit", *arguments, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def answer(*arguments: str) -> dict[str, Any]:
    return json.loads(run(*arguments, "--json"))


def test_the_answer_in_json():
    found = answer("llama 3 8b", DAY, "--context", "8192", "--users", "2")
    assert found["schema"] == "fit/1"
    assert (found["model"], found["context"], found["users"], found["margin"]) == ("Llama 3 8B", 8192, 2, 0.1)
    parts = {part["code"]: part for part in found["need"]["parts"]}
    # 131,072 bytes x 8,192 tokens x 2 = 2 GiB
    assert parts["kv-cache"]["low_gib"] == parts["kv-cache"]["high_gib"] == 2.0
    assert set(found["smallest"]) == {"size", "gpus", "machines", "needed_gib_per_gpu", "usable_gib_per_gpu"}
    assert found["smallest"] == found["holds"][0]
    assert found["need"]["low_gib"] <= found["need"]["expected_gib"] <= found["need"]["high_gib"]


def test_unknown_is_null():
    found = answer("ResNet-50", DAY, "--task", "training", "--precision", "fp32")
    assert found["need"]["expected_gib"] is None and found["need"]["high_gib"] is None
    assert (found["smallest"], found["longest_context"], found["most_users"], found["holds"]) == (None, None, None, [])
    assert found["questions"]


def test_u73_error_per_family():
    families = {row["family"]: row for row in answer("--check")["families"]}
    assert set(families["DeepSeek"]) == {"family", "figures", "median_error", "worst_error", "covered"}
    text = run("--check")
    assert "BERT: 2 figures, median error 6.6%, largest -12.5%, 2 covered" in text
    assert "not counted: hf-llama-3.1-405b-cache: -50.0%" in text


def test_the_answer_in_words():
    text = run("Llama 3 8B", DAY)
    assert "Weights: 14.96 GiB to 14.96 GiB, 8,030,261,248 parameters" in text
    assert "Smallest size: Standard_N" in text
    assert "No size is sure" in run("GPT-2 XL", DAY)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("Lama 3 8B",), "near: Llama 3 8B"),
        ((), "name a model"),
        (("Llama 3 8B", "--task", "training", "--precision", "fp8"), "Choose LoRA"),
        (("Llama 3 8B", "--context", "0"), "not a whole number between 1 and"),
        (("Llama 3 8B", "--users", "9" * 400), "not a whole number between 1 and"),
        (("Llama 3 8B", "--weights-gib", "nan"), "not a finite number"),
    ],
)
def test_what_it_refuses(arguments: tuple[str, ...], said: str):
    with pytest.raises(CommandError, match=said) as refused:
        run(*arguments)
    assert getattr(refused.value, "returncode", 2) == 2 or "argument" in str(refused.value)


def test_u25_sizes_that_lack_the_precision_are_told():
    asked = ("DeepSeek V3", DAY, "--precision", "fp8", "--context", "163840", "--users", "8")
    found = answer(*asked)
    assert found["smallest"]["size"] == "Standard_ND96isr_H100_v5"
    # V100: 7.0, FP8 from 8.9
    assert {"size", "code", "message"} == set(found["refused"][0])
    refused = {row["size"]: row["code"] for row in found["refused"]}
    assert refused["Standard_ND40rs_v2"] == "dtype"
    text = run(*asked)
    assert "Smallest size: Standard_ND96isr_H100_v5" in text
    assert f"Note: {found['notes'][0]}" in text
    assert "left out, since the GPU does not compute in FP8: " in text


def test_a_context_beyond_the_model_is_told():
    found = answer("GPT-2", DAY, "--context", "4096")
    said = "The configuration of the model allows 1,024 tokens; 4,096 are asked for."
    assert found["beyond_max_context"]
    assert found["notes"][0] == said
    assert f"Note: {said}" in run("GPT-2", DAY, "--context", "4096")
    assert "configuration" not in run("GPT-2", DAY, "--context", "1024")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--task", "training", "--weights-gib", "20"), "on training of all weights: the size of the checkpoint."),
        (("--method", "lora", "--optimiser", "adam-8bit"), "on inference: LoRA, the optimiser."),
        (("--no-checkpointing",), "on inference: that no activations are recomputed."),
    ],
)
def test_what_is_said_and_does_not_count_is_told(arguments: tuple[str, ...], said: str):
    assert f"Said and not counted, since it does not bear {said}" in run("Llama 3 8B", DAY, *arguments)


@pytest.mark.parametrize(
    "arguments", [("--weights-gib", "20"), ("--task", "training", "--method", "lora", "--weights-gib", "20")]
)
def test_what_counts_is_not_told_as_ignored(arguments: tuple[str, ...]):
    assert "not counted" not in run("Llama 3 8B", DAY, *arguments)
