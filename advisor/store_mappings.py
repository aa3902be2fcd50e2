"""How a browser session matched the columns of its tables: kept by the shape of the table, for the next one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from django.utils import timezone

from advisor.engine.readers.mapping import ColumnMapping, mapping_json, mapping_of
from advisor.models import StoredFleet, StoredMapping

#: A mapping is forgotten after so long; a session does not live longer.
MAPPINGS_KEPT = timedelta(days=180)
#: Of one session; the oldest go.
MAPPINGS_MAX = 50

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """The mapping that a file was read with. `shape` is None where no other file can be known by it.

    `on` is the day on which it was made; None: for this very file.
    """

    mapping: ColumnMapping
    shape: str | None
    on: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedFile:
    """What a page says of a file that was read with a mapping; `remembered`: the next file of its shape will be too."""

    place: int  # among the files of the fleet
    file: str
    on: date | None
    remembered: bool


def matched_json(matched: Matched) -> Json:
    """JSON values, for a stored fleet or import."""
    on = matched.on.isoformat() if matched.on else None
    return {"mapping": mapping_json(matched.mapping), "shape": matched.shape, "on": on}


def matched_of(values: Mapping[str, Any]) -> Matched:
    """What `matched_json` wrote."""
    on = date.fromisoformat(values["on"]) if values["on"] else None
    return Matched(mapping=mapping_of(values["mapping"]), shape=values["shape"], on=on)


def known(owner: str) -> dict[str, Matched]:
    """What a session has matched before, by shape."""
    rows = StoredMapping.objects.filter(owner=owner, made_at__gte=timezone.now() - MAPPINGS_KEPT)
    return {row.shape: Matched(mapping=mapping_of(row.mapping), shape=row.shape, on=row.made_at.date()) for row in rows}


def remember(owner: str, matched: Matched | None) -> None:
    """Keep a mapping that was made by hand for the next file; one that was known already stays as it is."""
    if matched is None or matched.shape is None or matched.on is not None:
        return
    values = mapping_json(replace(matched.mapping, header_line=None))  # the next file may have it elsewhere
    StoredMapping.objects.update_or_create(owner=owner, shape=matched.shape, defaults={"mapping": values})
    newest = StoredMapping.objects.filter(owner=owner).order_by("-made_at").values_list("pk", flat=True)[:MAPPINGS_MAX]
    StoredMapping.objects.filter(owner=owner).exclude(pk__in=list(newest)).delete()


def forget(owner: str, shape: str | None) -> None:
    """The next file of this shape is read by the names of its columns again."""
    StoredMapping.objects.filter(owner=owner, shape=shape).delete()


def purge() -> None:
    """Forget what is older than any session."""
    StoredMapping.objects.filter(made_at__lt=timezone.now() - MAPPINGS_KEPT).delete()


def matched_files(fleet: StoredFleet) -> list[MatchedFile]:
    """The files of a fleet whose columns were matched by hand; asks the database only where there are any."""
    found = {place: matched_of(item["matched"]) for place, item in enumerate(fleet.readings) if item.get("matched")}
    if not found:
        return []
    shapes = [matched.shape for matched in found.values() if matched.shape]
    kept = set(StoredMapping.objects.filter(owner=fleet.owner, shape__in=shapes).values_list("shape", flat=True))
    return [
        MatchedFile(
            place=place,
            file=fleet.readings[place]["active"]["summary"]["file"],
            on=matched.on,
            remembered=matched.shape in kept,
        )
        for place, matched in found.items()
    ]
