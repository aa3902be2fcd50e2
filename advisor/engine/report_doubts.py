"""What weakens an answer, and where each of its figures was read: lists that stand behind every report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from advisor.engine.answer import Advice
from advisor.engine.citations import Citation, cite
from advisor.engine.report_figures import ReportPool


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """One thing that weakens the answer, the pools it weakens (none: the whole), and what would settle it."""

    code: str
    pools: tuple[ReportPool, ...]
    rows: int = 0  # of the files, where it is about rows

    @property
    def what(self) -> str:
        return DOUBTS[self.code][0]

    @property
    def settle(self) -> str:
        return DOUBTS[self.code][1]


#: code: what is weak, and what would settle it.
DOUBTS: Mapping[str, tuple[str, str]] = {
    "unpriced": (
        "No answer in money: a price or a fact is unknown. These pools are outside all sums.",
        "See the questions in the pool.",
    ),
    "refused": (
        "Rows of the files could not be read. Their machines are not counted anywhere.",
        "Correct them and make a new report.",
    ),
    "first-choice": (
        "A question is open whose answer would change the first choice.",
        "Answer it: see the questions in the pool.",
    ),
    "retired": (
        "The size is retired: its cost is what it last cost, and nothing is billed for it now.",
        "Nothing: the saving against before is kept apart from the saving against now.",
    ),
    "baseline": (
        "What the pool costs today is estimated from other regions.",
        "Upload a cost export, or say what the pool costs.",
    ),
    "hours": ("The file has no hours: running machines count as on all month.", "Upload a usage or cost export."),
    "memory": (
        "The GPU memory that the work needs is taken to be that of today's GPU.",
        "Look at one GPU at peak: nvidia-smi shows the memory in use.",
    ),
    "busy": ("How busy the GPUs are is unknown and counts as fully busy.", "Measure GPU use for a week."),
    "speed": (
        "The speed of the first choice is modelled or assumed, not measured on work of this kind.",
        "Run your own work on one machine of the new size.",
    ),
    "price": ("The price of the first choice is estimated or more than three months old.", "Ask for a quote."),
    "capacity": (
        "No document says that the first choice can be had in the region, or its capacity is restricted.",
        "Ask for quota first; a price is no promise of capacity.",
    ),
    "disputed": ("Sources disagree about when the size ends.", "See both versions in the pool."),
}

_TESTS: Mapping[str, Callable[[ReportPool], bool]] = {
    "unpriced": lambda p: not p.priced,
    "first-choice": lambda p: any(question.changes_first_choice for question in p.pool.questions),
    "retired": lambda p: p.priced and p.pool.lifecycle.status == "retired",
    "baseline": lambda p: p.pool.baseline.kind == "estimated",
    "hours": lambda p: p.pool.hours_basis == "assumed",
    "memory": lambda p: "gpu_memory_gib" in p.pool.workload.assumed,
    "busy": lambda p: p.pool.workload.utilisation_percent is None,
    "speed": lambda p: p.moves and _grade(p, "performance") > "B",
    "price": lambda p: _grade(p, "price") > "A",
    "capacity": lambda p: p.moves and _grade(p, "capacity") > "B",
    "disputed": lambda p: bool(p.pool.lifecycle.conflicts),
}


def _grade(pool: ReportPool, name: str) -> str:
    return "" if pool.first is None else str(getattr(pool.first.grades, name))


def doubts(advice: Advice, pools: Sequence[ReportPool]) -> tuple[Doubt, ...]:
    """What weakens the answer, in the order of DOUBTS."""
    found = []
    refused = sum(reading.error_rows for reading in advice.readings)
    for code in DOUBTS:
        test = _TESTS.get(code)
        if test is None:
            if refused:
                found.append(Doubt(code=code, pools=(), rows=refused))
        elif weak := tuple(filter(test, pools)):
            found.append(Doubt(code=code, pools=weak))
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceUse:
    """A page that figures of the report were read from: what for, and the days of the figures it gave."""

    page: Citation
    days: tuple[str, ...]
    pools: tuple[int, ...]


def sources(pools: Sequence[ReportPool]) -> dict[str, tuple[SourceUse, ...]]:
    """The pages behind prices, dates, speed and moves of what is shown, by these words; the most used first."""
    found: dict[str, dict[str, tuple[Citation, set[str], set[int]]]] = {}
    for pool in pools:
        for subject, text, day in _texts(pool):
            for page in cite(text):
                entry = found.setdefault(subject, {}).setdefault(page.text, (page, set(), set()))
                entry[1].update([day] if day else [])
                entry[2].add(pool.number)
    return {
        subject: tuple(
            SourceUse(page=page, days=tuple(sorted(days)), pools=tuple(sorted(used)))
            for page, days, used in sorted(pages.values(), key=lambda entry: -len(entry[2]))
        )
        for subject, pages in found.items()
    }


def _texts(pool: ReportPool) -> list[tuple[str, str, str]]:
    """(subject, source, day) of every figure that a pool shows."""
    advice, first = pool.pool, pool.first
    evidence = advice.baseline.evidence
    texts = [("prices", evidence.source, str(evidence.as_of or ""))] if evidence else []
    for option in advice.options:
        texts += [
            ("prices", row.source, str(row.as_of)) for row in option.prices if row.price_model == option.price_model
        ]
    texts += [("dates", advice.lifecycle.source, "")]
    for dispute in advice.lifecycle.conflicts:
        texts += [("dates", dispute.source_a, ""), ("dates", dispute.source_b, "")]
    if first is not None:
        texts += [("prices", row.source, str(row.as_of)) for row in first.prices]
        texts += [("speed", item.source, str(item.as_of or "")) for item in first.speedup.evidence]
    texts += [("moves", move.source, "") for move in advice.microsoft_move]
    return [text for text in texts if text[1]]
