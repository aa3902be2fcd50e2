"""Ways out of an order that fails or is open: turn it round, or take Kubernetes away and set it up again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from advisor.engine.edge.steps import Step, join_order

if TYPE_CHECKING:
    from advisor.engine.edge.orders import Plan

REMOVE, SET_UP = Step(word="rmk8s"), Step(word="k8s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """One way out. reorder: nothing is built yet. rebuild: the first `done` steps of `plan` are carried out already."""

    kind: Literal["reorder", "rebuild"]
    done: int
    plan: Plan

    @property
    def todo(self) -> str:
        """The steps still to be carried out."""
        return join_order([result.step for result in self.plan.steps[self.done :]])

    @property
    def text(self) -> str:
        if self.kind == "reorder":
            return f"If nothing is built yet: {self.todo}"
        if self.done == 0:
            return f"Instead: {self.todo}"
        return f"After the first {self.done} steps: {self.todo}"


def repairs_of(steps: Sequence[Step], played: Plan, play: Callable[[Sequence[Step]], Plan]) -> tuple[Repair, ...]:
    """The ways out that were played through and work; empty when the order works or nothing can help."""
    bad = unmet(played)
    if not bad:
        return ()
    found: list[Repair] = []
    retried = {place for place, result in enumerate(played.steps) if not result.works} - set(bad)
    wanted = list(_wanted([step for place, step in enumerate(steps) if place not in retried]))
    turned = play(wanted)
    if turned.works and [step.text for step in wanted] != [step.text for step in steps]:
        found.append(Repair(kind="reorder", done=0, plan=turned))
    if not any(step.word == "k8s" for step in steps[: bad[-1]]):
        return tuple(found)
    for done, order in _rebuilds(steps, played, bad):
        rebuilt = play(order)
        if all(result.works for result in rebuilt.steps[done:]):
            found.append(Repair(kind="rebuild", done=done, plan=rebuilt))
            break
    return tuple(found)


def unmet(played: Plan) -> list[int]:
    """Places of the steps that need a GPU and did not surely get it, now or at a later try of the same step."""
    return [
        place
        for place, result in enumerate(played.steps)
        if not result.works
        and (result.step.gpus > 0 or result.step.word == "startvm")
        and not any(later.works and later.step.text == result.step.text for later in played.steps[place + 1 :])
    ]


def _wanted(steps: Sequence[Step]) -> Iterator[Step]:
    """The VMs that the order leaves, then Kubernetes if it ends with one; nothing is stopped or deleted."""
    vms: list[Step] = []
    for step in steps:
        if step.word == "delvm" and vms:
            last = vms.pop()
            if last.vms > 1:
                vms.append(replace(last, word="vm", vms=1))
        elif step.vms:
            vms.append(step)
    switches = [step.word for step in steps if step.word in ("k8s", "rmk8s")]
    yield from vms
    if switches and switches[-1] == "k8s":
        yield SET_UP


def _rebuilds(steps: Sequence[Step], played: Plan, bad: Sequence[int]) -> Iterator[tuple[int, list[Step]]]:
    """Orders that continue after the whole order, or before the first open step, and how much of each is done."""
    if "unknown" in played.steps[bad[0]].outcomes:
        rest = [step for step in steps[bad[0] :] if step.word not in ("k8s", "rmk8s")]
        yield bad[0], [*steps[: bad[0]], REMOVE, *rest, SET_UP]
        return
    failed = [
        replace(steps[place], word="vm", vms=1) if outcomes.count("fails") < len(outcomes) else steps[place]
        for place in bad
        if "fails" in (outcomes := played.steps[place].outcomes)
    ]
    on = played.steps[-1].k8s_on is not False
    again = [step for step in failed if step.word != "startvm"]
    yield len(steps), [*steps, *([REMOVE] if on else []), *again, SET_UP]
