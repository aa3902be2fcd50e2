"""Apps onto the GPUs of a device: GPU VM, whole GPU in Kubernetes, time sharing or MPS, and what each of them means."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from advisor.engine.edge.apps import App, Method
from advisor.engine.edge.devices import EdgeCatalogue, EdgeDevice, Remark
from advisor.engine.edge.sharing_time import Estimate, estimate
from advisor.engine.edge.smi_advice import client_limit, cuda_number
from advisor.engine.edge.want import Want, Wish, want

Hold = Literal["hard", "soft", "absent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Isolation:
    """What a way of sharing keeps apart. hard: kept by the machine; soft: can be passed; absent: not kept at all."""

    method: Method
    word: Literal["full", "whole card", "none named", "limited"]
    compute: Hold
    memory: Hold
    faults: Hold
    fact: str  # code of the statement


ISOLATION: dict[Method, Isolation] = {
    "vm": Isolation(method="vm", word="full", compute="hard", memory="hard", faults="hard", fact="share-vm"),
    "whole": Isolation(
        method="whole", word="whole card", compute="hard", memory="hard", faults="hard", fact="share-whole"
    ),
    "time": Isolation(
        method="time", word="none named", compute="absent", memory="absent", faults="absent", fact="share-time-memory"
    ),
    "mps": Isolation(method="mps", word="limited", compute="soft", memory="absent", faults="absent", fact="share-mps"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AppPlan:
    """An app on a card. `sms` is what its share means there, rounded down; None without a share."""

    app: App
    method: Method
    chosen: bool  # the method was chosen here, not asked for
    sms: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPlan:
    """One GPU. None where a figure is not known. `k8s_index` is its number inside Kubernetes, None in a VM."""

    index: int
    k8s_index: int | None
    method: Method | None  # None: nothing on it
    isolation: Isolation | None
    apps: tuple[AppPlan, ...]
    memory_mib: float | None
    memory_total_mib: float
    memory_fits: bool | None
    share_sum: float | None
    clients: int
    client_limit: int | None
    estimate: Estimate | None
    remarks: tuple[Remark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SharingPlan:
    """All GPUs of a device. `order` is the order of steps that gives the VMs and Kubernetes their GPUs."""

    device: EdgeDevice
    cards: tuple[CardPlan, ...]
    unplaced: tuple[tuple[App, str], ...]
    order: Want | None
    resets: tuple[Remark, ...]
    remarks: tuple[Remark, ...]

    @property
    def fits(self) -> bool | None:
        """False when an app has no place or memory does not fit; None when memory is not known."""
        found = {card.memory_fits for card in self.cards if card.apps}
        return False if self.unplaced or False in found else None if None in found else True


def plan_sharing(
    edge: EdgeCatalogue,
    device: EdgeDevice,
    apps: Sequence[App],
    software: str | None = None,
    cuda_version: str | None = None,
) -> SharingPlan:
    """Put `apps` on the GPUs of `device`: VMs first, then whole GPUs, then shared ones, the largest memory first."""
    wanted = [(app, app.method or choose(app), app.method is None) for app in apps]
    seats: list[list[AppPlan]] = [[] for _ in range(device.gpus)]
    unplaced: list[tuple[App, str]] = []
    for app, method, chosen in sorted(wanted, key=_rank):
        fitting = list(_places(edge, device, seats, app, method))
        if len(fitting) < app.gpus:
            unplaced.append((app, _no_place(device, method)))
            continue
        for index in fitting[: app.gpus]:
            seats[index].append(AppPlan(app=app, method=method, chosen=chosen, sms=sms_of(edge, device, app)))
    numbers = k8s_numbers(seats)
    cards = tuple(
        card_plan(edge, device, index, seat, cuda_version, numbers.get(index)) for index, seat in enumerate(seats)
    )
    return SharingPlan(
        device=device,
        cards=cards,
        unplaced=tuple(unplaced),
        order=_order(edge, device, cards, software),
        resets=tuple(_resets(edge, cards)),
        remarks=tuple(_remarks(edge, cards)),
    )


def k8s_numbers(seats: Sequence[Sequence[AppPlan]]) -> dict[int, int]:
    """Cards of the device as Kubernetes counts them: a card of a VM is not seen there."""
    seen = [index for index, seat in enumerate(seats) if all(entry.method != "vm" for entry in seat)]
    return {index: number for number, index in enumerate(seen)}


def choose(app: App) -> Method:
    """The way for an app that asks for none: apart if it does not trust the others, else by whether it has a share."""
    if not app.trusts:
        return "vm"
    if app.gpus > 1:
        return "whole"
    return "mps" if app.share_percent is not None else "time"


def _rank(wanted: tuple[App, Method, bool]) -> tuple[int, int, float]:
    app, method, _ = wanted
    return ("vm", "whole", "mps", "time").index(method), app.gpu is None, -(app.memory_mib or 0)


def _places(
    edge: EdgeCatalogue, device: EdgeDevice, seats: Sequence[Sequence[AppPlan]], app: App, method: Method
) -> Iterator[int]:
    """Cards that may take the app, the best first: of its own kind with room, empty, of the other shared kind."""
    options = [index for index in range(device.gpus) if app.gpu in (None, index)]
    if method in ("vm", "whole"):
        yield from (index for index in options if not seats[index])
        return
    shared = [index for index in options if all(seat.method in ("time", "mps") for seat in seats[index])]
    total = card_memory(edge, device)
    roomy = [i for i in shared if sum(s.app.memory_mib or 0 for s in seats[i]) + (app.memory_mib or 0) <= total]
    same = [index for index in shared if seats[index] and seats[index][0].method == method]
    empty = [index for index in shared if not seats[index]]
    order = [i for i in same if i in roomy] + [i for i in empty if i in roomy] + [i for i in shared if i in roomy]
    yield from dict.fromkeys([*order, *same, *empty, *shared])


def _no_place(device: EdgeDevice, method: Method) -> str:
    if not device.gpus:
        return "The device has no GPU."
    if method in ("vm", "whole"):
        return "It needs GPUs of its own, and not enough are left."
    return "All GPUs belong to VMs or whole to other apps."


def card_memory(edge: EdgeCatalogue, device: EdgeDevice) -> float:
    """MiB of one card as nvidia-smi prints it; 0 without a card."""
    return edge.figure(f"device-memory-{device.card.lower()}") if device.card else 0.0


def sms_of(edge: EdgeCatalogue, device: EdgeDevice, app: App) -> int | None:
    """SMs that the app's share is on this card, rounded down."""
    if app.share_percent is None or device.card is None:
        return None
    return math.floor(app.share_percent / 100 * edge.figure(f"device-sms-{device.card.lower()}") + 1e-9)


