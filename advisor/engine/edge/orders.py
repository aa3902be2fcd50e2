"""The order simulation: who holds which GPU after each step, what fails, what is open, and the repair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from advisor.engine.edge.devices import EdgeCatalogue, EdgeConflict, EdgeDevice, Remark
from advisor.engine.edge.repair import Repair, repairs_of, unmet
from advisor.engine.edge.steps import Step, join_order
from advisor.engine.edge.worlds import Result, Rules, Vm, World, merged

Outcome = Literal["succeeds", "fails", "unknown"]
Certainty = Literal["yes", "likely", "no"]
HolderKind = Literal["vm", "k8s", "free", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One GPU after a step. `name` is the VM's; `maybe` lists who may hold it when that is unknown."""

    index: int
    kind: HolderKind
    name: str = ""
    maybe: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """How many GPUs who holds; None where no document gives it."""

    vm_gpus: int | None
    k8s_gpus: int | None
    free_gpus: int | None
    slots: tuple[Slot, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """What one step gave. `outcomes` has one entry, or two for 2vm; `basis` is that of the statement behind it."""

    step: Step
    outcomes: tuple[Outcome, ...]
    why: str
    code: str
    basis: str
    certain: Certainty
    held: Held
    k8s_on: bool | None
    vms: tuple[str, ...]  # names of the VMs that certainly exist
    source: str
    as_of: date

    @property
    def outcome(self) -> str:
        return "+".join(self.outcomes)

    @property
    def works(self) -> bool:
        return set(self.outcomes) == {"succeeds"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """An order played through. `certain` is yes, likely (rests on a derived rule) or no (an open question in it)."""

    device: EdgeDevice
    software: str | None
    steps: tuple[StepResult, ...]
    start: Held
    end: Held
    certain: Certainty
    warnings: tuple[Remark, ...]
    conflicts: tuple[EdgeConflict, ...]
    repairs: tuple[Repair, ...] = ()

    @property
    def sequence(self) -> str:
        return join_order([result.step for result in self.steps])

    @property
    def works(self) -> bool:
        return all(result.works for result in self.steps)

    @property
    def outcome(self) -> Outcome:
        """Of the whole order: fails when any step does, else unknown when any is."""
        found = {outcome for result in self.steps for outcome in result.outcomes}
        return "fails" if "fails" in found else "unknown" if "unknown" in found else "succeeds"


def plan(
    edge: EdgeCatalogue, device: EdgeDevice, steps: Sequence[Step], software: str | None = None, nodes: int = 1
) -> Plan:
    """Play `steps` through on an empty device, with warnings and, where a step fails or is open, the ways out.

    VMs without a named size are taken to find enough vCPU and memory. Raises InvalidOrder for an order that leaves
    too many questions open.
    """
    played = play(edge, device, steps, software)
    repairs = repairs_of([r.step for r in played.steps], played, lambda order: play(edge, device, order, software))
    return replace(played, repairs=repairs, warnings=tuple(warnings_of(edge, played, repairs, nodes)))


def play(edge: EdgeCatalogue, device: EdgeDevice, steps: Sequence[Step], software: str | None) -> Plan:
    """The steps alone, without warnings and repairs."""
    rules = Rules(edge, device, software)
    worlds: tuple[World, ...] = (World(),)
    results: list[StepResult] = []
    made, derived, opened = 0, False, False
    for step in steps:
        names = [f"VM {made + number}" for number in range(1, step.vms + 1)]
        made += step.vms
        outcomes, ways, worlds = advance(rules, worlds, step, names)
        derived = derived or step.word == "rmk8s"
        opened = opened or len(worlds) > 1 or "unknown" in outcomes
        certain: Certainty = "no" if opened else "likely" if derived else "yes"
        results.append(_result(edge, step, outcomes, ways, worlds, device.gpus, certain))
    start = held_in((World(),), device.gpus)
    return Plan(
        device=device,
        software=software,
        steps=tuple(results),
        start=start,
        end=results[-1].held if results else start,
        certain=results[-1].certain if results else "yes",
        warnings=(),
        conflicts=tuple(conflicts_of(edge, steps)),
    )


def advance(
    rules: Rules, worlds: tuple[World, ...], step: Step, names: Sequence[str]
) -> tuple[tuple[Outcome, ...], list[Result], tuple[World, ...]]:
    """Outcomes of a step over all worlds, all ways in which it can end, and the worlds after it."""
    outcomes: list[Outcome] = []
    ways: list[Result] = []
    vms: list[Vm | None] = [Vm(name=name, gpus=step.gpus, size=step.size) for name in names]
    for vm in vms if names else [None]:
        action = "create" if vm else step.word
        found = [result for world in worlds for result in rules.apply(world, action, vm)]
        worlds = merged(result.world for result in found)
        outcomes.append(_outcome(found))
        ways.extend(found)
    return tuple(outcomes), ways, worlds


def _outcome(results: Iterable[Result]) -> Outcome:
    works = {result.works for result in results}
    return "unknown" if len(works) > 1 else "succeeds" if works == {True} else "fails"


def _result(
    edge: EdgeCatalogue,
    step: Step,
    outcomes: tuple[Outcome, ...],
    ways: Sequence[Result],
    worlds: tuple[World, ...],
    total: int,
    certain: Certainty,
) -> StepResult:
    """The way that tells most: an open question, else a failure, else the first."""
    telling = min(ways, key=lambda way: (edge.facts[way.code].basis != "open", way.works))
    fact, switched = edge.facts[telling.code], {world.k8s_on for world in worlds}
    known = [{vm.name for vm in world.vms} for world in worlds]
    return StepResult(
        step=step,
        outcomes=outcomes,
        why=telling.message,
        code=telling.code,
        basis=fact.basis,
        certain=certain,
        held=held_in(worlds, total),
        k8s_on=switched.pop() if len(switched) == 1 else None,
        vms=tuple(sorted(set.intersection(*known))),
        source=fact.source,
        as_of=fact.as_of,
    )


def held_in(worlds: Sequence[World], total: int) -> Held:
    """What all worlds agree on."""

    def agreed(counts: set[int]) -> int | None:
        return counts.pop() if len(counts) == 1 else None

    slots = tuple(_slot(index, {world.holder(index) for world in worlds}) for index in range(total))
    return Held(
        vm_gpus=agreed({sum(len(vm.slots) for vm in world.vms) for world in worlds}),
        k8s_gpus=agreed({len(world.k8s_slots) for world in worlds}),
        free_gpus=agreed({len(world.free(total)) for world in worlds}),
        slots=slots,
    )


def _slot(index: int, holders: set[tuple[str, str]]) -> Slot:
    if len(holders) > 1:
        names = {"k8s": "Kubernetes", "free": "free"}
        return Slot(index=index, kind="unknown", maybe=tuple(sorted(names.get(kind, name) for kind, name in holders)))
    kind, name = next(iter(holders))
    return Slot(index=index, kind=kind, name=name)  # type: ignore[arg-type]


def conflicts_of(edge: EdgeCatalogue, steps: Sequence[Step]) -> Iterator[EdgeConflict]:
    """The disagreements of sources that this order touches."""
    words = [step.word for step in steps]
    after = words[words.index("k8s") :] if "k8s" in words else []
    touched = set()
    if after and sum(step.vms for step in steps if step.gpus) > 1:
        touched.add("order-two-vms")
    if {"delvm", "stopvm", "startvm"} & set(after):
        touched.add("stop-with-k8s")
    if any(step.gpus > 1 for step in steps):
        touched.add("one-vm-per-gpu")
    return (conflict for conflict in edge.conflicts if conflict.code in touched)


def warnings_of(edge: EdgeCatalogue, played: Plan, repairs: Sequence[Repair], nodes: int) -> Iterator[Remark]:
    """What a person should know before the order is carried out; open questions first."""
    steps = played.steps
    for code in dict.fromkeys(result.code for result in steps if result.basis == "open"):
        yield edge.remark(code, "unknown")
    if any(result.code == "order-vm-after-k8s" for result in steps):
        yield edge.remark("order-all-vms-first", "warning")
    if any(result.step.word == "rmk8s" for result in (*steps, *(s for r in repairs for s in r.plan.steps))):
        yield edge.remark("order-back-up", "warning")
    if unmet(played) and not repairs:
        yield edge.remark("order-one-owner", "warning")
    if steps and steps[-1].k8s_on and any(slot.kind == "vm" for slot in played.end.slots):
        yield edge.remark("order-stop-risk", "warning")
    if nodes > 1:
        yield from (edge.remark(code, "unknown") for code in ("cluster-order", "cluster-failover"))
        yield edge.remark("cluster-no-updates", "warning")
    if any(result.step.gpus and result.step.size is None for result in steps):
        message = "No size is named for some VMs: vCPU and memory are taken as sufficient and were not checked."
        yield edge.remark("room-memory-limits", "note", message)
