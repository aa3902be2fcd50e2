"""A runbook as JSON, keys as its values name them; unknown as null."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date
from typing import Any

from advisor.engine.runbook.values import Runbook


def runbook_json(runbook: Runbook) -> dict[str, Any]:
    """The steps in their order with commands, what is lost, other ways, software and images."""
    found: dict[str, Any] = plain(asdict(runbook))
    return found


def plain(value: Any) -> Any:
    """A value as JSON has it: tuples as lists, days as text."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value.isoformat() if isinstance(value, date) else value
