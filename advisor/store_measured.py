"""The speed-ups that a fleet's owner measured: kept with the fleet, each two GPUs once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from advisor.engine.catalogue import Catalogue
from advisor.engine.speed_own import MOST_ROWS, OwnRatio, later_counts
from advisor.models import StoredFleet

#: Where a fleet's settings keep them: [{"from_gpu": "K80", "to_gpu": "T4", "ratio": 2.5, "note": ""}].
KEY = "measured"


class TooManyRatios(ValueError):
    """More ratios than there are pairs of GPUs; nothing was kept."""


def measured_in(fleet: StoredFleet, catalogue: Catalogue) -> tuple[OwnRatio, ...]:
    """The ratios in the order in which they were said. One of a GPU that the catalogue has no more is left out."""
    stored = (OwnRatio(**values) for values in fleet.settings.get(KEY, []))
    return tuple(one for one in stored if one.gpus <= catalogue.gpus.keys())


def add_measured(fleet: StoredFleet, more: Iterable[OwnRatio]) -> None:
    """Keep more ratios, each in place of what was said of the same two GPUs. Raises TooManyRatios."""
    found = later_counts((*(OwnRatio(**values) for values in fleet.settings.get(KEY, [])), *more))
    if len(found) > MOST_ROWS:
        raise TooManyRatios(f"A fleet has at most {MOST_ROWS:,} measured speeds. Remove some first.")
    _save(fleet, found)


def remove_measured(fleet: StoredFleet, gpus: frozenset[str]) -> None:
    """Forget the ratio of two GPUs; nothing happens where there is none."""
    kept = (OwnRatio(**values) for values in fleet.settings.get(KEY, []))
    _save(fleet, (one for one in kept if one.gpus != gpus))


def clear_measured(fleet: StoredFleet) -> None:
    """Forget all of them."""
    _save(fleet, ())


def _save(fleet: StoredFleet, ratios: Iterable[OwnRatio]) -> None:
    fleet.settings = fleet.settings | {KEY: [asdict(one) for one in ratios]}
    fleet.save(update_fields=["settings"])
