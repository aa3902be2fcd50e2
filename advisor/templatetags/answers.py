"""How the words of an answer look: names of regions and kinds, figures with their unit, small numbers as words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.template import RequestContext
from django.utils.html import format_html

from advisor.engine.answer import Option, Workload
from advisor.engine.catalogue import Region
from advisor.engine.fact_kinds import KINDS
from advisor.engine.heavier import heavier_words
from advisor.engine.runbook.values import PHASES
from advisor.engine.worked import Figure
from advisor.forms.profile import WORDS
from advisor.forms.switches import STRATEGY_WORDS
from advisor.templatetags.figures import UNKNOWN, as_set, count, hourly, money, number

register = template.Library()

GRADE_WORDS: Mapping[str, Mapping[str, str]] = {
    "data": {
        "A": "hours, busy share and memory are from your file or from you",
        "B": "one of hours, busy share and memory is assumed, or was watched for less than a week",
        "C": "two of hours, busy share and memory are assumed, or were watched for less than a week",
        "D": "hours, busy share and memory are all assumed",
        "E": "the size is a guess",
    },
    "performance": {
        "A": "your own ratio, the same GPU, or two groups of benchmarks of this kind",
        "B": "one group of benchmarks of this kind",
        "C": "a model of a kind that five groups or more measured",
        "D": "a chain of benchmarks, a slice, graphics or AMD",
        "E": "no benchmark of this kind",
    },
    "price": {
        "A": "exact and at most 90 days old",
        "B": "within 12 months",
        "C": "estimated",
        "E": "unknown",
    },
    "capacity": {
        "A": "in your own list of sizes",
        "B": "documented in the region",
        "C": "only listed with a price: no promise that it can be had",
        "D": "no new capacity, or restricted",
        "E": "unknown",
    },
    "move": {
        "A": "all that decides whether the move works is known",
        "B": "facts are not known that could change the steps",
        "C": "a fact is not known that could rule the size out",
    },
}

#: First reasons of refused sizes as headings; another code stands as it is, with blanks.
_REFUSALS = {
    "near": "One change would let them in",
    "unknown-lifecycle": "Nobody says whether they can be had",
    "not-yet": "Not there yet",
    "retired": "Retired",
    "retires-in-horizon": "They retire inside the horizon",
    "special": "Made for a special need",
    "region": "Not offered in the region",
    "fpga": "FPGA code has to be ported first",
    "gpu-model": "The GPU is not known",
    "gpu-memory-known": "The GPU memory is not known",
    "gpu-memory": "Too little GPU memory",
    "gpu-memory-assumed": "Less GPU memory than today, and the need is not known",
    "speed-known": "The speed is not known",
    "spans-vms": "One job does not fit into a machine",
    "slower": "Too slow for a seat",
    "job-too-slow": "Too slow for a job",
    "host-too-small": "Too few vCPUs or too little memory",
    "graphics-driver": "No graphics driver",
    "grid-licence": "The price of a GRID licence is not known",
    "grid-licence-cost": "The price of a GRID licence is not known",
    "compute-driver": "No compute driver",
    "data-disks": "Too few data disks",
    "premium-storage": "No premium storage",
    "spot-not-interruptible": "Spot, and the work must not be interrupted",
    "price": "No price is known",
    "windows-licence": "The price of a Windows licence is not known",
}
_SMALL = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_EVIDENCE = {"listed": "price list", "user": "yours"}


@register.filter
def place(code: str | None, regions: Mapping[str, Region]) -> str:
    """A region by the name that people know; the word unknown without one."""
    if code is None:
        return UNKNOWN
    return regions[code].display_name if code in regions else code


@register.filter
def refusal(code: str) -> str:
    """The heading over sizes that are refused for a reason first."""
    return _REFUSALS.get(code, code.replace("-", " ").capitalize())


@register.filter
def dearer(option: Option | None, currency: str) -> str:
    """The lighter and the dearer way of an option in one sentence; empty where its verdict is sure."""
    return "" if option is None else heavier_words(option, currency)


@register.filter
def in_words(value: int) -> str:
    """A small whole number as a word."""
    return _SMALL[value] if 0 <= value < len(_SMALL) else number(value, 0)


@register.filter
def ratio(value: float | None) -> str:
    """A factor to 0.01, as the options table shows speeds."""
    return UNKNOWN if value is None else number(value, 2)


@register.filter
def shown(figure: Figure) -> str:
    """A figure with its unit: money after its currency, all else before its unit."""
    if figure.value is None:
        return UNKNOWN
    if figure.is_money:
        amount = money(figure.value) if figure.shown == "money" else hourly(figure.value)
        return f"{figure.unit} {amount}"
    if figure.shown == "set":
        text = as_set(figure.value, figure.unit)
        return text if figure.unit == "switch" else f"{text} {figure.unit}"
    text = count(figure.value) if figure.shown == "count" else number(figure.value, 2)
    return f"{text} {figure.unit}".strip()


@register.filter
def is_figure(term: Any) -> bool:
    return isinstance(term, Figure)


@register.filter
def work_word(code: str, field: str) -> str:
    """A value of the profile in words, small as inside a sentence."""
    word = WORDS[field].get(code, code).partition(":")[0].partition(",")[0]
    return word if word.isupper() or word.startswith(("HPC", "FP", "BF", "TF", "INT")) else word[:1].lower() + word[1:]


@register.filter
def speed_work(work: Workload) -> str:
    """What of the work the speed was taken for, and what nobody said of it."""
    if work.kind not in ("training", "inference"):
        return f"Taken for {work_word(work.kind, 'workload')}, {work_word(work.precision, 'precision')}."
    said = [work_word(value, field) for field, value in (("network", work.network), ("runtime", work.runtime)) if value]
    said += [f"batch {count(work.batch)}"] if work.batch else []
    kind = ", ".join((work_word(work.kind, "workload"), work_word(work.precision, "precision"), *said))
    matter = [name for name in work.unsaid if name == "network" or work.kind == "inference"]
    if not matter:
        return f"Taken for {kind}."
    return f"Taken for {kind}. Not known: {', '.join(matter)}; the figure is the mean over what was published of each."


@register.filter
def factor(value: float) -> str:
    """A tick of a scale of factors: no digit more than it needs."""
    return f"{value:g}"


@register.filter
def hint_of(hints: Mapping[str, Any], name: str) -> Any:
    """The hint of a field, None where there is none."""
    return hints.get(name)


@register.filter
def grade_word(letter: str, kind: str) -> str:
    """What a grade's letter stands for."""
    return GRADE_WORDS[kind].get(letter, "unknown")


