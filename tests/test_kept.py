"""What is kept is worked out once, however many threads ask."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest

from advisor import samples
from advisor.kept import kept


def test_threads_that_ask_together_get_one_answer() -> None:
    worked: list[int] = []

    @kept(2)
    def slow(number: int) -> object:
        worked.append(number)
        time.sleep(0.05)
        return object()

    with ThreadPoolExecutor(8) as threads:
        answers = set(threads.map(slow, [1] * 8))
    assert worked == [1]
    assert len(answers) == 1


def test_on_a_new_day_the_example_of_the_last_is_shown_until_the_new_one_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Dated:
        def __init__(self, _version: str, as_of: date) -> None:
            self.as_of = as_of

    monkeypatch.setattr(samples, "example", Dated)
    monkeypatch.setattr(samples, "_shown", {})
    first, second = date(2026, 11, 30), date(2026, 12, 1)
    assert samples.example_to_show("v", first).as_of == first
    assert samples.example_to_show("v", second).as_of == first  # says its own day; nobody waits
    with samples._renewing:  # free again once the new one is there
        assert samples.example_to_show("v", second).as_of == second
