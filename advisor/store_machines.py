"""What was said of the machines of a fleet's pools, kept with the fleet."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.engine.vm_facts import NAMES, NOTHING, VmFacts
from advisor.models import StoredFleet

KEY = "machines"


def machines_of(fleet: StoredFleet) -> dict[str, VmFacts]:
    """The facts said of each pool, by pool id. A fact that this version does not know is left out."""
    stored: Mapping[str, Mapping[str, float | str]] = fleet.settings.get(KEY, {})
    return {
        pool: VmFacts(**{name: value for name, value in facts.items() if name in NAMES})  # type: ignore[arg-type]
        for pool, facts in stored.items()
    }


def say_of_machines(fleet: StoredFleet, pool: str, facts: VmFacts) -> None:
    """Keep what was said of one pool's machines, over what was said before."""
    kept = {name: value for name in NAMES if (value := getattr(facts, name)) is not None}
    others = {key: said for key, said in fleet.settings.get(KEY, {}).items() if key != pool}
    fleet.settings = fleet.settings | {KEY: others if facts == NOTHING else others | {pool: kept}}
    fleet.save(update_fields=["settings"])