def card_plan(
    edge: EdgeCatalogue,
    device: EdgeDevice,
    index: int,
    seat: Sequence[AppPlan],
    cuda_version: str | None,
    k8s_index: int | None,
) -> CardPlan:
    """One card with what stands on it added up."""
    total = card_memory(edge, device)
    methods = {entry.method for entry in seat}
    method: Method | None = "mps" if "mps" in methods else seat[0].method if seat else None
    known = [entry.app.memory_mib for entry in seat if entry.app.memory_mib is not None]
    server = edge.figure("mps-clients-shown") if method == "mps" else 0
    memory = sum(known) + server if len(known) == len(seat) else None
    over = sum(known) + server > total
    given = [e.app.share_percent * e.app.replicas for e in seat if e.app.share_percent is not None and method == "mps"]
    card = CardPlan(
        index=index,
        k8s_index=k8s_index,
        method=method,
        isolation=ISOLATION[method] if method else None,
        apps=tuple(seat),
        memory_mib=memory if seat else 0.0,
        memory_total_mib=total,
        memory_fits=False if over else None if memory is None else True,
        share_sum=sum(given) if given else None,
        clients=sum(entry.app.processes * entry.app.replicas for entry in seat) if method == "mps" else 0,
        client_limit=client_limit(edge, cuda_version) if method == "mps" else None,
        estimate=estimate(edge, sum(e.app.replicas for e in seat)) if method == "mps" and len(seat) > 1 else None,
        remarks=(),
    )
    return replace(card, remarks=tuple(_card_remarks(edge, card, methods, cuda_version)))


