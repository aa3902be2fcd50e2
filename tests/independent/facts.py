"""Facts as the fixture files have them: what ends when, what a size has, what it costs in a region."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
LIVES = ("none-announced", "recommended-as-target", "first-offered", "announced")


def rows(name: str) -> Iterator[dict[str, Any]]:
    for row in json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8")):
        yield row["fields"]


def day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


@dataclass(frozen=True, slots=True)
class Life:
    """`known`: some source speaks of the size. `own_end` is the newest Microsoft page's, `end` the earliest of all."""

    known: bool
    retired: bool
    own_end: date | None
    end: date | None


@dataclass(frozen=True, slots=True)
class Hourly:
    """Pay-as-you-go per VM-hour; `licence` None: Windows, and nobody knows what it costs."""

    compute: float
    licence: float | None


class Facts:
    """The fixture files by key."""

    def __init__(self) -> None:
        self.sizes = {row["name"]: row for row in rows("sizes")}
        self.gpus = {row["name"]: row for row in rows("gpus")}
        self.support = {row["series"]: row for row in rows("series_support")}
        self.geography = {row["name"]: row["geography"] for row in rows("regions")}
        self.documented = {(row["series"], row["region"]) for row in rows("availability")}
        book = max(rows("price_books"), key=lambda row: (row["as_of"], row["name"]))
        self.book_day = date.fromisoformat(book["as_of"])
        self.per_vcpu = float(book["windows_licence_per_vcpu_hour"])
        self.prices = {
            (row["size"], row["region"], row["os"], row["price_model"]): row
            for row in rows("prices")
            if row["book"] == book["name"]
        }
        recent = (self.book_day - timedelta(days=183)).isoformat()
        self.listed = {(key[0], key[1]) for key, row in self.prices.items() if row["as_of"] >= recent}
        self._events: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in rows("ledger"):
            if row["service"] == "vm" and not row["superseded"]:
                self._events[row["size"]].append(row)

    def gpus_of(self, size: str) -> float | None:
        """GPUs that work apart: a slice is one."""
        count = self._count(size)
        return None if count is None else max(1.0, count)

    def _count(self, size: str) -> float | None:
        written = self.sizes[size]["gpus"]
        if written is None:
            return None
        above, _, below = str(written).partition("/")
        return float(above) / float(below or 1)

    def bought(self, size: str) -> float:
        return self._count(size) or 0.0

    def memory_of(self, size: str) -> float | None:
        """GiB that one GPU or slice has."""
        count, facts = self._count(size), self.sizes[size]
        return facts["gpu_memory_total_gib" if count is not None and count < 1 else "gpu_memory_gib"]

    @cache  # noqa: B019 (one value for the whole run)
    def life(self, size: str, region: str | None, as_of: date) -> Life:
        """What the ledger says of VMs of a size in a region on a day."""
        events = [event for event in self._events[size] if event["region"] in (None, region)]
        ends = [event for event in events if event["event"] == "retires"]
        ends = [event for event in ends if event["region"]] or ends
        official = [event for event in ends if event["publisher"] == "microsoft"]
        if not official:
            return Life(any(event["event"] in LIVES for event in events), False, None, None)
        newest = max(official, key=lambda event: (event["on"] is not None, event["as_of"], event["on"] or ""))
        stops = day(newest["on"]) or date.fromisoformat(newest["as_of"])
        earliest = min((event["on"] for event in ends if event["on"]), default=None)
        return Life(True, stops <= as_of, day(newest["on"]), day(earliest))

    @cache  # noqa: B019
    def price(self, size: str, region: str, system: str) -> Hourly | None:
        """Pay-as-you-go of the last 12 months before the book's day; Windows is Linux and a licence beside it."""
        oldest = (self.book_day - timedelta(days=365)).isoformat()
        linux, windows = (
            row if row and row["as_of"] >= oldest else None
            for row in (self.prices.get((size, region, name, "payg")) for name in ("linux", "windows"))
        )
        if system == "linux":
            return Hourly(linux["hourly_price"], 0.0) if linux else None
        vcpus = self.sizes[size]["vcpus"]
        licence = None if vcpus is None else self.per_vcpu * vcpus
        if linux and windows and (linux["source"], linux["as_of"]) == (windows["source"], windows["as_of"]):
            apart = windows["hourly_price"] - linux["hourly_price"]
            licence = apart if apart >= 0 else licence
        if linux:
            return Hourly(linux["hourly_price"], licence)
        if windows and licence is not None and windows["hourly_price"] > licence:
            return Hourly(windows["hourly_price"] - licence, licence)
        return None

    def places(self, region: str | None, scope: str) -> list[str | None]:
        """Regions that a pool may go to."""
        home = self.geography.get(region or "")
        if scope == "own" or home is None:
            return [region]
        return [region, *(name for name, where in self.geography.items() if where == home and name != region)]

    def offered(self, size: str, region: str) -> bool:
        return (self.sizes[size]["series"], region) in self.documented or (size, region) in self.listed
