"""How sure the first choice is, in words: cases of 100, and the remark where another option has more of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.engine.answer import PoolAdvice
from advisor.engine.chances import cases, chances
from tests.engine.conftest import Ask


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0"), (0.001, "under 1"), (0.004, "under 1"), (0.006, "1"), (0.719, "72"), (0.996, "over 99"), (1.0, "100")],
)
def test_cases_are_never_0_or_100_while_a_case_says_otherwise(share: float, text: str) -> None:
    assert cases(share) == text


@pytest.fixture(scope="module")
def pool(ask: Ask) -> PoolAdvice:
    return ask("NC6", 12, columns={"hours": 730.0})


def with_chances(pool: PoolAdvice, *shares: float | None) -> PoolAdvice:
    """The pool with as many options as shares are given."""
    options = tuple(replace(option, chance_first=s) for option, s in zip(pool.options, shares, strict=False))
    return replace(pool, options=options)


def test_another_option_with_more_cases_is_named(pool: PoolAdvice) -> None:
    found = chances(with_chances(pool, 0.32, 0.401, 0.0))
    assert found is not None and found.remark is not None
    assert found.remark.code == "other-more-often"
    first, second = pool.options[0].size, pool.options[1].size
    assert found.remark.message == (
        f"{second} is the cheapest in more cases, 40 of 100 against 32. {first} stands first because it costs least "
        "when every figure is as expected."
    )


def test_under_another_strategy_the_reason_is_another(pool: PoolAdvice) -> None:
    swapped = replace(pool, options=(pool.options[1], pool.options[0]))
    found = chances(with_chances(swapped, 0.1, 0.6))
    assert found is not None and found.remark is not None
    assert found.remark.code == "other-more-often-by-strategy"


@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.401, 0.404), (0.6, 0.4)])
def test_nothing_is_said_where_the_figures_shown_are_no_larger(pool: PoolAdvice, shares: tuple[float, ...]) -> None:
    found = chances(with_chances(pool, *shares))
    assert found is not None and found.remark is None


def test_an_answer_without_ranges_has_no_chances(pool: PoolAdvice) -> None:
    assert chances(with_chances(pool, None, None)) is None
    assert chances(replace(pool, options=())) is None


def test_whoever_keeps_the_same_machines_has_nothing_to_save(ask: Ask) -> None:
    stays = ask("NC24ads_A100_v4", 4, columns={"hours": 730.0, "utilisation": 0.9, "gpu_memory_gib": 80.0})
    assert (stays.options[0].verdict, stays.options[0].vms) == ("stay", 4)
    found = chances(stays)
    assert found is not None and found.unchanged
    moved = chances(ask("NC6", 12, columns={"hours": 730.0}))
    assert moved is not None and not moved.unchanged and moved.saves is not None
