"""An nvidia-smi reading with the keys of the contract."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from advisor.engine.edge.smi import SmiGpu, SmiReading
from advisor.engine.edge.smi_advice import GpuAdvice, GpuChange


def smi_json(
    reading: SmiReading, advice: Iterable[GpuAdvice] = (), changes: Sequence[GpuChange] | None = None
) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "schema": "smi/1",
        "gpus": [gpu_json(gpu) for gpu in reading.gpus],
        "problems": [asdict(problem) for problem in reading.problems],
        "failures": list(reading.failures),
        "advice": [place(entry.gpu) | asdict(entry.remark) for entry in advice],
    }
    if changes is not None:
        answer["changes"] = [change_json(change) for change in changes]
    return answer


def gpu_json(gpu: SmiGpu) -> dict[str, Any]:
    return {
        "node": gpu.node,
        "index": gpu.index,
        "name": gpu.name,
        "driver_version": gpu.driver_version,
        "cuda_version": gpu.cuda_version,
        "memory_used_mib": whole(gpu.memory_used_mib),
        "memory_total_mib": whole(gpu.memory_total_mib),
        "utilisation_percent": whole(gpu.utilisation_percent),
        "utilisation": gpu.utilisation_text,
        "processes": len(gpu.processes),
        "mps": gpu.mps,
        "mps_state": gpu.mps_state,
        "compute_mode": gpu.compute_mode,
        "mig": gpu.mig,
        "mig_devices": gpu.mig_devices,
        "bus_id": gpu.bus_id,
        "uuid": gpu.uuid,
        "temperature_c": whole(gpu.temperature_c),
        "power_w": whole(gpu.power_w),
        "power_cap_w": whole(gpu.power_cap_w),
        "process_list": [asdict(process) for process in gpu.processes],
        "line": gpu.line,
    }


def change_json(change: GpuChange) -> dict[str, Any]:
    known = change.after or change.before
    return place(known) | {
        "there": "both" if change.before and change.after else "before" if change.before else "after",
        "memory_mib": whole(change.memory_mib),
        "utilisation_points": whole(change.utilisation_points),
        "processes": change.processes,
        "driver_changed": change.driver_changed,
        "mps_changed": change.mps_changed,
    }


def place(gpu: SmiGpu | None) -> dict[str, Any]:
    return {"node": gpu.node if gpu else None, "index": gpu.index if gpu else None}


def whole(number: float | None) -> float | int | None:
    return int(number) if number is not None and number == int(number) else number
