"""The rules that judge a candidate: each with a code, the facts it reads, a severity, words and a source.

A rule whose facts are unknown never passes: it rejects the size (`unknown-<fact>`), or, where the fact is not needed
for ranking, stands among the option's rules as unknown and asks its question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from advisor.engine.arrays import Arrays
from advisor.engine.columns import OF_POOL, OF_SIZE
from advisor.engine.fact_grid import NO_FACTS, FactGrid

Severity = Literal["blocker", "step", "warning", "note", "unknown"]
Mask = np.ndarray[Any, Any]
Facts = Mapping[str, Mask]
STAY, RESIZE, REDEPLOY, REBUILD, PORT = range(5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule. `hits` and `applies` take the columns as arrays and answer one bool per row; texts are filled from it.

    `effort` is the least verdict that a hit asks for (0 stay to 4 port). `needed` says that a size cannot be ranked
    while a fact the rule reads is unknown. `flips` says what would change a refusal, `question` what would settle an
    unknown.
    """

    code: str
    severity: Severity
    reads: tuple[str, ...]
    hits: Callable[[Facts], Any]
    message: str
    fix: str = ""
    source: str = ""
    applies: Callable[[Facts], Any] | None = None
    effort: int = STAY
    needed: str = ""
    flips: str = ""
    question: str = ""
    field: str = ""

    @property
    def decides(self) -> bool:
        """True when the ranking depends on it: it refuses, or asks for an effort. All others are only told."""
        return self.severity == "blocker" or bool(self.needed) or self.effort > STAY


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """Where each rule hits and where its facts are unknown, one bool per candidate."""

    hits: Mapping[str, Mask]
    unknown: Mapping[str, Mask]


def is_known(column: np.ndarray[Any, Any]) -> Mask:
    """False where a fact is unknown: NaN or None."""
    return np.asarray(pd.notna(column), dtype=bool)


def judge(rules: Sequence[Rule], table: pd.DataFrame, sizes: int = 0, facts: FactGrid = NO_FACTS) -> Judged:
    """Apply every rule to every row. Where a fact is unknown a rule neither hits nor passes: it is unknown.

    Rules see plain arrays. Where the table is every pool against the same `sizes` in the same order, a fact of the pool
    is one column of a grid and a fact of the size one row, so that most comparisons are made once and not per pair.
    `facts` are those that the table does not have.
    """
    shape = (len(table) // sizes, sizes) if sizes else (len(table), 1)
    of_table = Arrays(table, lambda name, values: _grid(name, values.reshape(shape), by_size=bool(sizes)))
    arrays = _Facts(of_table, facts, whole=bool(sizes))
    known = {name: is_known(arrays[name]) for name in {name for rule in rules for name in rule.reads}}
    hits: dict[str, Mask] = {}
    unknown: dict[str, Mask] = {}
    for rule in rules:
        missing = np.zeros((1, 1), dtype=bool)
        for name in rule.reads:
            missing = missing | ~known[name]
        relevant = np.ones((1, 1), dtype=bool) if rule.applies is None else _mask(rule.applies(arrays))
        hits[rule.code] = np.broadcast_to(_mask(rule.hits(arrays)) & relevant & ~missing, shape).reshape(-1)
        unknown[rule.code] = np.broadcast_to(missing & relevant, shape).reshape(-1)
    return Judged(hits=hits, unknown=unknown)


class _Facts(Mapping[str, Mask]):
    """The columns of a table and the facts beside it, shaped alike; of the `whole` grid or of some of its rows."""

    def __init__(self, table: Arrays, facts: FactGrid, *, whole: bool) -> None:
        self._table, self._facts, self._whole = table, facts, whole

    def __getitem__(self, name: str) -> Mask:
        if name not in self._facts:
            return self._table[name]
        if self._whole:
            return self._facts[name]
        pool, size = self._table["pool_index"][:, 0], self._table["target_index"][:, 0]
        return np.asarray(self._facts.at(name, pool, size))[:, None]

    def __iter__(self) -> Iterator[str]:
        yield from (*self._table, *self._facts)

    def __len__(self) -> int:
        return len(self._table) + len(self._facts)


def _grid(name: str, values: Mask, *, by_size: bool) -> Mask:
    """The one column or the one row that holds all there is of a fact of the pool or of the size."""
    if by_size and name in OF_POOL:
        return values[:, :1]
    return values[:1, :] if by_size and name in OF_SIZE else values


def _mask(values: Any) -> Mask:
    return np.asarray(values, dtype=bool)


def rejects(rule: Rule, judged: Judged) -> Mask:
    """Rows that the rule takes out of the ranking: by a blocker hit, or by an unknown fact that is needed."""
    out = judged.hits[rule.code] if rule.severity == "blocker" else np.zeros_like(judged.hits[rule.code])
    return out | judged.unknown[rule.code] if rule.needed else out


def effort(rules: Iterable[Rule], judged: Judged) -> Mask:
    """The verdict of each row, 0 to 4: the largest effort among the rules that hit."""
    rules = list(rules)
    result = np.zeros(len(next(iter(judged.hits.values()))), dtype=int)
    for rule in rules:
        if rule.effort:
            result = np.maximum(result, judged.hits[rule.code] * rule.effort)
    return result
