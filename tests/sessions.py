"""Fleets of a browser session, kept without the upload."""

from __future__ import annotations

import io
import secrets

from django.test import Client

from advisor import store_fleets
from advisor.access import SESSION_KEY, hashed
from advisor.engine.catalogue import Catalogue
from advisor.engine.readers import read_file
from advisor.models import StoredFleet


def keep(client: Client, catalogue: Catalogue, *files: tuple[str, str]) -> StoredFleet:
    """Keep (name, text) files as a fleet of this client's own browser session."""
    session = client.session
    secret = session.setdefault(SESSION_KEY, secrets.token_urlsafe())
    session.save()
    readings = [read_file(name, io.BytesIO(text.encode()), catalogue) for name, text in files]
    return store_fleets.save_fleet(hashed(secret), files[0][0], readings)
