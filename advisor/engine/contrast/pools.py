"""Which sizes the first choice of each pool is held against, and their contrasts once somebody looks at them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np

from advisor.engine.candidates import World
from advisor.engine.contrast.build import Contrasts, Rival
from advisor.engine.contrast.values import Contrast
from advisor.engine.later import Later
from advisor.engine.microsoft import moves_for
from advisor.engine.request import AdviceRequest
from advisor.engine.stages import Stages
from advisor.engine.variants import BASE

#: Pools worked out together: whoever looks at the contrasts of one pool looks at those of the next ones too.
TOGETHER = 100


class PoolContrasts:
    """The contrasts of the pools of one advice."""

    def __init__(self, stages: Stages, world: World, request: AdviceRequest, assume: Mapping[str, float]) -> None:
        self.stages, self.world, self.request = stages, world, request
        self.contrasts = Contrasts(stages, world.quotes.book.currency, request, assume)
        self.base = np.flatnonzero(stages.variants.flat("variant") == BASE)
        self.worked_out: dict[int, tuple[Contrast, ...]] = {}

    def later(self, number: int) -> Later[Contrast]:
        """The contrasts of the pool at that place: against the second choice, Microsoft's move, what is asked for."""
        return Later(partial(self._of, number))

    def _of(self, number: int) -> tuple[Contrast, ...]:
        if number not in self.worked_out:
            own = {place: list(self._rivals(place)) for place in range(number, len(self.base))[:TOGETHER]}
            found = iter(self.contrasts.of([rival for rivals in own.values() for rival in rivals]))
            for place, rivals in own.items():
                self.worked_out[place] = tuple(next(found) for _ in rivals)
        return self.worked_out.pop(number)

    def _rivals(self, number: int) -> Iterator[Rival]:
        """Each other size once, with every reason to look at it; none where nothing can be ranked."""
        variant = int(self.base[number])
        ranked = self.stages.ranked
        start, end = np.searchsorted(ranked.flat("pool_index"), [variant, variant + 1])
        if start == end:
            return
        first = int(ranked.cell("row", start))
        roles: dict[int, list[str]] = {}
        if end - start > 1:
            roles.setdefault(int(ranked.cell("row", start + 1)), []).append("second")
        pool = self.stages.pools[number]
        named = [("microsoft", size.name) for size, _ in moves_for(self.world.catalogue, pool["size"], pool["kind"])]
        for role, name in (*named, *(("asked", name) for name in self.request.against)):
            row = variant * len(self.world.sizes) + self.world.index[name]
            if row != first and role not in roles.setdefault(row, []):
                roles[row].append(role)
        yield from (Rival(first=first, other=row, roles=tuple(told)) for row, told in roles.items() if told)
