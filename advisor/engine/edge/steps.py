"""An order of steps as text: `vm:NC8as_T4_v3>k8s` taken apart and checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.engine.edge.devices import EdgeCatalogue, EdgeSize

MAX_STEPS = 60  # more than a person plans; keeps the search for open ends short
WORDS = {
    "vm": "Create a GPU VM",
    "2vm": "Create two GPU VMs, one after the other",
    "vm2g": "Create a VM with two GPUs",
    "cpuvm": "Create a VM without a GPU",
    "k8s": "Set up Kubernetes",
    "rmk8s": "Remove Kubernetes",
    "delvm": "Delete the VM made last",
    "stopvm": "Stop the VM made last",
    "startvm": "Start the stopped VM made last",
}
SIZED = ("vm", "2vm", "vm2g")


class InvalidOrder(ValueError):
    """An order that cannot be read; the message says which step and what is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step: `gpus` is what each VM that it creates needs, `vms` how many it creates."""

    word: str
    size: EdgeSize | None = None
    gpus: int = 0
    vms: int = 0

    @property
    def text(self) -> str:
        return f"{self.word}:{self.size.short}" if self.size else self.word

    @property
    def label(self) -> str:
        return f"{WORDS[self.word]}, {self.size.short}" if self.size else WORDS[self.word]


def parse_order(edge: EdgeCatalogue, text: str) -> tuple[Step, ...]:
    """The steps of `text`, divided by >, commas or line ends; raises InvalidOrder or UnknownEdgeName."""
    parts = [part.strip() for part in text.replace(",", ">").replace("\n", ">").split(">")]
    if not any(parts):
        return ()
    if len(parts) > MAX_STEPS:
        raise InvalidOrder(f"The order has {len(parts)} steps; at most {MAX_STEPS} are planned at once.")
    return tuple(parse_step(edge, part, place) for place, part in enumerate(parts, 1))


def parse_step(edge: EdgeCatalogue, text: str, place: int = 1) -> Step:
    """One step; raises InvalidOrder or UnknownEdgeName."""
    word, colon, name = (part.strip() for part in text.partition(":"))
    word = word.lower()
    if word not in WORDS:
        raise InvalidOrder(f"Step {place}: {text[:40]!r} is no step; allowed are {', '.join(WORDS)}.")
    if colon and word not in SIZED:
        raise InvalidOrder(f"Step {place}: {word} takes no size; only {', '.join(SIZED)} do.")
    size = edge.size(name) if colon else None
    gpus = {"vm": 1, "2vm": 1, "vm2g": 2}.get(word, 0)
    if size and word == "vm2g" and size.max_gpus < gpus:
        raise InvalidOrder(f"Step {place}: {size.short} has {size.gpus} GPU; vm2g needs a size with two.")
    if size and word != "vm2g":
        gpus = size.gpus
    return Step(word=word, size=size, gpus=gpus, vms={"vm": 1, "2vm": 2, "vm2g": 1, "cpuvm": 1}.get(word, 0))


def join_order(steps: Sequence[Step]) -> str:
    return ">".join(step.text for step in steps)
