"""Draws: the same 1,000 possible worlds for every option, so that options are compared like with like.

A draw has a name, such as a GPU on a kind of work, and is the same wherever that name is used. Each is the 1,000
quantiles of the normal distribution in an order of its own: no quantile is missed by chance, and there is no seed to
choose.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np

Numbers = np.ndarray[Any, Any]
DRAWS = 1000
#: Standard deviations between the middle and the ends of an 80 % interval, and between its ends.
TO_END = NormalDist().inv_cdf(0.9)
BETWEEN_ENDS = 2 * TO_END
_QUANTILES = np.array([NormalDist().inv_cdf((i + 0.5) / DRAWS) for i in range(DRAWS)])


@lru_cache(maxsize=4096)
def draw(*name: str) -> Numbers:
    """1,000 standard normal values for a name, always the same for the same name."""
    seed = int.from_bytes(hashlib.sha256("|".join(name).encode()).digest()[:8], "big")
    values = np.random.default_rng(seed).permutation(_QUANTILES)
    values.flags.writeable = False
    return values


def spread(share: float) -> float:
    """Standard deviation of the logarithm of a factor that is 1 / (1 + share) to 1 + share in 8 of 10."""
    return float(np.log1p(share) / TO_END)
