"""`edge smi`: what nvidia-smi printed, what to do about it, and what changed since another output."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandParser

from advisor import store
from advisor.engine.edge.smi import SmiGpu, SmiReading, read_smi
from advisor.engine.edge.smi_advice import GpuChange, advise_smi, compare
from advisor.engine.edge.smi_json import smi_json
from advisor.engine.edge.smi_text import MAX_BYTES
from advisor.management.commands._base import EngineCommand, Error
from advisor.management.commands._edge_device import short
from advisor.management.commands._edge_input import read_input

HELP = "Reads the output of nvidia-smi: GPUs, memory, use, processes, MPS; text tables or --query-gpu CSV."


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the output as text, or - for standard input")
    parser.add_argument("--before", metavar="FILE", help="an earlier output to compare with")
    parser.add_argument("--mps-planned", action="store_true", help="say where MPS does not show")


def handle(command: EngineCommand, options: dict[str, Any]) -> None:
    reading = read_smi(read_input(options["file"], MAX_BYTES))
    changes = None
    if options["before"]:
        changes = compare(read_smi(read_input(options["before"], MAX_BYTES)), reading)
    advice = advise_smi(store.edge(), reading, options["mps_planned"])
    if options["json"]:
        command.print_json(smi_json(reading, advice, changes))
    else:
        print_reading(command, reading, changes or ())
        for entry in advice:
            command.stdout.write(f"{entry.remark.level.upper():7}  {entry.remark.message}")
            command.stdout.write(f"         [{short(entry.remark.source)}, {entry.remark.as_of}]")
    if not reading.usable:
        raise Error(f"{options['file']}: {reading.problems[0].message}")


def print_reading(command: EngineCommand, reading: SmiReading, changes: tuple[GpuChange, ...]) -> None:
    if reading.gpus:
        header = ("NODE", "GPU", "NAME", "DRIVER", "CUDA", "MEMORY MIB", "OF", "USE %", "PROCESSES", "MPS")
        command.print_table(header, [tuple(cells(gpu)) for gpu in reading.gpus])
    for problem in reading.problems:
        where = f"line {problem.line}: " if problem.line else ""
        command.stdout.write(f"{problem.severity.upper():7}  {where}{problem.message}")
    for change in changes:
        command.stdout.write(change_line(change))


def cells(gpu: SmiGpu) -> Iterator[str]:
    yield from (gpu.node or "not said", str(gpu.index), gpu.name)
    for word in (gpu.driver_version, gpu.cuda_version):
        yield word or "unknown"
    for number in (gpu.memory_used_mib, gpu.memory_total_mib, gpu.utilisation_percent):
        yield "unknown" if number is None else f"{number:g}"
    yield from (str(len(gpu.processes)), gpu.mps_state)


def change_line(change: GpuChange) -> str:
    gpu = change.after or change.before
    index = gpu.index if gpu else "?"
    if change.before is None or change.after is None:
        return f"GPU {index}: only in the {'later' if change.after else 'earlier'} output"
    memory = "unknown" if change.memory_mib is None else f"{change.memory_mib:+g} MiB"
    use = "unknown" if change.utilisation_points is None else f"{change.utilisation_points:+g} points"
    return f"GPU {index}: memory {memory}, use {use}, processes {change.processes:+d}"
