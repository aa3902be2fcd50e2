"""What keeps a size out of the ranking whatever it costs, reason by reason, each with what would change it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from advisor.engine.contrast.values import Obstacle
from advisor.engine.rulebook import BY_CODE, DECIDING
from advisor.engine.rules import Judged, rejects
from advisor.engine.words import Row, hit, unknown

UNPRICED = Obstacle(code="unknown-price", message="A price that the move needs is not known.", flips_if=None)


def obstacles_of(first: Row, other: Row, position: int, judged: Judged) -> tuple[Obstacle, ...]:
    """The rules that refuse the other, at `position` of the candidates, in the order of the rule book.

    A stay that ends inside the horizon is ranked, but after everything that outlives it: that counts as a reason too.
    """
    if other["rejected"]:
        return tuple(_refusals(other, position, judged))
    if other["short_lived"] and not first["short_lived"]:
        ends = hit(BY_CODE["stay-retires"], other)
        return (_obstacle(ends.code, ends.message, BY_CODE["retires-in-horizon"].flips, other),)
    return (UNPRICED,) if np.isnan(other["tco"]) else ()


def _refusals(row: Row, position: int, judged: Judged) -> Iterator[Obstacle]:
    alone = judged.entry(position)
    for rule in DECIDING:
        if rejects(rule, alone).any():
            reason = hit(rule, row) if alone.hits[rule.code].any() else unknown(rule, row)
            yield _obstacle(reason.code, reason.message, rule.flips, row)


def _obstacle(code: str, message: str, flips: str, row: Row) -> Obstacle:
    return Obstacle(code=code, message=message, flips_if=flips.format_map(row) if flips else None)
