"""What nvidia-smi printed, as values: text tables of all layouts, --query-gpu CSV, several nodes, mixed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Literal

from advisor.engine.edge.smi_csv import CsvBlock, is_csv_header
from advisor.engine.edge.smi_rows import Begun, Process, Row, read_first, read_process, read_second, read_third
from advisor.engine.edge.smi_text import MAX_LINE, SmiProblem, lines_of

MpsState = Literal["on", "perhaps", "off"]
MAX_PROBLEMS = 100

_NODE = re.compile(r"^\s*(K8S-[\w.-]{1,80}):\s*$", re.IGNORECASE)
_TITLE = re.compile(r"NVIDIA-SMI\s+(?:version\s*:?\s*)?(\d[\w.]*)", re.IGNORECASE)
_DRIVER = re.compile(r"(?:Driver|KMD)\s+Version\s*:\s*([\w./-]+)", re.IGNORECASE)
_CUDA = re.compile(r"CUDA\s+(?:UMD\s+)?Version\s*:\s*([\w./-]+)", re.IGNORECASE)
_FAILURES = {
    "driver": re.compile(r"NVIDIA-SMI has failed", re.IGNORECASE),
    "handle": re.compile(r"Unable to determine the device handle", re.IGNORECASE),
    "none": re.compile(r"No devices were found", re.IGNORECASE),
}
FAILURE_MESSAGES = {
    "driver": "nvidia-smi could not talk to the driver: it is not installed, not loaded, or does not fit the system.",
    "handle": "nvidia-smi could not reach a GPU: it is lost or in a fault; restart the VM or the device.",
    "none": "nvidia-smi found no GPU: none is given to this VM or cluster.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SmiGpu:
    """One GPU of one output. Text as printed where a figure may be missing; None where the layout has none.

    `table` counts the tables of the input, so that two nodes without a name stay apart.
    """

    node: str | None
    table: int
    index: int
    name: str
    driver_version: str | None
    cuda_version: str | None
    bus_id: str | None
    uuid: str | None
    memory_used_mib: float | None
    memory_total_mib: float | None
    utilisation_percent: float | None
    utilisation_text: str | None
    temperature_c: float | None
    power_w: float | None
    power_cap_w: float | None
    compute_mode: str | None
    mig: str | None
    mig_devices: int
    processes: tuple[Process, ...]
    line: int

    @property
    def mps_state(self) -> MpsState:
        """On when the server or a client shows; perhaps in exclusive mode without either."""
        if any(p.kind.startswith("M") or "nvidia-cuda-mps-server" in p.name for p in self.processes):
            return "on"
        exclusive = (self.compute_mode or "").lower().replace(" ", "").replace("_", "")
        return "perhaps" if exclusive in ("e.process", "exclusiveprocess") else "off"

    @property
    def mps(self) -> bool:
        return self.mps_state == "on"

    @property
    def memory_share(self) -> float | None:
        if self.memory_used_mib is None or not self.memory_total_mib:
            return None
        return self.memory_used_mib / self.memory_total_mib


@dataclass(frozen=True, slots=True, kw_only=True)
class SmiReading:
    """All GPUs of an input in its order, and everything in it that is wrong or was left out.

    `failures`: what nvidia-smi itself said went wrong (driver, handle, none). `usable`: a GPU or such a word was found.
    """

    gpus: tuple[SmiGpu, ...]
    problems: tuple[SmiProblem, ...]
    failures: tuple[str, ...]

    @property
    def usable(self) -> bool:
        return bool(self.gpus or self.failures)

    @property
    def nodes(self) -> tuple[str | None, ...]:
        return tuple(dict.fromkeys(gpu.node for gpu in self.gpus))


def read_smi(data: bytes | str) -> SmiReading:
    """Read any text; never raises for what stands in it."""
    lines, problems = lines_of(data)
    reader = Reader(problems=list(problems))
    for number, line in enumerate(lines, 1):
        reader.take(number, line)
    return reader.finish(bool(lines))


@dataclass
class Reader:
    """Line by line; a table begins at its title and ends at the next one."""

    problems: list[SmiProblem]
    gpus: list[SmiGpu] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    node: str | None = None
    driver: str | None = None
    cuda: str | None = None
    table: int = 0
    section: Literal["none", "gpus", "mig", "processes"] = "none"
    begun: list[Begun] = field(default_factory=list)
    csv: CsvBlock | None = None
    untitled: bool = False

    def take(self, number: int, line: str) -> None:
        if found := _NODE.match(line):
            self.close()
            self.node = found.group(1)
        elif title := _TITLE.search(line):
            self.open_table(number, line, title.group(1))
        elif kind := next((kind for kind, word in _FAILURES.items() if word.search(line)), None):
            self.close()
            self.failures.append(kind)
            self.complain(number, kind, FAILURE_MESSAGES[kind])
        elif is_csv_header(line):
            self.close()
            self.table += 1
            self.csv = CsvBlock(line, number, self.node, self.table)
        elif self.csv is not None:
            self.take_csv(number, line)
        else:
            self.take_row(number, line)

    def open_table(self, number: int, line: str, version: str) -> None:
        self.close()
        self.table += 1
        self.section = "gpus"
        driver, cuda = _DRIVER.search(line), _CUDA.search(line)
        self.driver = driver.group(1) if driver else None
        self.cuda = _known(cuda.group(1)) if cuda else None
        if driver is None:
            self.complain(number, "title", f"The title names no driver version, only nvidia-smi {version}.", "warning")

    def take_csv(self, number: int, line: str) -> None:
        assert self.csv is not None  # noqa: S101
        if not line.strip() or line.lstrip().startswith("["):
            self.close()
        elif message := self.csv.take(number, line):
            self.complain(number, "csv", message)

    def take_row(self, number: int, line: str) -> None:
        low = line.strip(" |+").lower()
        if low.startswith("mig devices"):
            self.section = "mig"
        elif low.startswith(("processes:", "compute processes:")):
            self.section = "processes"
        elif "|" not in line:
            return
        elif self.section == "processes":
            self.take_process(number, line)
        elif self.section == "mig":
            if "MiB" in line and re.match(r"^[\s|]*(\d+)\s+\d+\s+\d+\s+\d+\s*\|", line):
                index = int(line.strip(" |").split()[0][:6])
                for gpu in self.begun:
                    gpu.mig_devices += gpu.index == index
        else:
            self.take_gpu_row(number, line)

    def take_gpu_row(self, number: int, line: str) -> None:
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        row = Row(number=number, cells=cells)
        if first := read_first(row):
            if self.section == "none" and not self.untitled:
                self.untitled, self.section = True, "gpus"
                self.table += 1
                self.complain(
                    number, "title", "A GPU stands here without the title line that names the driver.", "warning"
                )
            self.begun.append(first)
        elif self.begun and (read_second(row, self.begun[-1]) or read_third(row, self.begun[-1])):
            return
        elif self.section == "gpus" and re.match(r"^\d+\s", cells[0]) and len(cells) > 1:
            self.complain(number, "row", "This looks like a GPU, but name, bus address or columns are not readable.")

    def take_process(self, number: int, line: str) -> None:
        process = read_process(line)
        if process is None:
            return
        owner = next((gpu for gpu in self.begun if gpu.index == process.gpu), None)
        if owner:
            owner.processes.append(process)
        else:
            message = f"The process belongs to GPU {process.gpu}, which is not in the table above."
            self.complain(number, "process", message)

    def close(self) -> None:
        """Put away the table at hand."""
        for gpu in self.begun:
            if gpu.memory_total is None:
                message = (
                    f"The row with memory and use of GPU {gpu.index} is missing or not readable; the text may be cut."
                )
                self.complain(gpu.line, "cut", message)
            self.gpus.append(self.gpu_of(gpu))
        if self.section == "gpus" and not self.begun:
            self.complain(None, "empty", "A title of nvidia-smi was found with no GPU below it; the text may be cut.")
        if self.csv is not None:
            self.gpus.extend(self.gpu_of(gpu) for gpu in self.csv.gpus)
            self.give(self.csv.processes)
        self.begun, self.csv, self.section, self.untitled = [], None, "none", False
        self.driver = self.cuda = None

    def give(self, processes: list[tuple[str, Process]]) -> None:
        """Processes that name their GPU by uuid or bus address."""
        for key, process in processes:
            for place, gpu in enumerate(self.gpus):
                if key and key in (gpu.uuid, gpu.bus_id):
                    mine = replace(process, gpu=gpu.index)
                    self.gpus[place] = replace(gpu, processes=(*gpu.processes, mine))

    def gpu_of(self, begun: Begun) -> SmiGpu:
        return SmiGpu(
            node=self.node,
            table=self.table,
            index=begun.index,
            name=begun.name,
            driver_version=begun.driver or self.driver,
            cuda_version=begun.cuda or self.cuda,
            bus_id=begun.bus_id,
            uuid=begun.uuid,
            memory_used_mib=begun.memory_used,
            memory_total_mib=begun.memory_total,
            utilisation_percent=begun.utilisation,
            utilisation_text=begun.utilisation_text,
            temperature_c=begun.temperature,
            power_w=begun.power,
            power_cap_w=begun.power_cap,
            compute_mode=begun.compute_mode,
            mig=begun.mig,
            mig_devices=begun.mig_devices,
            processes=tuple(begun.processes),
            line=begun.line,
        )

    def finish(self, any_text: bool) -> SmiReading:
        self.close()
        if any_text and not self.gpus and not self.failures and not self.problems:
            message = "No table of nvidia-smi was found. Paste all of what Get-HcsGpuNvidiaSmi or nvidia-smi printed."
            self.complain(None, "nothing", message)
        listed = tuple(self.problems[:MAX_PROBLEMS])
        return SmiReading(gpus=tuple(self.gpus), problems=listed, failures=tuple(dict.fromkeys(self.failures)))

    def complain(
        self, line: int | None, kind: str, message: str, severity: Literal["error", "warning"] = "error"
    ) -> None:
        self.problems.append(SmiProblem(line=line, kind=kind, severity=severity, message=message))


def _known(text: str) -> str | None:
    return None if text.upper().startswith(("N/A", "ERR")) else text[:MAX_LINE]
