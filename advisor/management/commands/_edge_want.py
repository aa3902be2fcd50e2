"""`edge want`: the order that gives so many GPU VMs and Kubernetes with so many GPUs."""

from __future__ import annotations

import argparse
from typing import Any

from django.core.management.base import CommandParser

from advisor import store
from advisor.engine.edge.plan_json import want_json
from advisor.engine.edge.steps import parse_order
from advisor.engine.edge.want import Want, Wish, want
from advisor.management.commands._base import EngineCommand
from advisor.management.commands._edge_device import add_device, device_of, software_of
from advisor.management.commands._edge_plan import plan_lines

HELP = "The order of steps that gives what is wanted, or why none does."


def count(text: str) -> int:
    """A whole number from 0 on, for argparse."""
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0 on")
    return int(text)


def add_arguments(parser: CommandParser) -> None:
    add_device(parser)
    parser.add_argument("--vms", type=count, required=True, metavar="N", help="how many GPU VMs")
    parser.add_argument(
        "--k8s-gpus", type=count, metavar="M", help="GPUs of Kubernetes, exactly; without: no Kubernetes"
    )
    parser.add_argument("--vm-gpus", type=count, choices=(1, 2), help="GPUs of each VM; without: as the order allows")
    parser.add_argument("--size", help="size of the VMs")
    parser.add_argument("--start", default="", metavar="STEPS", help="steps that were carried out already")


def handle(command: EngineCommand, options: dict[str, Any]) -> None:
    edge = store.edge()
    size = edge.size(options["size"]) if options["size"] else None
    wish = Wish(vms=options["vms"], k8s_gpus=options["k8s_gpus"], vm_gpus=options["vm_gpus"], size=size)
    device, start = device_of(edge, options), parse_order(edge, options["start"])
    answer = want(edge, device, wish, software_of(edge, options), start)
    if options["json"]:
        command.print_json(want_json(answer))
        return
    print_want(command, answer)


def print_want(command: EngineCommand, answer: Want) -> None:
    command.stdout.write(answer.why)
    if answer.plan:
        for line in plan_lines(answer.plan):
            command.stdout.write(line)
    for wish, near in answer.instead:
        kubernetes = "no Kubernetes" if wish.k8s_gpus is None else f"Kubernetes with {wish.k8s_gpus}"
        command.stdout.write(f"Possible: {wish.vms} GPU VMs and {kubernetes}: {near.sequence or 'nothing to do'}")
