"""What one step does to a device: every state that the documents leave possible, followed at once.

A World is one fully known state. Where no document says what happens, a step leads into several worlds; what all of
them agree on is known, the rest is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from advisor.engine.edge.devices import EdgeCatalogue, EdgeDevice, EdgeSize
from advisor.engine.edge.room import kubernetes_needs
from advisor.engine.edge.steps import InvalidOrder

MAX_WORLDS = 400  # states followed at once; an order with more open questions is not planned


@dataclass(frozen=True, slots=True, kw_only=True)
class Vm:
    """A VM as created; `slots` are the GPUs that are its own now."""

    name: str
    gpus: int
    size: EdgeSize | None
    running: bool = True
    slots: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """One state of the device; `open` once a step had no documented end."""

    vms: tuple[Vm, ...] = ()
    k8s_on: bool = False
    k8s_slots: tuple[int, ...] = ()

    def free(self, total: int) -> tuple[int, ...]:
        held = {*self.k8s_slots, *(slot for vm in self.vms for slot in vm.slots)}
        return tuple(slot for slot in range(total) if slot not in held)

    def holder(self, slot: int) -> tuple[str, str]:
        """Who has a GPU: ("vm", name), ("k8s", "") or ("free", "")."""
        if slot in self.k8s_slots:
            return "k8s", ""
        owner = next((vm.name for vm in self.vms if slot in vm.slots), None)
        return ("vm", owner) if owner else ("free", "")

    def with_vm(self, old: Vm, new: Vm | None) -> World:
        vms = tuple(new if vm is old else vm for vm in self.vms)
        return replace(self, vms=tuple(vm for vm in vms if vm is not None))


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One way a step can end: whether it worked, the statement behind it, the sentence, and the world after it."""

    works: bool
    code: str
    message: str
    world: World


