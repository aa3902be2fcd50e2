"""What to do about an nvidia-smi output, and what changed between two."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from advisor.engine.edge.devices import EdgeCatalogue, Remark
from advisor.engine.edge.smi import SmiGpu, SmiReading

IDLE_USE_PERCENT = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuAdvice:
    """A remark on one GPU; `gpu` None: on the whole."""

    gpu: SmiGpu | None
    remark: Remark


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuChange:
    """One GPU in two outputs, matched by node, place of its table and index; None where it is in one only."""

    before: SmiGpu | None
    after: SmiGpu | None
    memory_mib: float | None
    utilisation_points: float | None
    processes: int | None
    driver_changed: bool
    mps_changed: bool


def advise_smi(edge: EdgeCatalogue, reading: SmiReading, mps_planned: bool = False) -> tuple[GpuAdvice, ...]:
    """Advice on every GPU; one output is one moment, which each remark on use says."""
    found = [GpuAdvice(gpu=gpu, remark=remark) for gpu in reading.gpus for remark in _remarks(edge, gpu, mps_planned)]
    if reading.gpus:
        found.append(GpuAdvice(gpu=None, remark=edge.remark("smi-who")))
    return tuple(found)


def _remarks(edge: EdgeCatalogue, gpu: SmiGpu, mps_planned: bool) -> Iterator[Remark]:
    where = f"GPU {gpu.index}" + (f" of {gpu.node}" if gpu.node else "")
    if gpu.utilisation_percent == IDLE_USE_PERCENT and not gpu.processes:
        message = f"{where} was idle at this moment: 0 % use and no process. Look again before you take it away."
        yield edge.remark("smi-idle", "note", message)
    if gpu.memory_share is not None and gpu.memory_share >= edge.figure("smi-full"):
        message = (
            f"The memory of {where} is nearly full: {gpu.memory_used_mib:,.0f} of {gpu.memory_total_mib:,.0f} MiB. "
            "One more app, or a larger batch, may fail."
        )
        yield edge.remark("smi-full", "warning", message)
    if mps_planned and gpu.mps_state != "on":
        state = "does not show" if gpu.mps_state == "off" else "may be on, but neither server nor client shows"
        message = f"MPS {state} on {where} although it is planned. It is off after every update: Start-HcsGpuMPS."
        yield edge.remark("mps-lost", "warning", message)
    if gpu.utilisation_text and gpu.utilisation_text.upper().startswith("ERR"):
        message = f"{where} prints ERR! for its use: the GPU or its driver is in a fault."
        yield edge.remark("smi-error", "error", message)
    yield from _too_old(edge, gpu, where, mps_planned)


def _too_old(edge: EdgeCatalogue, gpu: SmiGpu, where: str, mps_planned: bool) -> Iterator[Remark]:
    """Features that the printed CUDA version is too old for."""
    version = cuda_number(gpu.cuda_version)
    if version is None or not (mps_planned or gpu.mps):
        return
    if version < edge.figure("mps-memory-limit"):
        message = (
            f"{where} has CUDA {gpu.cuda_version}: CUDA_MPS_PINNED_DEVICE_MEM_LIMIT needs 11.4 or 11.5 "
            "(sources differ), so nothing limits the memory of one app."
        )
        yield edge.remark("mps-memory-limit", "warning", message)
    limit = client_limit(edge, gpu.cuda_version)
    clients = sum(process.kind.startswith("M") for process in gpu.processes)
    if clients >= limit:
        message = f"{where} has {clients} MPS clients; at most {limit} are possible."
        yield edge.remark("mps-clients", "warning", message)


def client_limit(edge: EdgeCatalogue, cuda_version: str | None) -> int:
    """MPS clients per GPU on a T4 or A2; unknown CUDA counts as older than 13.1."""
    version = cuda_number(cuda_version)
    new = version is not None and version >= edge.figure("mps-static")
    return int(edge.figure("mps-clients-new" if new else "mps-clients"))


def cuda_number(version: str | None) -> float | None:
    """11.2 as a number that orders as versions of two parts do (no minor version of CUDA reaches 10)."""
    found = re.match(r"^(\d{1,3})\.(\d)\b", version or "")
    return float(found.group()) if found else None


def compare(before: SmiReading, after: SmiReading) -> tuple[GpuChange, ...]:
    """Each GPU of either output, in the order of the second, those that are gone at the end."""
    named = all(node is not None for reading in (before, after) for node in reading.nodes)
    old, new = _by_place(before, named), _by_place(after, named)
    keys = [*new, *(key for key in old if key not in new)]
    return tuple(_change(old.get(key), new.get(key)) for key in keys)


def _by_place(reading: SmiReading, named: bool) -> dict[tuple[str | None, int, int], SmiGpu]:
    """GPUs by node where both outputs name it, index, and how often that pair was there before."""
    places: dict[tuple[str | None, int, int], SmiGpu] = {}
    for gpu in reading.gpus:
        own = gpu.node if named else None
        turn = sum((node, index) == (own, gpu.index) for node, index, _ in places)
        places[own, gpu.index, turn] = gpu
    return places


def _change(old: SmiGpu | None, new: SmiGpu | None) -> GpuChange:
    def less(a: float | None, b: float | None) -> float | None:
        return None if a is None or b is None else b - a

    both = old is not None and new is not None
    return GpuChange(
        before=old,
        after=new,
        memory_mib=less(old.memory_used_mib, new.memory_used_mib) if old and new else None,
        utilisation_points=less(old.utilisation_percent, new.utilisation_percent) if old and new else None,
        processes=len(new.processes) - len(old.processes) if old and new else None,
        driver_changed=both and old.driver_version != new.driver_version,  # type: ignore[union-attr]
        mps_changed=both and old.mps_state != new.mps_state,  # type: ignore[union-attr]
    )
