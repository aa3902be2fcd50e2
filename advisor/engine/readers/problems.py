"""Collects what is wrong with a file: everything is counted, the first thousand are listed, errors before warnings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

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
    _counted: dict[str, tuple[Problem, int, Callable[[int], str]]] = field(default_factory=dict)
    _denied: set[tuple[str, str | None]] = field(default_factory=set)

    def add(self, problem: Problem) -> None:
        """Keep `problem`, or count it when its kind of severity already fills the list."""
        kept = self.errors if problem.severity == "error" else self.warnings
        if len(kept) < LISTED or problem.line is problem.item is None:
            kept.append(problem)
        else:
            self.unlisted += 1

    def count(self, problem: Problem, rows: int, message: Callable[[int], str]) -> None:
        """Keep the first problem of its kind, and say it with the number of rows of all of them."""
        first, before, said = self._counted.get(problem.kind, (problem, 0, message))
        self._counted[problem.kind] = first, before + rows, said

    def once(self, problem: Problem) -> None:
        """Keep a warning about the whole of a column or file, unless it is there already or was shown to be wrong."""
        denied = (problem.kind, problem.column) in self._denied
        if not denied and not self.has(problem.kind, problem.column):
            self.warnings.append(problem)

    def has(self, kind: str, column: str | None) -> bool:
        """Whether such a warning is kept."""
        return any((known.kind, known.column) == (kind, column) for known in self.warnings)

    def deny(self, kind: str, column: str | None) -> None:
        """Such a warning is wrong, whatever other blocks of the file look like."""
        self._denied.add((kind, column))
        self.warnings = [known for known in self.warnings if (known.kind, known.column) != (kind, column)]

    def room(self, severity: Severity) -> int:
        """How many more problems of that severity would be listed."""
        return max(0, LISTED - len(self.errors if severity == "error" else self.warnings))

    def of_rows(self) -> bool:
        """Whether something is said of single rows."""
        placed = any(p.line is not None or p.item is not None for p in (*self.errors, *self.warnings))
        return placed or bool(self._counted) or self.unlisted > 0

    def take(self, other: Problems) -> None:
        """Add what is said of whole columns elsewhere."""
        for kind, column in other._denied:
            self.deny(kind, column)
        for problem in other.warnings:
            self.once(problem)

    def count_unlisted(self, severity: Severity) -> bool:
        """True, and one more is counted, when no further problem of that severity would be listed."""
        full = len(self.errors if severity == "error" else self.warnings) >= LISTED
        self.unlisted += full
        return full

    def listed(self) -> tuple[tuple[Problem, ...], int]:
        """At most `LISTED` problems in file order, those of the whole file first, and how many are left out.

        Errors take the places first; within a severity the earlier line does.
        """
        counted = [replace(first, rows=rows, message=text(rows)) for first, rows, text in self._counted.values()]
        warnings = [*self.warnings, *counted]
        ranked = sorted(self.errors, key=_place)[:LISTED]
        ranked += sorted(warnings, key=_place)[: LISTED - len(ranked)]
        left_out = self.unlisted + len(self.errors) + len(warnings) - len(ranked)
        return tuple(sorted(ranked, key=_place)), left_out


def _place(problem: Problem) -> tuple[int, int, str, str]:
    place = problem.line if problem.line is not None else problem.item
    return (0 if place is None else 1, place or 0, problem.column or "", problem.kind)
