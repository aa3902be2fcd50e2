"""The door to stored calendar links: only the hash of a link's secret is kept."""

from __future__ import annotations

from advisor.access import hashed, new_secret
from advisor.models import StoredCalendar, StoredFleet


def make(fleet: StoredFleet) -> str:
    """Keep a new link of a fleet; answers its secret."""
    secret = new_secret()
    StoredCalendar.objects.create(token=hashed(secret), owner=fleet.owner, fleet=fleet)
    return secret


def take_back(calendar: StoredCalendar) -> None:
    """Forget a link."""
    calendar.delete()


def take_back_all(fleet: StoredFleet) -> None:
    """Forget every link of a fleet."""
    StoredCalendar.objects.filter(fleet=fleet).delete()
