"""The cells of each field of a list, per distinct text: the value, or what is wrong with it and what is allowed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from advisor.engine.catalogue import squash
from advisor.engine.fact_kinds import KINDS, FactKind
from advisor.engine.readers import words
from advisor.engine.readers.numbers import DecimalMark
from advisor.engine.readers.problems import shown
from advisor.engine.readers.text import BLANKS

Value = str | float | bool | None
COUNT_MAX = 1_000_000.0  # machines in one row: more than any region has of one size
HOURS_MAX = 1e10
MONEY_MAX = 1e15
# Blanks before an ending are looked at once, from the first of them, however many there are.
_UNIT = re.compile(r"(?<!\s)\s*(?:gib|gb|g)$", re.IGNORECASE)
_MONEY = re.compile(r"^(?:[A-Z]{3}\b|[$€£¥₩])\s*|(?<!\s)\s*(?:\b[A-Z]{3}|[$€£¥₩])$")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a text: `kind` is bad_number, out_of_range or bad_value."""

    kind: str
    allowed: str


@dataclass(slots=True)
class Parsed:
    """One value per distinct text, None where the text is empty or at fault; `assumed`: thousands were guessed."""

    values: list[Value]
    faults: dict[int, Fault] = field(default_factory=dict)
    assumed: bool = False
    proved: bool = False  # some text shows which mark is the decimal one
    raised: str | None = None  # a warning about the whole column
    denied: str | None = None  # a warning that other texts of the column may raise, and these show to be wrong
    remark: str | None = None  # the same, in words


Parser = Callable[[Sequence[str], DecimalMark], Parsed]


def _numbers(
    texts: Sequence[str], mark: DecimalMark, low: float, high: float, allowed: str, *, whole: bool = False
) -> Parsed:
    read = mark.read(texts)
    values: list[Value] = read.values.tolist()
    parsed = Parsed(values, assumed=read.assumed, proved=read.proved)
    no_number, out_of_range = Fault("bad_number", allowed), Fault("out_of_range", allowed)
    with np.errstate(invalid="ignore"):
        outside = (read.values < low) | (read.values > high)
        if whole:
            outside |= np.mod(read.values, 1) > 0
    for place in np.flatnonzero(read.bad | outside).tolist():
        parsed.faults[place] = no_number if read.bad[place] else out_of_range
    for place in np.flatnonzero(np.isnan(read.values) | outside).tolist():
        values[place] = None
    return parsed


def count(texts: Sequence[str], mark: DecimalMark) -> Parsed:
    return _numbers(texts, mark, 0, COUNT_MAX, f"a whole number from 0 to {COUNT_MAX:,.0f}", whole=True)


def hours(texts: Sequence[str], mark: DecimalMark) -> Parsed:
    return _numbers(texts, mark, 0, HOURS_MAX, "a number of hours, 0 or more")


def cost(texts: Sequence[str], mark: DecimalMark) -> Parsed:
    bare = [_MONEY.sub("", text.strip(BLANKS)) for text in texts]
    return _numbers(bare, mark, 0, MONEY_MAX, "an amount of money, 0 or more")


def gpu_memory(texts: Sequence[str], mark: DecimalMark) -> Parsed:
    bare = [_UNIT.sub("", text.strip(BLANKS)) for text in texts]
    return _numbers(bare, mark, 0.01, 100_000, "GiB per GPU, above 0")


def number(low: float, high: float, allowed: str, *, whole: bool = False) -> Parser:
    return lambda texts, mark: _numbers(texts, mark, low, high, allowed, whole=whole)


def utilisation(texts: Sequence[str], mark: DecimalMark) -> Parsed:
    """Percent, with or without the sign, as a share."""
    bare = [text.strip(BLANKS).removesuffix("%") for text in texts]
    parsed = _numbers(bare, mark, 0, 100, "percent from 0 to 100")
    known = [value for value in parsed.values if value is not None]
    if any("%" in text for text in texts) or (known and max(map(float, known)) > 1):
        parsed.denied = "utilisation_reading"
    elif known and max(map(float, known)) > 0:
        parsed.raised = "utilisation_reading"
    parsed.values = [None if value is None else float(value) / 100 for value in parsed.values]
    return parsed


def choice(table: Mapping[str, str], allowed: str) -> Parser:
    """A parser that looks each text up in a table of squashed words."""

    fault = Fault("bad_value", allowed)

    def parse(texts: Sequence[str], _mark: DecimalMark) -> Parsed:
        parsed = Parsed([table.get(squash(text)) if len(text) < 100 else None for text in texts])
        for place, text in enumerate(texts):
            if parsed.values[place] is None and text.strip(BLANKS):
                parsed.faults[place] = fault
        return parsed

    return parse


