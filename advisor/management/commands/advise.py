"""Target sizes for a fleet file: ranked, with reasons, speed, GPU-hours, cost and cost of ownership."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from advisor import store
from advisor.engine.advice import advise
from advisor.engine.advice_json import advice_json
from advisor.exports.table import write_csv
from advisor.exports.text import as_text
from advisor.management.commands._advice import (
    add_advice_arguments,
    add_reading_arguments,
    make_request,
    make_world,
    read_fleets,
)
from advisor.management.commands._base import EngineCommand, UserError


class Command(EngineCommand):
    help = "Read fleet files and advise, for each pool of machines, which sizes to move to."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_reading_arguments(parser)
        add_advice_arguments(parser)
        parser.add_argument("--csv", metavar="PATH", help="also write the options as a table")

    def handle(self, *args: Any, **options: Any) -> None:
        catalogue = store.catalogue()
        request = make_request(options, catalogue)
        world = make_world(options, request, catalogue)
        readings = read_fleets(options, catalogue)
        advice = advise(readings, world, request)
        if options["csv"]:
            self.write(options["csv"], advice)
        if options["json"]:
            self.print_json(advice_json(advice))
        else:
            self.stdout.write(as_text(advice))
        if not any(reading.usable for reading in readings):
            problem = readings[0].problems[0] if readings[0].problems else None
            raise UserError(f"{readings[0].file}: {problem.message if problem else 'no fleet can be read from it'}")

    def write(self, path: str, advice: Any) -> None:
        try:
            with Path(path).open("w", encoding="utf-8", newline="") as stream:
                write_csv(advice, stream)
        except OSError as error:
            raise UserError(f"{path}: {error.strerror or error}") from error
