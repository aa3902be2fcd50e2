"""From the tables to the answer: every option with its reasons, every refusal with what would change it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from advisor.engine.answer import (
    Baseline,
    BestRegion,
    Dispute,
    Grades,
    Lifecycle,
    Option,
    OptionInShort,
    PoolAdvice,
    PriceRow,
    Question,
    Range,
    Reason,
    Rejected,
    Saving,
    Tco,
    Workload,
)
from advisor.engine.candidates import World, many_gpus, os_of, outlived, speedup_of
from advisor.engine.evidence import Evidence
from advisor.engine.grades import grade_capacity, grade_data, grade_performance, grade_price
from advisor.engine.later import Later
from advisor.engine.microsoft import microsoft_moves
from advisor.engine.money import (
    COMPONENTS,
    DAYS_PER_MONTH,
    VERDICTS,
    break_even_speedup,
    paid_hours,
    parallel_days,
    present_value,
)
from advisor.engine.quotes import Quote
from advisor.engine.request import AdviceRequest
from advisor.engine.rulebook import RULES
from advisor.engine.rules import rejects
from advisor.engine.stages import Stages
from advisor.engine.variants import BASE
from advisor.engine.words import Columns, Row, day_of, hit, unknown


def explain_pools(stages: Stages, world: World, request: AdviceRequest) -> tuple[PoolAdvice, ...]:
    """The answer for every pool, in the order of the pools."""
    book = _Book(stages, world, request)
    return tuple(book.pool(number, pool) for number, pool in enumerate(stages.pools.to_dict("records")))


class _Book:
    """The tables of one advice with the look-ups that every pool needs."""

    def __init__(self, stages: Stages, world: World, request: AdviceRequest) -> None:
        self.stages, self.world, self.request = stages, world, request
        self.assume = request.assumptions()
        self.assume["labour_rate"] *= world.quotes.book.rate
        self.annuity = present_value(1.0, self.assume["discount_rate"] / 100, request.horizon_months)
        self.cells = Columns(stages.candidates)
        self.ranked = Columns(stages.ranked)
        variant = stages.variants["variant"].to_numpy(dtype=object)
        self.variant = variant
        self.base_of_pool = np.flatnonzero(variant == BASE)
        self.variants_of_pool = np.split(np.arange(len(variant)), self.base_of_pool[1:])
        starts = np.searchsorted(stages.ranked["pool_index"].to_numpy(), np.arange(len(variant) + 1))
        self.ranked_of = list(pairwise(starts.tolist()))
        self.refusals = {rule.code: rejects(rule, stages.judged) for rule in RULES}
        self.refusal_table = np.array(list(self.refusals.values())).T
        told = [
            (stages.judged.hits[rule.code] & (rule.severity != "blocker"), stages.judged.unknown[rule.code])
            for rule in RULES
        ]
        self.hit_table = np.array([hits for hits, _ in told]).T
        self.unknown_table = np.array([unknowns for _, unknowns in told]).T

    def first(self, variant: int) -> Row | None:
        """The first choice of a variant, None when nothing can be ranked."""
        start, end = self.ranked_of[variant]
        return self.ranked.row(start) if end > start else None

    def pool(self, number: int, pool: Mapping[Any, Any]) -> PoolAdvice:
        base = int(self.base_of_pool[number])
        start, end = self.ranked_of[base]
        top = self.request.top or (end - start)
        rows = [self.ranked.row(i) for i in range(start, end)]
        options = tuple(self.option(row, pool) for row in rows[:top])
        vm_hours = pool["vms"] * pool["hours_per_vm_month"]
        gpus = _known(pool["gpus_per_vm"])
        used = 1.0 if np.isnan(pool["utilisation"]) else pool["utilisation"]
        demand = _known(pool["vms"] * pool["k0"] * used * pool["hours_per_vm_month"])
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
            workload=_workload(pool),
            questions=self.questions(number, pool, options, base),
            lifecycle=self.lifecycle(pool),
            baseline=_baseline(pool, demand),
            microsoft_move=microsoft_moves(pool, rows, partial(self.why_not, base), self.world, self.request),
            best_region=self.best_region(number, base),
            options=options,
            more_options=tuple(
                OptionInShort(
                    rank=int(row["rank"]), size=row["target"], monthly_cost=row["monthly_cost"], tco_expected=row["tco"]
                )
                for row in rows[top:]
            ),
            rejected=Later(partial(self.rejected, base)),
        )

    def option(self, row: Row, pool: Mapping[Any, Any]) -> Option:
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
        reasons = self.reasons(int(row["row"]), row)
        break_even, no_break_even = self.break_even(row, pool)
        reference = _known(pool["reference_tco"])
        return Option(
            rank=int(row["rank"]),
            size=row["target"],
            region=row["region"],
            vms=round(row["n"]),
            gpus=float(row["gpus_bought"]),
            price_model=self.request.price_model,
            strategies=row["strategies"],
            verdict=VERDICTS[int(row["verdict"])],
            rules=reasons,
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
            prices=self.prices(row, pool),
            tco=Tco(
                expected=float(row["tco"]),
                p10=None,
                p50=None,
                p90=None,
                components={name: float(row[f"tco_{name}"]) for name in COMPONENTS},
            ),
            saving=None
            if reference is None
            else Saving(
                amount=reference - row["tco"],
                percent=100 * (reference - row["tco"]) / reference if reference else None,
                against="before" if pool["retired"] else "now",
            ),
            chance_first=None,
            grades=Grades(
                data=grade_data(pool),
                performance=grade_performance(row),
                price=grade_price(row, self.request),
                capacity=grade_capacity(row, reasons),
            ),
            why=_why(row, pool, speed.expected),
        )

    def break_even(self, row: Row, pool: Mapping[Any, Any]) -> tuple[float | None, str]:
        if row["stay"]:
            return None, "it is the present size"
        facts = {name: row[name] for name in _BREAK_EVEN_FACTS}
        facts["reference_tco"] = pool["reference_tco"]
        return break_even_speedup(facts, self.request.horizon_months, self.assume)

    def reasons(self, position: int, row: Row) -> tuple[Reason, ...]:
        """Every rule hit and every unknown of one candidate, in the order of the rule book."""
        told = np.flatnonzero(self.hit_table[position] | self.unknown_table[position])
        return tuple(hit(RULES[i], row) if self.hit_table[position, i] else unknown(RULES[i], row) for i in told)

    def rejected(self, base: int) -> tuple[Rejected, ...]:
        """Every size that is not ranked for a pool, in the order of names, with all its reasons."""
        number = len(self.world.sizes)
        block = slice(base * number, (base + 1) * number)
        out = self.cells.arrays["rejected"][block] | np.isnan(self.cells.arrays["tco"][block])
        return tuple(self.refusal(position) for position in (np.flatnonzero(out) + block.start).tolist())

    def refusal(self, position: int) -> Rejected:
        """All reasons for which one candidate is not ranked."""
        row = self.cells.row(position)
        codes = [RULES[i] for i in np.flatnonzero(self.refusal_table[position])]
        reasons = tuple(
            hit(rule, row) if self.stages.judged.hits[rule.code][position] else unknown(rule, row) for rule in codes
        )
        flips = codes[0].flips.format_map(row) if len(codes) == 1 and codes[0].flips else None
        return Rejected(size=row["target"], reasons=reasons or (_UNPRICED,), flips_if=flips)

    def why_not(self, base: int, size: str) -> str:
        """Why a size is not ranked for a pool, in one text."""
        refused = self.refusal(base * len(self.world.sizes) + self.world.index[size])
        return " ".join(reason.message for reason in refused.reasons)

    def prices(self, row: Row, pool: Mapping[Any, Any]) -> tuple[PriceRow, ...]:
        """Every price model the option can have, side by side, each with its own cost of ownership."""
        found = []
        quotes = self.world.quotes
        for model in quotes.models(pool["interruptible"]):
            if row["region"] is None or not outlived(model, self.request.as_of, day_of(row["ends"])):
                continue
            quote = quotes.quote(row["target"], row["region"], os_of(pool["os"]), model, self.request.as_of)
            if quote is not None:
                found.append(self.price(quote, row))
        return tuple(found)

    def price(self, quote: Quote, row: Row) -> PriceRow:
        paid = float(paid_hours(quote.price_model, row["n"], row["hours"]))
        monthly = None if quote.licence is None else quote.compute * paid + quote.licence * row["hours"]
        days = parallel_days(int(row["verdict"]), self.assume) if row["running"] else 0.0
        tco = (
            None
            if monthly is None
            else monthly * self.annuity + float(row["tco_migration_labour"]) + monthly * days / DAYS_PER_MONTH
        )
        return PriceRow(
            price_model=quote.price_model,
            hourly_price=quote.hourly,
            monthly_cost=monthly,
            tco=tco,
            as_of=quote.as_of,
            estimated=quote.estimated,
            source=quote.source,
            note=quote.note,
            hourly_price_high=None if quote.highest is None or quote.licence is None else quote.highest + quote.licence,
        )

    def lifecycle(self, pool: Mapping[Any, Any]) -> Lifecycle:
        status = pool["status"]
        return Lifecycle(
            status=status.status,
            retirement_date=status.retirement_date,
            conflicts=tuple(
                Dispute(
                    fact=c.fact,
                    version_a=c.version_a,
                    source_a=c.source_a,
                    version_b=c.version_b,
                    source_b=c.source_b,
                    used=c.used,
                    reason=c.reason,
                )
                for c in status.conflicts
            ),
            source=status.source,
            announced=status.announced,
            forced_stop=status.forced_stop,
        )

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

    def questions(
        self, number: int, pool: Mapping[Any, Any], options: Sequence[Option], base: int
    ) -> tuple[Question, ...]:
        """What would settle something, those first that would change the first choice."""
        asked: dict[str, Question] = {}

        def ask(code: str, message: str, field: str, changes: bool) -> None:
            known = asked.get(code)
            asked[code] = Question(
                code=code,
                message=message,
                field=field,
                changes_first_choice=changes or (known is not None and known.changes_first_choice),
            )

        if pool["region"] is None:
            ask("region", "In which region do the machines run? Without it nothing can be priced.", "region", True)
        first = self.first(base)
        for variant in self.variants_of_pool[number]:
            name = self.variant[variant]
            if name in _VARIANT_QUESTIONS:
                other = self.first(int(variant))
                message, field = _VARIANT_QUESTIONS[name]
                ask(name, message, field, _differs(first, other))
        if pool["needed_assumed"]:
            known = np.isfinite(pool["needed_gib"])
            taken = "Today's is taken, and less would allow more sizes." if known else "No page gives today's."
            ask(
                "gpu_memory_gib",
                f"How much GPU memory does the work need per GPU? {taken}",
                "gpu_memory_gib",
                self.memory_matters(base, first),
            )
        if np.isfinite(pool["cost"]) and pool["baseline_kind"] != "actual":
            ask(
                "currency",
                f"What is one {self.world.quotes.book.currency} in {pool['currency']}? Without a rate and its day the "
                "cost in the file is left out.",
                "currency",
                False,
            )
        for option in options[:3]:
            for reason in option.rules:
                code = reason.field or reason.code
                if reason.severity == "unknown" and code not in asked and reason.question:
                    ask(code, reason.question, reason.field, False)
        return tuple(sorted(asked.values(), key=lambda q: not q.changes_first_choice))

    def memory_matters(self, base: int, first: Row | None) -> bool:
        """True when a size that is refused only for the assumed memory would beat the first choice."""
        number = len(self.world.sizes)
        block = slice(base * number, (base + 1) * number)
        count = sum(mask[block].astype(int) for mask in self.refusals.values())
        only = (count == 1) & self.refusals["gpu-memory-assumed"][block]
        tco = self.cells.arrays["tco"][block]
        return bool(np.any(only & (np.isnan(tco) == 0) & (tco < (np.inf if first is None else first["tco"]))))


_UNPRICED = Reason(
    code="unknown-price",
    severity="unknown",
    message="A price that the move needs is not known.",
    fix="",
    source="price book",
)

_BREAK_EVEN_FACTS = (
    *("shape", "pattern", "units", "efficiency", "asked", "demand", "hourly_price", "hours_per_vm_month"),
    *("tco_migration_labour", "tco_parallel_running"),
)

_VARIANT_QUESTIONS: Mapping[str, tuple[str, str]] = {
    "utilisation": ("How busy are the GPUs at peak? Unknown counts as fully busy.", "utilisation"),
    "workload": ("What do the machines do: training, inference, HPC, graphics, development?", "workload"),
    "multi_node": ("Does one job span several of these VMs?", "multi_node"),
    "precision": ("Does the code use double precision?", "precision"),
    "hours": ("How many hours a month does one VM run? The file does not say.", "hours_per_month"),
    "os": ("Do the machines run Linux or Windows? Linux is taken.", "os"),
    "generation": ("Are the images Generation 1 or 2?", "generation"),
}


def _differs(first: Row | None, other: Row | None) -> bool:
    if first is None or other is None:
        return (first is None) != (other is None)
    return bool(first["target"] != other["target"])


def _known(value: float) -> float | None:
    return None if value is None or np.isnan(value) else float(value)


def _workload(pool: Mapping[Any, Any]) -> Workload:
    profile = pool["profile"]
    busy = profile.utilisation
    return Workload(
        kind=profile.kind,
        pattern=profile.pattern,
        shape=profile.shape,
        precision=profile.precision,
        gpu_memory_gib=profile.gpu_memory_gib,
        utilisation_percent=None if busy is None else 100 * busy,
        multi_node=profile.multi_node,
        job_gpus=profile.job_gpus,
        min_vms=profile.min_vms,
        interruptible=profile.interruptible,
        assumed=tuple(sorted(profile.assumed | ({"os"} if pool["os_assumed"] else set()))),
        why=profile.why,
    )


def _baseline(pool: Mapping[Any, Any], demand: float | None) -> Baseline:
    quote: Quote | None = pool["baseline_quote"]
    monthly = _known(pool["baseline_monthly"])
    kind = pool["baseline_kind"]
    evidence = None
    if kind == "actual":
        evidence = Evidence(kind="user", source="cost in the uploaded file")
    elif quote is not None:
        note = "; ".join(filter(None, [quote.note, "it can no longer be run" if pool["retired"] else ""]))
        evidence = Evidence(
            kind="assumed" if quote.estimated else "listed", source=quote.source, as_of=quote.as_of, note=note
        )
    return Baseline(
        kind=kind,
        cost_now=_known(pool["cost_now"]),
        hourly_price=_known(pool["baseline_hourly"]),
        monthly_cost=monthly,
        tco=_known(pool["reference_tco"]),
        cost_per_work_unit=monthly / demand if monthly is not None and demand else None,
        price_as_of=None if quote is None or kind == "actual" else quote.as_of,
        evidence=evidence,
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
