"""What the machines do: the workload profile of a pool, its defaults and their reasons."""

from __future__ import annotations

import fnmatch
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

from advisor.engine.catalogue import Catalogue, Size
from advisor.engine.speed_work import NETWORKS as MODEL_NETWORKS
from advisor.engine.speed_work import RUNTIMES
from advisor.engine.vm_facts import NAMES as FACT_NAMES
from advisor.engine.vm_facts import NOTHING, BadFact, VmFacts, facts_of

Kind = Literal["training", "inference", "hpc", "graphics", "dev"]
Pattern = Literal["burst", "steady"]
Shape = Literal["queue", "stream", "seat"]
Precision = Literal["fp64", "fp32", "tf32", "fp16", "bf16", "int8", "fp8", "mixed"]
KINDS: tuple[Kind, ...] = get_args(Kind)
PATTERNS: tuple[Pattern, ...] = get_args(Pattern)
SHAPES: tuple[Shape, ...] = get_args(Shape)
#: Networks whose speeds differ, and large language models, which are apart: writing text, and reading the prompt.
LLM_KINDS: Mapping[str, str] = {"llm": "llm-decode", "llm-prefill": "llm-prefill"}
NETWORKS: tuple[str, ...] = (*MODEL_NETWORKS, *LLM_KINDS)
PRECISIONS: tuple[str, ...] = tuple(p for p in get_args(Precision) if p != "mixed")

#: What a kind of work looks like when nothing else is said, with the reason.
SHAPE_OF: Mapping[str, tuple[Shape, str]] = {
    "training": ("queue", "training jobs can wait and run one after another"),
    "hpc": ("queue", "HPC jobs can wait and run one after another"),
    "inference": ("stream", "online requests come when they come"),
    "graphics": ("seat", "a graphics VM serves one person"),
    "dev": ("seat", "a development VM serves one person"),
}
#: Series whose name says what they are sold for; all others are compute sizes, taken for training.
KIND_OF_SERIES: Mapping[str, tuple[Kind, str]] = {
    **dict.fromkeys(
        ("NV", "NV_Promo", "NVv2", "NVv3", "NVv4", "NVadsA10_v5", "NVads_V710_v5", "NGads_V620_v1"),
        ("graphics", "NV and NG sizes are sold for graphics and virtual desktops"),
    ),
    **dict.fromkeys(
        ("NCasT4_v3", "NCads_A10_v4", "NC_RTXPRO6000BSE_v6"),
        ("inference", "T4, A10 and RTX PRO sizes are sold for inference first"),
    ),
}
KIND_ELSE: tuple[Kind, str] = ("training", "NC and ND sizes are sold for compute; training is their commonest use")


