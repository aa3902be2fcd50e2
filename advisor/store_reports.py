"""The door between stored reports and what is shared: an advice is frozen, found again, taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from advisor.access import hashed, new_secret
from advisor.engine.advice_json import advice_json
from advisor.engine.answer import Advice
from advisor.engine.redact import redact
from advisor.models import StoredFleet, StoredReport


def freeze(fleet: StoredFleet, advice: Advice, *, title: str, with_names: bool) -> str:
    """Keep what may be shared of the advice; answers the secret of its link, of which only the hash is stored."""
    secret = new_secret()
    StoredReport.objects.create(
        token=hashed(secret),
        owner=fleet.owner,
        title=title,
        fleet=fleet,
        advice=advice_json(redact(advice, with_names=with_names)),
        with_names=with_names,
    )
    return secret


def freeze_edge(owner: str, document: dict[str, Any], *, title: str) -> str:
    """Keep a plan for an edge device; answers the secret of its link, of which only the hash is stored."""
    secret = new_secret()
    StoredReport.objects.create(token=hashed(secret), owner=owner, title=title, advice=document, with_names=True)
    return secret


def reports_of(fleet: StoredFleet) -> Sequence[StoredReport]:
    """The reports made from a fleet, newest first, without what is in them. One query."""
    return list(fleet.reports.defer("advice"))


def take_back(report: StoredReport) -> None:
    """Delete what the report says; its link then answers that it is gone. A second time changes nothing."""
    if report.revoked_at is None:
        report.advice, report.title, report.revoked_at = {}, "", timezone.now()
        report.save(update_fields=["advice", "title", "revoked_at"])
