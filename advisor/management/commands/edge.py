"""`manage.py edge`: GPUs on Azure Stack Edge devices; each sub-command has a module of its own beside this one."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from advisor.engine.edge.devices import UnknownEdgeName
from advisor.engine.edge.steps import InvalidOrder
from advisor.management.commands import _edge_check, _edge_manifest, _edge_plan, _edge_smi, _edge_want
from advisor.management.commands._base import EngineCommand

PARTS = {"plan": _edge_plan, "want": _edge_want, "check": _edge_check, "manifest": _edge_manifest, "smi": _edge_smi}


class Command(EngineCommand):
    help = "Plans, checks and reads GPU use on Azure Stack Edge devices."

    def add_arguments(self, parser: CommandParser) -> None:
        parts = parser.add_subparsers(dest="part", metavar="PART", required=True)
        for name, part in PARTS.items():
            child = parts.add_parser(name, help=part.HELP, description=part.HELP)
            child.add_argument("--json", action="store_true", help="print one JSON object")
            part.add_arguments(child)

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            PARTS[options["part"]].handle(self, options)
        except (UnknownEdgeName, InvalidOrder) as error:
            raise self.refuse(str(error.args[0])) from error
