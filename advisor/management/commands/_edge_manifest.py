"""`edge manifest`: a deployment file for apps that share GPUs by time sharing or MPS."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from advisor import store
from advisor.engine.edge.apps import MAX_BYTES, Apps, InvalidApps, read_apps
from advisor.engine.edge.devices import EdgeCatalogue, EdgeDevice, some_device
from advisor.engine.edge.manifest import manifest
from advisor.engine.edge.sharing import plan_sharing
from advisor.engine.edge.sharing_json import manifest_json
from advisor.management.commands._base import EngineCommand, Error
from advisor.management.commands._edge_device import add_device, device_of, remark_lines, short, software_of
from advisor.management.commands._edge_input import read_input

HELP = "Writes the deployment for apps that share GPUs, and says what to do around it."


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("file", metavar="APPS.json", help="the apps, or - for standard input")
    add_device(parser)
    parser.add_argument("--target", choices=("kubernetes", "iotedge"), help="instead of that of the file")
    parser.add_argument("--output", metavar="PATH", help="write the deployment there")


def handle(command: EngineCommand, options: dict[str, Any]) -> None:
    edge = store.edge()
    try:
        wanted = read_apps(read_input(options["file"], MAX_BYTES))
        device = _device(edge, options, wanted)
        sharing = plan_sharing(edge, device, wanted.apps, software_of(edge, options), wanted.cuda_version)
        made = manifest(edge, sharing, options["target"] or wanted.target, wanted.namespace)
    except InvalidApps as error:
        raise Error(f"{options['file']}: {error}") from error
    if options["output"]:
        try:
            Path(options["output"]).write_text(made.text, encoding="utf-8")
        except OSError as error:
            raise Error(f"{options['output']}: {error.strerror}") from error
    if options["json"]:
        command.print_json(manifest_json(made, sharing))
        return
    if not options["output"]:
        command.stdout.write(made.text, ending="")
    for place, step in enumerate(made.steps, 1):  # beside the file, so that > deployment.yaml works
        command.stderr.write(f"{place}. {step.text} {step.command}".rstrip())
        command.stderr.write(f"   [{short(step.remark.source)}, {step.remark.as_of}]")
    for line in remark_lines(made.remarks):
        command.stderr.write(line)


def _device(edge: EdgeCatalogue, options: dict[str, Any], wanted: Apps) -> EdgeDevice:
    """The option's device, else that of the file, else one T4 of which nothing else is known."""
    if options["device"] or options["gpus"] is not None:
        return device_of(edge, options)
    return edge.device(wanted.device.strip().lower()) if wanted.device else some_device(1, "T4")
