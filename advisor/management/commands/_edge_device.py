"""What plan and want share: which device, which software, and how a remark is printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.core.management.base import CommandParser

from advisor.engine.citations import cite
from advisor.engine.edge.devices import EdgeCatalogue, EdgeDevice, Remark, UnknownEdgeName, some_device


def add_device(parser: CommandParser) -> None:
    parser.add_argument("--device", metavar="DEVICE", help="pro-gpu-1, pro-gpu-2, pro-r, pro2-128g4t1gpu, ...")
    parser.add_argument("--gpus", type=int, metavar="N", help="instead of a device: how many GPUs it has")
    parser.add_argument("--card", type=str.upper, choices=("T4", "A2"), help="with --gpus: which card")
    parser.add_argument("--software", metavar="RELEASE", help="release of the device software, such as 2607")


def device_of(edge: EdgeCatalogue, options: dict[str, Any]) -> EdgeDevice:
    """The device meant; raises UnknownEdgeName."""
    if options["device"] and options["gpus"] is None and options["card"] is None:
        return edge.device(options["device"].strip().lower())
    if options["device"] or options["gpus"] is None:
        raise UnknownEdgeName("Give either --device, or --gpus with --card.")
    try:
        return some_device(options["gpus"], options["card"] if options["gpus"] else None)
    except ValueError as error:
        raise UnknownEdgeName(str(error)) from error


def software_of(edge: EdgeCatalogue, options: dict[str, Any]) -> str | None:
    return edge.release(options["software"]) if options["software"] else None


def remark_lines(remarks: Iterable[Remark]) -> Iterator[str]:
    for remark in remarks:
        yield f"{remark.level.upper():7}  {remark.message}"
        yield f"         [{short(remark.source)}, {remark.as_of}]"


def short(source: str) -> str:
    """The pages of a source by their short names."""
    return "; ".join(page.short for page in cite(source))
