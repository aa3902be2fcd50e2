"""Orders of held commitments without their names: numbered in the order in which an answer names them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from advisor.engine.answer import PoolAdvice
from advisor.engine.commitment_answer import HeldUnused


def nameless_orders(pools: Iterable[PoolAdvice]) -> tuple[PoolAdvice, ...]:
    """The pools with every order called order 1, order 2 …, one and the same order alike everywhere."""
    known: dict[str, str] = {}

    def name(order: str) -> str:
        return known.setdefault(order, f"order {len(known) + 1}")

    return tuple(
        replace(
            pool,
            options=tuple(
                replace(option, stranded=tuple(replace(part, order=name(part.order)) for part in option.stranded))
                for option in pool.options
            ),
        )
        for pool in pools
    )


def nameless_unused(unused: Sequence[HeldUnused]) -> tuple[HeldUnused, ...]:
    """What no pool uses, numbered by itself."""
    return tuple(replace(one, order=f"unused order {place}") for place, one in enumerate(unused, 1))
