"""Which assumptions a fleet's owner changed: a stored fleet keeps those that differ from the list, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.engine.assumptions import ASSUMPTIONS, LOW_AND_HIGH
from advisor.models import StoredFleet

#: Where a fleet's settings keep them: {"labour_rate": 120.0}.
KEY = "assume"


def assumed_in(fleet: StoredFleet) -> dict[str, float]:
    """The changed figures by name, in the order of the list.

    A figure that the list of this version does not know any more, or not allow, is left out.
    """
    stored: Mapping[str, float] = fleet.settings.get(KEY, {})
    allowed = {
        name: stored[name]
        for name, known in ASSUMPTIONS.items()
        if name in stored and known.minimum <= stored[name] <= known.maximum
    }
    for pair in LOW_AND_HIGH:
        low, high = (allowed.get(name, ASSUMPTIONS[name].value) for name in pair)
        if low is not None and high is not None and low > high:
            allowed = {name: value for name, value in allowed.items() if name not in pair}
    return allowed


def assume(fleet: StoredFleet, assumed: Mapping[str, float]) -> None:
    """Keep `assumed` in place of what was changed before; a figure as the list has it is not kept."""
    changed = {name: value for name, value in assumed.items() if value != ASSUMPTIONS[name].value}
    fleet.settings = fleet.settings | {KEY: changed}
    fleet.save(update_fields=["settings"])
