"""From the tables to the answer: every option with its reasons, every refusal with what would change it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from advisor.engine.answer import (
    BestRegion,
    Grades,
    Option,
    OptionInShort,
    PoolAdvice,
    Range,
    Reason,
    Rejected,
    Saving,
    Tco,
)
from advisor.engine.break_even import break_even_speedup, lines_of
from advisor.engine.candidates import World, many_gpus, speedup_of
from advisor.engine.commitment_plan import Planner
from advisor.engine.commitments import pool_commitments
from advisor.engine.contrast.pools import PoolContrasts
from advisor.engine.grades import grade_capacity, grade_data, grade_performance, grade_price
from advisor.engine.later import Later
from advisor.engine.microsoft import microsoft_moves
from advisor.engine.money import COMPONENTS, VERDICTS, money_facts
from advisor.engine.pools import records
from advisor.engine.price_rows import price_rows
from advisor.engine.questions import FirstChoices, open_questions
from advisor.engine.ranges import Ranges, ranges
from advisor.engine.request import AdviceRequest
from advisor.engine.rulebook import REFUSING, RULES
from advisor.engine.rules import judge, rejects
from advisor.engine.stages import Stages
from advisor.engine.stranded import stranded_parts
from advisor.engine.today import baseline_of, known, lifecycle_of, workload_of
from advisor.engine.tornado import tornado
from advisor.engine.variants import BASE
from advisor.engine.words import Columns, Row, hit, unknown


def explain_pools(stages: Stages, world: World, request: AdviceRequest) -> tuple[tuple[PoolAdvice, ...], Ranges]:
    """The answer for every pool, in the order of the pools, and the ranges of the whole."""
    book = _Book(stages, world, request)
    pools = tuple(book.pool(number, pool) for number, pool in enumerate(records(stages.pools)))
    return pools, book.ranges


class _Book:
    """The tables of one advice with the look-ups that every pool needs."""

    def __init__(self, stages: Stages, world: World, request: AdviceRequest) -> None:
        self.stages, self.world, self.request = stages, world, request
        self.assume = request.assumptions(world.quotes.book.for_a_dollar())
        self.cells = Columns(stages.candidates, stages.facts)
        self.ranked = Columns(stages.ranked, stages.facts)
        variant = stages.variants["variant"].to_numpy(dtype=object)
        self.variant = variant
        self.base_of_pool = np.flatnonzero(variant == BASE)
        self.variants_of_pool = np.split(np.arange(len(variant)), self.base_of_pool[1:])
        starts = np.searchsorted(stages.ranked["pool_index"].to_numpy(), np.arange(len(variant) + 1))
        self.ranked_of = list(pairwise(starts.tolist()))
        places = [range(*self.ranked_of[v]) for v in self.base_of_pool]
        self.ranges = ranges(stages.ranked, stages.pools, places, request, self.assume)
        self.tornado = tornado(stages.ranked, stages.pools["hours_basis"].tolist(), places, request, self.assume)
        shown = [i for v in self.base_of_pool for i in range(*self.ranked_of[v])[: request.top or None]]
        rows = stages.ranked.iloc[shown]
        self.prices = dict(zip(shown, price_rows(rows, world, request), strict=True))
        owners = stages.variants["id"].to_numpy(dtype=object)[rows["pool_index"].to_numpy()].tolist()
        parts = stranded_parts(rows, owners, stages.held, world, request, self.assume)
        self.stranded = dict(zip(shown, parts, strict=True))
        self.planner = Planner(world, request, self.assume)
        lines = lines_of(money_facts(rows), request.price_model, request.horizon_months, self.assume)
        self.lines = dict(zip(shown, lines, strict=True))
        self.contrasts = PoolContrasts(stages, world, request, self.assume)
        self.refusals = {rule.code: rejects(rule, stages.judged) for rule in REFUSING}
        self.refusal_table = np.array(list(self.refusals.values())).T
        told = judge(RULES, rows, facts=stages.facts)
        self.place_told = {row: place for place, row in enumerate(rows["row"].tolist())}
        self.hit_table = np.array([told.hits[rule.code] & (rule.severity != "blocker") for rule in RULES]).T
        self.unknown_table = np.array([told.unknown[rule.code] for rule in RULES]).T

    def first(self, variant: int) -> Row | None:
        """The first choice of a variant, None when nothing can be ranked."""
        start, end = self.ranked_of[variant]
        return self.ranked.row(start) if end > start else None

    def pool(self, number: int, pool: Mapping[Any, Any]) -> PoolAdvice:
        base = int(self.base_of_pool[number])
        start, end = self.ranked_of[base]
        top = self.request.top or (end - start)
        rows = [self.ranked.row(i) for i in range(start, end)]
        options = tuple(self.option(row, pool, start + i) for i, row in enumerate(rows[:top]))
        vm_hours = pool["vms"] * pool["hours_per_vm_month"]
        gpus = known(pool["gpus_per_vm"])
        used = 1.0 if np.isnan(pool["utilisation"]) else pool["utilisation"]
        demand = known(pool["vms"] * pool["k0"] * used * pool["hours_per_vm_month"])
        return PoolAdvice(
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
            questions=open_questions(
                pool,
                options,
                self.first_choices(number, base),
                self.memory_matters(base),
                self.world.quotes.book.currency,
            ),
            lifecycle=lifecycle_of(pool),
            baseline=baseline_of(pool, demand),
            microsoft_move=microsoft_moves(pool, rows, partial(self.why_not, base), self.world, self.request),
            best_region=self.best_region(number, base),
            options=options,
            more_options=tuple(
                OptionInShort(
                    rank=int(row["rank"]), size=row["target"], monthly_cost=row["monthly_cost"], tco_expected=row["tco"]
                )
                for row in rows[top:]
            ),
            data_disks=known(pool["data_disks"]),
            commitments=pool_commitments(pool, rows[0] if rows else None, self.stages.held, self.planner),
            tornado=self.tornado.get(number, ()),
            chance_saves=self.ranges.chance_saves.get(number),
            contrasts=self.contrasts.later(number),
            rejected=Later(partial(self.rejected, base)),
        )

    def option(self, row: Row, pool: Mapping[Any, Any], place: int) -> Option:
        catalogue = self.world.catalogue
        source, target = catalogue.sizes.get(pool["size"]), catalogue.sizes[row["target"]]
        speed = speedup_of(
            source,
            target,
            (pool["kind"], pool["shape"], pool["precision"]),
            self.world.speed_model(self.request),
            many_gpus(source, target, pool["kind"]),
        )
        if speed is None:
            raise AssertionError(f"{target.name} was ranked with unknown speed")
        break_even, no_break_even = self.break_even(row, pool, place)
        reference = known(pool["reference_tco"])
        spread = self.ranges.tco.get(place)
        return Option(
            rank=int(row["rank"]),
            size=row["target"],
            region=row["region"],
            vms=round(row["n"]),
            gpus=float(row["gpus_bought"]),
            price_model=self.request.price_model,
            strategies=row["strategies"],
            verdict=VERDICTS[int(row["verdict"])],
            rules=Later(partial(self.reasons, int(row["row"]), row)),
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
            prices=self.prices[place],
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
            ),
            why=_why(row, pool, speed.expected),
            stranded=self.stranded[place],
        )

    def break_even(self, row: Row, pool: Mapping[Any, Any], place: int) -> tuple[float | None, str]:
        if row["stay"]:
            return None, "it is the present size"
        return break_even_speedup(row, self.lines[place], pool["reference_tco"], self.assume)

    def reasons(self, position: int, row: Row) -> tuple[Reason, ...]:
        """Every rule hit and every unknown of one candidate that is given in full, in the order of the rule book."""
        place = self.place_told[position]
        told = np.flatnonzero(self.hit_table[place] | self.unknown_table[place])
        return tuple(hit(RULES[i], row) if self.hit_table[place, i] else unknown(RULES[i], row) for i in told)

    def rejected(self, base: int) -> tuple[Rejected, ...]:
        """Every size that is not ranked for a pool, in the order of names, with all its reasons."""
        number = len(self.world.sizes)
        block = slice(base * number, (base + 1) * number)
        out = self.cells.arrays["rejected"][block] | np.isnan(self.cells.arrays["tco"][block])
        return tuple(self.refusal(position) for position in (np.flatnonzero(out) + block.start).tolist())

    def refusal(self, position: int) -> Rejected:
        """All reasons for which one candidate is not ranked."""
        row = self.cells.row(position)
        codes = [REFUSING[i] for i in np.flatnonzero(self.refusal_table[position])]
        reasons = tuple(
            hit(rule, row) if self.stages.judged.hits[rule.code][position] else unknown(rule, row) for rule in codes
        )
        flips = codes[0].flips.format_map(row) if len(codes) == 1 and codes[0].flips else None
        return Rejected(size=row["target"], reasons=reasons or (_UNPRICED,), flips_if=flips)

    def why_not(self, base: int, size: str) -> str:
        """Why a size is not ranked for a pool, in one text."""
        refused = self.refusal(base * len(self.world.sizes) + self.world.index[size])
        return " ".join(reason.message for reason in refused.reasons)

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

    def memory_matters(self, base: int) -> bool:
        """True when a size that is refused only for the assumed memory would beat the first choice."""
        first = self.first(base)
        number = len(self.world.sizes)
        block = slice(base * number, (base + 1) * number)
        count = self.refusal_table[block].sum(axis=1)
        only = (count == 1) & self.refusals["gpu-memory-assumed"][block]
        tco = self.cells.arrays["tco"][block]
        return bool(np.any(only & ~np.isnan(tco) & (tco < (np.inf if first is None else first["tco"]))))


_UNPRICED = Reason(
    code="unknown-price",
    severity="unknown",
    message="A price that the move needs is not known.",
    fix="",
    source="price book",
)


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
