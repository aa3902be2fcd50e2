"""The door between stored fleets and engine values: readings packed and unpacked, what was said of the pools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone

from advisor.engine.readers.packing import pack, unpack
from advisor.engine.readers.reading import Reading
from advisor.engine.workload import ProfileFields, profile_fields
from advisor.models import StoredFleet, StoredUpload

#: Uploads that wait for their columns are deleted after this time.
UPLOAD_KEPT = timedelta(hours=1)


def save_fleet(
    owner: str, name: str, readings: Sequence[Reading], *, refused: Sequence[Mapping[str, Any]] = ()
) -> StoredFleet:
    """Keep the readings, packed; the upload itself is not kept."""
    return StoredFleet.objects.create(
        owner=owner, name=name[:200], readings=[pack(reading) for reading in readings], refused=list(refused)
    )


def readings_of(fleet: StoredFleet) -> tuple[Reading, ...]:
    """The fleet's readings as the engine wants them."""
    return tuple(unpack(packed) for packed in fleet.readings)


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


def purge_uploads() -> None:
    """Delete uploads that nobody came back for."""
    StoredUpload.objects.filter(made_at__lt=timezone.now() - UPLOAD_KEPT).delete()
