"""Collects what is wrong with a file: everything is counted, the first thousand are listed, errors before warnings."""

from __future__ import annotations

from dataclasses import dataclass, field

from advisor.engine.readers.reading import Problem, Severity

LISTED = 1_000  # more than a person reads; keeps a million-row file of errors small
SHOWN_CHARACTERS = 80  # of a cell in a message


def shown(text: str) -> str:
    """`text` as a message shows it: on one line and short."""
    line = " ".join(text.split())
    return line if len(line) <= SHOWN_CHARACTERS else line[: SHOWN_CHARACTERS - 1] + "…"


@dataclass(slots=True)
class Problems:
    """The problems of one file in the making."""

    errors: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    unlisted: int = 0

    def add(self, problem: Problem) -> None:
        """Keep `problem`, or count it when its kind of severity already fills the list."""
        kept = self.errors if problem.severity == "error" else self.warnings
        if len(kept) < LISTED or problem.line is problem.item is None:
            kept.append(problem)
        else:
            self.unlisted += 1

    def count_unlisted(self, severity: Severity) -> bool:
        """True, and one more is counted, when no further problem of that severity would be listed."""
        full = len(self.errors if severity == "error" else self.warnings) >= LISTED
        self.unlisted += full
        return full

    def listed(self) -> tuple[tuple[Problem, ...], int]:
        """At most `LISTED` problems in file order, those of the whole file first, and how many are left out.

        Errors take the places first; within a severity the earlier line does.
        """
        ranked = sorted(self.errors, key=_place)[:LISTED]
        ranked += sorted(self.warnings, key=_place)[: LISTED - len(ranked)]
        left_out = self.unlisted + len(self.errors) + len(self.warnings) - len(ranked)
        return tuple(sorted(ranked, key=_place)), left_out


def _place(problem: Problem) -> tuple[int, int, str, str]:
    place = problem.line if problem.line is not None else problem.item
    return (0 if place is None else 1, place or 0, problem.column or "", problem.kind)
