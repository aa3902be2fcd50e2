"""Facts of the source machines: what a file or a person says of them, and the strictest value of a pool.

VMs of one pool may differ. Then the value counts that leaves the fewest ways open, and how many VMs have which value
is told. A VM of which nothing is said may have any value: where that could be stricter, the pool's value is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from advisor.engine.fact_kinds import CHOICE_YES_NO, KINDS, Value, lowest_version


class BadFact(ValueError):
    """A fact that is not in the list, or a value it cannot have; the message says which are allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VmFacts:
    """What is known of the machines, None where nothing is; yes is 1 and no is 0."""

    generation: float | None = None
    image: str | None = None
    data_disks: float | None = None
    premium_disks: float | None = None
    nics: float | None = None
    accelerated_networking: float | None = None
    temp_used_gib: float | None = None
    os_disk_gib: float | None = None
    ephemeral_os_disk: float | None = None
    disk_encryption: float | None = None
    disk_controller: str | None = None
    availability_set: float | None = None
    proximity_group: float | None = None
    zone: str | None = None
    security_type: str | None = None
    secure_boot: float | None = None
    extensions: str | None = None
    driver: str | None = None
    cuda: str | None = None
    pytorch: str | None = None
    tensorflow: str | None = None

    def over(self, lower: VmFacts) -> VmFacts:
        """These facts where they say something, else those of `lower`."""
        if self == NOTHING:
            return lower
        merged = {name: getattr(self, name) for name in NAMES}
        return VmFacts(**{name: getattr(lower, name) if value is None else value for name, value in merged.items()})


NAMES: tuple[str, ...] = tuple(field.name for field in fields(VmFacts))
NOTHING = VmFacts()


def read_fact(name: str, text: str) -> Value:
    """The value that a text gives a fact; raises BadFact naming fact, text and what is allowed."""
    kind = KINDS.get(name)
    if kind is None:
        raise BadFact(f"{name[:60]!r} is no fact of a machine; there are: {', '.join(NAMES)}")
    value = kind.read(text[:200])
    if value is None:
        raise BadFact(f"{name} is {text[:60]!r}, allowed is {kind.allowed}")
    return value


def facts_of(values: Mapping[str, Any]) -> VmFacts:
    """Facts from plain values, as a profile rule, a form or a packed row has them. Raises BadFact."""
    found: dict[str, Any] = {}
    for name, value in values.items():
        plain = "" if value is None else ("yes" if value else "no") if isinstance(value, bool) else value
        text = f"{plain:g}" if isinstance(plain, float) else str(plain)
        if text.strip() or name not in KINDS:
            found[name] = read_fact(name, text)
    return VmFacts(**found) if found else NOTHING


def shown(name: str, value: Value) -> str:
    """A value in words: yes, 2, 360 GiB, ubuntu 22.04; `not said` for None."""
    if value is None:
        return "not said"
    kind = KINDS[name]
    if kind.choices == CHOICE_YES_NO:
        return "yes" if value else "no"
    text = f"{value:g}" if isinstance(value, float) else value.replace("+", ", ")
    words = dict(kind.choices).get(text)
    return words or (f"{text} {kind.unit}" if kind.unit else text)


def strictest(name: str, tally: Mapping[Value, float]) -> tuple[Value, bool]:
    """The value that counts for a pool of which `tally` tells how many VMs have which, and whether it is open.

    A number or version stands as far as it is known and is open while some VM is not said: what it forbids is
    forbidden, what it allows is not sure. Of all other facts the value is then None, unless none is stricter.
    """
    values = [value for value in tally if value is not None]
    if not values:
        return None, True
    kind = KINDS[name]
    found = kind.strictest(values)
    if None not in tally or (kind.limit is not None and found == kind.limit):
        return found, False
    return (found, True) if kind.limit is None and kind.strictest in (max, lowest_version) else (None, True)


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolFacts:
    """The facts of one pool: the values that count, those of them that are open, and how many VMs have which value."""

    values: VmFacts = NOTHING
    open: frozenset[str] = frozenset()
    tallies: tuple[tuple[str, tuple[tuple[Value, float], ...]], ...] = ()
    said: frozenset[str] = frozenset()  # by a person, for the whole pool


UNKNOWN_FACTS = PoolFacts()


def pool_facts(combinations: Iterable[tuple[VmFacts, float]], said: VmFacts = NOTHING) -> PoolFacts:
    """The facts of a pool of which so many VMs have these facts; what a person `said` of the pool beats all."""
    counted = [(facts, vms) for facts, vms in combinations if vms > 0]
    if said == NOTHING and all(facts == NOTHING for facts, _ in counted):
        return UNKNOWN_FACTS
    found = tallies((said.over(facts), vms) for facts, vms in counted)
    judged = {name: strictest(name, tally) for name, tally in found.items()}
    values: dict[str, Any] = {name: value for name, (value, _) in judged.items()}
    return PoolFacts(
        values=VmFacts(**values),
        open=frozenset(name for name, (_, is_open) in judged.items() if is_open),
        tallies=tuple((name, tuple(_ordered(tally))) for name, tally in found.items()),
        said=frozenset(name for name in NAMES if getattr(said, name) is not None),
    )


def _ordered(tally: Mapping[Value, float]) -> list[tuple[Value, float]]:
    """The values with most VMs first; those of which nothing is said last."""
    return sorted(tally.items(), key=lambda item: (item[0] is None, -item[1], str(item[0])))


def tallies(combinations: Iterable[tuple[VmFacts, float]]) -> dict[str, dict[Value, float]]:
    """How many VMs have which value, by fact, for facts of which some VM has a known value."""
    counted = list(combinations)
    found: dict[str, dict[Value, float]] = {}
    for name in NAMES:
        tally: dict[Value, float] = {}
        for facts, vms in counted:
            value = getattr(facts, name)
            tally[value] = tally.get(value, 0.0) + vms
        if any(value is not None for value in tally):
            found[name] = tally
    return found
