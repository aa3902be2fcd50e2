"""Rows of the nvidia-smi table, one function per kind of row. Columns are found by the bars, not by place."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_BUS = re.compile(r"\b([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f])\b")
_FIRST = re.compile(r"^(\d{1,3})\s+(\S.*?)\s+(On|Off|N/A|ERR!|Enabled|Disabled|WDDM|TCC|MCDM)$")
_MEMORY = re.compile(r"(\d{1,9})\s{0,4}Mi?B\s{0,9}/\s{0,9}(\d{1,9})\s{0,4}Mi?B")
_NO_MEMORY = re.compile(r"(?:N/A|ERR!|Unknown Error)\s*/\s*(?:(\d{1,9})\s?Mi?B|N/A|ERR!)", re.IGNORECASE)
_USE = re.compile(r"^(\d{1,3})\s?%|^(N/A|ERR!)", re.IGNORECASE)
_TEMPERATURE = re.compile(r"(?<!\w)(\d{1,3})C\b")
_POWER = re.compile(r"(\d{1,4}(?:\.\d+)?)W\s{0,9}/\s{0,9}(\d{1,4}(?:\.\d+)?)?W?")
_PROCESS = re.compile(
    r"^(?P<gpu>\d{1,3})\s+(?:(?:N/A|\d{1,4})\s+(?:N/A|\d{1,4})\s+)?(?P<pid>\d{1,10})\s+"
    r"(?:(?P<kind>M\+C\+G|M\+C|C\+G|M|C|G)\s+)?(?P<name>\S.*?)\s+(?P<memory>\d{1,9}\s?Mi?B|N/A)$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    number: int
    cells: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """A row of the process table; `kind` as printed (C, G, C+G, M+C), "" in layouts without."""

    gpu: int
    pid: int
    kind: str
    name: str
    memory_mib: float | None


@dataclass(slots=True, kw_only=True)
class Begun:
    """A GPU in the making."""

    index: int
    name: str
    line: int
    bus_id: str | None = None
    uuid: str | None = None
    driver: str | None = None
    cuda: str | None = None
    memory_used: float | None = None
    memory_total: float | None = None
    utilisation: float | None = None
    utilisation_text: str | None = None
    temperature: float | None = None
    power: float | None = None
    power_cap: float | None = None
    compute_mode: str | None = None
    mig: str | None = None
    mig_devices: int = 0
    processes: list[Process] = field(default_factory=list)


def read_first(row: Row) -> Begun | None:
    """`0  Tesla T4  On | 00001A2B:00:00.0 Off | 0`"""
    if len(row.cells) < 2:
        return None
    found, bus = _FIRST.match(row.cells[0]), _BUS.search(row.cells[1])
    if not found or not (bus or re.match(r"ERR!|N/A", row.cells[1])):
        return None
    return Begun(index=int(found[1]), name=found[2], line=row.number, bus_id=bus[1] if bus else None)


def read_second(row: Row, gpu: Begun) -> bool:
    """`N/A  36C  P8  10W / 70W | 0MiB / 15109MiB | 0%  Default`; False when it is no such row."""
    if len(row.cells) < 3 or gpu.memory_total is not None:
        return False
    memory, missing = _MEMORY.search(row.cells[1]), _NO_MEMORY.search(row.cells[1])
    if not memory and not missing:
        return False
    if memory:
        gpu.memory_used, gpu.memory_total = float(memory[1]), float(memory[2])
    elif missing and missing[1]:
        gpu.memory_total = float(missing[1])
    if temperature := _TEMPERATURE.search(row.cells[0]):
        gpu.temperature = float(temperature[1])
    if power := _POWER.search(row.cells[0]):
        gpu.power, gpu.power_cap = float(power[1]), float(power[2]) if power[2] else None
    if use := _USE.match(row.cells[2]):
        gpu.utilisation_text = use[1] or use[2]
        gpu.utilisation = float(use[1]) if use[1] else None
        gpu.compute_mode = row.cells[2][use.end() :].strip() or None
    return True


def read_third(row: Row, gpu: Begun) -> bool:
    """`| | | N/A |`: the state of MIG; False when it is no such row."""
    if len(row.cells) < 3 or row.cells[0] or row.cells[1] or not row.cells[2]:
        return False
    if gpu.mig is None and row.cells[2] != "MIG M.":
        gpu.mig = row.cells[2]
    return True


def read_process(line: str) -> Process | None:
    """A row of the process table; None for its header, its rules and "No running processes found"."""
    found = _PROCESS.match(line.strip().strip("|").strip())
    if not found:
        return None
    memory = re.match(r"\d+", found["memory"])
    return Process(
        gpu=int(found["gpu"]),
        pid=int(found["pid"]),
        kind=found["kind"] or "",
        name=found["name"],
        memory_mib=float(memory[0]) if memory else None,
    )
