"""Fit the speed model to the shipped benchmarks anew: from all rows, and once without each source."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from advisor import store
from advisor.engine.catalogue import Catalogue, SpeedFit
from advisor.engine.speed_fit import CALIBRATION_KIND
from advisor.engine.speed_train import train
from advisor.management.commands._base import EngineCommand, parse_day

FILE = Path(settings.FIXTURE_DIRS[0]) / "speed_fits.json"


class Command(EngineCommand):
    help = "Fit the speed model to the shipped benchmarks and write fixtures/speed_fits.json; takes some minutes."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--as-of", type=parse_day, default=None, help="day of the fit (default: the catalogue's)")

    def handle(self, *args: Any, **options: Any) -> None:
        catalogue = store.catalogue()
        day = options["as_of"] or catalogue.as_of
        fits: list[SpeedFit] = []
        for family in families(catalogue):
            fits.append(fit(catalogue, family, day))
            self.stdout.write(f"{'fitted without ' + family if family else 'fitted on all rows'}")
        FILE.write_text(as_fixture(fits), encoding="utf-8")
        self.stdout.write(f"wrote {FILE.name}; load it with manage.py loaddata speed_fits")


def fit(catalogue: Catalogue, family: str, day: date) -> SpeedFit:
    """The fit without one source family; "" leaves nothing out."""
    return train(catalogue, lambda row: row.source_family == family, left_out=family, as_of=day)


def families(catalogue: Catalogue) -> list[str]:
    """What is left out, one after the other: nothing, then each source whose rows are scored."""
    return ["", *sorted({row.source_family for row in catalogue.benchmarks if row.kind != CALIBRATION_KIND})]


def as_fixture(fits: list[SpeedFit]) -> str:
    """One line for each fit, as fixtures are kept."""
    fields = [asdict(fit) | {"as_of": str(fit.as_of)} for fit in fits]
    rows = [json.dumps({"model": "advisor.storedspeedfit", "fields": each}) for each in fields]
    return "[\n" + ",\n".join(rows) + "\n]\n"
