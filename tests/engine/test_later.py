"""A sequence that is worked out when it is first looked at."""

from __future__ import annotations

from advisor.engine.later import Later


def test_nothing_is_made_before_somebody_looks():
    asked = []
    Later(lambda: tuple(asked.append(1) or ()))
    assert asked == []


def test_it_is_made_once():
    asked = []

    def make() -> tuple[str, ...]:
        asked.append(1)
        return ("a", "b", "c")

    later = Later(make)
    assert (len(later), later[0], later[1:], list(later)) == (3, "a", ("b", "c"), ["a", "b", "c"])
    assert asked == [1]


def test_it_equals_the_tuple_it_stands_for():
    assert Later(lambda: ("a",)) == ("a",)
    assert Later(lambda: ("a",)) == Later(lambda: ("a",))
    assert hash(Later(lambda: ("a",))) == hash(("a",))
    assert repr(Later(lambda: ("a",))) == "('a',)"
