"""The other way round: the shortest order of steps that gives so many GPU VMs and Kubernetes with so many GPUs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from advisor.engine.edge.devices import EdgeCatalogue, EdgeDevice, EdgeSize
from advisor.engine.edge.orders import Plan, advance, plan
from advisor.engine.edge.steps import Step
from advisor.engine.edge.worlds import Rules, Vm, World

MAX_NEW_STEPS = 8  # nothing on two GPUs needs more
NOTHING = "Nothing is to be done."
FOR_SURE = "This is the shortest order that gives it for sure."
#: Where the steps so far may or may not have set Kubernetes up: a person can see which.
REMOVE_IF_ON = (
    "No document says whether Kubernetes is on by now. Look first, and remove it only if it is; "
    "from there the order gives it for sure."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """`k8s_gpus`: exactly so many GPUs for Kubernetes; None: no Kubernetes. `vm_gpus`: None: as the order allows."""

    vms: int
    k8s_gpus: int | None
    vm_gpus: int | None = None  # GPUs of each VM
    size: EdgeSize | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Want:
    """The answer. `plan` plays the whole order, `done` steps of which were there already; None: no order gives it.

    `instead` are wishes near to it that can be met, each with its order.
    """

    wish: Wish
    possible: bool
    why: str
    plan: Plan | None
    done: int
    instead: tuple[tuple[Wish, Plan], ...]


def want(
    edge: EdgeCatalogue,
    device: EdgeDevice,
    wish: Wish,
    software: str | None = None,
    start: Sequence[Step] = (),
) -> Want:
    """The shortest order that surely gives `wish` after the steps of `start`, or why there is none."""
    order = shortest(edge, device, wish, software, start)
    if order is not None:
        played = plan(edge, device, [*start, *order], software)
        new = played.steps[len(start) :]
        why = NOTHING if not new else FOR_SURE if all(step.works for step in new) else REMOVE_IF_ON
        return Want(wish=wish, possible=True, why=why, plan=played, done=len(start), instead=())
    instead = []
    for near in nearest(wish, device.gpus):
        found = shortest(edge, device, near, software, start)
        if found is not None:
            instead.append((near, plan(edge, device, [*start, *found], software)))
    why = reason(edge, device, wish, start)
    return Want(wish=wish, possible=False, why=why, plan=None, done=len(start), instead=tuple(instead[:3]))


def shortest(
    edge: EdgeCatalogue, device: EdgeDevice, wish: Wish, software: str | None, start: Sequence[Step]
) -> list[Step] | None:
    """Breadth first over states that the documents leave no doubt about; None when none of them meets the wish."""
    if wish.vms > device.gpus:
        return None  # each VM needs a GPU of its own
    rules = Rules(edge, device, software)
    states = after(rules, start)
    if len(states) != 1:
        return _from_doubt(rules, wish, states)
    queue: list[tuple[World, list[Step]]] = [(states[0], [])]
    return _search(rules, wish, queue)


def after(rules: Rules, steps: Sequence[Step]) -> tuple[World, ...]:
    """The worlds that `start` leaves."""
    worlds: tuple[World, ...] = (World(),)
    for place, step in enumerate(steps):
        names = [f"VM {place}.{number}" for number in range(step.vms)]
        worlds = advance(rules, worlds, step, names)[2]
    return worlds


def _from_doubt(rules: Rules, wish: Wish, states: tuple[World, ...]) -> list[Step] | None:
    """From an open state only the removal of Kubernetes leads back to a known one, whether it was on or not."""
    step = Step(word="rmk8s")
    cleared = {result.world for world in states for result in rules.apply(world, step.word)}
    if len(cleared) != 1:
        return None
    found = _search(rules, wish, [(cleared.pop(), [])])
    return None if found is None else [step, *found]


def _search(rules: Rules, wish: Wish, queue: list[tuple[World, list[Step]]]) -> list[Step] | None:
    seen = {nameless(world) for world, _ in queue}
    for world, order in queue:  # grows while it is walked
        if meets(world, wish):
            return order
        if len(order) >= MAX_NEW_STEPS:
            continue
        for step, vm in choices(rules, wish, f"new {len(order)}"):
            results = list(rules.apply(world, "create" if vm else step.word, vm))
            if len(results) == 1 and results[0].works and nameless(results[0].world) not in seen:
                seen.add(nameless(results[0].world))
                queue.append((results[0].world, [*order, step]))
    return None


def choices(rules: Rules, wish: Wish, name: str) -> Iterator[tuple[Step, Vm | None]]:
    """The steps to try, the plainest first."""
    sizes = [wish.vm_gpus] if wish.vm_gpus else [1, 2]
    if wish.size:
        sizes = [wish.vm_gpus or wish.size.gpus]
    for gpus in sizes:
        if gpus <= rules.device.gpus:
            step = Step(word="vm" if gpus == 1 else "vm2g", size=wish.size, gpus=gpus, vms=1)
            yield step, Vm(name=name, gpus=gpus, size=wish.size)
    for word in ("k8s", "delvm", "rmk8s"):
        yield Step(word=word), None


def nameless(world: World) -> World:
    """The state without names: two VMs alike are one for the search."""
    return replace(world, vms=tuple(replace(vm, name="") for vm in world.vms))


def meets(world: World, wish: Wish) -> bool:
    mine = [vm for vm in world.vms if vm.slots and vm.running]
    if len(mine) != wish.vms or (wish.vm_gpus and any(len(vm.slots) != wish.vm_gpus for vm in mine)):
        return False
    if wish.size and any(vm.size != wish.size for vm in mine):
        return False
    if wish.k8s_gpus is None:
        return not world.k8s_on
    return world.k8s_on and len(world.k8s_slots) == wish.k8s_gpus


def nearest(wish: Wish, total: int) -> list[Wish]:
    """Wishes of the same kind, the nearest first."""
    others = [
        replace(wish, vms=vms, k8s_gpus=gpus)
        for vms in range(total + 1)
        for gpus in ([None] if wish.k8s_gpus is None else range(total + 1))
    ]
    asked = wish.k8s_gpus or 0
    return sorted(others, key=lambda w: (abs(w.vms - wish.vms) + abs((w.k8s_gpus or 0) - asked), -w.vms))


def reason(edge: EdgeCatalogue, device: EdgeDevice, wish: Wish, start: Sequence[Step]) -> str:
    """Why no order gives the wish, in one sentence."""
    each = wish.vm_gpus or (wish.size.gpus if wish.size else 1)
    needed = wish.vms * each + (wish.k8s_gpus or 0)
    if needed > device.gpus:
        return f"That needs {needed} GPUs and the device has {device.gpus}; a GPU has one owner."
    if wish.size and wish.size.card != device.card and wish.vms:
        return f"{wish.size.short} is made for {wish.size.card}; this device has {device.card or 'no GPU'}."
    if wish.size and wish.vms and device.usable_vcpus is not None and device.usable_memory_gib is not None:
        vcpus, memory = wish.size.vcpus * wish.vms, wish.size.memory_gib * wish.vms
        if vcpus > device.usable_vcpus or memory > device.usable_memory_gib:
            return (
                f"The VMs need {vcpus} vCPU and {memory:g} GiB; "
                f"the device offers {device.usable_vcpus} and {device.usable_memory_gib:g}."
            )
    if wish.k8s_gpus is not None and needed < device.gpus:
        return (
            f"Kubernetes takes every GPU that is free: with {wish.vms} in VMs it would have "
            f"{device.gpus - wish.vms * each}, not {wish.k8s_gpus}."
        )
    if start:
        return "What is there already leaves a question open that no document answers, or no step leads there."
    return "No order of steps gives that for sure."
