"""How far the formula is from published load figures, one by one and by family of models."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from advisor.engine.fit.facts import FitFacts, LoadFigure
from advisor.engine.fit.figures import MARGIN
from advisor.engine.fit.need import need_on_each
from advisor.engine.fit.parts import Need, Part
from advisor.engine.fit.work import METHODS, OPTIMISERS, PRECISIONS, Split, Work

#: Parts of a need that each kind of figure speaks of; None: all of them.
PARTS: dict[str, tuple[str, ...] | None] = {
    "weights": ("weights",),
    "kv-cache": ("kv-cache",),
    "activations": ("activations",),
    "loaded": ("weights", "runtime"),
    "states": ("weights", "gradients", "optimiser", "gathered"),
    "training": None,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One published figure beside the formula, in GiB on one GPU. `error` is formula / published - 1."""

    load: LoadFigure
    family: str
    low_gib: float
    expected_gib: float
    high_gib: float | None

    @property
    def error(self) -> float:
        return self.expected_gib / self.load.published_gib - 1.0

    @property
    def covered(self) -> bool:
        """A GPU that is said to hold this part would have held the published figure: bound or margin reach it."""
        margin = MARGIN["training" if self.load.method else "inference"].expected
        published = self.load.published_gib
        return self.high_gib is None or published <= max(self.high_gib, self.expected_gib / (1.0 - margin))


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyError:
    """Errors of one family over its counted figures, as shares of the published figure."""

    family: str
    figures: int
    median_error: float  # of the absolute errors
    worst_error: float  # with its sign
    covered: int


def work_of(load: LoadFigure) -> Work:
    """The work under which a figure was read; raises ValueError for a word that the fit does not know."""
    precision = next((word for word in PRECISIONS if word == load.precision), None)
    method = next((word for word in METHODS if word == load.method), None)
    optimiser = next((word for word in OPTIMISERS if word == load.optimiser), None)
    if precision is None or (load.method is not None and (method is None or optimiser is None)):
        raise ValueError(f"{load.code}: {load.precision}, {load.method}, {load.optimiser}")
    return Work(
        task="inference" if method is None else "training",
        precision=precision,
        context=load.context or 1,
        users=load.users or 1,
        method=method or "full",
        optimiser=optimiser or "adamw",
        checkpointing=bool(load.checkpointing),
        flash=load.flash is not False,
        chunked_loss=bool(load.chunked_loss),
    )


def checked(facts: FitFacts) -> tuple[Checked, ...]:
    """Every published figure with what the formula gives, in the order of the fixture."""
    return tuple(_checked(facts, load) for load in facts.loads)


def _checked(facts: FitFacts, load: LoadFigure) -> Checked:
    model = facts.models[load.model]
    parts = _parts(need_on_each(model, work_of(load), Split(tensor=load.gpus)), load)
    high = [part.high_gib for part in parts if part.high_gib is not None]
    return Checked(
        load=load,
        family=model.family,
        low_gib=sum(part.low_gib for part in parts),
        expected_gib=sum(part.expected_gib for part in parts),
        high_gib=sum(high) if len(high) == len(parts) else None,
    )


def _parts(need: Need, load: LoadFigure) -> list[Part]:
    """The parts that the figure speaks of; PyTorch's own peak (`pytorch` in the code) leaves out the runtime."""
    wanted = PARTS[load.quantity]
    parts = [part for part in need.parts if wanted is None or part.code in wanted]
    return [part for part in parts if part.code != "runtime" or "pytorch" not in load.code]


def by_family(rows: Iterable[Checked]) -> tuple[FamilyError, ...]:
    """Errors by family, by name; disputed figures do not count."""
    families: dict[str, list[Checked]] = {}
    for row in rows:
        if not row.load.disputed:
            families.setdefault(row.family, []).append(row)
    return tuple(
        FamilyError(
            family=family,
            figures=len(found),
            median_error=median(abs(row.error) for row in found),
            worst_error=max((row.error for row in found), key=abs),
            covered=sum(row.covered for row in found),
        )
        for family, found in sorted(families.items())
    )
