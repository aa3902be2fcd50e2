"""The values of a runbook: steps in their order, with commands, what is lost, and another way where there is one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

Phase = Literal["prepare", "image", "move", "install", "finish"]
#: Phases in their order, with the words of a heading.
PHASES: dict[Phase, str] = {
    "prepare": "Before the move",
    "image": "Image and software",
    "move": "The move",
    "install": "On the new machines",
    "finish": "Afterwards",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """Lines for one shell: az (bash), powershell, or sh inside the guest. Values to fill in stand as variables."""

    tool: Literal["az", "powershell", "guest", "kubectl"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step: what to do and why; `rules` are the codes of the rules that ask for it."""

    code: str
    phase: Phase
    title: str
    text: str
    commands: tuple[Command, ...] = ()
    rules: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """Something that is gone after the move."""

    code: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """Another way to the same end, with when it is the better one."""

    code: str
    title: str
    when: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftwarePlan:
    """The driver and the CUDA toolkit for the target, by what is published; None where no source says."""

    driver_kind: str | None
    driver: str | None
    cuda: str | None
    note: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageSeen:
    """How one image gets on with the GPU of the target; `works` None: nobody said."""

    image: str
    gpu: str
    works: bool | None
    as_of: date | None
    note: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Runbook:
    """The path to one size: its steps in order, what is lost on it, and the other ways."""

    size: str
    region: str | None
    verdict: str
    path: str
    steps: tuple[Step, ...]
    lost: tuple[Loss, ...]
    other_ways: tuple[Way, ...]
    software: SoftwarePlan
    images: tuple[ImageSeen, ...]
    open_questions: int  # facts that could still change a step
    labour_cost: float | None  # work of the move with that on the image, once; in the currency of the advice
    overlap_cost: float | None  # old and new machines side by side, once
