"""The rules that judge a candidate: each with a code, the facts it reads, a severity, words and a source.

A rule whose facts are unknown never passes: it rejects the size (`unknown-<fact>`), or, where the fact is not needed
for ranking, stands among the option's rules as unknown and asks its question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from advisor.engine.arrays import Table

Severity = Literal["blocker", "step", "warning", "note", "unknown"]
Mask = np.ndarray[Any, Any]
Facts = Table  # as rules see it: columns by name, each spread over the table
STAY, RESIZE, REDEPLOY, REBUILD, PORT = range(5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule. `hits` and `applies` take the columns and answer truths that spread over the table.

    Texts are filled from a row. `effort` is the least verdict that a hit asks for (0 stay to 4 port). `needed` says
    that a size cannot be ranked while a fact the rule reads is unknown. `flips` says what would change a refusal,
    `question` what would settle an unknown.
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
    may_refuse: bool = False  # of an unknown that is only told: an answer to its question could refuse the size

    @property
    def could_refuse(self) -> bool:
        """True where the size may turn out not to do, once what the rule could not judge is known."""
        return self.may_refuse or self.severity == "blocker"

    @property
    def decides(self) -> bool:
        """True when the ranking depends on it: it refuses, or asks for an effort. All others are only told."""
        return self.severity == "blocker" or bool(self.needed) or self.effort > STAY


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """Where each rule hits and where its facts are unknown: truths that spread over the table of `shape`."""

    hits: Mapping[str, Mask]
    unknown: Mapping[str, Mask]
    shape: tuple[int, int]

    def row(self, number: int) -> Judged:
        """The same of one row of the table: in a grid, of one pool."""
        hits, unknown = (
            {code: mask[number if len(mask) > 1 else 0][None, :] for code, mask in masks.items()}
            for masks in (self.hits, self.unknown)
        )
        return Judged(hits=hits, unknown=unknown, shape=(1, self.shape[1]))

    def entry(self, position: int) -> Judged:
        """The same of one entry."""
        row, column = divmod(position, self.shape[1])
        hits, unknown = (
            {code: mask[:, column if mask.shape[1] > 1 else 0][:, None] for code, mask in masks.items()}
            for masks in (self.hits, self.unknown)
        )
        return Judged(hits=hits, unknown=unknown, shape=(self.shape[0], 1)).row(row)


def is_known(column: np.ndarray[Any, Any]) -> Mask:
    """False where a fact is unknown: NaN or None."""
    if column.dtype.kind == "f":
        return np.asarray(~np.isnan(column))
    return np.asarray(pd.notna(column), dtype=bool) if column.dtype.kind == "O" else np.ones((1, 1), dtype=bool)


def judge(rules: Sequence[Rule], table: Table) -> Judged:
    """Apply every rule to every entry. Where a fact is unknown a rule neither hits nor passes: it is unknown.

    In a grid a fact of the pool is one column and a fact of the size one row, so that most comparisons are made once
    and not per pair.
    """
    known = {name: is_known(table[name]) for name in {name for rule in rules for name in rule.reads}}
    hits: dict[str, Mask] = {}
    unknown: dict[str, Mask] = {}
    for rule in rules:
        missing = np.zeros((1, 1), dtype=bool)
        for name in rule.reads:
            if not known[name].all():
                missing = missing | ~known[name]
        relevant = np.ones((1, 1), dtype=bool) if rule.applies is None else _mask(rule.applies(table))
        hits[rule.code] = _mask(rule.hits(table)) & relevant & ~missing
        unknown[rule.code] = missing & relevant if missing.any() else missing[:1, :1]
    return Judged(hits=hits, unknown=unknown, shape=table.shape)


def _mask(values: Any) -> Mask:
    return np.asarray(values, dtype=bool)


def rejects(rule: Rule, judged: Judged) -> Mask:
    """Entries that the rule takes out of the ranking: by a blocker hit, or by an unknown fact that is needed."""
    hits, unknown = judged.hits[rule.code], judged.unknown[rule.code]
    if rule.severity == "blocker":
        return hits | unknown if rule.needed else hits
    return unknown if rule.needed else np.zeros((1, 1), dtype=bool)


def spread(masks: Mapping[str, Mask], shape: tuple[int, int]) -> Mask:
    """The masks of rules side by side: a row per entry of the table of `shape`, a column per rule."""
    return np.stack([np.broadcast_to(mask, shape).reshape(-1) for mask in masks.values()], axis=1)


def effort(rules: Iterable[Rule], judged: Judged) -> Mask:
    """The verdict of each entry, 0 to 4: the largest effort among the rules that hit."""
    result = np.zeros((1, 1), dtype=int)
    for rule in rules:
        if rule.effort:
            result = np.maximum(result, judged.hits[rule.code] * rule.effort)
    return np.broadcast_to(result, judged.shape)
