"""How often a speed model that is exactly right would hold its aims for the ranges: `make coverage-by-chance`.

The aim is that 78 to 90 % of the pairs of each kind of work, and of each older GPU, lie inside their ranges when their
source is left out, where there are eight tables or more. Here errors are drawn from the model's own covariances, so
that the model is right by construction, and the ranges are set to hold 84 % of all pairs, the middle of the aim. What
then lies outside is chance: the tables of a source are off together, so there are fewer draws than tables.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import NormalDist

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
LEAST_GROUPS = 8
AIM = (0.78, 0.90)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--draws", type=int, default=4_000)
    draws = parser.parse_args().draws
    sys.path.insert(0, str(ROOT))
    os.environ["DJANGO_SETTINGS_MODULE"] = "advisor.settings"
    import django  # noqa: PLC0415 (settings come from the environment that is set only now)

    django.setup()
    counts = np.zeros(draws, dtype=int)
    print("| pairs of | tables | share inside, draws in the middle 80 % | outside the aim |\n|---|---|---|---|")
    names = 0
    for name, groups, shares in shares_inside(draws):
        names += 1
        outside = (shares < AIM[0]) | (shares > AIM[1])
        counts += outside
        low, high = np.quantile(shares, (0.1, 0.9))
        print(f"| {name} | {groups} | {low:.0%} to {high:.0%} | {outside.mean():.0%} |")
    low, high = np.quantile(counts, (0.05, 0.95))
    print(
        f"\nOf {names}, {counts.mean():.1f} lie outside on average, {low:.0f} to {high:.0f} in nine draws of ten;"
        f" none in {(counts == 0).mean():.2%} of {draws:,} draws."
    )


def shares_inside(draws: int) -> Iterator[tuple[str, int, np.ndarray]]:
    """Kinds, then older GPUs, of eight tables or more: name, tables, and the share inside in each draw."""
    from advisor.engine.speed import fit_without  # noqa: PLC0415
    from advisor.engine.speed_fit import Effects  # noqa: PLC0415
    from advisor.engine.speed_gpus import age  # noqa: PLC0415
    from advisor.engine.speed_time import RateModel  # noqa: PLC0415
    from advisor.loading import from_fixtures  # noqa: PLC0415

    catalogue, _book = from_fixtures()
    effects = Effects(catalogue, RateModel(catalogue), fit_without(catalogue, ""), lambda _row: False)
    generator = np.random.default_rng(1)
    within = NormalDist().inv_cdf(0.5 + (AIM[0] + AIM[1]) / 4)
    weights: dict[str, list[float]] = {}
    tables: dict[str, set[str]] = {}
    held: dict[str, list[np.ndarray]] = {}
    for source in effects.left_out():
        errors = np.linalg.cholesky(source.covariance) @ generator.standard_normal((len(source.covariance), draws))
        for pair in source.pairs:
            inside = np.abs(pair.step @ errors) <= within * source.deviation(pair)
            older = min((pair.one, pair.other), key=lambda row: age(catalogue, row.gpu)).gpu
            for name in (pair.one.kind, f"from {older}"):
                weights.setdefault(name, []).append(pair.weight)
                tables.setdefault(name, set()).add(pair.one.group)
                held.setdefault(name, []).append(inside)
    for name in sorted(held, key=lambda name: (name.startswith("from "), name)):
        if len(tables[name]) >= LEAST_GROUPS:
            weight = np.array(weights[name])
            yield name, len(tables[name]), weight @ np.array(held[name]) / weight.sum()


if __name__ == "__main__":
    main()
