"""`manage.py scan`: any files searched for N-series sizes that are dead, dying or unknown, for a person or for CI."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from advisor import store
from advisor.engine.scan import MAX_BYTES, MAX_NAMES, STATES, Found, Scan, decoded, scan_text
from advisor.management.commands._base import EngineCommand, Error, parse_day

#: Exit code when --fail-on finds something; 1 and 2 are errors of input and of arguments.
FOUND = 3


class Command(EngineCommand):
    help = "Finds N-series sizes in any text: dead (retired), dying (end announced), unknown, current; by line."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "files", nargs="+", metavar="FILE", help="any text: Terraform, YAML, docs; - is standard input"
        )
        parser.add_argument("--as-of", type=parse_day, metavar="DATE", help="the day of the states (default: today)")
        parser.add_argument(
            "--fail-on", action="append", choices=STATES, default=[], help=f"exit with {FOUND} when one is found"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        world, as_of = store.world(), options["as_of"] or timezone.localdate()
        scans = [(name, scan_text(text_of(name), world, as_of)) for name in options["files"]]
        counts = Counter(one.state for _name, scan in scans for one in scan.found)
        if options["json"]:
            files = [file_object(name, scan) for name, scan in scans]
            total = {state: counts[state] for state in STATES}
            self.print_json({"schema": "scan/1", "as_of": as_of, "counts": total, "files": files})
        else:
            self.print_text(scans)
        if any(counts[state] for state in options["fail_on"]):
            sys.exit(FOUND)
        if options["fail_on"] and (unread := [name for name, scan in scans if scan.read_to is not None]):
            raise Error(f"{', '.join(unread)}: not read to the end, so what stands after that may be dead; split it")

    def print_text(self, scans: list[tuple[str, Scan]]) -> None:
        """One line per place, as compilers write it, the worst first in each file."""
        for name, scan in scans:
            for one in scan.found:
                for mention in one.mentions:
                    self.stdout.write(f"{name}:{mention.line}:{mention.column}: {one.state}: {words(one)}")
                if one.places_left:
                    self.stdout.write(f"{name}: {one.state}: {one.name} in {one.places_left:,} more places")
            if scan.read_to is not None:
                self.stdout.write(f"{name}:{scan.read_to}: read up to here, {MAX_NAMES:,} different names are the most")


def text_of(name: str) -> str:
    """The text of a file; raises Error when it cannot be read."""
    try:
        data = sys.stdin.buffer.read(MAX_BYTES + 1) if name == "-" else _read(Path(name))
    except OSError as error:
        raise Error(f"{name}: {error.strerror or error}") from error
    if len(data) > MAX_BYTES:
        raise Error(f"{name}: has more than {MAX_BYTES:,} bytes, the most that is read here")
    text = decoded(data)
    if text is None:
        raise Error(f"{name}: is no text")
    return text


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def words(one: Found) -> str:
    """What a line says of a size."""
    text = one.name
    if one.status and one.status.retirement_date:
        text += f" {'retired' if one.state == 'dead' else 'retires'} {one.status.retirement_date}"
    if one.elsewhere:
        text += "; " + ", ".join(f"{lane.where} until {lane.last_end}" for lane in one.elsewhere)
    if one.instead:
        text += f"; instead: {one.instead.size}"
    elif one.near:
        text += f"; do you mean {' or '.join(one.near)}?"
    return text


def file_object(name: str, scan: Scan) -> dict[str, Any]:
    return {
        "file": name,
        "lines": scan.lines,
        "read_to": scan.read_to,
        "sizes": [found_object(one) for one in scan.found],
    }


def found_object(one: Found) -> dict[str, Any]:
    status = one.status
    return {
        "name": one.name,
        "state": one.state,
        "known": one.known,
        "retirement_date": status.retirement_date if status else None,
        "earliest_date": (status.earliest_date or status.third_party_date) if status else None,
        "source": status.source if status and status.source else None,
        "elsewhere": [{"where": lane.where, "retirement_date": lane.last_end} for lane in one.elsewhere],
        "instead": one.instead.size if one.instead else None,
        "documented": [move.to_size or move.to_series for move in one.documented],
        "suggestions": list(one.near),
        "places": one.places,
        "mentions": [{"line": m.line, "column": m.column, "text": m.text} for m in one.mentions],
    }
