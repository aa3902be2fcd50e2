"""A runbook from an option of an answer and the catalogue. The same rules that gave the verdict give the steps."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.engine.answer import Option, PoolAdvice
from advisor.engine.catalogue import Catalogue
from advisor.engine.runbook.after import finish, install, stay
from advisor.engine.runbook.case import Case
from advisor.engine.runbook.image import image
from advisor.engine.runbook.lost import lost
from advisor.engine.runbook.move import move, other_ways
from advisor.engine.runbook.prepare import prepare
from advisor.engine.runbook.software import images_seen, software_plan
from advisor.engine.runbook.values import Runbook, SoftwarePlan, Step

#: What each verdict means, in words.
PATHS = {
    "stay": "The machines are left as they are.",
    "resize": "The same machines with another size.",
    "redeploy": "New machines, with today's disks or image.",
    "rebuild": "A new image, then new machines from it.",
    "port": "The code for another kind of GPU, a new image, then new machines from it.",
}


def runbook_of(pool: PoolAdvice, option: Option, catalogue: Catalogue) -> Runbook:
    """The steps to `option` in the order in which they are done."""
    case = Case(pool=pool, option=option, catalogue=catalogue)
    system = "aks" if pool.service == "aks" else pool.os
    plan = software_plan(catalogue, case.target, system, pool.workload.kind)
    if system == "aks" and plan.driver is None:
        plan = software_plan(catalogue, case.target, pool.os, pool.workload.kind)
    return Runbook(
        size=option.size,
        region=option.region,
        verdict=option.verdict,
        path=PATHS[option.verdict],
        steps=tuple(_steps(case, plan)),
        lost=tuple(lost(case)),
        other_ways=other_ways(case),
        software=plan,
        images=() if pool.os == "windows" else images_seen(catalogue, case.target.gpu),
        open_questions=sum(1 for reason in case.unknown.values() if reason.question),
        labour_cost=option.tco.components.get("migration_labour"),
        overlap_cost=option.tco.components.get("parallel_running"),
    )


def _steps(case: Case, plan: SoftwarePlan) -> Iterator[Step]:
    if case.stays:
        yield from stay(case)
        return
    yield from prepare(case)
    yield from image(case, plan)
    yield from move(case, plan)
    yield from install(case, plan)
    yield from finish(case)
