"""`manage.py inspect`: what a file holds and what is wrong with it, without advice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandParser

from advisor import store
from advisor.engine.gpu_use import GpuUse, gpu_use_json
from advisor.engine.readers import Reading
from advisor.engine.readers.hand_list import TEMPLATE
from advisor.engine.readers.summary import gpu_summary, reading_json
from advisor.management.commands._advice import add_reading_arguments, read_files
from advisor.management.commands._base import EngineCommand, no_fleet, reason


class Command(EngineCommand):
    help = "Reads fleet files and says what they hold and what is wrong with them; gives no advice."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_reading_arguments(parser, files="*")
        parser.add_argument("--template", action="store_true", help="print a list to fill in")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["template"]:
            self.stdout.write(TEMPLATE, ending="")
            return
        if not options["files"]:
            raise self.refuse("give a file to read, or --template for a list to fill in")
        readings = read_files(options, store.catalogue())
        usable = any(reading.usable for reading in readings)
        if options["json"]:
            self.print_json({"schema": "inspect/1", "files": [file_json(reading) for reading in readings]})
        else:
            for reading in readings:
                self.print_reading(reading, with_reason=usable)
        if not usable:
            raise no_fleet(readings)

    def print_reading(self, reading: Reading, *, with_reason: bool) -> None:
        """What the file holds; why it cannot be used only `with_reason`: else the command ends with it."""
        how = ", ".join(part for part in (reading.encoding, _delimiter(reading.delimiter)) if part)
        self.stdout.write(f"{reading.file}: {reading.format}" + (f" ({how})" if how else ""))
        self.stdout.write(
            f"{reading.rows_read:,} rows read: {reading.gpu_rows:,} GPU, {reading.other_rows:,} other, "
            f"{reading.error_rows:,} with errors"
        )
        if (period := reading.period) is not None:
            days = f"{period.days:,} day" + ("" if period.days == 1 else "s")
            self.stdout.write(f"period {period.start.isoformat()} to {period.end.isoformat()}, {days}")
        rows = [table_row(entry) for entry in gpu_summary(reading.kinds)]
        if rows:
            self.print_table(("SIZE", "REGION", "VMS", "OFF", "SPOT", "HOURS"), rows)
        if reading.utilisation:
            heads = ("HOST", "GPU", "NAME", "SAMPLES", "HOURS", "BUSY", "AT PEAK", "GIB USED")
            self.print_table(heads, [use_row(use) for use in reading.utilisation])
        for note in reading.notes:
            self.stdout.write(note)
        for line in problem_lines(reading, "" if with_reason else reason(reading)):
            self.stdout.write(line)
        self.stdout.write("")


def file_json(reading: Reading) -> dict[str, Any]:
    """One entry of `files`; with utilisation, where the file has it, but without its counts of samples."""
    if not reading.utilisation:
        return reading_json(reading)
    kept = ("busy", "hours", "memory_samples")
    uses = [{k: v for k, v in gpu_use_json(use).items() if k not in kept} for use in reading.utilisation]
    return reading_json(reading) | {"utilisation": uses}


def use_row(use: GpuUse) -> tuple[str, ...]:
    busy, peak = (
        "unknown" if share is None else f"{100 * share:.0f} %" for share in (use.busy_mean, use.busy_at(0.95))
    )
    used = "unknown" if use.used_max_gib is None else f"{use.used_max_gib:.1f}"
    return (use.host, use.gpu, use.name or "", str(use.samples), str(use.hours_seen), busy, peak, used)


def table_row(entry: dict[str, Any]) -> tuple[str, ...]:
    hours = "" if entry["hours"] is None else f"{entry['hours']:g}"
    numbers = (str(entry["count"]), str(entry["deallocated"]), str(entry["spot"]))
    return (entry["size"], entry["region"] or "not said", *numbers, hours)


def problem_lines(reading: Reading, told: str) -> Iterator[str]:
    """One line per problem, but for one that is `told` already; the message says where, what and what was meant."""
    for problem in reading.problems:
        message = " ".join(problem.message.split())
        if message != told:
            yield f"{problem.severity.upper():7}  {message}"
    if reading.problems_left_out:
        yield f"and {reading.problems_left_out:,} more problems"


def _delimiter(delimiter: str | None) -> str:
    return {"\t": "tabs", ",": "commas", ";": "semicolons"}.get(delimiter or "", delimiter or "")
