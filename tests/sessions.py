"""Fleets of a browser session, kept without the upload."""

from __future__ import annotations

import io
import secrets
from collections.abc import Callable, Hashable
from copy import deepcopy
from typing import Any

from django.test import Client

from advisor import store_fleets
from advisor.access import SESSION_KEY, hashed
from advisor.engine.catalogue import Catalogue
from advisor.engine.readers import read_file
from advisor.models import StoredFleet

#: What is stored of fleets that were kept before, by what was handed in: each is read once per run.
_kept: dict[Hashable, dict[str, Any]] = {}


def owner_of(client: Client) -> str:
    """Whose fleets the client's browser session owns; made where it has none yet."""
    session = client.session
    secret = session.setdefault(SESSION_KEY, secrets.token_urlsafe())
    session.save()
    return hashed(secret)


def keep(client: Client, catalogue: Catalogue, *files: tuple[str, str]) -> StoredFleet:
    """Keep (name, text) files as a fleet of this client's own browser session."""

    def save() -> StoredFleet:
        readings = [read_file(name, io.BytesIO(text.encode()), catalogue) for name, text in files]
        return store_fleets.save_fleet(owner_of(client), files[0][0], readings)

    return keep_once(client, ("kept", catalogue.version, files), save)


def keep_once(client: Client, key: Hashable, save: Callable[[], StoredFleet]) -> StoredFleet:
    """The fleet that `save` stores; with a key that was there before, the same rows for this client."""
    if key not in _kept:
        fleet = save()
        _kept[key] = deepcopy({"name": fleet.name, "readings": fleet.readings, "refused": fleet.refused})
        return fleet
    return StoredFleet.objects.create(owner=owner_of(client), **deepcopy(_kept[key]))
