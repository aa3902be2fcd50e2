"""Utilisation files of a fleet, kept among its readings, and what was said of their hosts by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from advisor.engine.readers.packing import pack
from advisor.engine.readers.reading import Reading
from advisor.models import StoredFleet

KEY = "hosts"
#: Files of utilisation that a fleet keeps; each is a few hundred bytes per GPU.
FILES_MAX = 200


def hosts_of(fleet: StoredFleet) -> dict[str, str]:
    """What each host is that was matched by hand, see engine.utilisation.HostUse.target; by its name as compared."""
    stored: Mapping[str, str] = fleet.settings.get(KEY, {})
    return dict(stored)


def say_of_hosts(fleet: StoredFleet, said: Mapping[str, str]) -> None:
    """Keep what was said of some hosts, over what was said before; an empty word forgets it."""
    merged = hosts_of(fleet) | dict(said)
    fleet.settings = fleet.settings | {KEY: {host: target for host, target in merged.items() if target}}
    fleet.save(update_fields=["settings"])


def number_of_files(fleet: StoredFleet) -> int:
    """How many files of utilisation the fleet has."""
    return sum(bool(item["active"].get("utilisation")) for item in fleet.readings)


def add_utilisation(fleet: StoredFleet, readings: Sequence[Reading]) -> None:
    """Keep files of utilisation beside those that are there."""
    fleet.readings = [*fleet.readings, *(_item(reading) for reading in readings)]
    fleet.refused = [*fleet.refused, *(None for _ in readings)]
    fleet.save(update_fields=["readings", "refused"])


def remove_utilisation(fleet: StoredFleet) -> None:
    """Forget all files that hold utilisation and no machines, and what was said of their hosts."""
    kept = [
        place
        for place, item in enumerate(fleet.readings)
        if item["active"]["summary"]["usable"] or not item["active"].get("utilisation")
    ]
    fleet.readings = [fleet.readings[place] for place in kept]
    fleet.refused = [fleet.refused[place] for place in kept]
    fleet.settings = {name: value for name, value in fleet.settings.items() if name != KEY}
    fleet.save(update_fields=["readings", "refused", "settings"])


def _item(reading: Reading) -> dict[str, Any]:
    """A file without hours, refused rows or columns to match, as store_fleets keeps files."""
    return {"active": pack(reading), "other": None, "hours": None, "upload": None, "matched": None}
