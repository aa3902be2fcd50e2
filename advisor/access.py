"""Who may see what: a fleet or report is reachable by its share link or by the browser session that made it."""

from __future__ import annotations

import hashlib
import secrets
from typing import TypeVar
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404, HttpRequest

from advisor.models import StoredCalendar, StoredFleet, StoredImport, StoredReport, StoredUpload

Owned = StoredCalendar | StoredFleet | StoredImport | StoredReport | StoredUpload
Thing = TypeVar("Thing", StoredFleet, StoredImport, StoredReport, StoredUpload)
SESSION_KEY = "owner"
#: Bytes of randomness in a link or an owner's secret: 192 bits.
SECRET_BYTES = 24


def new_secret() -> str:
    """An unguessable text for a link; only its hash is stored."""
    return secrets.token_urlsafe(SECRET_BYTES)


def hashed(secret: str) -> str:
    """What is stored of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def owner_of(request: HttpRequest) -> str:
    """The stored form of this browser session's own secret, made when it is first needed."""
    secret = request.session.get(SESSION_KEY)
    if not secret:
        secret = request.session[SESSION_KEY] = new_secret()
    return hashed(secret)


def may_change(request: HttpRequest, thing: Owned) -> bool:
    """True for the browser session that made the thing. The one function that decides."""
    secret = request.session.get(SESSION_KEY)
    return isinstance(secret, str) and secrets.compare_digest(hashed(secret), thing.owner)


def own_fleet(request: HttpRequest, fleet_id: UUID) -> StoredFleet:
    """The session's own fleet; the same 404 for another's as for none."""
    return _own(request, StoredFleet.objects.filter(pk=fleet_id).first())


def own_fleets(request: HttpRequest) -> QuerySet[StoredFleet]:
    """The fleets that this browser session made, newest first; none for a session without a secret."""
    secret = request.session.get(SESSION_KEY)
    return StoredFleet.objects.filter(owner=hashed(secret)) if isinstance(secret, str) else StoredFleet.objects.none()


def own_upload(request: HttpRequest, upload_id: UUID) -> StoredUpload:
    """The session's own upload that waits for its columns; the same 404 for another's as for none."""
    return _own(request, StoredUpload.objects.filter(pk=upload_id).first())


def own_import(request: HttpRequest, import_id: UUID) -> StoredImport:
    """The session's own import; the same 404 for another's as for none."""
    return _own(request, StoredImport.objects.filter(pk=import_id).first())


def own_imports(request: HttpRequest) -> QuerySet[StoredImport]:
    """The imports that this browser session handed in, newest first."""
    secret = request.session.get(SESSION_KEY)
    return StoredImport.objects.filter(owner=hashed(secret)) if isinstance(secret, str) else StoredImport.objects.none()


def _own(request: HttpRequest, thing: Thing | None) -> Thing:
    if thing is None or not may_change(request, thing):
        raise Http404
    return thing


def shared_report(secret: str) -> StoredReport:
    """The report behind a link, revoked ones too (the page says that it is gone); 404 for a guessed link."""
    report = StoredReport.objects.filter(token=hashed(secret)).first()
    if report is None:
        raise Http404
    return report


def shared_calendar(secret: str) -> StoredCalendar:
    """The calendar behind a link; 404 for a guessed link and for one that was taken back."""
    calendar = StoredCalendar.objects.select_related("fleet").filter(token=hashed(secret)).first()
    if calendar is None:
        raise Http404
    return calendar