class Rules:
    """The rules of the device for one device and one release of its software (None: not said)."""

    def __init__(self, edge: EdgeCatalogue, device: EdgeDevice, software: str | None) -> None:
        self.edge, self.device, self.software = edge, device, software

    def apply(self, world: World, action: str, vm: Vm | None = None) -> Iterator[Result]:
        """Every documented end of one action in one world, or all possible ones where none is documented."""
        if action == "create" and vm:
            return self.create(world, vm)
        deed = {"k8s": self.set_up, "rmk8s": self.remove, "delvm": self.delete, "stopvm": self.stop}
        return deed.get(action, self.start)(world)

    def create(self, world: World, vm: Vm) -> Iterator[Result]:
        if refused := self.refusal(world, vm):
            yield Result(works=False, code=refused[0], message=refused[1], world=world)
            return
        if vm.gpus == 0:
            message = "A VM without a GPU needs no GPU; only vCPU and memory count."
            yield Result(works=True, code="order-cpu-vm", message=message, world=replace(world, vms=(*world.vms, vm)))
            return
        slots = world.free(self.device.gpus)[: vm.gpus]
        made = replace(world, vms=(*world.vms, replace(vm, slots=slots)))
        if world.k8s_on:  # a GPU is free only where one was released after Kubernetes
            message = (
                "No document says whether a GPU VM can follow one removed while Kubernetes is on. Plan for failure."
            )
            for works, after in ((True, made), (False, world)):
                yield Result(works=works, code="order-vm-replacement", message=message, world=after)
            return
        message = (
            "Both GPUs go to the VM, whole and for itself."
            if vm.gpus > 1
            else "One GPU goes to the VM, whole and for itself."
        )
        yield Result(works=True, code="order-vm-free", message=message, world=made)

    def refusal(self, world: World, vm: Vm) -> tuple[str, str] | None:
        """Statement and sentence why the VM cannot be created; None when nothing stands against it."""
        total, free = self.device.gpus, len(world.free(self.device.gpus))
        limit = int(self.edge.figure("device-max-vms"))
        if len(world.vms) >= limit:
            return "device-max-vms", f"The device already has {limit} VMs, which is the most it takes."
        if vm.gpus == 0:
            return None
        if total == 0:
            return "order-vm-no-gpu", "A GPU VM needs a free GPU, and the device has none."
        if vm.size and vm.size.card != self.device.card:
            return "size-card", f"{vm.size.short} is made for {vm.size.card}; this device has {self.device.card}."
        if vm.size and vm.size.since_release and self.software and self.software < vm.size.since_release:
            return (
                "size-custom",
                f"{vm.size.short} came with {vm.size.since_release}; the device has {self.software}.",
            )
        if vm.gpus > total:
            return "order-two-gpu-size", f"The VM needs {vm.gpus} GPUs and the device has {total}."
        if world.k8s_on and free < vm.gpus:
            return (
                "order-vm-after-k8s",
                "A GPU VM works only before Kubernetes is set up, which took every GPU that was free. Nothing changes.",
            )
        if free < vm.gpus:
            return (
                "order-vm-no-gpu",
                f"The VM needs {vm.gpus} of {total} GPUs, and {free} are free. Nothing changes.",
            )
        return self.no_room(world, vm)

    def no_room(self, world: World, vm: Vm) -> tuple[str, str] | None:
        """Named sizes only: where vCPU or memory is not enough beside the other VMs that run."""
        if not vm.size or self.device.usable_vcpus is None or self.device.usable_memory_gib is None:
            return None
        vcpus, memory = used(world)
        left, left_gib = self.device.usable_vcpus - vcpus, self.device.usable_memory_gib - memory
        if vm.size.vcpus <= left and vm.size.memory_gib <= left_gib:
            return None
        return (
            "room-memory-limits",
            f"{vm.size.short} needs {vm.size.vcpus} vCPU and {vm.size.memory_gib:g} GiB; "
            f"{left} vCPU and {left_gib:g} GiB are left. Nothing changes.",
        )

    def set_up(self, world: World) -> Iterator[Result]:
        if world.k8s_on:
            message = "Kubernetes is set up already. Nothing changes."
            yield Result(works=False, code="order-k8s-twice", message=message, world=world)
            return
        since = self.edge.facts["order-k8s-since"].since_release
        if self.software and since and self.software < since:
            message = f"A cluster can only be created on release {since} or later; the device has {self.software}."
            yield Result(works=False, code="order-k8s-since", message=message, world=world)
            return
        slots = world.free(self.device.gpus)
        message = {
            0: "It never fails for lack of a GPU; none is free, so it has none.",
            1: "It never fails for lack of a GPU; it takes the one that is free.",
        }.get(len(slots), "It never fails for lack of a GPU; it takes every one that is free.")
        done = replace(world, k8s_on=True, k8s_slots=slots)
        if self.kubernetes_fits(world):
            yield Result(works=True, code="order-k8s", message=message, world=done)
            return
        message = self.edge.facts["order-k8s-room"].text
        yield Result(works=True, code="order-k8s-room", message=message, world=done)
        yield Result(works=False, code="order-k8s-room", message=message, world=world)

    def kubernetes_fits(self, world: World) -> bool:
        """By every stated size of its VMs; also where vCPU or memory is not known."""
        if self.device.usable_vcpus is None or self.device.usable_memory_gib is None:
            return True
        vcpus, memory = used(world)
        if not vcpus:
            return True  # the device alone is made for it
        needs = kubernetes_needs(self.edge, self.device)
        return all(
            need.vcpus <= self.device.usable_vcpus - vcpus and need.memory_gib <= self.device.usable_memory_gib - memory
            for need in needs
        )

    def remove(self, world: World) -> Iterator[Result]:
        if not world.k8s_on:
            yield Result(works=False, code="order-nothing", message="There is no Kubernetes to remove.", world=world)
            return
        vms = tuple(vm if vm.running else replace(vm, slots=()) for vm in world.vms)
        message = (
            "Deletes the cluster and all in it, for good. That its GPUs are then free is derived: no document says it."
        )
        yield Result(works=True, code="order-rmk8s", message=message, world=World(vms=vms))

    def delete(self, world: World) -> Iterator[Result]:
        if not world.vms:
            yield Result(works=False, code="order-nothing", message="There is no VM to delete.", world=world)
            return
        vm = world.vms[-1]
        gone = world.with_vm(vm, None)
        if not vm.slots:
            yield Result(works=True, code="order-release", message="The VM holds no GPU; nothing is freed.", world=gone)
        elif not world.k8s_on:
            yield Result(works=True, code="order-release", message="The GPUs of the VM are free again.", world=gone)
        else:
            yield from self.released(vm, gone)

    def stop(self, world: World) -> Iterator[Result]:
        vm = next((vm for vm in reversed(world.vms) if vm.running), None)
        if vm is None:
            yield Result(works=False, code="order-nothing", message="There is no running VM to stop.", world=world)
            return
        gone = world.with_vm(vm, replace(vm, running=False, slots=()))
        if not vm.slots:
            yield Result(works=True, code="order-release", message="The VM holds no GPU; nothing is freed.", world=gone)
        elif not world.k8s_on:
            yield Result(works=True, code="order-release", message="The GPUs of the VM are free again.", world=gone)
        else:
            kept = world.with_vm(vm, replace(vm, running=False))
            yield from (*self.released(vm, gone), replace(next(self.released(vm, gone)), world=kept))

    def released(self, vm: Vm, gone: World) -> Iterator[Result]:
        """Kubernetes is on: the GPUs of `vm` are free, or Kubernetes takes them; no document says which."""
        message = "Kubernetes is on: no document says where the GPU goes. It may be free, or Kubernetes may take it."
        taken = replace(gone, k8s_slots=tuple(sorted((*gone.k8s_slots, *vm.slots))))
        for world in (gone, taken):
            yield Result(works=True, code="order-release-k8s", message=message, world=world)

    def start(self, world: World) -> Iterator[Result]:
        vm = next((vm for vm in reversed(world.vms) if not vm.running), None)
        if vm is None:
            yield Result(works=False, code="order-nothing", message="There is no stopped VM to start.", world=world)
            return
        free = world.free(self.device.gpus)
        slots = vm.slots or free[: vm.gpus]
        up = world.with_vm(vm, replace(vm, running=True, slots=slots))
        if vm.slots or vm.gpus == 0:
            yield Result(works=True, code="order-start", message="The VM has what it needs and runs again.", world=up)
        elif len(free) < vm.gpus:
            message = "A stopped VM needs its GPUs free again, and they are taken. Nothing changes."
            yield Result(works=False, code="order-start", message=message, world=world)
        elif world.k8s_on:
            message = (
                "Kubernetes may have taken the GPU (old software; later documents call it fixed). Plan for failure."
            )
            for works, after in ((True, up), (False, world)):
                yield Result(works=works, code="order-start-k8s", message=message, world=after)
        else:
            yield Result(works=True, code="order-start", message="A GPU is free, so the VM runs again.", world=up)


def used(world: World) -> tuple[int, float]:
    """vCPU and memory of the running VMs whose size is named."""
    sizes = [vm.size for vm in world.vms if vm.size and vm.running]
    return sum(size.vcpus for size in sizes), sum(size.memory_gib for size in sizes)


def merged(worlds: Iterable[World]) -> tuple[World, ...]:
    """Each world once, in the order of their coming; raises InvalidOrder when they are too many to follow."""
    kept = tuple(dict.fromkeys(worlds))
    if len(kept) > MAX_WORLDS:
        raise InvalidOrder("The order leaves too many questions open to be followed; plan a shorter one.")
    return kept