@register.filter
def strategy_word(code: str) -> str:
    """A strategy in words."""
    return STRATEGY_WORDS[code]


@register.inclusion_tag("advisor/advice/_pool.html", takes_context=True)
def open_pool(context: RequestContext, opened: dict[str, Any]) -> dict[str, Any]:
    """One pool within a page about all: what the page shows is over it in the context of the pool alone."""
    around: dict[str, Any] = context.flatten()  # type: ignore[assignment]
    return around | opened


@register.simple_tag
def evidence(kind: str) -> str:
    """The mark of an evidence: full, half, ring, dashed; with its word."""
    if kind in _EVIDENCE:
        return format_html('<span class="ev measured">{}</span>', _EVIDENCE[kind])
    return format_html('<span class="ev {}">{}</span>', kind, kind)


@register.filter
def phase_words(phase: str) -> str:
    """The heading of a phase of a runbook; one that this version does not know stands as it is."""
    return next((words for known, words in PHASES.items() if known == phase), phase)


@register.filter
def fact_label(name: str) -> str:
    """What pages call a fact of a machine."""
    return KINDS[name].label if name in KINDS else name


_SEVERITY = {"blocker": "bad", "warning": "warn", "unknown": "doubt"}


@register.simple_tag
def severity(word: str) -> str:
    """A severity as a tag: colour and word."""
    return format_html('<span class="tag {}">{}</span>', _SEVERITY.get(word, ""), word)
