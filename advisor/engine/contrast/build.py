"""Contrasts of the pools of an advice, for many pools at once and only when somebody looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from advisor.engine.contrast.flips import spans_of
from advisor.engine.contrast.obstacles import obstacles_of
from advisor.engine.contrast.pairs import Numbers, Pairs, facts_of
from advisor.engine.contrast.reasons import because, turns, why_none
from advisor.engine.contrast.values import WHATS, Contrast, Difference, Flip, Side, Span, What
from advisor.engine.contrast.words import Names, message_of
from advisor.engine.money import COMPONENTS
from advisor.engine.prices import COMMITMENTS
from advisor.engine.request import AdviceRequest
from advisor.engine.stages import Stages
from advisor.engine.words import Row

STRANDED = "What is stranded of the commitments that the pool holds is taken as it is now."
REGIONS = "Prices are those of the regions named; a size that gets dearer there may be had in another one."


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """Two rows of the candidates: a pool's first choice, and another size with the reasons to look at it."""

    first: int
    other: int
    roles: tuple[str, ...]


class Contrasts:
    """Works out contrasts between candidates of one advice."""

    def __init__(self, stages: Stages, currency: str, request: AdviceRequest, assume: Mapping[str, float]) -> None:
        self.stages, self.candidates = stages, stages.candidates
        self.currency, self.request, self.assume = currency, request, assume

    def of(self, rivals: Sequence[Rival]) -> tuple[Contrast, ...]:
        """A contrast for each pair, in their order."""
        if not rivals:
            return ()
        first, other = ([getattr(rival, side) for rival in rivals] for side in ("first", "other"))
        pairs = Pairs(first=self._facts(first), other=self._facts(other), request=self.request, assume=self.assume)
        spans = spans_of(pairs, self.candidates.take(other))
        good = pairs.as_good(pairs.work_out(pairs.first), pairs.work_out(pairs.other))
        return tuple(
            self._contrast(rival, spans[place], bool(good[place]), float(pairs.other["hourly_licence"][place]))
            for place, rival in enumerate(rivals)
        )

    def _facts(self, rows: list[int]) -> dict[str, Numbers]:
        """Where a price is unknown, one that is looked for covers Windows too, as far as both are paid alike."""
        table = self.candidates.take(rows)
        stopped = self.stages.variants.flat("retired").astype(float)[table.flat("pool_index")]
        facts = facts_of(table, stopped, self.assume)
        alike = (table.flat("os") == "linux").astype(bool) | (self.request.price_model not in COMMITMENTS)
        unpriced = np.isnan(facts["hourly_compute"]) & alike
        return facts | {"hourly_licence": np.where(unpriced, 0.0, facts["hourly_licence"])}

    def _contrast(self, rival: Rival, spans: Sequence[tuple[Span, ...]], good: bool, licence: float) -> Contrast:
        rows = Row(self.candidates, rival.first), Row(self.candidates, rival.other)
        first, other = map(side_of, rows)
        unit = "slice" if rows[1]["share"] < 1 else "GPU"
        months = self.request.horizon_months
        obstacles = obstacles_of(*rows, rival.other, self.stages.judged)
        names = Names(first=first, other=other, unit=unit, allowed=not obstacles, currency=self.currency, months=months)
        licences = {"first_price": float(rows[0]["hourly_licence"]), "other_price": licence}
        flips = tuple(
            self._flip(what, rows, shifted(spans[place], licences.get(what, 0.0)), good, names)
            for place, what in enumerate(WHATS)
        )
        parts = differences(*rows)
        return Contrast(
            roles=rival.roles,
            first=first,
            other=other,
            because=because(rows, parts, obstacles, names, self.request.strategy),
            turns=turns(flips, obstacles, good, names),
            differences=parts,
            flips=flips,
            obstacles=obstacles,
            note=" ".join(self._notes(rows)),
        )

    def _flip(self, what: What, rows: tuple[Row, Row], spans: tuple[Span, ...], good: bool, names: Names) -> Flip:
        why = why_none(what, rows, spans, names, self.request)
        flip = Flip(what=what, now=_now(what, rows), holds=good, spans=() if why else spans, why=why, message="")
        return replace(flip, message=message_of(flip, names))

    def _notes(self, rows: tuple[Row, Row]) -> list[str]:
        held = any(row.number("stranded") != 0 for row in rows)
        many = self.request.target_region in ("geography", "any")
        return [note for note, told in ((STRANDED, held), (REGIONS, many)) if told]


def side_of(row: Row) -> Side:
    """One row of the candidates as a contrast shows it."""
    vms, hours, gpus = row.number("n"), row.number("hours"), row.number("gpus")
    return Side(
        size=row["target"],
        region=row["region"],
        vms=None if vms is None else round(vms),
        gpus=row.number("gpus_bought"),
        speed=row.number("speed"),
        hours_per_month=hours,
        gpu_hours_per_month=None if hours is None or gpus is None else hours * gpus,
        hourly_price=row.number("hourly_price"),
        monthly_cost=row.number("monthly_cost"),
        tco=row.number("tco"),
    )


def differences(first: Row, other: Row) -> tuple[Difference, ...]:
    """Components that differ, the largest difference first; none while a cost is unknown."""
    if np.isnan(first["tco"]) or np.isnan(other["tco"]):
        return ()
    found = []
    for name in COMPONENTS:
        mine, theirs = (float(row[f"tco_{name}"]) for row in (first, other))
        found.append(Difference(name=name, first=mine, other=theirs, amount=theirs - mine))
    return tuple(sorted((part for part in found if part.amount), key=lambda part: -abs(part.amount)))


def shifted(spans: tuple[Span, ...], by: float) -> tuple[Span, ...]:
    """Spans of prices with the licence in them; a price is never unlimited downwards, but nobody asks for less."""

    def moved(value: float | None) -> float | None:
        return None if value is None else value + by

    return tuple(Span(at_least=moved(span.at_least), at_most=moved(span.at_most)) for span in spans) if by else spans


def _now(what: What, rows: tuple[Row, Row]) -> float | None:
    first, other = rows
    columns: dict[What, float | None] = {
        "other_price": other.number("hourly_price"),
        "first_price": first.number("hourly_price"),
        "hours": first.number("hours_per_vm_month"),
        "speed": other.number("speed"),
    }
    return columns[what]
