"""What the engine's tests share: one world of the shipped facts, and advice for a single pool."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from advisor.engine.advice import advise
from advisor.engine.answer import PoolAdvice
from advisor.engine.candidates import World
from tests.factories import make_reading, make_request, make_row

Ask = Callable[..., PoolAdvice]


@pytest.fixture(scope="session")
def ask(world: World) -> Ask:
    """Advice for one pool of `count` machines; `columns` are further cells of its row, the rest is the request.

    The same question is answered once per run.
    """
    answers: dict[str, PoolAdvice] = {}

    def answer(
        size: str,
        count: int = 1,
        region: str | None = "westeurope",
        columns: dict[str, Any] | None = None,
        **request: Any,
    ) -> PoolAdvice:
        row = make_row(size, count, region, **(columns or {}))
        request.setdefault("top", 0)  # every option in full
        key = repr((row, sorted(request.items())))
        if key not in answers:
            (answers[key],) = advise([make_reading(row)], world, make_request(**request)).pools
        return answers[key]

    return answer
