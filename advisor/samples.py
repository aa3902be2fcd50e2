"""The sample fleets that are shipped: made-up machines, real sizes. And one of them as an example of an answer."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from threading import Lock, Thread
from typing import BinaryIO

from django.conf import settings
from django.db import connection
from django.utils import timezone

from advisor import store
from advisor.engine.advice import advise
from advisor.engine.outlook import Line, Outlook, outlook
from advisor.engine.readers import Reading, read_file
from advisor.engine.request import AdviceRequest
from advisor.kept import kept

logger = logging.getLogger(__name__)

LINES_SHOWN = 4
#: By catalogue version, the example that is shown; and what only one thread at a time renews.
_shown: dict[str, Example] = {}
_renewing = Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One sample file, by the name in its address."""

    slug: str
    title: str
    about: str
    file: str

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        with (Path(settings.FIXTURE_DIRS[0]) / "samples" / self.file).open("rb") as stream:
            yield stream


SAMPLES: tuple[Sample, ...] = (
    Sample(
        slug="lab",
        title="Research lab, a list made by hand",
        about="Training, HPC, desktops and inference",
        file="lab.csv",
    ),
    Sample(slug="portal", title="Portal export", about="Some are off, some have no GPU", file="portal.csv"),
    Sample(slug="retired", title="Mostly retired sizes", about="What ran last, and where to move", file="retired.csv"),
)
EXAMPLE = SAMPLES[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleFigures:
    """What is read from a sample."""

    sample: Sample
    rows: int
    vms: int
    refused: int
    format: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """The answer for the example sample, as far as the start page shows it."""

    sample: Sample
    outlook: Outlook
    vms: int
    pools: int
    lines: tuple[Line, ...]
    currency: str
    as_of: date
    horizon_months: int


def edge_text(name: str) -> str:
    """A made-up text for the pages on edge devices."""
    return (Path(settings.FIXTURE_DIRS[0]) / "samples" / "edge" / name).read_text(encoding="utf-8")


def scan_text() -> str:
    """A made-up how-to that names sizes in every state, for the page that scans texts."""
    return (Path(settings.FIXTURE_DIRS[0]) / "samples" / "scan.md").read_text(encoding="utf-8")


def find(slug: str) -> Sample | None:
    """The sample of that name."""
    return next((sample for sample in SAMPLES if sample.slug == slug), None)


def read_sample(sample: Sample, version: str) -> Reading:
    """The sample as read with the loaded catalogue."""
    with sample.open() as stream:
        return read_file(sample.file, stream, store.read_catalogue(version))


@kept(2)
def figures(version: str) -> tuple[SampleFigures, ...]:
    """What is read from each sample; worked out once per version of the catalogue."""
    found = []
    for sample in SAMPLES:
        reading = read_sample(sample, version)
        found.append(
            SampleFigures(
                sample=sample,
                rows=reading.rows_read,
                vms=int(reading.fleet["count"].sum()),
                refused=reading.error_rows,
                format=reading.format,
            )
        )
    return tuple(found)


@kept(2)
def example(version: str, as_of: date) -> Example:
    """The answer for the example sample; worked out once per version of the catalogue and day."""
    world = store.build_world(version)
    advice = advise((read_sample(EXAMPLE, version),), world, AdviceRequest(as_of=as_of, top=2))
    view = outlook(advice)
    dearest = sorted(view.lines, key=lambda line: -abs(line.change or 0.0))[:LINES_SHOWN]
    return Example(
        sample=EXAMPLE,
        outlook=view,
        vms=advice.totals.vms,
        pools=len(advice.pools),
        lines=tuple(sorted(dearest, key=lambda line: line.number)),
        currency=advice.currency,
        as_of=as_of,
        horizon_months=advice.horizon_months,
    )


def example_to_show(version: str, today: date) -> Example:
    """The example of today; that of an earlier day, which it names, while today's is worked out in the background."""
    shown = _shown.get(version)
    if shown is None:
        shown = _shown[version] = example(version, today)
    elif shown.as_of != today and _renewing.acquire(blocking=False):
        Thread(target=_renew, args=(version, today), daemon=True).start()
    return shown


def _renew(version: str, today: date) -> None:
    try:
        _shown[version] = example(version, today)
    finally:
        _renewing.release()
        connection.close()


def prepare() -> None:
    """Work out what the first visit would wait for. For a thread of its own: it never raises."""
    try:
        version = store.current_version()
        figures(version)
        example_to_show(version, timezone.now().date())
    except Exception:
        logger.exception("nothing was prepared; the first visit will wait")
    finally:
        connection.close()
