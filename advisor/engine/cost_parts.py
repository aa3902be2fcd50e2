"""The cost of ownership by component, today's machines beside the first choice; the parts add up to both figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from advisor.engine.answer import PoolAdvice
from advisor.engine.money import COMPONENTS, MONTHLY
from advisor.engine.worked import PART_WORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One component over the horizon, present value; `before` is None where today's parts are unknown."""

    name: str
    before: float | None
    after: float

    @property
    def words(self) -> str:
        """The component as pages name it; what is paid once says so."""
        words = PART_WORDS.get(self.name, self.name.replace("_", " "))
        return words[:1].upper() + words[1:] + ("" if self.name in MONTHLY else ", once")


def cost_parts(pools: Iterable[PoolAdvice]) -> tuple[Part, ...]:
    """The components that cost anything, summed over the pools' baselines and first choices.

    The parts of one pool add up to its baseline's and its first choice's cost of ownership, those of all priced pools
    to the totals'. A pool without a first choice counts on neither side.
    """
    having = [pool for pool in pools if pool.options]
    after = _sum(pool.options[0].tco.components for pool in having)
    known = [pool.baseline.components for pool in having if pool.baseline.components is not None]
    before = _sum(known) if having and len(known) == len(having) else None
    names = (*COMPONENTS, *(name for name in after if name not in COMPONENTS))
    return tuple(
        Part(name=name, before=None if before is None else before.get(name, 0.0), after=after.get(name, 0.0))
        for name in names
        if after.get(name) or (before or {}).get(name)
    )


def _sum(many: Iterable[Mapping[str, float]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for parts in many:
        for name, amount in parts.items():
            found[name] = found.get(name, 0.0) + amount
    return found
