"""What a person types about a model and its work into engine values; a known model needs no shape."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any
from uuid import UUID

from django import forms
from django.utils import timezone

from advisor.engine.catalogue import Catalogue
from advisor.engine.fit.facts import FitFacts, Model
from advisor.engine.fit.hold import MOST_TOKENS, MOST_USERS
from advisor.engine.fit.work import METHODS, OPTIMISERS, PRECISIONS, BadWork, Work
from advisor.forms.catalogue import DEFAULT_REGION, DayForm, region_choices

OWN = "own"
CHOOSE = "Choose one of the list."
POOL_ID = re.compile(r"^[0-9a-f]{8}$")
#: Switches of the answer to which the figure goes back.
QUERY = re.compile(r"^[\w=&.,%+:-]*$", re.ASCII)
PRECISION_WORDS = {"fp32": "FP32", "tf32": "TF32", "fp16": "FP16", "bf16": "BF16", "fp8": "FP8", "int8": "INT8"}
OPTIMISER_WORDS = {"adamw": "AdamW", "adam-8bit": "Adam, 8 bits", "sgd-momentum": "SGD with momentum"}
METHOD_WORDS = {"full": "All weights", "lora": "LoRA adapters"}
YES_NO = (("yes", "Yes"), ("no", "No"))
#: Fields of the shape of an own model: label, field of the engine, example, most.
SHAPE: Mapping[str, tuple[str, str, int]] = {
    "layers": ("Layers", "32", 10_000),
    "hidden_size": ("Width of a layer", "4096", 1_000_000),
    "heads": ("Attention heads", "32", 100_000),
    "kv_heads": ("Key-value heads", "8", 100_000),
    "head_dim": ("Numbers per head", "128", 100_000),
    "mlp_size": ("Feed-forward width", "14336", 100_000_000),
    "vocab_size": ("Vocabulary", "128256", 100_000_000),
    "latent_size": ("Latent numbers per token", "576", 1_000_000),
    "window": ("Window, tokens", "4096", MOST_TOKENS),
    "window_layers": ("Layers with a window", "21", 10_000),
    "max_context": ("Longest context", "131072", MOST_TOKENS),
}
#: What config.json calls each of them.
CONFIG_NAMES: Mapping[str, str] = {
    "layers": "num_hidden_layers",
    "hidden_size": "hidden_size",
    "heads": "num_attention_heads",
    "kv_heads": "num_key_value_heads",
    "head_dim": "head_dim",
    "mlp_size": "intermediate_size; of experts, those per token together",
    "vocab_size": "vocab_size",
    "latent_size": "kv_lora_rank + qk_rope_head_dim",
    "window": "sliding_window",
    "window_layers": "those that keep the window only",
    "max_context": "max_position_embeddings",
}
WHOLE_WORDS = {"heads": "attention heads", "layers": "layers"}
#: Fields of the work that few need to say.
MORE_ABOUT_WORK = (
    "weights_gib", "kv", "flash", "method", "optimiser", "checkpointing", "chunked_loss", "lora_rank", "lora_matrices",
    "as_of",
)  # fmt: skip
#: What counts where a field is empty or the address does not name it.
DEFAULTS: Mapping[str, str] = {
    "model": "Llama 3 8B",
    "task": "inference",
    "precision": "bf16",
    "context": "4096",
    "users": "1",
    "kv": "16",
    "flash": "yes",
    "method": "full",
    "optimiser": "adamw",
    "checkpointing": "yes",
    "chunked_loss": "no",
    "lora_rank": "16",
    "lora_matrices": "4",
    "kind": "decoder",
    "region": DEFAULT_REGION,
}


def _whole(label: str, example: str, most: int) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=1,
        max_value=most,
        error_messages={
            "invalid": f"Write a whole number, for example {example}.",
            "min_value": "At least 1.",
            "max_value": f"At most {most:,}.",
        },
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 8, "autocomplete": "off"}),
    )


def _figure(label: str, example: str, most: float) -> forms.FloatField:
    return forms.FloatField(
        label=label,
        required=False,
        min_value=0.000001,
        max_value=most,
        error_messages={
            "invalid": f"Write a number, for example {example}.",
            "min_value": "Must be above 0.",
            "max_value": f"At most {most:,.0f}.",
        },
        widget=forms.TextInput(attrs={"inputmode": "decimal", "size": 8, "autocomplete": "off"}),
    )


def _choice(label: str, choices: Any) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=choices, error_messages={"invalid_choice": CHOOSE})


class FitForm(DayForm):
    """Every field may be left out: `DEFAULTS` count then. The shape fields count for an own model only."""

    model = _choice("Model", ())
    task = _choice("Work", (("inference", "Inference"), ("training", "Training")))
    precision = _choice("Precision", [(word, PRECISION_WORDS.get(word, word.upper())) for word in PRECISIONS])
    context = _whole("Context, tokens", "4096", MOST_TOKENS)
    users = _whole("Users at once, or batch", "8", MOST_USERS)
    kv = _choice("Key-value cache", (("16", "As the model runs"), ("8", "8 bits")))
    flash = _choice("Attention without kept scores", YES_NO)
    weights_gib = _figure("Checkpoint on disk, GiB", "15", 1_000_000)
    method = _choice("Trains", [(word, METHOD_WORDS[word]) for word in METHODS])
    optimiser = _choice("Optimiser", [(word, OPTIMISER_WORDS[word]) for word in OPTIMISERS])
    checkpointing = _choice("Activation checkpointing", YES_NO)
    chunked_loss = _choice("Loss in chunks", YES_NO)
    lora_rank = _whole("LoRA rank", "16", 65_536)
    lora_matrices = _whole("Matrices per layer with LoRA", "4", 100)
    kind = _choice("Kind", (("decoder", "Decoder (LLM)"), ("encoder", "Encoder"), ("other", "Other")))
    parameters = _figure("Parameters, billions", "8.03", 1_000_000)
    tied = forms.ChoiceField(label="One table for embedding and output", choices=YES_NO, required=False)
    region = _choice("Prices in", ())
    fleet = forms.UUIDField(required=False, widget=forms.HiddenInput)
    pool = forms.RegexField(POOL_ID, required=False, widget=forms.HiddenInput, strip=True)
    back = forms.RegexField(QUERY, required=False, max_length=2000, widget=forms.HiddenInput)

    def __init__(self, data: Mapping[str, Any], facts: FitFacts, catalogue: Catalogue) -> None:
        known = {name: value for name, value in data.items() if str(value).strip() != ""}
        super().__init__(dict(DEFAULTS) | known, label_suffix="")
        self.facts = facts
        for name, (label, example, most) in SHAPE.items():
            self.fields[name] = _whole(label, example, most)
            self.fields[name].help_text = CONFIG_NAMES[name]
        self._choose("model", [*((name, name) for name in sorted(facts.models)), (OWN, "My own, typed below")])
        self._choose("region", region_choices(catalogue))
        self._choose("tied", [("", "Not known"), *YES_NO])

    def _choose(self, name: str, choices: Any) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 (for the type checker)
        field.choices = choices
        field.error_messages["invalid_choice"] = CHOOSE

    def clean(self) -> dict[str, Any]:
        """Add `work`; figures of a shape must agree with each other."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if self.errors:
            return values
        for part, whole in (("kv_heads", "heads"), ("window_layers", "layers")):
            if values[part] and values[whole] and values[part] > values[whole]:
                self.add_error(part, f"There are {values[whole]:,} {WHOLE_WORDS[whole]} in all.")
        try:
            values["work"] = _work(values)
        except BadWork as error:
            self.add_error("precision", str(error))
        return values

    def work(self) -> Work:
        """Only of a valid form."""
        work: Work = self.cleaned_data["work"]
        return work

    def chosen(self) -> Model:
        """The known model, or the own one with what was typed; only of a valid form."""
        values = self.cleaned_data
        return self.facts.models[values["model"]] if values["model"] != OWN else own_model(values, self.day())

    @property
    def is_own(self) -> bool:
        return str(self.data.get("model")) == OWN

    @property
    def shape_errors(self) -> bool:
        """Something of an own model cannot be used."""
        return any(name in self.errors for name in (*SHAPE, "parameters", "kind", "tied"))

    @property
    def more_said(self) -> bool:
        """Something was typed of the part of the work that is folded away, or cannot be used."""
        return any(
            name in self.errors or str(self.data.get(name) or "") != DEFAULTS.get(name, "") for name in MORE_ABOUT_WORK
        )

    def pool_asked(self) -> tuple[UUID, str] | None:
        """Fleet and pool that the figure is meant for."""
        fleet, pool = self.cleaned_data["fleet"], self.cleaned_data["pool"]
        return (fleet, pool) if fleet and pool else None

    def priced_region(self) -> str | None:
        name = self.cleaned_data["region"]
        return None if name == "none" else str(name)


def _work(values: Mapping[str, Any]) -> Work:
    return Work(
        task=values["task"],
        precision=values["precision"],
        context=values["context"],
        users=values["users"],
        kv_bytes=1.0 if values["kv"] == "8" else None,
        flash=values["flash"] == "yes",
        weights_gib=values["weights_gib"],
        method=values["method"],
        optimiser=values["optimiser"],
        checkpointing=values["checkpointing"] == "yes",
        chunked_loss=values["chunked_loss"] == "yes",
        lora_rank=values["lora_rank"],
        lora_matrices=values["lora_matrices"],
    )


def own_model(values: Mapping[str, Any], day: date | None = None) -> Model:
    """A model of which only what was typed is known."""
    billions = values["parameters"]
    return Model(
        name="Your model",
        family="own",
        kind=values["kind"],
        parameters=None if billions is None else round(billions * 1e9),
        tied=None if not values["tied"] else values["tied"] == "yes",
        source="you",
        as_of=day or timezone.localdate(),
        **{name: values[name] for name in SHAPE},
    )
