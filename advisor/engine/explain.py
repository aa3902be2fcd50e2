"""From the tables to the answer: every option with its reasons, every refusal with what would change it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

import numpy as np

from advisor.engine.answer import (
    BestRegion,
    Grades,
    Heavier,
    MicrosoftMove,
    Option,
    OptionInShort,
    PoolAdvice,
    Question,
    Range,
    Reason,
    Rejected,
    Saving,
    Tco,
)
from advisor.engine.break_even import break_even_speedup, lines_of
from advisor.engine.candidates import World
from advisor.engine.catalogue import Catalogue
from advisor.engine.commitment_answer import PoolCommitments
from advisor.engine.commitment_plan import Planner
from advisor.engine.commitments import pool_commitments
from advisor.engine.contrast.pools import PoolContrasts
from advisor.engine.grades import grade_capacity, grade_data, grade_move, grade_performance, grade_price
from advisor.engine.heavier import heavier_ways
from advisor.engine.later import Later, OneByOne
from advisor.engine.microsoft import microsoft_moves
from advisor.engine.money import COMPONENTS, VERDICTS, money_facts
from advisor.engine.pool_work import speedup_of
from advisor.engine.price_rows import PriceModels
from advisor.engine.questions import FirstChoices, open_questions
from advisor.engine.ranges import Ranges, ranges
from advisor.engine.request import AdviceRequest
from advisor.engine.rulebook import REFUSING, RULES
from advisor.engine.rules import RESIZE, Rule, judge, rejects, spread
from advisor.engine.runbook.build import runbook_of
from advisor.engine.runbook.values import Runbook
from advisor.engine.stages import Stages
from advisor.engine.stranded import stranded_parts
from advisor.engine.today import baseline_of, facts_used, known, lifecycle_of, workload_of
from advisor.engine.tornado import tornado
from advisor.engine.variants import BASE
from advisor.engine.words import Row, hit, unknown


def explain_pools(stages: Stages, world: World, request: AdviceRequest) -> tuple[tuple[PoolAdvice, ...], Ranges]:
    """The answer for every pool, in the order of the pools, and the ranges of the whole."""
    book = _Book(stages, world, request)
    pools = tuple(book.pool(number, pool) for number, pool in enumerate(stages.pools))
    return pools, book.ranges


class _Book:
    """The tables of one advice with the look-ups that every pool needs.

    Every figure of every option is worked out here, for all pools at once; what says it in words waits until somebody
    looks.
    """

    def __init__(self, stages: Stages, world: World, request: AdviceRequest) -> None:
        self.stages, self.world, self.request = stages, world, request
        self.assume = request.assumptions(world.quotes.book.for_a_dollar())
        self.ranked = stages.ranked
        variant = stages.variants.flat("variant")
        self.variant = variant
        self.base_of_pool = np.flatnonzero(variant == BASE)
        self.variants_of_pool = np.split(np.arange(len(variant)), self.base_of_pool[1:])
        starts = np.searchsorted(stages.ranked.flat("pool_index"), np.arange(len(variant) + 1))
        self.ranked_of = list(pairwise(starts.tolist()))
        places = [range(*self.ranked_of[v]) for v in self.base_of_pool]
        self.ranges = ranges(stages.ranked, stages.pools, places, request, self.assume)
        self.tornado = tornado(
            stages.ranked, [pool["hours_basis"] for pool in stages.pools], places, request, self.assume
        )
        self.asked_of = [self._asked(place) for place in places]
        shown = [
            i
            for place, asked in zip(places, self.asked_of, strict=True)
            for i in (*place[: request.top or None], *asked)
        ]
        rows = self.shown = stages.ranked.take(shown)
        self.place_of = {row: place for place, row in enumerate(shown)}
        self.prices = PriceModels(rows, world, request)
        owners = stages.variants.flat("id")[rows.flat("pool_index")].tolist()
        self.stranded = stranded_parts(rows, owners, stages.held, world, request, self.assume)
        self.planner = Planner(world, request, self.assume)
        self.lines = lines_of(money_facts(rows), request.price_model, request.horizon_months, self.assume)
        self.contrasts = PoolContrasts(stages, world, request, self.assume)
        self._refusing: dict[int, tuple[Any, Any]] = {}  # by the row of the pool, once somebody looks
        self.memory_matters = _memory_matters(stages, self.base_of_pool, [place[:1] for place in places])

    def _asked(self, place: range) -> tuple[int, ...]:
        """The rows beyond those told in full whose size is asked for by name."""
        if not self.request.against or not self.request.top:
            return ()
        return tuple(i for i in place[self.request.top :] if Row(self.ranked, i)["target"] in self.request.against)

    def first(self, variant: int) -> Row | None:
        """The first choice of a variant, None when nothing can be ranked."""
        start, end = self.ranked_of[variant]
        return Row(self.ranked, start) if end > start else None

    def pool(self, number: int, pool: Mapping[Any, Any]) -> PoolAdvice:
        base = int(self.base_of_pool[number])
        start, end = self.ranked_of[base]
        top = min(self.request.top or (end - start), end - start)
        options = OneByOne(lambda place: self.option(Row(self.ranked, start + place), pool, start + place), top)
        vm_hours = pool["vms"] * pool["hours_per_vm_month"]
        gpus = known(pool["gpus_per_vm"])
        used = 1.0 if np.isnan(pool["utilisation"]) else pool["utilisation"]
        demand = known(pool["vms"] * pool["k0"] * used * pool["hours_per_vm_month"])
        answer = PoolAdvice(
            id=pool["id"],
            name=pool["name"],
            size=pool["size"],
            region=pool["region"],
            os=pool["os"],
            price_model=pool["price_model"],
            vms=pool["vms"],
            deallocated=pool["deallocated"],
            gpus=None if gpus is None else pool["vms"] * gpus,
            hours_per_vm_month=pool["hours_per_vm_month"],
            hours_basis=pool["hours_basis"],
            hours_per_month=vm_hours,
            gpu_hours_per_month=None if gpus is None else vm_hours * gpus,
            demand_gpu_hours=demand,
            workload=workload_of(pool),
            questions=Later(partial(self.questions, number, pool, options)),
            lifecycle=lifecycle_of(pool),
            baseline=baseline_of(pool, demand),
            microsoft_move=Later(partial(self.microsoft_moves, base, pool)),
            best_region=self.best_region(number, base),
            options=options,
            more_options=Later(partial(self.in_short, start + top, end)),
            data_disks=known(pool["data_disks"]),
            planned=Later(partial(self.planned, base, pool)),
            tornado=self.tornado.get(number, ()),
            chance_saves=self.ranges.chance_saves.get(number),
            contrasts=self.contrasts.later(number),
            rejected=Later(partial(self.rejected, base)),
            service=pool["service"],
            facts=facts_used(pool["machine"]),
            gpu_use=pool["gpu_use"],
        )
        asked = self.asked_of[number]
        more = OneByOne(lambda place: self.option(Row(self.ranked, asked[place]), pool, asked[place]), len(asked))
        against, catalogue = self.request.against, self.world.catalogue
        return replace(answer, runbooks=Later(partial(_runbooks, answer, more, against, catalogue)))

    def questions(self, number: int, pool: Mapping[Any, Any], options: Sequence[Option]) -> tuple[Question, ...]:
        """What is asked of a pool."""
        choices = self.first_choices(number, int(self.base_of_pool[number]))
        matters, currency = bool(self.memory_matters[number]), self.world.quotes.book.currency
        return open_questions(pool, options, choices, matters, currency)

    def microsoft_moves(self, base: int, pool: Mapping[Any, Any]) -> tuple[MicrosoftMove, ...]:
        rows = [Row(self.ranked, i) for i in range(*self.ranked_of[base])]
        return microsoft_moves(pool, rows, partial(self.why_not, base), self.world, self.request)

    def in_short(self, start: int, end: int) -> tuple[OptionInShort, ...]:
        """The options in some rows of the ranked table, in short."""
        return tuple(
            OptionInShort(
                rank=int(row["rank"]), size=row["target"], monthly_cost=row["monthly_cost"], tco_expected=row["tco"]
            )
            for row in (Row(self.ranked, i) for i in range(start, end))
        )

    def planned(self, base: int, pool: Mapping[Any, Any]) -> tuple[PoolCommitments, ...]:
        return (pool_commitments(pool, self.first(base), self.stages.held, self.planner),)

    def option(self, row: Row, pool: Mapping[Any, Any], place: int) -> Option:
        """The option at `place` of the ranked table, `row`."""
        catalogue = self.world.catalogue
        source, target = catalogue.sizes.get(pool["size"]), catalogue.sizes[row["target"]]
        speed = speedup_of(source, target, pool["work"], self.world.speed_model(self.request))
        if speed is None:
            raise AssertionError(f"{target.name} was ranked with unknown speed")
        break_even, no_break_even = self.break_even(row, pool, place)
        reference = known(pool["reference_tco"])
        spread, unjudged = self.ranges.tco.get(place), self.unjudged(place)
        return Option(
            rank=int(row["rank"]),
            size=row["target"],
            region=row["region"],
            vms=round(row["n"]),
            gpus=float(row["gpus_bought"]),
            price_model=self.request.price_model,
            strategies=row["strategies"],
            verdict=VERDICTS[int(row["verdict"])],
            rules=Later(partial(self.reasons, place, row)),
            speedup=Range(
                low=speed.low,
                expected=speed.expected,
                high=speed.high,
                basis=speed.basis,
                evidence=speed.evidence,
            ),
            break_even_speedup=break_even,
            break_even_why=no_break_even,
            hours_per_month=float(row["hours"]),
            gpu_hours_per_month=float(row["hours"] * row["gpus"]),
            asked_gpus=float(row["asked"]),
            replaces_gpus=float(row["replaces"]),
            layout_efficiency=float(row["efficiency"]),
            hourly_price=float(row["hourly_price"]),
            monthly_cost=float(row["monthly_cost"]),
            cost_per_work_unit=row.number("cost_per_work_unit"),
            prices=Later(partial(self.prices.of, self.place_of[place])),
            tco=Tco(
                expected=float(row["tco"]),
                p10=spread.p10 if spread else None,
                p50=spread.p50 if spread else None,
                p90=spread.p90 if spread else None,
                components={name: float(row[f"tco_{name}"]) for name in COMPONENTS},
            ),
            saving=None
            if reference is None
            else Saving(
                amount=reference - row["tco"],
                percent=100 * (reference - row["tco"]) / reference if reference else None,
                against="before" if pool["retired"] else "now",
            ),
            chance_first=self.ranges.chance_first.get(place),
            grades=Grades(
                data=grade_data(pool),
                performance=grade_performance(row),
                price=grade_price(row, self.request),
                capacity=grade_capacity(row),
                move=grade_move(unjudged),
            ),
            why=_why(row, pool, speed.expected),
            stranded=self.stranded[self.place_of[place]],
            open_questions=len(unjudged),
            heavier=Later(partial(self.heavier_of, place)),
        )

    def break_even(self, row: Row, pool: Mapping[Any, Any], place: int) -> tuple[float | None, str]:
        if row["stay"]:
            return None, "it is the present size"
        return break_even_speedup(row, self.lines[self.place_of[place]], pool["reference_tco"], self.assume)

    @cached_property
    def told(self) -> tuple[Any, Any]:
        """Where each rule of RULES hits, and is unknown, for the options that are given in full: a row per option.

        The ranking needs only some rules for all candidates; these are all, for those few.
        """
        judged = judge(RULES, self.shown)
        hits = {rule.code: judged.hits[rule.code] & (rule.severity != "blocker") for rule in RULES}
        return spread(hits, judged.shape), spread(judged.unknown, judged.shape)

    @cached_property
    def heavier(self) -> list[tuple[Heavier, ...]]:
        """The dearer ways of the options that are given in full."""
        assumed = self.stages.variants.flat("os_assumed")[self.shown.flat("pool_index")]
        rows = self.shown.with_columns(os_assumed=assumed.astype(bool))
        return heavier_ways(rows, self.request, self.assume)

    def heavier_of(self, place: int) -> tuple[Heavier, ...]:
        """The dearer ways of one option that is given in full."""
        return self.heavier[self.place_of[place]]

    def unjudged(self, place: int) -> list[Rule]:
        """The rules of one option that could not be judged, since a fact is unknown."""
        hits, unknowns = (table[self.place_of[place]] for table in self.told)
        return [RULES[i] for i in np.flatnonzero(unknowns | (hits & _ASKING)).tolist()]

    def reasons(self, place: int, row: Row) -> tuple[Reason, ...]:
        """Every rule hit and every unknown of one option that is given in full, in the order of the rule book."""
        hits, unknowns = (table[self.place_of[place]] for table in self.told)
        told = np.flatnonzero(hits | unknowns).tolist()
        if int(row["verdict"]) != RESIZE:  # what more is needed comes in place of the plain resize
            told = [i for i in told if RULES[i].code != "resize"]
        return tuple(hit(RULES[i], row) if hits[i] else unknown(RULES[i], row) for i in told)

    def rejected(self, base: int) -> tuple[Rejected, ...]:
        """Every size that is not ranked for a pool, in the order of names, with all its reasons."""
        c = self.stages.candidates
        out = c["rejected"][base] | np.isnan(c["tco"][base])
        return tuple(self.refusal(base * len(out) + size) for size in np.flatnonzero(out).tolist())

    def refusing(self, base: int) -> tuple[Any, Any]:
        """Where each rule of REFUSING takes a size out for a pool, and where it hits: sizes by rules."""
        if base not in self._refusing:
            judged = self.stages.judged.row(base)
            out = {rule.code: rejects(rule, judged) for rule in REFUSING}
            hits = {rule.code: judged.hits[rule.code] for rule in REFUSING}
            self._refusing[base] = spread(out, judged.shape), spread(hits, judged.shape)
        return self._refusing[base]

    def refusal(self, position: int) -> Rejected:
        """All reasons for which one candidate is not ranked."""
        row = Row(self.stages.candidates, position)
        base, size = divmod(position, len(self.world.sizes))
        out, hits = (table[size] for table in self.refusing(base))
        found = np.flatnonzero(out).tolist()
        rules = [REFUSING[i] for i in found]
        told = (hit(REFUSING[i], row) if hits[i] else unknown(REFUSING[i], row) for i in found)
        flips = [rule.flips.format_map(row) if rule.flips else None for rule in rules]
        reasons = tuple(replace(reason, flips_if=flip) for reason, flip in zip(told, flips, strict=True))
        alone = flips[0] if len(flips) == 1 else None
        return Rejected(size=row["target"], reasons=reasons or (_UNPRICED,), flips_if=alone)

    def why_not(self, base: int, size: str) -> tuple[Reason, ...]:
        """Why a size is not ranked for a pool."""
        return self.refusal(base * len(self.world.sizes) + self.world.index[size]).reasons

    def best_region(self, number: int, base: int) -> BestRegion | None:
        """The first choice when the pool may go anywhere in its geography, if it is another region and cheaper."""
        here = self.first(base)
        for variant in self.variants_of_pool[number]:
            if self.variant[variant] != "geography":
                continue
            there = self.first(int(variant))
            if there is None or there["region"] == there["from_region"]:
                return None
            if here is not None and there["tco"] >= here["tco"]:
                return None
            return BestRegion(
                region=there["region"],
                size=there["target"],
                monthly_cost=float(there["monthly_cost"]),
                tco_expected=float(there["tco"]),
                step=f"Data has to be moved from {there['from_region']} to {there['region']}.",
            )
        return None

    def first_choices(self, number: int, base: int) -> FirstChoices:
        """The first choice of a pool as it is, and with each other answer that was tried."""
        others = [(self.variant[v], self.first(int(v))) for v in self.variants_of_pool[number] if v != base]
        return FirstChoices(base=self.first(base), others=others)


def _memory_matters(stages: Stages, bases: Any, firsts: Sequence[range]) -> Any:
    """For each pool, whether a size that is refused only for the assumed memory would beat the first choice.

    `bases` are the rows of the pools in the grid, `firsts` the row of the first choice of each in the ranked table.
    """
    refused = {rule.code: rejects(rule, stages.judged) for rule in REFUSING}
    count: Any = np.zeros((1, 1), dtype=np.int16)
    for mask in refused.values():
        count = count + mask
    only = np.broadcast_to((count == 1) & refused["gpu-memory-assumed"], stages.candidates.shape)[bases]
    tco = stages.ranked.flat("tco")
    best = np.array([tco[place.start] if place else np.inf for place in firsts])
    return (only & (stages.candidates["tco"][bases] < best[:, None])).any(axis=1)


#: The rules of RULES that only say that something is unknown.
_ASKING = np.array([rule.severity == "unknown" for rule in RULES])

_UNPRICED = Reason(
    code="unknown-price",
    severity="unknown",
    message="A price that the move needs is not known.",
    fix="",
    source="price book",
)


def _runbooks(
    pool: PoolAdvice, more: Sequence[Option], against: Sequence[str], catalogue: Catalogue
) -> tuple[Runbook, ...]:
    """How to move to the first option, and to each one that is asked for by name; `more` rank too low to be told."""
    others = [*(option for option in pool.options[1:] if option.size in against), *more] if against else []
    return tuple(runbook_of(pool, option, catalogue) for option in (*pool.options[:1], *others))


def _why(row: Row, pool: Mapping[Any, Any], speed: float) -> str:
    """From A to B because C, in one sentence."""
    before = f"{pool['vms']} x {pool['size'].removeprefix('Standard_')}"
    after = f"{row['n']:.0f} x {row['short_target']}"
    if row["stay"]:
        if round(row["n"]) == pool["vms"]:
            return f"Stay on {before}: nothing changes, and nothing is gained."
        if row["n"] > pool["vms"]:
            return f"From {before} to {after} of the same size, because you want at least as many."
        return f"From {before} to {after} of the same size, because the GPUs are busy only part of the time."
    if row["target"] == pool["size"]:
        return f"From {before} in {row['from_region']} to {after} in {row['region']}, because prices differ by region."
    unit = "slice" if row["share"] < 1 else "GPU"
    if row["gpu"] == row["from_gpu"] and row["share"] == row["from_share"]:
        because = f"the {unit} is the same"
    elif pool["shape"] == "seat":
        because = f"one {unit} is {speed:.1f} times as fast as today's"
    elif speed >= 1:
        because = f"one {unit} does the work of {speed:.1f} of today's"
    else:
        because = f"{1 / speed:.1f} of its {unit}s do the work of one of today's"
    if pool["shape"] == "seat":
        because = f"each seat keeps its own VM, and {because}"
    elif row["asked"] < pool["vms"] * pool["k0"]:
        because = f"the GPUs are {100 * pool['utilisation']:.0f} % busy at peak, and {because}"
    idle = ", off when idle" if pool["pattern"] == "burst" else ""
    return f"From {before} to {after}{idle}, because {because}."
