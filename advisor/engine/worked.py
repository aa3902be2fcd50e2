"""How a choice was worked out: each formula with this pool's figures filled in."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from advisor.engine.answer import Advice, Option, PoolAdvice, PriceRow
from advisor.engine.money import DAYS_PER_MONTH, VERDICTS, annuity, efforts, paid_hours
from advisor.engine.pools import HOURS_PER_MONTH

TIMES = "\u00d7"
#: How a figure is shown: money to 1, an hourly price to 0.001, a factor to 0.01, a count whole where it is whole, an
#: assumption as it was set.
Shown = Literal["money", "hourly", "factor", "count", "set"]
#: Components of the cost of ownership as pages name them.
PART_WORDS = {
    "compute": "machines",
    "windows_licence": "Windows licences",
    "grid_licence": "GRID licences",
    "disks": "disks",
    "network": "network",
    "operations": "operations",
    "migration_labour": "labour",
    "staff_training": "training",
    "parallel_running": "side by side",
    "data_transfer": "data transfer",
    "stranded_commitments": "stranded commitments",
    "second_move": "second move",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number, its unit and how it is shown; a unit of money stands before the number, all others after it."""

    value: float | None
    shown: Shown
    unit: str = ""

    @property
    def is_money(self) -> bool:
        return self.shown in ("money", "hourly")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One line of the working: name = terms = result. A term is text or a figure; `why` says what the line means."""

    name: str
    terms: tuple[str | Figure, ...]
    result: Figure
    why: str


def steps(advice: Advice, pool: PoolAdvice, option: Option) -> tuple[Step, ...]:
    """The working of one option, line by line; each result is worked out from its own terms."""
    return tuple(_Working(advice, pool, option).steps())


class _Working:
    def __init__(self, advice: Advice, pool: PoolAdvice, option: Option) -> None:
        self.advice, self.pool, self.option = advice, pool, option
        self.assume = advice.assumptions
        self.worth = annuity(self.assume, advice.horizon_months)
        self.per_vm = max(1.0, option.gpus / option.vms) if option.vms else 1.0  # a slice is one unit of work
        self.own_per_vm = max(1.0, pool.gpus / pool.vms) if pool.gpus else 1.0

    def money(self, value: float | None) -> Figure:
        return Figure(value=value, shown="money", unit=self.advice.currency)

    def hourly(self, value: float | None) -> Figure:
        return Figure(value=value, shown="hourly", unit=self.advice.currency)

    def steps(self) -> Iterator[Step]:
        if self.option.replaces_gpus is not None and self.pool.workload.shape != "seat":
            yield self.asked()
            yield self.replaced()
        yield self.machines()
        yield self.hours()
        yield self.cost()
        if (today := self.today()) is not None:
            yield today
        yield from self.horizon()
        if (break_even := self.break_even()) is not None:
            yield break_even

    def asked(self) -> Step:
        """A = N * k0 * min(1, u / h)."""
        busy, room = self.pool.workload.utilisation_percent, self.assume["target_utilisation"]
        terms: tuple[str | Figure, ...] = (_count(self.pool.vms, "VMs"), TIMES, _count(self.own_per_vm, "GPUs"))
        result = self.pool.vms * self.own_per_vm
        if busy is not None:
            share = min(1.0, busy / 100 / room)
            terms = (*terms, f"{TIMES} min(1,", _count(busy, "%"), "÷", _count(100 * room, "%"), ")")
            result *= share
        why = "GPUs that are asked for at peak; a busy share that nobody said counts as fully busy"
        return Step(name="asked", terms=terms, result=_count(result, "GPUs of today"), why=why)

    def replaced(self) -> Step:
        """r = k * s * e."""
        speed, layout = self.option.speedup.expected, self.option.layout_efficiency
        return Step(
            name="one VM",
            terms=(_count(self.per_vm, "GPUs"), TIMES, _factor(speed), TIMES, _factor(layout)),
            result=_factor(self.per_vm * speed * layout, "GPUs of today"),
            why=f"GPUs per VM {TIMES} speed of one {TIMES} efficiency of joined GPUs against today's",
        )

    def machines(self) -> Step:
        """n = max(n_min, ceil(A / r)); a seat keeps its machine; one job over several VMs may need more."""
        pool, option, work = self.pool, self.option, self.pool.workload
        if work.shape == "seat" or option.replaces_gpus is None or option.asked_gpus is None:
            why = "each seat keeps a machine of its own" if work.shape == "seat" else "machines to run"
            why = "you want to keep at least as many" if option.vms > pool.vms else why
            result = _count(option.vms, "VMs")
            return Step(name="machines", terms=(_count(pool.vms, "VMs today"),), result=result, why=why)
        asked, power, least = option.asked_gpus, option.replaces_gpus, work.min_vms
        enough = max(least, math.ceil(asked / power - 1e-9))
        terms: tuple[str | Figure, ...] = ("max(", _count(least), ", round up(", _factor(asked), "÷", _factor(power))
        why = "at least the number that the pool must keep"
        if enough != option.vms:
            slack = self.assume["job_slack"]
            enough = max(enough, math.ceil(work.job_gpus / (slack * power) - 1e-9))
            terms = (*terms, "), round up(", _factor(work.job_gpus), "÷", _factor(slack), TIMES, _factor(power))
            why = "one job must fit on all of them together, a quarter slower at most"
        return Step(name="machines", terms=(*terms, "))"), result=_count(enough, "VMs"), why=why)

    def hours(self) -> Step:
        """Steady n * 730; burst stream and seat n * W; burst queue D / r + n * start hours, at most n * 730."""
        pool, option, work = self.pool, self.option, self.pool.workload
        vms = _count(option.vms, "VMs")
        if work.pattern == "steady":
            terms: tuple[str | Figure, ...] = (vms, TIMES, _count(HOURS_PER_MONTH, "h"))
            result, why = option.vms * HOURS_PER_MONTH, "always on: 730 hours a month"
        elif work.shape != "queue" or option.replaces_gpus is None or pool.demand_gpu_hours is None:
            terms = (vms, TIMES, _count(pool.hours_per_vm_month, "h"))
            result, why = option.vms * pool.hours_per_vm_month, "on for the same hours as today"
        else:
            start = self.assume["starts_per_month"] * self.assume["start_hours"]
            start = 0.0 if option.verdict == "stay" else start
            demand, power = pool.demand_gpu_hours, option.replaces_gpus
            terms = ("min(", _count(demand, "GPU-hours"), "÷", _factor(power), "+", vms, TIMES, _count(start, "h"))
            terms = (*terms, ",", vms, TIMES, _count(HOURS_PER_MONTH, "h"), ")")
            result = min(demand / power + option.vms * start, option.vms * HOURS_PER_MONTH)
            why = "the work of a month on faster GPUs, and the time to start"
        return Step(name="hours", terms=terms, result=_count(result, "VM-hours"), why=why)

    def cost(self) -> Step:
        option = self.option
        paid = float(paid_hours(option.price_model, option.vms, option.hours_per_month))
        why = (
            "a commitment is paid for every hour"
            if paid != option.hours_per_month
            else f"hours {TIMES} price of one VM-hour"
        )
        terms = (
            _count(paid, "VM-hours"),
            TIMES,
            self.hourly(option.monthly_cost / paid if paid else option.hourly_price),
        )
        return Step(name="cost a month", terms=terms, result=self.money(option.monthly_cost), why=why)

    def today(self) -> Step | None:
        pool, base = self.pool, self.pool.baseline
        if base.monthly_cost is None or base.hourly_price is None:
            return None
        stopped = pool.lifecycle.status == "retired"
        name, why = ("before", "when it could still be run") if stopped else ("today", "the same, for today's machines")
        paid = base.monthly_cost / base.hourly_price if base.hourly_price else pool.hours_per_month
        terms = (_count(paid, "VM-hours"), TIMES, self.hourly(base.hourly_price))
        return Step(name=name, terms=terms, result=self.money(base.monthly_cost), why=why)

    def horizon(self) -> Iterator[Step]:
        """The cost of ownership as the sum of its parts, then each part that has a cause."""
        option, rate, months = self.option, self.assume["discount_rate"], self.advice.horizon_months
        running, once = option.tco.running, option.tco.once
        terms: tuple[str | Figure, ...] = (self.money(option.monthly_cost), TIMES, _factor(self.worth))
        if running:
            terms = (*terms, "+", self.money(running), "running")
        yield Step(
            name=f"{months} months",
            terms=(*terms, "+", self.money(once), "once"),
            result=self.money(option.monthly_cost * self.worth + running + once),
            why=f"what {months} monthly payments are worth today at {rate:g} % a year, and what is paid once",
        )
        yield from self.running()
        yield from self.once()

    def running(self) -> Iterator[Step]:
        """What running the machines costs beside their price, over the horizon."""
        parts, vms, worth = self.option.tco.components, self.option.vms, _factor(self.worth)
        today = self.pool.vms
        if parts.get("grid_licence"):
            price = self.money(parts["grid_licence"] / vms / self.worth)
            yield self.part("grid_licence", (_count(vms, "VMs"), TIMES, price, TIMES, worth), "GRID licence of each VM")
        if parts.get("disks"):
            each = self.pool.data_disks
            each = self.assume["data_disks"] if each is None else each
            disks = vms + today * each
            terms = (_count(disks, "disks"), TIMES, self.money(parts["disks"] / disks / self.worth), TIMES, worth)
            yield self.part("disks", terms, "a system disk for each VM, and all data disks of today")
        if parts.get("network"):
            gib = today * self.assume["egress_gib"] * self.pool.hours_per_vm_month / HOURS_PER_MONTH
            terms = (_count(gib, "GiB"), TIMES, self.hourly(parts["network"] / gib / self.worth), TIMES, worth)
            yield self.part("network", terms, "what is sent to the internet; the work sends the same from any machine")
        if parts.get("operations"):
            hours = vms * self.assume["operations_hours"]
            terms = (_count(hours, "h"), TIMES, self.money(parts["operations"] / hours / self.worth), TIMES, worth)
            yield self.part("operations", terms, "patches, drivers and incidents of each VM, an engineer's hours")

    def once(self) -> Iterator[Step]:
        """What the move costs, once."""
        option, parts, work = self.option, self.option.tco.components, efforts(self.assume)
        verdict = VERDICTS.index(option.verdict)
        labour = float(work.pool[verdict] + option.vms * work.vm[verdict])
        learning, days = float(work.training[verdict]), float(work.days[verdict])
        if labour:
            terms = (_count(labour, "h"), TIMES, self.money(parts["migration_labour"] / labour), "an hour")
            yield self.part("migration_labour", terms, "once for the pool and for each new VM")
        if learning:
            terms = (_count(learning, "h"), TIMES, self.money(parts.get("staff_training", 0.0) / learning), "an hour")
            yield self.part("staff_training", terms, "the team learns the new driver or the other vendor's tools")
        if days and parts["parallel_running"]:
            beside = (
                self.money(option.monthly_cost),
                TIMES,
                _count(days, "days"),
                "÷",
                _factor(DAYS_PER_MONTH, "days"),
            )
            yield self.part("parallel_running", beside, "old and new machines run together while the work moves")
        if parts.get("data_transfer"):
            gib = self.pool.vms * self.assume["moved_gib"]
            moved = (_count(gib, "GiB"), TIMES, self.hourly(parts["data_transfer"] / gib))
            yield self.part("data_transfer", moved, "data of today's machines goes to the other region")
        if parts.get("stranded_commitments"):
            lost = (self.money(parts["stranded_commitments"]),)
            yield self.part("stranded_commitments", lost, "commitments that the move leaves without use")
        if parts.get("second_move"):
            again = (self.money(parts["second_move"]),)
            yield self.part(
                "second_move", again, "this size ends inside the horizon: a redeployment then, at its value today"
            )

    def part(self, name: str, terms: tuple[str | Figure, ...], why: str) -> Step:
        return Step(name=PART_WORDS[name], terms=terms, result=self.money(self.option.tco.components[name]), why=why)

    def break_even(self) -> Step | None:
        """The formula of break_even.break_even_speedup; None where there is none, with the reason in the option."""
        pool, option = self.pool, self.option
        asked, demand = option.asked_gpus, pool.demand_gpu_hours
        if option.break_even_speedup is None or asked is None or demand is None:
            return None
        speed = option.break_even_speedup
        joint = (_factor(self.per_vm), TIMES, _factor(option.layout_efficiency))
        power = self.per_vm * (option.layout_efficiency or 1.0)
        machines = math.ceil(asked / (power * speed) - 1e-9)
        terms: tuple[str | Figure, ...]
        if math.isclose(asked / (power * machines), speed, rel_tol=1e-9):
            terms = (_factor(asked, "GPUs"), "÷ (", *joint, TIMES, _count(machines, "VMs"), ")")
            result = asked / (power * machines)
        else:
            days = float(efforts(self.assume).days[VERDICTS.index(option.verdict)])
            worth = self.worth + (days / DAYS_PER_MONTH if option.tco.components["parallel_running"] else 0.0)
            room = demand * option.hourly_price * worth / (power * speed)
            price = (_count(demand, "GPU-hours"), TIMES, self.hourly(option.hourly_price), TIMES, _factor(worth))
            terms = (*price, "÷ (", *joint, TIMES, self.money(room), ")")
            result = demand * option.hourly_price * worth / (power * room)
        why = "the speed at which this option costs as much as today's machines, the move included"
        return Step(name="must be", terms=terms, result=_factor(result, TIMES), why=why)


def _count(value: float | None, unit: str = "") -> Figure:
    return Figure(value=value, shown="count", unit=unit)


def _factor(value: float | None, unit: str = "") -> Figure:
    return Figure(value=value, shown="factor", unit=unit)


def basis_price(option: Option) -> PriceRow | None:
    """The price that the option was ranked with."""
    return next((row for row in option.prices if row.price_model == option.price_model), None)
