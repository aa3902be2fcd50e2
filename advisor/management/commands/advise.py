"""Target sizes for a fleet file: ranked, with reasons, speed, GPU-hours, cost and cost of ownership."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import CommandParser

from advisor import store
from advisor.engine.advice import advise
from advisor.engine.advice_json import advice_json
from advisor.engine.held_use import NoRate
from advisor.engine.sheets import sheet_json
from advisor.exports.table import write_csv
from advisor.exports.text import as_text, sheet_as_text
from advisor.forms.report import DEFAULT_TITLE
from advisor.management.commands._advice import (
    add_advice_arguments,
    add_reading_arguments,
    make_request,
    read_fleets,
)
from advisor.management.commands._base import EngineCommand, Error, no_fleet
from advisor.management.commands._prices import make_world, read_own_prices
from advisor.management.commands._utilisation import unmatched
from advisor.render_report import report_file_of


class Command(EngineCommand):
    help = "Read fleet files and advise, for each pool of machines, which sizes to move to."
    wrong_arguments = (*EngineCommand.wrong_arguments, NoRate)

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_reading_arguments(parser)
        add_advice_arguments(parser)
        parser.add_argument("--runbook", action="store_true", help="print each step of the moves with its commands")
        parser.add_argument("--csv", metavar="PATH", help="also write the options as a table")
        parser.add_argument("--html", metavar="PATH", help="also write a report as one file, to be shared")
        parser.add_argument(
            "--with-names", action="store_true", help="the report shows file and pool names and refused cells"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        catalogue = store.catalogue()
        request = make_request(options, catalogue)
        readings = read_fleets(options, catalogue)
        usable = any(reading.usable for reading in readings)
        if not usable and not options["json"]:
            raise no_fleet(readings)
        sheet = read_own_prices(options, catalogue)
        world = make_world(options, request, catalogue, sheet)
        left_out = unmatched(readings, catalogue, request)
        advice = advise(readings, world, request)
        if options["csv"]:
            self.write(options["csv"], lambda stream: write_csv(advice, stream))
        if options["html"]:
            report = report_file_of(advice, title=DEFAULT_TITLE, with_names=options["with_names"])
            self.write(options["html"], lambda stream: stream.write(report))
        if options["json"]:
            self.print_json(advice_json(advice) | ({"price_sheet": sheet_json(sheet)["head"]} if sheet else {}))
        else:
            self.stdout.write(as_text(advice, runbooks=options["runbook"]))
            for line in left_out:
                self.stdout.write(line)
            if sheet:
                self.stdout.write(sheet_as_text(sheet))
        if not usable:
            raise no_fleet(readings)

    def write(self, path: str, into: Callable[[TextIO], Any]) -> None:
        try:
            with Path(path).open("w", encoding="utf-8", newline="") as stream:
                into(stream)
        except OSError as error:
            raise Error(f"{path}: {error.strerror or error}") from error
