"""A runbook as text: its path and steps in short, or in full with commands and sources."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.engine.answer import FactUsed, PoolAdvice
from advisor.engine.runbook.values import PHASES, Runbook, Step

#: A line, and the indent of what runs over; None: a command, which stays in one line, so that it can be pasted.
Line = tuple[str, str | None]
MACHINE = "Of the machines is known"


def runbook_lines(pool: PoolAdvice, currency: str, *, full: bool) -> Iterator[Line]:
    """Lines with the indent of what runs over: the facts of the machines, then each runbook of the pool."""
    if pool.facts:
        yield f"   {MACHINE}: {'; '.join(map(fact_words, pool.facts))}.", "      "
    for runbook in pool.runbooks:
        yield from _in_full(runbook) if full else _in_short(runbook)
        if runbook.labour_cost is not None and runbook.overlap_cost is not None:
            labour, overlap = (f"{currency} {cost:,.0f}" for cost in (runbook.labour_cost, runbook.overlap_cost))
            yield f"   Once: work of the move {labour}, old and new side by side {overlap}.", "     "


def fact_words(fact: FactUsed) -> str:
    """One fact in words; where machines differ, how many have which value."""
    name = fact.name.replace("_", " ")
    if not fact.values:
        return f"{name} {fact.value}"
    spread = ", ".join(f"{entry.value or 'not said'} on {entry.vms}" for entry in fact.values)
    return f"{name} {fact.value or 'unknown'} counts ({spread})"


def _in_short(runbook: Runbook) -> Iterator[tuple[str, str]]:
    titles = "; ".join(f"{number}. {step.title}" for number, step in enumerate(runbook.steps, 1))
    yield (
        f"   Path to {runbook.size}: {runbook.verdict}. {runbook.path} {titles}. "
        "--runbook prints each with its commands.",
        "     ",
    )
    if runbook.lost:
        yield f"   Lost: {' '.join(loss.text for loss in runbook.lost)}", "     "


def _in_full(runbook: Runbook) -> Iterator[Line]:
    yield f"   Path to {runbook.size}: {runbook.verdict}. {runbook.path}", "     "
    phase = ""
    for number, step in enumerate(runbook.steps, 1):
        if step.phase != phase:
            phase = step.phase
            yield f"   {PHASES[step.phase]}", "     "
        yield from _step(f"{number}.", step)
    for loss in runbook.lost:
        yield f"   Lost: {loss.text}", "     "
    for way in runbook.other_ways:
        yield f"   Another way: {way.title}. {way.when}", "     "
        for step in way.steps:
            yield from _step("-", step)
    plan = runbook.software
    driver = plan.driver or "driver unknown"
    yield f"   Software: {driver}, CUDA {plan.cuda or 'unknown'}. {plan.note}", "     "
    for image in runbook.images:
        seen = "unknown" if image.works is None else "works" if image.works else "finds no GPU"
        yield f"   Image {image.image} on {image.gpu}: {seen}. {image.note}".rstrip(), "     "


def _step(number: str, step: Step) -> Iterator[Line]:
    yield f"   {number} {step.title}. {step.text}", "      "
    for command in step.commands:
        for line in command.text.splitlines():
            yield f"      {command.tool}> {line}", None
    if step.source:
        yield f"      Source: {step.source}", "         "
