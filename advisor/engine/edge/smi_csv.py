"""`nvidia-smi --query-gpu=... --format=csv` and `--query-compute-apps`: rows under a header of field names."""

from __future__ import annotations

import csv
import re

from advisor.engine.edge.smi_rows import Begun, Process

FIELDS = {
    "index": "index",
    "name": "name",
    "gpu_name": "name",
    "uuid": "uuid",
    "gpu_uuid": "uuid",
    "pci.bus_id": "bus",
    "gpu_bus_id": "bus",
    "driver_version": "driver",
    "memory.used": "used",
    "memory.total": "total",
    "utilization.gpu": "use",
    "temperature.gpu": "temperature",
    "power.draw": "power",
    "power.draw.average": "power",
    "power.limit": "cap",
    "compute_mode": "mode",
    "mig.mode.current": "mig",
    "pid": "pid",
    "process_name": "process",
    "used_memory": "process_memory",
    "used_gpu_memory": "process_memory",
    "timestamp": "time",
    "count": "count",
}
MARKS = {"memory.used", "memory.total", "utilization.gpu", "driver_version", "gpu_name", "pci.bus_id", "used_memory"}
MARKS |= {"gpu_uuid", "gpu_bus_id", "used_gpu_memory", "process_name", "compute_mode", "mig.mode.current"}
_NUMBER = re.compile(r"^-?\d+(?:\.\d+)?")


def is_csv_header(line: str) -> bool:
    names = [_name(cell) for cell in line.split(",")]
    return len(names) > 1 and bool(MARKS & set(names)) and sum(name in FIELDS for name in names) >= len(names) / 2


def _name(cell: str) -> str:
    return re.sub(r"(?<!\s)\s*\[[^\[\]]*\]\s*$", "", cell.strip().strip('"')).lower()


class CsvBlock:
    """The rows under one header."""

    def __init__(self, header: str, line: int, node: str | None, table: int) -> None:
        self.names = [FIELDS.get(_name(cell), "") for cell in header.split(",")]
        self.line, self.node, self.table = line, node, table
        self.gpus: list[Begun] = []
        self.processes: list[tuple[str, Process]] = []  # with the uuid or bus address of its GPU

    def take(self, number: int, line: str) -> str | None:
        """Read one row; the message when it is none."""
        try:
            cells = [cell.strip() for cell in next(csv.reader([line], skipinitialspace=True))]
        except (csv.Error, StopIteration):
            return "This row is no CSV."
        if len(cells) != len(self.names):
            return f"This row has {len(cells)} cells; its header has {len(self.names)}."
        row = dict(zip(self.names, cells, strict=True))
        if "pid" in row:
            return self.take_process(row)
        index = row.get("index", str(len(self.gpus)))
        if not (index.isascii() and index.isdigit() and len(index) < 4):
            return f"{index[:40]!r} is no number of a GPU."
        self.gpus.append(_gpu(row, int(index), number))
        return None

    def take_process(self, row: dict[str, str]) -> str | None:
        if not (row["pid"].isascii() and row["pid"].isdigit()):
            return None if "no running" in row["pid"].lower() else f"{row['pid'][:40]!r} is no number of a process."
        process = Process(
            gpu=-1,
            pid=int(row["pid"][:10]),
            kind="",
            name=row.get("process", ""),
            memory_mib=_figure(row.get("process_memory")),
        )
        self.processes.append((row.get("uuid") or row.get("bus") or "", process))
        return None


def _gpu(row: dict[str, str], index: int, number: int) -> Begun:
    use = row.get("use")
    return Begun(
        index=index,
        name=row.get("name", "not said"),
        line=number,
        bus_id=_text(row.get("bus")),
        uuid=_text(row.get("uuid")),
        driver=_text(row.get("driver")),
        memory_used=_figure(row.get("used")),
        memory_total=_figure(row.get("total")),
        utilisation=_figure(use),
        utilisation_text=None if use is None else use.strip("[] %"),
        temperature=_figure(row.get("temperature")),
        power=_figure(row.get("power")),
        power_cap=_figure(row.get("cap")),
        compute_mode=_text(row.get("mode")),
        mig=_text(row.get("mig")),
    )


def _figure(cell: str | None) -> float | None:
    found = _NUMBER.match(cell or "")
    return float(found.group()) if found and len(found.group()) < 12 else None


def _text(cell: str | None) -> str | None:
    return None if not cell or cell.startswith("[") else cell
