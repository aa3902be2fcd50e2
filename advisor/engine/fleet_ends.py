"""What of one fleet stops when: its machines by size, region and service, with the days that count for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from advisor.engine.catalogue import Catalogue, Service
from advisor.engine.life import SERVICE_WORDS, Lane, lane_at, region_name


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetEnd:
    """Machines of one size in one place, and their lane."""

    size: str
    region: str | None
    service: Service
    vms: int
    lane: Lane

    @property
    def on(self) -> date | None:
        """When they stop or stopped: the service's own day where it has one, else that of the newest Microsoft page."""
        return self.lane.status.forced_stop or self.lane.status.retirement_date

    @property
    def earlier(self) -> date | None:
        """An earlier end, or the only one, that another source gives."""
        first = self.lane.first_end
        return first if first and (self.on is None or first < self.on) else None

    @property
    def unknown(self) -> bool:
        """No source says whether they are current, announced or retired."""
        return self.on is None and self.lane.status.status == "unknown"

    def name(self, catalogue: Catalogue) -> str:
        """What stands over its lane."""
        place = region_name(catalogue, self.region) if self.region else "no region"
        owner = "" if self.service == "vm" else f", {SERVICE_WORDS[self.service]}"
        return f"{self.vms} x {self.size.removeprefix('Standard_')}, {place}{owner}"


def fleet_ends(catalogue: Catalogue, pools: Iterable[Mapping[Any, Any]], as_of: date) -> list[FleetEnd]:
    """One entry per size, region and service of the pools; by the first day of any source, those without one last."""
    count: dict[tuple[str, str | None, Service], int] = {}
    for pool in pools:
        key = (pool["size"], pool["region"], pool["service"])
        count[key] = count.get(key, 0) + int(pool["vms"])
    ends = [
        FleetEnd(
            size=size, region=region, service=service, vms=vms, lane=lane_at(catalogue, size, region, as_of, service)
        )
        for (size, region, service), vms in count.items()
    ]
    return sorted(
        ends, key=lambda e: (e.earlier or e.on or date.max, e.on or date.max, e.size, e.region or "", e.service)
    )


def vms_unknown(ends: Iterable[FleetEnd]) -> int:
    """Machines of sizes of which no source says how they stand."""
    return sum(end.vms for end in ends if end.unknown)
