"""Commitments of one pool as text for a terminal: the plan, a month of waiting, what the first choice strands."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.engine.answer import PoolAdvice
from advisor.engine.commitment_plan import MODEL_WORDS


def commitment_sentences(pool: PoolAdvice, currency: str) -> Iterator[str]:
    """A sentence each, without line breaks; none where the answer is older than plans."""
    if pool.commitments is None:
        return

    def money(value: float | None) -> str:
        return "unknown" if value is None else f"{currency} {value:,.0f}".replace("-", "\u2212")

    plan, waiting = pool.commitments.plan, pool.commitments.waiting
    if plan is not None:
        mix = ", ".join(f"{row.vms} on {MODEL_WORDS[row.price_model]}" for row in plan.machines)
        yield (
            f"Commit: {mix}: {money(plan.plan.monthly_cost)} a month against {money(plan.all_payg.monthly_cost)} "
            f"all as you go; committed {money(plan.committed)}."
        )
    if waiting.monthly_cost is not None:
        yield f"A month of waiting costs {money(waiting.monthly_cost)} beyond the plan."
    for passing in waiting.dates:
        yield f"Within a month: {passing.message}"
    for part in pool.options[0].stranded if pool.options else ():
        yield f"Held, {part.order}: {part.message} Left {money(part.remaining)}, lost {money(part.lost)}."
