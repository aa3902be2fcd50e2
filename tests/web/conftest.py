"""What the tests of pages and commands share: one question is answered once per run, whichever page asks it."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from advisor.engine.advice import advise
from advisor.engine.answer import Advice
from advisor.engine.candidates import World
from advisor.engine.readers.reading import Reading
from advisor.engine.request import AdviceRequest

#: Where pages and commands take `advise` from.
ASKING = ("advisor.views.asked.advise", "advisor.management.commands.advise.advise")


class Question:
    """Readings, world and request; equal to another of the same world when the other two say the same."""

    def __init__(self, readings: Sequence[Reading], world: World, request: AdviceRequest) -> None:
        self.asked = readings, world, request
        self._key = (pickle.dumps((tuple(readings), request)), id(world))  # the world is held by `asked`

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Question) and self._key == other._key


@pytest.fixture(scope="session")
def _uploads_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("uploads")


@pytest.fixture(autouse=True)
def _uploads_lie_elsewhere(settings: Any, _uploads_dir: Path) -> None:
    """Tables are kept for a while after they are read; those of tests not in the folder of this machine's own site."""
    settings.UPLOADS_DIR = _uploads_dir


@pytest.fixture(scope="session")
def advise_once() -> Callable[..., Advice]:
    """`advise` that keeps its last answers: it is a function of its arguments alone, and its answers never change."""
    answer = lru_cache(maxsize=64)(lambda question: advise(*question.asked))

    def ask(*asked: Any) -> Advice:
        return answer(Question(*asked))

    return ask


@pytest.fixture(autouse=True)
def _one_answer_per_question(monkeypatch: pytest.MonkeyPatch, advise_once: Callable[..., Advice]) -> None:
    for name in ASKING:
        monkeypatch.setattr(name, advise_once)
