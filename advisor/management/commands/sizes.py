"""`manage.py sizes`: the catalogue, one object per size, with its ledger entries and today's status."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from datetime import date
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from advisor import store
from advisor.engine.catalogue import Catalogue, Size, squash
from advisor.engine.ledger import LifecycleStatus, status_at
from advisor.management.commands._base import EngineCommand, parse_day

STATUSES = ("current", "announced", "retired", "unknown")


class Command(EngineCommand):
    help = "Lists the sizes of the catalogue with their facts and lifecycle."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--series", help="only this series, for example NCv3")
        parser.add_argument("--gpu", help="only sizes with this GPU; V100 means all kinds of V100")
        parser.add_argument("--status", choices=STATUSES, help="only sizes of this status on the day")
        parser.add_argument("--as-of", type=parse_day, metavar="DATE", help="the day of the status (default: today)")

    def handle(self, *_args: Any, **options: Any) -> None:
        catalogue = store.catalogue()
        as_of = options["as_of"] or timezone.localdate()
        found = [
            (size, status_at(catalogue, size.name, None, as_of))
            for size in self.matching(catalogue, options["series"], options["gpu"])
        ]
        found = [(size, status) for size, status in found if options["status"] in (None, status.status)]
        if options["json"]:
            sizes = [size_object(catalogue, size, status, as_of) for size, status in found]
            self.print_json({"schema": "sizes/1", "as_of": as_of, "catalogue": catalogue.version, "sizes": sizes})
        else:
            header = ("SIZE", "SERIES", "GPU", "GPUS", "GPU GIB", "VCPUS", "GIB", "STATUS", "UNTIL", "NOTE")
            self.print_table(header, [table_row(size, status) for size, status in found])

    def matching(self, catalogue: Catalogue, series: str | None, gpu: str | None) -> list[Size]:
        """Sizes of the series and GPU, by series, GPUs and name; one that no size has is a wrong argument."""
        every = sorted(catalogue.sizes.values(), key=lambda size: (size.series, size.gpus or 0.0, size.name))
        kept = every
        if series is not None:
            kept = [size for size in kept if squash(size.series) == squash(series)]
            if not kept:
                known = ", ".join(sorted({size.series for size in every}))
                raise self.refuse(f"There is no series {series!r}. Known: {known}.")
        if gpu is not None:
            names = matching_gpus({size.gpu for size in every if size.gpu}, gpu)
            if not names:
                known = ", ".join(sorted({size.gpu for size in every if size.gpu}))
                raise self.refuse(f"No size has a GPU {gpu!r}. Known: {known}.")
            kept = [size for size in kept if size.gpu in names]
        return kept


def matching_gpus(names: set[str], text: str) -> set[str]:
    """The GPU of exactly that name, else all whose name begins with its words."""
    wanted = text.casefold().split()
    exact = {name for name in names if squash(name) == squash(text)}
    return exact or {name for name in names if wanted and name.casefold().split()[: len(wanted)] == wanted}


def size_object(catalogue: Catalogue, size: Size, status: LifecycleStatus, as_of: date) -> dict[str, Any]:
    """All facts of a size, its status, its ledger entries and what sources disagree on."""
    return {
        **asdict(size),
        "status": status.status,
        "lifecycle": lifecycle_object(status),
        "regions": list(regional_objects(catalogue, size, as_of)),
        "ledger": [asdict(event) for event in catalogue.events_of.get(size.name, ())],
        "conflicts": [asdict(conflict) for conflict in catalogue.conflicts_of.get(size.name, ())],
    }


def lifecycle_object(status: LifecycleStatus) -> dict[str, Any]:
    return {name: value for name, value in asdict(status).items() if name not in ("events", "conflicts")}


def regional_objects(catalogue: Catalogue, size: Size, as_of: date) -> Iterator[dict[str, Any]]:
    """The lifecycle in each region that has dates of its own."""
    for region in sorted({event.region for event in catalogue.events_of.get(size.name, ()) if event.region}):
        yield {"region": region, **lifecycle_object(status_at(catalogue, size.name, region, as_of))}


def table_row(size: Size, status: LifecycleStatus) -> tuple[str, ...]:
    def figure(value: float | None) -> str:
        return "?" if value is None else f"{value:.4g}"

    notes = [size.special or "", "no new capacity" if status.no_new_capacity else ""]
    return (
        size.name,
        size.series,
        size.gpu or size.gpu_label,
        figure(size.gpus),
        figure(size.gpu_memory_gib),
        figure(size.vcpus),
        figure(size.memory_gib),
        status.status,
        str(status.retirement_date or ""),
        "; ".join(note for note in notes if note),
    )
