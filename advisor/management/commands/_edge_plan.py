"""`edge plan`: an order of steps played through, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandParser

from advisor import store
from advisor.engine.edge.orders import Held, Plan, plan
from advisor.engine.edge.plan_json import plan_json
from advisor.engine.edge.steps import WORDS, parse_order
from advisor.management.commands._base import EngineCommand
from advisor.management.commands._edge_device import add_device, device_of, remark_lines, short, software_of

HELP = "Who has which GPU after each step, what fails, and the way out."
OUTCOMES = {"succeeds": "works", "fails": "FAILS", "unknown": "UNKNOWN"}


def add_arguments(parser: CommandParser) -> None:
    add_device(parser)
    parser.add_argument(
        "--sequence", required=True, help=f"steps joined by >: {', '.join(WORDS)}; vm:SIZE names a size"
    )
    parser.add_argument("--nodes", type=int, choices=(1, 2), default=1, help="nodes of the device")


def handle(command: EngineCommand, options: dict[str, Any]) -> None:
    edge = store.edge()
    device, steps = device_of(edge, options), parse_order(edge, options["sequence"])
    played = plan(edge, device, steps, software_of(edge, options), options["nodes"])
    if options["json"]:
        command.print_json(plan_json(played))
        return
    for line in plan_lines(played):
        command.stdout.write(line)


def plan_lines(played: Plan) -> Iterator[str]:
    yield f"{played.device.label}: {played.sequence or 'no steps'}"
    for place, result in enumerate(played.steps, 1):
        outcome = ", ".join(OUTCOMES[outcome] for outcome in result.outcomes)
        likely = " (likely)" if result.certain == "likely" and result.works else ""
        yield f"{place:2}. {result.step.label}: {outcome}{likely}. {held_text(result.held)}"
        yield f"    {result.why} [{short(result.source)}, {result.as_of}]"
    for repair in played.repairs:
        yield f"WAY OUT  {repair.text}"
    yield from remark_lines(played.warnings)
    for conflict in played.conflicts:
        yield f"SOURCES DISAGREE  {conflict.fact}"
        yield f"         {conflict.version_a} [{short(conflict.source_a)}]"
        yield f"         {conflict.version_b} [{short(conflict.source_b)}]"


def held_text(held: Held) -> str:
    def shown(count: int | None) -> str:
        return "unknown" if count is None else str(count)

    return f"GPUs: VMs {shown(held.vm_gpus)}, Kubernetes {shown(held.k8s_gpus)}, free {shown(held.free_gpus)}."
