"""The values of an advice: what page, command, API and exports show. Unknown figures are None, never 0."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from advisor.engine.assumptions import AssumptionChange
from advisor.engine.commitment_answer import HeldUnused, PoolCommitments, StrandedPart
from advisor.engine.contrast.values import Contrast
from advisor.engine.evidence import Evidence
from advisor.engine.later import Later, OneByOne
from advisor.engine.money import MONTHLY, ONCE
from advisor.engine.pool_use import PoolUse
from advisor.engine.readers.reading import Reading
from advisor.engine.runbook.values import Runbook
from advisor.engine.speed_own import OwnRatio
from advisor.engine.workload import REFINEMENTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One rule hit in words: what it is, what to do, and who says so."""

    code: str
    severity: str
    message: str
    fix: str
    source: str
    question: str = ""  # what would settle an unknown
    field: str = ""  # the profile field or column that answers the question
    flips_if: str | None = None  # of a refusal: what would make this reason go, the others apart; None: nothing known


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """Speed of one target GPU or slice against one of today's, an 80 % interval with its evidence."""

    low: float
    expected: float
    high: float
    basis: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceRow:
    """One price model of an option; money in the advice's currency."""

    price_model: str
    hourly_price: float | None
    monthly_cost: float | None
    tco: float | None
    as_of: date
    estimated: bool
    source: str
    note: str
    hourly_price_high: float | None  # spot only, as the next three: the most it can cost
    monthly_cost_high: float | None = None
    tco_high: float | None = None
    chance_to_finish: tuple[float, float] | None = None  # that a job of spot_job_hours is not taken back, low and high


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Three quantiles of an amount of money: 10, 50 and 90 % of the simulated cases lie below."""

    p10: float
    p50: float
    p90: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Swing:
    """One input of the first option at two ends of its range, and the cost of ownership there.

    `name` is speed (a factor), hours (per VM and month), price or labour (factors), utilisation (a share) or an
    assumption in its own unit.
    """

    name: str
    at_low: float
    at_high: float
    tco_low: float
    tco_high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tco:
    """Cost of ownership over the horizon, present value; the components add up to `expected`.

    p10, p50 and p90 come from the simulation; None beyond the options that are given in full.
    """

    expected: float
    p10: float | None
    p50: float | None
    p90: float | None
    components: dict[str, float]

    @property
    def running(self) -> float:
        """What is paid every month beside the machines and Windows, over the horizon."""
        return sum(self.components.get(name, 0.0) for name in MONTHLY[2:])

    @property
    def once(self) -> float:
        """What is paid once: the move, and a second one where it is forced."""
        return sum(self.components.get(name, 0.0) for name in (*ONCE, "second_move"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Saving:
    """What the option saves over the horizon, against what is billed now, or against before for a retired size."""

    amount: float
    percent: float | None  # None: what it is measured against is 0
    against: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Grades:
    """How sure the answer is: A best to E worst, for data, performance, price, capacity and whether the move works."""

    data: str
    performance: str
    price: str
    capacity: str
    move: str = ""  # "": an answer that is older than this grade


@dataclass(frozen=True, slots=True, kw_only=True)
class Heavier:
    """A fact that nobody gave, with the verdict and the labour of the move where it is the heavier one."""

    field: str
    verdict: str
    lighter_if: str  # what the option's own verdict takes for granted
    heavier_if: str
    migration_labour: float  # once, in the currency of the advice


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A size that the pool can move to, with count, hours and cost worked out."""

    rank: int
    size: str
    region: str | None
    vms: int
    gpus: float
    price_model: str
    strategies: tuple[str, ...]
    verdict: str
    rules: tuple[Reason, ...] | Later[Reason]  # put in words when first looked at
    speedup: Range
    break_even_speedup: float | None
    break_even_why: str
    hours_per_month: float
    gpu_hours_per_month: float
    asked_gpus: float  # GPUs of today that the pool needs at peak
    replaces_gpus: float  # GPUs of today that one VM does the work of
    layout_efficiency: float  # of joined GPUs, against today's
    hourly_price: float
    monthly_cost: float
    cost_per_work_unit: float | None
    prices: tuple[PriceRow, ...] | Later[PriceRow]
    tco: Tco
    saving: Saving | None
    chance_first: float | None
    grades: Grades
    why: str
    stranded: tuple[StrandedPart, ...] = ()  # what becomes of the commitments that the pool holds
    open_questions: int = 0  # rules of the move that could not be judged
    heavier: tuple[Heavier, ...] | Later[Heavier] = ()  # unknown facts that could make the verdict heavier


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionInShort:
    """An option beyond the first ones, in short."""

    rank: int
    size: str
    monthly_cost: float
    tco_expected: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """A size that cannot be ranked, with every reason and what would change that (None: nothing known)."""

    size: str
    reasons: tuple[Reason, ...]
    flips_if: str | None

    @property
    def for_good(self) -> bool:
        """True where a reason would stay whatever is changed."""
        return any(reason.flips_if is None for reason in self.reasons)