class BadProfile(ValueError):
    """A profile rule or field that cannot be used; the message says which and what is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileFields:
    """What somebody said about the work; None where nothing was said. Shares run 0 to 1, memory is GiB per GPU."""

    workload: str | None = None
    pattern: str | None = None
    shape: str | None = None
    precision: str | None = None
    gpu_memory_gib: float | None = None
    utilisation: float | None = None
    multi_node: bool | None = None
    job_gpus: float | None = None
    interruptible: bool | None = None
    min_vms: float | None = None
    network: str | None = None
    batch: float | None = None  # items per request of inference, sequences at once of an LLM
    runtime: str | None = None

    def over(self, lower: ProfileFields) -> ProfileFields:
        """These fields where they say something, else those of `lower`."""
        merged = {f.name: getattr(self, f.name) for f in fields(self)}
        return ProfileFields(
            **{name: getattr(lower, name) if value is None else value for name, value in merged.items()}
        )


PROFILE_FIELDS: tuple[str, ...] = tuple(f.name for f in fields(ProfileFields))
#: Fields without a default: nothing is assumed where they are not said, and the range of the speed is wider.
REFINEMENTS = ("network", "batch", "runtime")
_CHOICES: Mapping[str, Sequence[str]] = {
    "workload": KINDS,
    "pattern": PATTERNS,
    "shape": SHAPES,
    "precision": PRECISIONS,
    "network": NETWORKS,
    "runtime": RUNTIMES,
}
_POSITIVE = ("gpu_memory_gib", "job_gpus", "min_vms", "batch")


def profile_fields(values: Mapping[str, Any]) -> ProfileFields:
    """Checked fields from plain values; utilisation as a share. Raises BadProfile naming field, value and choices."""
    for name, value in values.items():
        if name not in PROFILE_FIELDS:
            raise BadProfile(f"{name!r} is no profile field; there are: {', '.join(PROFILE_FIELDS)}")
        if value is None:
            continue
        if name in _CHOICES:
            if value not in _CHOICES[name]:
                raise BadProfile(f"{name} is {value!r}, allowed are: {', '.join(_CHOICES[name])}")
        elif name in ("multi_node", "interruptible"):
            if not isinstance(value, bool):
                raise BadProfile(f"{name} is {value!r}, allowed are true and false")
        else:
            _check_number(name, value)
    return ProfileFields(**values)


def _check_number(name: str, value: object) -> None:
    number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if not number or (name in _POSITIVE and value <= 0):  # type: ignore[operator]
        raise BadProfile(f"{name} is {value!r}, must be a number above 0")
    if name == "utilisation" and not 0 < value <= 1:  # type: ignore[operator]
        raise BadProfile(f"utilisation is {value!r}, must be a share above 0 and at most 1")


MATCH_KEYS = ("size", "region", "os", "name", "resource_group", "pool", "price_model", "service")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileRule:
    """Rows whose values match every pattern (shell wildcards, case folded) get the fields of `set`, and `facts`."""

    match: tuple[tuple[str, str], ...]
    set: ProfileFields
    facts: VmFacts = NOTHING

    def matches(self, row: Mapping[str, object], tags: Mapping[str, str]) -> bool:
        """True when every pattern matches; `size` matches with and without Standard_."""
        for key, pattern in self.match:
            value = tags.get(key[4:].casefold()) if key.startswith("tag:") else row.get(key)
            if not isinstance(value, str):
                return False
            names = [value, value.removeprefix("Standard_")] if key == "size" else [value]
            if not any(fnmatch.fnmatchcase(name.casefold(), pattern.casefold()) for name in names):
                return False
        return True


def profile_rules(document: object) -> tuple[ProfileRule, ...]:
    """Rules of a --profiles file, in its order; raises BadProfile saying which rule is wrong and how."""
    if not isinstance(document, list):
        raise BadProfile('a profiles file is a list of rules: [{"match": {...}, "set": {...}}]')
    rules = []
    for number, entry in enumerate(document, 1):
        try:
            rules.append(_rule(entry))
        except BadProfile as error:
            raise BadProfile(f"rule {number}: {error}") from error
    return tuple(rules)


def _rule(entry: object) -> ProfileRule:
    if not isinstance(entry, dict) or set(entry) != {"match", "set"}:
        raise BadProfile('needs exactly the keys "match" and "set"')
    match, values = entry["match"], entry["set"]
    if not isinstance(match, dict) or not isinstance(values, dict):
        raise BadProfile('"match" and "set" are objects')
    for key, pattern in match.items():
        if key not in MATCH_KEYS and not key.startswith("tag:"):
            raise BadProfile(f"cannot match on {key!r}; there are: {', '.join(MATCH_KEYS)} and tag:NAME")
        if not isinstance(pattern, str):
            raise BadProfile(f"the pattern of {key!r} must be text")
    try:
        facts = facts_of({name: value for name, value in values.items() if name in FACT_NAMES})
    except BadFact as error:
        raise BadProfile(str(error)) from error
    given = {name: value for name, value in values.items() if name not in FACT_NAMES}
    if isinstance(given.get("utilisation"), int | float) and not isinstance(given["utilisation"], bool):
        given["utilisation"] = given["utilisation"] / 100  # a percentage, as everywhere a person writes it
    return ProfileRule(match=tuple(match.items()), set=profile_fields(given), facts=facts)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadProfile:
    """The work of one pool, complete: what was said, and defaults for the rest.

    `assumed` names the fields with a default that nobody said; `why` gives the reason of each default in one sentence.
    """

    kind: str
    pattern: str
    shape: str
    precision: str
    gpu_memory_gib: float | None  # per GPU or slice; None: the present size's memory is unknown
    utilisation: float | None
    multi_node: bool
    job_gpus: float  # source GPUs that work as one
    min_vms: int
    interruptible: bool
    network: str | None = None  # this and the next two: None is not known, and the speed is the mean of what may be
    batch: float | None = None
    runtime: str | None = None
    assumed: frozenset[str] = field(default_factory=frozenset)
    why: str = ""


def complete(
    said: ProfileFields,
    *,
    size: Size | None,
    vms: int,
    hours_per_vm: float,
    steady_from_hours: float,
    catalogue: Catalogue,
    spot: bool = False,
) -> WorkloadProfile:
    """`said` with a default for every field that it leaves open, each with its reason (design 4.3 to 4.5).

    What runs as `spot` today can be interrupted, unless somebody says otherwise.
    """
    assumed = {name for name in PROFILE_FIELDS if getattr(said, name) is None and name not in REFINEMENTS}
    reasons: list[str] = []
    kind, reason = (said.workload, "") if said.workload else KIND_OF_SERIES.get(size.series if size else "", KIND_ELSE)
    reasons += [reason] if reason else []
    pattern = said.pattern or ("steady" if hours_per_vm >= steady_from_hours else "burst")
    if said.pattern is None:
        reasons.append(
            f"{hours_per_vm:.0f} h per VM and month is {'all month' if pattern == 'steady' else 'part time'}"
        )
    shape, reason = (said.shape, "") if said.shape else SHAPE_OF[kind]
    reasons += [reason] if reason else []
    precision, reason = (said.precision, "") if said.precision else default_precision(kind, size, catalogue)
    reasons += [reason] if reason else []
    memory = said.gpu_memory_gib
    if memory is None and size is not None:
        memory = memory_per_unit(size)
        if memory is not None:
            reasons.append(f"the present {'slice' if size.is_slice else 'GPU'} has {memory:g} GiB")
    units = gpu_units(size) if size else None
    multi_node = bool(said.multi_node)
    job_gpus = said.job_gpus or default_job_gpus(kind, multi_node, units or 1.0, vms)
    if units is not None and job_gpus > vms * units:
        job_gpus = vms * units
        reasons.append(f"a job has at most the {job_gpus:g} GPUs of the pool")
    if spot and said.interruptible is None:
        reasons.append("it runs as Spot today, so it can be interrupted")
    fewest = {"queue": 1, "stream": min(2, vms), "seat": vms}[shape]
    return WorkloadProfile(
        kind=kind,
        pattern=pattern,
        shape=shape,
        precision=precision,
        gpu_memory_gib=memory,
        utilisation=said.utilisation,
        multi_node=multi_node,
        job_gpus=job_gpus,
        min_vms=math.ceil(said.min_vms) if said.min_vms else fewest,
        interruptible=spot if said.interruptible is None else said.interruptible,
        network=said.network,
        batch=said.batch,
        runtime=said.runtime,
        assumed=frozenset(assumed),
        why="; ".join(reasons),
    )


def default_precision(kind: str, size: Size | None, catalogue: Catalogue) -> tuple[str, str]:
    """What the source GPU can do: fp32 without tensor cores, else fp16 for inference and mixed for training."""
    gpu = catalogue.gpus.get(size.gpu) if size and size.gpu else None
    if kind in ("hpc", "graphics", "dev"):
        return "fp32", "single precision, unless you say double"
    if gpu is None or gpu.fp16_tensor_tflops is None:
        return "fp32", "the present GPU has no tensor cores, so fp32"
    return ("fp16", "fp16 is usual for inference") if kind == "inference" else ("mixed", "mixed precision is usual")


def default_job_gpus(kind: str, multi_node: bool, units: float, vms: int) -> float:
    """Source GPUs that work as one: all of a VM for training and HPC, all of the pool when multi-node, else 1."""
    if multi_node:
        return vms * units
    return units if kind in ("training", "hpc") else 1.0


def gpu_units(size: Size) -> float | None:
    """GPUs of a VM as units of work: a slice is one unit whose speed is that of the slice. None: unknown."""
    return None if size.gpus is None else max(1.0, size.gpus)


def gpu_share(size: Size) -> float:
    """Share of a card that one unit has: 1 for whole GPUs, 1/6 for a sixth."""
    return min(1.0, size.gpus) if size.gpus is not None else 1.0


def memory_per_unit(size: Size) -> float | None:
    """GiB of GPU memory that one job on one GPU or slice sees. None: no size page says."""
    return size.gpu_memory_total_gib if size.is_slice else size.gpu_memory_gib
