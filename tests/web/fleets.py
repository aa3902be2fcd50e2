"""Fleets for tests of pages: handed in through the site, as a browser would."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import resolve, reverse

from advisor.models import StoredFleet
from tests.sessions import keep_once

THREE_BAD = """name,size,region,count,hours_per_vm
gpu-1,NC6s_v3,West Europe,4,520
typo-1,NC6x,West Europe,2,100
typo-2,NC4as_T4_v3,West Europe,1,72O
typo-3,NC6,West Erope,1,10
web-1,D4s_v5,West Europe,1,730
"""


def upload(client: Client, *files: tuple[str, str | bytes]) -> Any:
    """POST files; answers the response, not followed."""
    chosen = [SimpleUploadedFile(name, text.encode() if isinstance(text, str) else text) for name, text in files]
    return client.post(reverse("fleets"), {"how": "files", "file": chosen, "end": "1"})


def uploaded(client: Client, *files: tuple[str, str]) -> StoredFleet:
    """The fleet that an upload of good files makes; uploaded once per run, and then stored as it was."""
    return keep_once(client, ("uploaded", files), lambda: fleet_of(upload(client, *files)))


def paste(client: Client, lines: str) -> Any:
    return client.post(reverse("fleets"), {"how": "lines", "lines": lines})


def fleet_of(response: Any) -> StoredFleet:
    """The fleet that a response redirects to."""
    assert response.status_code == 302, response.content.decode()[:2_000]
    match = resolve(response.url.partition("?")[0].partition("#")[0])
    return StoredFleet.objects.get(pk=match.kwargs["fleet_id"])


def id_in(url: str, name: str) -> UUID:
    """The id in an address."""
    return resolve(url.partition("?")[0]).kwargs[name]