@dataclass(frozen=True, slots=True, kw_only=True)
class MicrosoftMove:
    """A size that Microsoft's documents name for this pool, and what this advice makes of it."""

    size: str
    agrees: bool
    rank: int | None
    outdated: str | None
    why: str
    source: str
    refused: tuple[Reason, ...] = ()  # why it cannot be ranked


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A fact that would settle something; those that would change the first choice come first."""

    code: str
    message: str
    field: str
    changes_first_choice: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """The pool's profile as used, with the names of the fields that nobody stated."""

    kind: str
    pattern: str
    shape: str
    precision: str
    gpu_memory_gib: float | None
    utilisation_percent: float | None
    multi_node: bool
    job_gpus: float
    min_vms: int
    interruptible: bool
    assumed: tuple[str, ...]
    why: str
    watched: tuple[str, ...] = ()  # the fields that monitoring says
    network: str | None = None  # this and the next two: None where nobody said it
    batch: float | None = None
    runtime: str | None = None

    @property
    def computed(self) -> tuple[str, ...]:
        """Precision, and what was said of network, batch and runtime, in words."""
        batch = None if self.batch is None else f"batch {self.batch:g}"
        return tuple(filter(None, (self.precision, self.network, batch, self.runtime)))

    @property
    def unsaid(self) -> tuple[str, ...]:
        """The fields without a default that nobody said."""
        return tuple(name for name in REFINEMENTS if getattr(self, name) is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """Two sources that disagree, both shown, and which one counts here."""

    fact: str
    version_a: str
    source_a: str
    version_b: str
    source_b: str
    used: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifecycle:
    """Where the pool's present size stands on the day of the advice."""

    status: str
    retirement_date: date | None
    conflicts: tuple[Dispute, ...]
    source: str
    announced: date | None = None
    forced_stop: date | None = None  # the pool's service switches off what is left on that day


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """What the pool costs today; `kind` says where the figure comes from. None is unknown."""

    kind: str
    cost_now: float | None
    hourly_price: float | None
    monthly_cost: float | None
    tco: float | None
    cost_per_work_unit: float | None
    price_as_of: date | None
    evidence: Evidence | None
    components: dict[str, float] | None = None  # of tco


@dataclass(frozen=True, slots=True, kw_only=True)
class BestRegion:
    """What the best region of the same geography would cost, when it differs; moving data comes on top."""

    region: str
    size: str
    monthly_cost: float
    tco_expected: float
    step: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FactValue:
    """How many machines of a pool have one value of a fact; None: of these nothing is said."""

    value: str | None
    vms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FactUsed:
    """What is known of one fact of the machines: the value that counts in words, None where it is not known.

    `values` are the values of all machines where they differ.
    """

    name: str
    value: str | None
    basis: str  # file or user
    values: tuple[FactValue, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolAdvice:
    """The answer for one pool. Every size of the catalogue stands in options or in rejected."""

    id: str
    name: str
    size: str
    region: str | None
    os: str
    price_model: str
    vms: int
    deallocated: int
    gpus: float | None
    hours_per_vm_month: float
    hours_basis: str
    hours_per_month: float
    gpu_hours_per_month: float | None
    demand_gpu_hours: float | None
    workload: Workload
    questions: tuple[Question, ...] | Later[Question]
    lifecycle: Lifecycle
    baseline: Baseline
    microsoft_move: tuple[MicrosoftMove, ...] | Later[MicrosoftMove]
    best_region: BestRegion | None
    options: tuple[Option, ...] | OneByOne[Option]  # every figure is there; an option is put together when looked at
    more_options: tuple[OptionInShort, ...] | Later[OptionInShort]
    service: str = "vm"  # vm, vmss, aks, batch or aml: who owns the machines
    facts: tuple[FactUsed, ...] = ()  # of the machines, those of which something is known
    runbooks: tuple[Runbook, ...] | Later[Runbook] = ()  # of the first option; worked out when looked at
    tornado: tuple[Swing, ...] | Later[Swing] = ()  # what moves the first option's cost, the widest swing first
    chance_saves: float | None = None  # that the first option costs less than today, in the simulation
    data_disks: float | None = None  # of one VM, as the file counts them; None: it does not
    planned: tuple[PoolCommitments, ...] | Later[PoolCommitments] = ()  # see commitments; worked out when looked at
    contrasts: tuple[Contrast, ...] | Later[Contrast] = ()  # the first choice against others; worked out when looked at
    gpu_use: PoolUse | None = None  # what monitoring says of the GPUs
    rejected: tuple[Rejected, ...] | Later[Rejected]  # 70 sizes and more: worked out when first looked at

    @property
    def commitments(self) -> PoolCommitments | None:
        """What to commit of the first option, and what waiting costs; None in answers that are older than plans."""
        return self.planned[0] if self.planned else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Sums over the pools whose baseline and recommendation are both known; the others are counted."""

    vms: int
    gpus: float | None
    cost_now_monthly: float | None
    baseline_monthly_cost: float | None
    recommended_monthly_cost: float | None
    baseline_tco: float | None
    recommended_tco: float | None
    baseline_gpu_hours: float | None
    recommended_gpu_hours: float | None
    unpriced_pools: int
    unpriced_pool_ids: tuple[str, ...]
    recommended_tco_range: Spread | None = None  # the pools vary together where they share a GPU or the price of work
    saving_range: Spread | None = None  # baseline less recommended, over the horizon


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """The whole answer for a fleet, with everything it was worked out from."""

    as_of: date
    horizon_months: int
    currency: str
    price_book: dict[str, Any]
    price_model: str
    strategy: str
    assumptions: dict[str, float]  # money in US dollars; an unknown one is left out
    assumptions_changed: tuple[AssumptionChange, ...] = ()  # those that differ from the list
    readings: tuple[Reading, ...]
    totals: Totals
    pools: tuple[PoolAdvice, ...]
    unmatched_hosts: int = 0  # of utilisation files, that are no machine of the fleet by name or by hand
    held_unused: tuple[HeldUnused, ...] = ()  # of commitments held, what no pool of the fleet uses
    measured: tuple[OwnRatio, ...] = ()  # the user's own speed-ups, which beat the model
