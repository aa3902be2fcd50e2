"""The door between stored fleets and engine values: readings packed and unpacked, what was said of the pools.

A stored fleet has one item per file: {"active": packed reading, "other": the same file with its hours read the other
way or None, "hours": how the active one reads them (None or "per-row"), "upload": the file itself, while it is kept to
match its columns, or None, "matched": how these were matched by hand or None}. `refused` has, in the same order, the
refused rows of each file or None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID, uuid4

from advisor import store_uploads
from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.corrections import Changes, correct, merge
from advisor.engine.readers.packing import pack, unpack
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.refused import Refused, refused_json, refused_of
from advisor.engine.workload import ProfileFields, profile_fields
from advisor.models import StoredFleet
from advisor.store_mappings import Matched, matched_json

Json = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class ReadFile:
    """One file of an upload as read: with its hours read the other way where that is open, and its refused rows."""

    reading: Reading
    other: Reading | None = None
    refused: Refused | None = None
    upload: UUID | None = None  # the file, kept so that its columns can be matched by hand
    matched: Matched | None = None  # how they were

    @property
    def waits(self) -> bool:
        """True when nothing comes of the file until its columns are matched."""
        return self.upload is not None and not self.reading.usable and self.refused is None

    @property
    def of_use(self) -> bool:
        """True when there is something to show: machines, rows to correct, or columns to map."""
        return self.reading.usable or self.refused is not None or self.upload is not None


def save_fleet(owner: str, name: str, files: Sequence[Reading | ReadFile], fleet_id: UUID | None = None) -> StoredFleet:
    """Keep what was read, packed; the upload itself is not kept. Without `fleet_id` the fleet gets one of its own."""
    read = [file if isinstance(file, ReadFile) else ReadFile(reading=file) for file in files]
    return StoredFleet.objects.create(
        id=fleet_id or uuid4(),
        owner=owner,
        name=name[:200],
        readings=[_item(file) for file in read],
        refused=[refused_json(file.refused) if file.refused else None for file in read],
    )


def _item(file: ReadFile) -> Json:
    return {
        "active": pack(file.reading),
        "other": pack(file.other) if file.other else None,
        "hours": None,
        "upload": str(file.upload) if file.upload else None,
        "matched": matched_json(file.matched) if file.matched else None,
    }


def packed_of(fleet: StoredFleet, hours: str | Literal["active"] | None = "active") -> list[Json]:
    """The readings as they are stored: the active ones, or those that read open hours as `hours` says."""
    if hours == "active":
        return [item["active"] for item in fleet.readings]
    return [item["active" if item["hours"] == hours else "other"] or item["active"] for item in fleet.readings]


def readings_of(fleet: StoredFleet) -> tuple[Reading, ...]:
    """The fleet's active readings as the engine wants them."""
    return tuple(unpack(packed) for packed in packed_of(fleet))


def refused_by_file(fleet: StoredFleet) -> list[Refused | None]:
    """The refused rows of each file, in the order of the readings."""
    return [refused_of(values) if values else None for values in fleet.refused]


def counts_of(fleet: StoredFleet) -> tuple[int, int]:
    """GPU machines and refused rows of the fleet."""
    packed = packed_of(fleet)
    machines = sum(row["count"] for item in packed for row in item["rows"])
    return machines, sum(item["summary"]["error_rows"] for item in packed)


def hours_open(fleet: StoredFleet) -> bool:
    """True where some hours may be those of each machine or of the whole row."""
    return any(item["other"] is not None for item in fleet.readings)


def hours_are_per_row(fleet: StoredFleet) -> bool:
    """True when open hours are read as those of the whole row."""
    return any(item["hours"] == "per-row" for item in fleet.readings)


def read_hours_as(fleet: StoredFleet, hours: str | None) -> None:
    """Read open hours as `hours` says ("per-row", or None: per machine where a value can be that)."""
    for item in fleet.readings:
        if item["other"] is not None and item["hours"] != hours:
            item["active"], item["other"], item["hours"] = item["other"], item["active"], hours
    fleet.save(update_fields=["readings"])


def apply_corrections(fleet: StoredFleet, changes: Mapping[int, Changes], catalogue: Catalogue) -> int:
    """Read the changed rows again and merge them; answers how many were accepted. `changes` is by file."""
    accepted = 0
    for place, refused in enumerate(refused_by_file(fleet)):
        if refused is not None and changes.get(place):
            accepted += _correct_file(fleet, place, refused, changes[place], catalogue)
    fleet.save(update_fields=["readings", "refused"])
    return accepted


def _correct_file(fleet: StoredFleet, place: int, refused: Refused, changes: Changes, catalogue: Catalogue) -> int:
    item = fleet.readings[place]
    found = correct(refused, changes, catalogue, item["hours"])
    opened = any(problem.kind == "hours_reading" for problem in found.reading.problems)
    if item["other"] is None and opened:
        item["other"] = item["active"]  # no value was open before, so both readings are the same so far
    item["active"] = merge(item["active"], found)
    if item["other"] is not None:
        swapped = correct(refused, changes, catalogue, None if item["hours"] else "per-row")
        item["other"] = merge(item["other"], swapped)
    fleet.refused[place] = refused_json(found.refused) if found.refused.rows or found.refused.left_out else None
    return found.accepted


def replace_file(fleet: StoredFleet, file: ReadFile) -> None:
    """Put a file whose columns are now matched in the place where it was; at the end if it was not here."""
    waiting = [item["upload"] for item in fleet.readings]
    place = waiting.index(str(file.upload)) if str(file.upload) in waiting else len(waiting)
    fleet.readings[place : place + 1] = [_item(file)]
    fleet.refused[place : place + 1] = [refused_json(file.refused) if file.refused else None]
    fleet.save(update_fields=["readings", "refused"])


def profiles_of(fleet: StoredFleet) -> dict[str, ProfileFields]:
    """What was said of each pool, by pool id."""
    return {pool: profile_fields(values) for pool, values in fleet.profiles.items()}


def say(fleet: StoredFleet, pools: Sequence[str], fields: ProfileFields) -> None:
    """Keep what was said of the pools, over what was said before; fields that are None are forgotten."""
    values = {
        name: value for name in ProfileFields.__dataclass_fields__ if (value := getattr(fields, name)) is not None
    }
    fleet.profiles = fleet.profiles | dict.fromkeys(pools, values)
    fleet.save(update_fields=["profiles"])


def say_more(fleet: StoredFleet, pools: Sequence[str], fields: ProfileFields) -> None:
    """Add to what was said of the pools: fields that are None stay as they were."""
    known = profiles_of(fleet)
    for pool in pools:
        merged = fields.over(known.get(pool, ProfileFields()))
        fleet.profiles[pool] = {
            name: value for name in ProfileFields.__dataclass_fields__ if (value := getattr(merged, name)) is not None
        }
    fleet.save(update_fields=["profiles"])


def delete_fleet(fleet: StoredFleet) -> None:
    """Delete the fleet with everything that was read, and its files that are still kept. Shared reports stay."""
    store_uploads.delete_ids(item["upload"] for item in fleet.readings)
    fleet.delete()
