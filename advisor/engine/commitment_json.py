"""Commitments as the JSON of the contract: keys written by hand, unknown as null, nothing rounded."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from advisor.engine.commitment_answer import CommitmentPlan, PassingDate, PoolCommitments, StrandedPart

Json = dict[str, Any]


def commitments_json(commitments: PoolCommitments) -> Json:
    """The key `commitments` of a pool."""
    waiting = commitments.waiting
    return {
        "plan": None if commitments.plan is None else _plan(commitments.plan),
        "waiting": {
            "monthly_cost": waiting.monthly_cost,
            "why": waiting.why,
            "dates": [_date(passing) for passing in waiting.dates],
        },
    }


def stranded_json(part: StrandedPart) -> Json:
    """One entry of the key `stranded` of an option."""
    return {
        "order": part.order,
        "kind": part.kind,
        "way": part.way,
        "units": part.units,
        "remaining": part.remaining,
        "returned": part.returned,
        "lost": part.lost,
        "message": part.message,
        "note": part.note,
        "sources": [{"page": source.page, "as_of": source.as_of.isoformat()} for source in part.sources],
    }


def _plan(plan: CommitmentPlan) -> Json:
    return {
        "size": plan.size,
        "region": plan.region,
        "machines": [asdict(row) for row in plan.machines],
        "plan": asdict(plan.plan),
        "all_payg": asdict(plan.all_payg),
        "all_3y": None if plan.all_3y is None else asdict(plan.all_3y),
        "all_3y_model": plan.all_3y_model,
        "committed": plan.committed,
        "not_offered": [asdict(row) for row in plan.not_offered],
        "uncertain": list(plan.uncertain),
    }


def _date(passing: PassingDate) -> Json:
    return {
        "on": passing.on.isoformat(),
        "what": passing.what,
        "message": passing.message,
        "source": passing.source,
    }
