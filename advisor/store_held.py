"""The commitments that a fleet's owner holds: rows of the stored fleet, and which of them an answer can count with."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from advisor.engine.held import HeldCommitment
from advisor.models import StoredFleet
from advisor.store_prices import Priced

Json = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class UsableHeld:
    """What can be counted with, and notes on what cannot, and why."""

    held: tuple[HeldCommitment, ...]
    notes: tuple[str, ...] = ()


def held_of(fleet: StoredFleet) -> tuple[HeldCommitment, ...]:
    """All commitments that are stored with a fleet, in the order in which they were added."""
    return tuple(
        HeldCommitment(
            **{
                **row,
                "ends": date.fromisoformat(row["ends"]),
                "bought": date.fromisoformat(row["bought"]) if row["bought"] else None,
            }
        )
        for row in fleet.held
    )


def add_held(fleet: StoredFleet, more: Iterable[HeldCommitment], currency: str) -> int:
    """Add commitments, each once, and answer how many are new. A price without currency is in `currency`.

    The currency is kept with the price, so that a change of the answer's currency does not change what was paid.
    """
    known = held_of(fleet)
    priced = (one if one.hourly_price is None or one.currency else replace(one, currency=currency) for one in more)
    new = [one for one in dict.fromkeys(priced) if one not in known]
    _save(fleet, (*known, *new))
    return len(new)


def remove_held(fleet: StoredFleet, key: str) -> None:
    """Forget the commitment of that key; nothing happens where there is none."""
    _save(fleet, tuple(one for one in held_of(fleet) if key_of(one) != key))


def clear_held(fleet: StoredFleet) -> None:
    """Forget all of them."""
    _save(fleet, ())


def key_of(one: HeldCommitment) -> str:
    """A short name for a commitment within its fleet, the same on every page."""
    return hashlib.sha256(repr(one).encode()).hexdigest()[:12]


def usable_held(fleet: StoredFleet, priced: Priced) -> UsableHeld:
    """The fleet's commitments whose price can be told in the currency of the answer."""
    book, usable, notes = priced.world.quotes.book, [], []
    for one in held_of(fleet):
        if one.hourly_price is None or book.units_for(one.currency or book.currency, priced.prices.rates):
            usable.append(one)
        else:
            notes.append(f"{one.order} is not counted: it is priced in {one.currency}, and no rate of that is stated.")
    return UsableHeld(held=tuple(usable), notes=tuple(notes))


def _save(fleet: StoredFleet, held: Iterable[HeldCommitment]) -> None:
    fleet.held = [_row(one) for one in held]
    fleet.save(update_fields=["held"])


def _row(one: HeldCommitment) -> Json:
    return {
        "order": one.order,
        "kind": one.kind,
        "years": one.years,
        "ends": one.ends.isoformat(),
        "quantity": one.quantity,
        "size": one.size,
        "region": one.region,
        "bought": one.bought.isoformat() if one.bought else None,
        "hourly_price": one.hourly_price,
        "currency": one.currency,
    }
