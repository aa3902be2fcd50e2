"""How much is tried: a sample in `make test`, everything and many more examples in `make fuzz`, which sets FUZZ."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

from hypothesis import HealthCheck, settings

T = TypeVar("T")

FUZZ = bool(os.environ.get("FUZZ"))

#: No deadline: a slow machine is no bug.
settings.register_profile("sample", max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
#: What was found is printed so that it can be replayed.
settings.register_profile("fuzz", settings.get_profile("sample"), max_examples=500, print_blob=True)
settings.load_profile("fuzz" if FUZZ else "sample")


def examples(number: int) -> int:
    """Examples of a test whose examples take long: `number` of them, twenty times as many in `make fuzz`."""
    return 20 * number if FUZZ else number


def sample(values: Iterable[T], number: int) -> list[T]:
    """`number` of the values, evenly spread with the first and the last; all of them in `make fuzz`."""
    found = list(values)
    if FUZZ or number >= len(found):
        return found
    step = (len(found) - 1) / max(1, number - 1)
    return [found[round(place * step)] for place in range(number)]
