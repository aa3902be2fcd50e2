"""What the tests of refreshing share: no proxy, no waiting, a directory of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from advisor import store
from advisor.kept import kept
from tests.retail.api import RetailApi, retail_api


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test's rows are rolled back and their ids given again, which no process of its own ever sees."""
    for name, size in (("read_price_book", 8), ("build_world", 2)):
        monkeypatch.setattr(store, name, kept(size)(getattr(store, name).__wrapped__))


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What commands would have slept between two tries."""
    slept: list[float] = []

    def pause(_stop: Event) -> Callable[[float], None]:
        return slept.append

    monkeypatch.setattr("advisor.management.commands.refresh_prices.pause", pause)
    return slept


@pytest.fixture
def var_dir(settings: Any, tmp_path: Path) -> Path:
    settings.VAR_DIR = tmp_path
    return tmp_path


@pytest.fixture
def api() -> Iterator[RetailApi]:
    """A server without any price."""
    with retail_api() as server:
        yield server
