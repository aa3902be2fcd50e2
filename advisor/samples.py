"""The sample fleets that are shipped: made-up machines, real sizes. And one of them as an example of an answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from django.conf import settings

from advisor import store
from advisor.engine.advice import advise
from advisor.engine.outlook import Line, Outlook, outlook
from advisor.engine.readers import Reading, read_file
from advisor.engine.request import AdviceRequest

LINES_SHOWN = 4


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


def find(slug: str) -> Sample | None:
    """The sample of that name."""
    return next((sample for sample in SAMPLES if sample.slug == slug), None)


def read_sample(sample: Sample, version: str) -> Reading:
    """The sample as read with the loaded catalogue."""
    with sample.open() as stream:
        return read_file(sample.file, stream, store.read_catalogue(version))


@lru_cache(maxsize=2)
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


@lru_cache(maxsize=2)
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
