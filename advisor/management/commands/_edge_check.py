"""`edge check`: the GPU settings of a deployment file; every mistake with line and reason, and the corrected text."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from advisor import store
from advisor.engine.edge.check import Checked, CheckProblem, check_deployment
from advisor.engine.edge.yaml_nodes import MAX_CHARACTERS
from advisor.management.commands._base import EngineCommand, Error
from advisor.management.commands._edge_device import short
from advisor.management.commands._edge_input import read_input

HELP = "Checks a deployment file that shares GPUs; prints each mistake with its line, and the corrected text."
MPS = {"on": True, "off": False, "unknown": None}


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("file", metavar="FILE", help="YAML, or - for standard input")
    parser.add_argument("--mps", choices=tuple(MPS), default="unknown", help="whether MPS is on for the device")
    parser.add_argument("--output", metavar="PATH", help="write the corrected text there")


def handle(command: EngineCommand, options: dict[str, Any]) -> None:
    found = check_deployment(store.edge(), read_input(options["file"], MAX_CHARACTERS * 2), MPS[options["mps"]])
    if options["json"]:
        command.print_json(checked_json(found))
    else:
        print_checked(command, found)
    if found.corrected is None:
        raise Error(f"{options['file']}: {found.problems[0].message}")
    if options["output"]:
        try:
            Path(options["output"]).write_text(found.corrected, encoding="utf-8", newline="")
        except OSError as error:
            raise Error(f"{options['output']}: {error.strerror}") from error


def checked_json(found: Checked) -> dict[str, Any]:
    return {
        "schema": "edge-check/1",
        "problems": [problem_json(problem) for problem in found.problems],
        "problems_left_out": found.problems_left_out,
        "corrected": found.corrected,
        "changed": found.changed,
        "accepted": found.accepted,
        "left": [problem_json(problem) for problem in found.left],
        "share_sum_percent": found.share_sum,
    }


def problem_json(problem: CheckProblem) -> dict[str, Any]:
    """One problem; `severity` is the word of the other commands for its level."""
    return asdict(problem) | {"severity": problem.level}


def print_checked(command: EngineCommand, found: Checked) -> None:
    for problem in found.problems:
        where = f"line {problem.line}: " if problem.line else ""
        command.stdout.write(f"{problem.level.upper():7}  {where}{problem.message}")
        day = f", {problem.as_of}" if problem.as_of else ""
        command.stdout.write(f"         {problem.reason} [{short(problem.source)}{day}]")
    if found.problems_left_out:
        command.stdout.write(f"and {found.problems_left_out:,} more problems")
    if not found.problems:
        command.stdout.write("No mistake found.")
    elif found.changed and found.corrected:
        command.stdout.write("Corrected text:" if found.accepted else "Corrected as far as it can be:")
        command.stdout.write(found.corrected)
