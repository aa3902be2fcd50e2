"""Files of utilisation on the command line: which machine each host is, and what was not matched."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from django.core.management.base import CommandParser

from advisor.engine.catalogue import Catalogue
from advisor.engine.host_names import host_key
from advisor.engine.pools import join_utilisation
from advisor.engine.readers.reading import Reading
from advisor.engine.request import AdviceRequest
from advisor.engine.utilisation import NOT_OURS
from advisor.management.commands._base import wrong_argument

HOSTS_NAMED = 10


def add_host_argument(parser: CommandParser) -> None:
    """--host, as often as there are hosts."""
    parser.add_argument(
        "--host",
        type=host,
        action="append",
        default=[],
        metavar="HOST=MACHINE",
        help="a host of a utilisation file is this machine, or one of this pool; HOST=none: not one of ours",
    )


def host(text: str) -> tuple[str, str]:
    """HOST=MACHINE, for argparse."""
    name, equals, machine = (part.strip() for part in text.partition("="))
    if not equals or not name or not machine:
        raise argparse.ArgumentTypeError(f"{text!r} is not HOST=MACHINE, for example worker-b=gpu-02")
    return host_key(name), machine


def unmatched(readings: Sequence[Reading], catalogue: Catalogue, request: AdviceRequest) -> list[str]:
    """A line for hosts that are no machine yet; raises for a --host of which host or machine is not there."""
    joined = join_utilisation(readings, catalogue, request)
    known = {host_key(entry.host): entry for entry in joined.hosts}
    for name, said in request.hosts.items():
        if name not in known:
            hosts = ", ".join(entry.host for entry in joined.hosts[:HOSTS_NAMED]) or "none"
            raise wrong_argument(f"--host {name}: no utilisation file has this host; there are: {hosts}")
        if known[name].how != "hand":
            near = ", ".join(machine.name for machine in joined.machines[:HOSTS_NAMED]) or "none with a name"
            raise wrong_argument(f"--host {name}={said}: the fleet has no such machine or pool; machines: {near}")
    if not joined.unmatched:
        return []
    names = ", ".join(f"{entry.host} ({', '.join(entry.files[:2])})" for entry in joined.unmatched[:HOSTS_NAMED])
    more = len(joined.unmatched) - HOSTS_NAMED
    names += f" and {more} more" if more > 0 else ""
    return [
        f"Not counted: hosts that are no machine of the fleet by name: {names}. Say --host HOST=MACHINE, or {NOT_OURS}."
    ]


def hosts_of(options: dict[str, Any]) -> dict[str, str]:
    """What --host said, by host."""
    return dict(options["host"])