def _card_remarks(
    edge: EdgeCatalogue, card: CardPlan, methods: set[Method], cuda_version: str | None
) -> Iterator[Remark]:
    if card.method is None or card.method in ("vm", "whole"):
        return
    if card.memory_fits is False:
        yield edge.remark("share-memory-sum", "error")
    elif card.memory_fits is None:
        message = "The memory of some apps is not known, so it is unknown whether the sum fits."
        yield edge.remark("share-memory-sum", "unknown", message)
    if len(card.apps) > 1 and not all(entry.app.trusts for entry in card.apps):
        message = "An app that does not trust the others shares this GPU: neither faults nor memory are kept apart."
        yield edge.remark("mps-fault" if card.method == "mps" else "share-time-memory", "error", message)
    if any(entry.app.gpus > 1 for entry in card.apps):
        yield edge.remark("share-both-gpus", "warning")
    if card.method == "time":
        yield edge.remark("share-time-memory", "warning")
        return
    yield from _mps_remarks(edge, card, methods, cuda_version)


def _mps_remarks(
    edge: EdgeCatalogue, card: CardPlan, methods: set[Method], cuda_version: str | None
) -> Iterator[Remark]:
    if "time" in methods:
        message = "Some apps have no share. With MPS on they run as its clients too, without a limit of their own."
        yield edge.remark("mps-exclusive", "warning", message)
    if card.share_sum is not None and card.share_sum > 100:
        message = (
            f"The shares add up to {card.share_sum:g} %. That is allowed: a share is an upper limit, "
            "not a reservation. When all are busy, each gets less."
        )
        yield edge.remark("mps-over-100", "warning", message)
    yield edge.remark("mps-cap")
    if any(entry.sms == 0 for entry in card.apps):
        message = "A share is smaller than one SM of this card; what the hardware makes of it is not stated."
        yield edge.remark("mps-rounding", "unknown", message)
    if card.client_limit is not None and card.clients > card.client_limit:
        message = f"{card.clients} processes are more than the {card.client_limit} clients that MPS takes."
        yield edge.remark("mps-clients", "error", message)
    if any(entry.app.processes > 1 for entry in card.apps):
        yield edge.remark("mps-per-process", "warning")
    yield edge.remark("mps-fault", "warning")
    version = cuda_number(cuda_version)
    yield edge.remark("mps-memory" if version is not None and version < 11.5 else "mps-memory-limit", "warning")


def _order(edge: EdgeCatalogue, device: EdgeDevice, cards: Sequence[CardPlan], software: str | None) -> Want | None:
    """The order that gives each VM its GPUs before Kubernetes takes the rest."""
    vms = {entry.app.name: entry.app.gpus for card in cards for entry in card.apps if entry.method == "vm"}
    pods = any(card.method in ("whole", "time", "mps") for card in cards)
    if not device.gpus or not (vms or pods):
        return None
    rest = device.gpus - sum(vms.values())
    each = next(iter(vms.values()), None) if len(set(vms.values())) < 2 else None
    return want(edge, device, Wish(vms=len(vms), k8s_gpus=rest if pods else None, vm_gpus=each), software)


def _resets(edge: EdgeCatalogue, cards: Sequence[CardPlan]) -> Iterator[Remark]:
    """What an update of the device undoes."""
    if any(card.method == "mps" for card in cards):
        yield edge.remark("mps-lost", "warning")
    if any(card.method in ("whole", "time", "mps") for card in cards):
        yield edge.remark("life-restart", "warning")


def _remarks(edge: EdgeCatalogue, cards: Sequence[CardPlan]) -> Iterator[Remark]:
    methods = {card.method for card in cards}
    if "mps" in methods:
        yield edge.remark("mps-preview")
    if {"mps", "time"} <= methods:
        message = (
            "MPS on one GPU and time sharing on another: nothing says that MPS can be turned on for one GPU alone."
        )
        yield edge.remark("plugin-kinds", "unknown", message)
    if "vm" in methods and methods & {"time", "mps"}:
        yield edge.remark("share-numbering")
    if "whole" in methods and methods & {"time", "mps"}:
        yield edge.remark("share-unseen", "warning")


def equal_shares(count: int, times: float = 1.0) -> float:
    """100/n percent each, or `times` as much (2: twice over-booked), at most 100."""
    return min(100.0, 100.0 / count * times) if count else 100.0
