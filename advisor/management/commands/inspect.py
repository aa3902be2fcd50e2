"""`manage.py inspect`: what a file holds and what is wrong with it, without advice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from advisor import store
from advisor.engine.readers import Reading, read_file
from advisor.engine.readers.hand_list import TEMPLATE
from advisor.engine.readers.summary import gpu_summary, reading_json
from advisor.management.commands._base import EngineCommand, UserError


class Command(EngineCommand):
    help = "Reads fleet files and says what they hold and what is wrong with them; gives no advice."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("files", nargs="*", metavar="FILE", help="portal export, az vm list, or a list of your own")
        parser.add_argument("--template", action="store_true", help="print a list to fill in")
        parser.add_argument("--hours", choices=("per-vm", "per-row"), help="how to read the hours column of a list")
        parser.add_argument("--region", metavar="REGION", help="for rows that have none")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["template"]:
            self.stdout.write(TEMPLATE, ending="")
            return
        if not options["files"]:
            raise self.refuse("give a file to read, or --template for a list to fill in")
        readings = [self.read(Path(name), options) for name in options["files"]]
        if options["json"]:
            self.print_json({"schema": "inspect/1", "files": [reading_json(reading) for reading in readings]})
        else:
            for reading in readings:
                self.print_reading(reading)
        if not any(reading.usable for reading in readings):
            raise UserError("; ".join(f"{reading.file}: {reason(reading)}" for reading in readings))

    def read(self, path: Path, options: dict[str, Any]) -> Reading:
        try:
            with path.open("rb") as stream:
                return read_file(
                    path.name, stream, store.catalogue(), hours=options["hours"], default_region=options["region"]
                )
        except OSError as error:
            raise UserError(f"{path}: {error.strerror}") from error
        except ValueError as error:
            raise self.refuse(f"--region: {error}") from error

    def print_reading(self, reading: Reading) -> None:
        how = ", ".join(part for part in (reading.encoding, _delimiter(reading.delimiter)) if part)
        self.stdout.write(f"{reading.file}: {reading.format}" + (f" ({how})" if how else ""))
        self.stdout.write(
            f"{reading.rows_read:,} rows read: {reading.gpu_rows:,} GPU, {reading.other_rows:,} other, "
            f"{reading.error_rows:,} with errors"
        )
        rows = [table_row(entry) for entry in gpu_summary(reading.kinds)]
        if rows:
            self.print_table(("SIZE", "REGION", "VMS", "OFF", "SPOT", "HOURS"), rows)
        for note in reading.notes:
            self.stdout.write(note)
        for line in problem_lines(reading):
            self.stdout.write(line)
        self.stdout.write("")


def reason(reading: Reading) -> str:
    """Why no fleet was read, on one line."""
    errors = [problem for problem in reading.problems if problem.severity == "error"]
    whole = [problem for problem in errors if problem.line is None and problem.item is None]
    return " ".join((whole or errors)[0].message.split()) if errors else "no fleet could be read"


def table_row(entry: dict[str, Any]) -> tuple[str, ...]:
    hours = "" if entry["hours"] is None else f"{entry['hours']:g}"
    numbers = (str(entry["count"]), str(entry["deallocated"]), str(entry["spot"]))
    return (entry["size"], entry["region"] or "not said", *numbers, hours)


def problem_lines(reading: Reading) -> Iterator[str]:
    """One line per problem; the message already says where, what and what was meant."""
    for problem in reading.problems:
        yield f"{problem.severity.upper():7}  " + " ".join(problem.message.split())
    if reading.problems_left_out:
        yield f"and {reading.problems_left_out:,} more problems"


def _delimiter(delimiter: str | None) -> str:
    return {"\t": "tabs", ",": "commas", ";": "semicolons"}.get(delimiter or "", delimiter or "")