def operating_system(texts: Sequence[str], mark: DecimalMark) -> Parsed:
    """linux or windows, also of texts such as `Windows Server 2022` or `Ubuntu 22.04`."""
    parsed = choice(words.OS, "linux or windows")(texts, mark)
    for place in list(parsed.faults):
        key = squash(texts[place][:100])
        hits = {value for word, value in words.OS.items() if word != "win" and key.startswith(word)}
        if len(hits) == 1:
            parsed.values[place] = hits.pop()
            del parsed.faults[place]
    return parsed


def yes_no(texts: Sequence[str], mark: DecimalMark) -> Parsed:
    parsed = choice(words.YES_NO, "yes or no")(texts, mark)
    parsed.values = [None if value is None else value == "yes" for value in parsed.values]
    return parsed


def currency(texts: Sequence[str], _mark: DecimalMark) -> Parsed:
    codes = [text.strip(BLANKS).upper() for text in texts]
    parsed = Parsed([code if re.fullmatch(r"[A-Z]{3}", code) else None for code in codes])
    for place, code in enumerate(codes):
        if code and parsed.values[place] is None:
            parsed.faults[place] = Fault("bad_value", "a currency code of three letters, such as EUR")
    return parsed


def free_text(texts: Sequence[str], _mark: DecimalMark) -> Parsed:
    return Parsed([text.strip(BLANKS) or None for text in texts])


def machine_fact(kind: FactKind) -> Parser:
    """A parser of one fact of the machine. What cannot be read counts as not known, and is told: it costs no row."""

    def parse(texts: Sequence[str], _mark: DecimalMark) -> Parsed:
        plain = [_UNIT.sub("", text.strip(BLANKS)) if kind.unit else text.strip(BLANKS) for text in texts]
        parsed = Parsed([kind.read(text[:200]) if text else None for text in plain])
        strange = (text for text, value in zip(plain, parsed.values, strict=True) if text and value is None)
        if (first := next(strange, None)) is not None:
            parsed.remark = f"“{shown(first)}” cannot be read and counts as not known; allowed is {kind.allowed}."
        return parsed

    return parse


def service(texts: Sequence[str], mark: DecimalMark) -> Parsed:
    """Who owns the machines; a word that is none of Azure's services says nothing, and is told."""
    parsed = choice(words.SERVICES, "")(texts, mark)
    if first := next((texts[place] for place in parsed.faults), None):
        allowed = "vm, vmss, aks, batch or aml"
        parsed.remark = f"“{shown(first)}” cannot be read and counts as not known; allowed is {allowed}."
    parsed.faults.clear()
    return parsed


def is_deallocated(text: str) -> bool | None:
    """True for a state that means stopped and not billed for compute, False for any other, None when not understood."""
    key = squash(text[:100])
    if not key or key in words.ON:
        return False
    if key in words.OFF or any(part in key for part in words.DEALLOCATED):
        return True
    return False if any(part in key for part in words.ALIVE) else None


#: Every field with a value of its own and how its texts are read; size, region, state and name are read elsewhere.
PARSERS: dict[str, Parser] = {
    "count": count,
    "hours": hours,
    "hours_per_vm": hours,
    "os": operating_system,
    "price_model": choice(words.PRICE_MODELS, "payg, spot, ri_1y, ri_3y, sp_1y or sp_3y"),
    "pool": free_text,
    "workload": choice(words.WORKLOADS, "training, inference, hpc, graphics or dev"),
    "pattern": choice(words.PATTERNS, "burst or steady"),
    "shape": choice(words.SHAPES, "queue, stream or seat"),
    "precision": choice(words.PRECISIONS, "fp64, fp32, tf32, fp16, bf16, int8 or fp8"),
    "gpu_memory_gib": gpu_memory,
    "utilisation": utilisation,
    "multi_node": yes_no,
    "job_gpus": number(0.01, 1_000_000, "a number of GPUs above 0"),
    "interruptible": yes_no,
    "min_vms": number(0, COUNT_MAX, "a whole number of VMs, 0 or more", whole=True),
    "cost": cost,
    "currency": currency,
    "resource_group": free_text,
    "service": service,
    **{name: machine_fact(kind) for name, kind in KINDS.items()},
}
