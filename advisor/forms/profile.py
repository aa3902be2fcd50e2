"""What the machines of a pool do: a form whose empty fields are the defaults, each with its reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django import forms

from advisor.engine.answer import Workload
from advisor.engine.speed_work import RUNTIMES
from advisor.engine.workload import (
    KINDS,
    NETWORKS,
    PATTERNS,
    PRECISIONS,
    REFINEMENTS,
    SHAPES,
    BadProfile,
    ProfileFields,
    profile_fields,
)
from advisor.templatetags.figures import count

KIND_WORDS = {
    "training": "Training",
    "inference": "Inference",
    "hpc": "HPC, simulation",
    "graphics": "Graphics, virtual desktops",
    "dev": "Development and test",
}
PATTERN_WORDS = {"burst": "Burst, off in between", "steady": "Steady, always on"}
SHAPE_WORDS = {
    "queue": "Queue: jobs can wait",
    "stream": "Stream: requests come when they come",
    "seat": "Seat: one machine per person",
}
PRECISION_WORDS = {code: code.upper() for code in PRECISIONS} | {"mixed": "Mixed"}
NETWORK_WORDS = {
    "transformer": "Transformer: BERT, ViT, translation",
    "cnn": "CNN: images, detection",
    "recurrent": "Recurrent: LSTM, GRU",
    "speech": "Speech: recognition, synthesis",
    "diffusion": "Diffusion: making images",
    "llm": "LLM, writing text",
    "llm-prefill": "LLM, reading long prompts",
}
RUNTIME_WORDS = {"engine": "Compiled engine: TensorRT and the like", "framework": "Framework: PyTorch, TensorFlow"}
YES_NO = (("yes", "Yes"), ("no", "No"))
WORDS: Mapping[str, Mapping[str, str]] = {
    "workload": KIND_WORDS,
    "pattern": PATTERN_WORDS,
    "shape": SHAPE_WORDS,
    "precision": PRECISION_WORDS,
    "network": NETWORK_WORDS,
    "runtime": RUNTIME_WORDS,
}
UNITS = {"gpu_memory_gib": "GiB", "utilisation": "%"}


def _choice(label: str, codes: Sequence[str], words: Mapping[str, str]) -> forms.ChoiceField:
    choices = [("", "Not said"), *((code, words[code]) for code in codes)]
    return forms.ChoiceField(choices=choices, label=label, required=False)


def _yes_no(label: str) -> forms.ChoiceField:
    return forms.ChoiceField(choices=[("", "Not said"), *YES_NO], label=label, required=False)


def _messages(example: str) -> dict[str, str]:
    return {
        "invalid": f"Write a number, for example {example}.",
        "min_value": f"Must be above 0, for example {example}.",
        "max_value": "Must be at most %(limit_value)s.",
    }


def _typed(mode: str) -> forms.TextInput:
    return forms.TextInput(attrs={"inputmode": mode, "autocomplete": "off"})


def _number(label: str, example: str, highest: float) -> forms.FloatField:
    return forms.FloatField(
        label=label,
        required=False,
        min_value=0.01,
        max_value=highest,
        error_messages=_messages(example),
        widget=_typed("decimal"),
    )


class Hint(NamedTuple):
    """What counts for a field, why, whether nobody said it, and whether it was said here."""

    words: str
    reason: str
    assumed: bool
    here: bool  # said in this form before
    open: bool = False  # nobody said it, and nothing is taken in its place


class ProfileForm(forms.Form):
    """An empty field says nothing: its default counts and is marked assumed. Utilisation is a percentage here."""

    workload = _choice("Kind of work", KINDS, KIND_WORDS)
    pattern = _choice("Pattern", PATTERNS, PATTERN_WORDS)
    shape = _choice("Shape", SHAPES, SHAPE_WORDS)
    precision = _choice("Precision", PRECISIONS, PRECISION_WORDS)
    gpu_memory_gib = _number("GPU memory needed, GiB per GPU", "12", 10_000)
    utilisation = _number("GPUs busy at peak, percent", "60", 100)
    multi_node = _yes_no("One job spans machines")
    job_gpus = _number("GPUs of today that work as one job", "4", 100_000)
    min_vms = forms.IntegerField(
        label="Fewest machines to keep",
        required=False,
        min_value=1,
        max_value=1_000_000,
        error_messages=_messages("2") | {"invalid": "Write a whole number, for example 2."},
        widget=_typed("numeric"),
    )
    interruptible = _yes_no("May be interrupted")
    network = _choice("Network", NETWORKS, NETWORK_WORDS)
    batch = _number("Batch: items per request, of an LLM sequences at once", "8", 1_000_000)
    runtime = _choice("Runtime", RUNTIMES, RUNTIME_WORDS)

    def __init__(self, data: Any = None, *, key: str, initial: dict[str, Any] | None = None) -> None:
        """`key` keeps the ids of several such forms on one page apart."""
        super().__init__(data, auto_id=f"id_{key}_%s", initial=initial)
        self.key = key
        self.hints: dict[str, Hint] = {}
        for name in self.fields:
            self.fields[name].help_text = " "  # the template fills it; here it ties the hint to its control

    def clean(self) -> dict[str, Any]:
        """Add `said`, the fields as the engine wants them."""
        values = super().clean() or {}
        if self.errors:
            return values
        try:
            values["said"] = profile_fields({name: _plain(name, values.get(name)) for name in self.base_fields})
        except BadProfile as error:
            raise forms.ValidationError(str(error)) from error
        return values

    def said(self) -> ProfileFields:
        """What was said; only of a valid form."""
        said: ProfileFields = self.cleaned_data["said"]
        return said

    def explain(self, work: Workload, reasons: Mapping[str, str], said: ProfileFields) -> None:
        """Show in each empty field what counts instead, and beside it why; `said` is what was said here before."""
        for name, field in self.fields.items():
            words, assumed = used_words(name, work), name in work.assumed
            here = getattr(said, name) is not None
            is_open = name in work.unsaid
            self.hints[name] = Hint(words, "" if here else reasons.get(name, ""), assumed, here, is_open)
            brief = words.partition(":")[0].partition(",")[0]
            shown = f"{brief} ({'default' if assumed else 'your file'})"
            if is_open or here:
                shown = "Not known" if name in REFINEMENTS else "Default"
            if isinstance(field, forms.ChoiceField):
                field.choices = [("", shown), *list(field.choices)[1:]]  # type: ignore[arg-type]
            elif not here:
                field.widget.attrs["placeholder"] = words


def _plain(name: str, value: Any) -> Any:
    if value in ("", None):
        return None
    if name in ("multi_node", "interruptible"):
        return value == "yes"
    return value / 100 if name == "utilisation" else value


def initial_of(said: ProfileFields) -> dict[str, Any]:
    """What was said as the form shows it."""
    values: dict[str, Any] = {}
    for name in ProfileForm.base_fields:
        value = getattr(said, name)
        if isinstance(value, bool):
            values[name] = "yes" if value else "no"
        elif isinstance(value, int | float):
            values[name] = f"{value * 100 if name == 'utilisation' else value:g}"
        elif value is not None:
            values[name] = value
    return values


def used_words(name: str, work: Workload) -> str:
    """The value of a field that the advice uses, in words with its unit."""
    value = {"workload": work.kind, "utilisation": work.utilisation_percent}.get(name, getattr(work, name, None))
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if name in WORDS:
        return WORDS[name][str(value)]
    return f"{count(value)} {UNITS.get(name, '')}".strip()
