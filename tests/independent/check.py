"""Holds one pool's answer against the facts: every size, every refusal, every figure, and the order of the ranking."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import pairwise
from typing import Any

from tests.independent.facts import Facts, Hourly
from tests.independent.work import Sized, Work, ownership, sized

Speed = Callable[[Work, str], float | None]
FEWEST = {"queue": lambda vms: 1, "stream": lambda vms: min(2, vms), "seat": lambda vms: vms}
HOURS_ON = 730.0  # a month
CLOSE = partial(math.isclose, rel_tol=1e-9, abs_tol=1e-6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What one advice was asked, and the assumptions as its answer prints them."""

    as_of: date
    end: date  # of the horizon
    months: int
    scope: str
    strategy: str
    assume: Mapping[str, float]


class Checker:
    """Counts what it has looked at; `check` yields one sentence for each thing that is not so."""

    def __init__(self, facts: Facts, speed: Speed) -> None:
        self.facts, self.speed = facts, speed
        self.seen: Counter[str] = Counter()

    def check(self, row: Mapping[str, Any], pool: Any, asked: Asked) -> Iterator[str]:
        """Violations of the answer `pool` to the fleet row `row`."""
        work = self.work_of(row, pool, asked)
        yield from self._profile(row, pool, work)
        options = {option.size: option for option in pool.options}
        refused = {entry.size: {reason.code for reason in entry.reasons} for entry in pool.rejected}
        if len(options) + len(refused) != len(self.facts.sizes) or {*options, *refused} != set(self.facts.sizes):
            yield "some size is neither ranked nor refused, or both"
        for size, option in options.items():
            yield from (f"{size}: {fault}" for fault in self._option(work, option, asked))
        for size, codes in refused.items():
            yield from (f"{size}: {fault}" for fault in self._refusal(work, size, codes, asked))
        yield from self._order(work, list(pool.options), asked)
        self.seen.update(pools=1, options=len(options), refusals=len(refused), empty=not options)

    def work_of(self, row: Mapping[str, Any], pool: Any, asked: Asked) -> Work:
        """The work of a row. Kind, shape and precision that nobody said are those that the answer says it assumes."""
        facts, size, vms, told = self.facts, row["size"], row["count"], pool.workload
        per_gpu = facts.gpus_of(size)
        retired = facts.life(size, row["region"], asked.as_of).retired
        said = _said(row.get("hours"))
        hours = min(said if said is not None else HOURS_ON * (vms - row["deallocated"]) / vms, HOURS_ON)
        if retired and (hours == 0 or (said is None and row["deallocated"])):
            hours = HOURS_ON
        pattern = row.get("pattern") or ("steady" if hours >= asked.assume["steady_from_hours"] else "burst")
        job = _said(row.get("job_gpus"))
        if job is None:
            whole = per_gpu if told.kind in ("training", "hpc") else 1.0
            job = vms * (per_gpu or 1.0) if row.get("multi_node") else whole or 1.0
        hours = HOURS_ON if pattern == "steady" else hours
        fewest, memory = _said(row.get("min_vms")), _said(row.get("gpu_memory_gib"))
        return Work(
            size=size,
            region=row["region"],
            system=row["os"] or "linux",
            vms=vms,
            per_gpu=per_gpu,
            kind=told.kind,
            shape=told.shape,
            pattern=pattern,
            precision=told.precision,
            hours=hours,
            busy=_said(row.get("utilisation")),
            job=job if per_gpu is None else min(job, vms * per_gpu),
            fewest=FEWEST[told.shape](vms) if fewest is None else math.ceil(fewest),
            needed=facts.memory_of(size) if memory is None else memory,
            needed_said=memory is not None,
            data_disks=_said(row.get("data_disks")),
            premium=bool(row.get("premium_disks")),
            runs=not retired and vms * hours > 0,
        )

    def _profile(self, row: Mapping[str, Any], pool: Any, work: Work) -> Iterator[str]:
        told = pool.workload
        for name, ours, theirs in (
            ("kind", row.get("workload") or told.kind, told.kind),
            ("precision", row.get("precision") or told.precision, told.precision),
            ("pattern", work.pattern, told.pattern),
            ("hours", work.hours, pool.hours_per_vm_month),
            ("memory", work.needed, told.gpu_memory_gib),
            ("job", work.job, told.job_gpus),
            ("fewest", work.fewest, told.min_vms),
            ("busy", work.busy, None if told.utilisation_percent is None else told.utilisation_percent / 100),
        ):
            same = CLOSE(ours, theirs) if isinstance(ours, float) and isinstance(theirs, float) else ours == theirs
            if not same:
                yield f"the answer says {name} {theirs}, the row means {ours}"

    def against(self, work: Work, size: str, region: str | None, asked: Asked) -> tuple[set[str], Sized | None]:
        """Every reason against a size in a region, from the facts, and how many of it the work takes."""
        facts, to, now = self.facts, self.facts.sizes[size], self.facts.sizes[work.size]
        stay = size == work.size and region == work.region
        life, memory, gpus = facts.life(size, region, asked.as_of), facts.memory_of(size), facts.gpus_of(size)
        speed = self.speed(work, size) if work.per_gpu and gpus and to["gpu"] else None
        found = None if speed is None else sized(work, facts, size, speed, stay, asked.assume)
        end, known = (life.own_end if stay else life.end), to["gpu"] is not None and gpus is not None
        fpga = now["vendor"] == "fpga"
        year = facts.gpus[to["gpu"]]["release_year"] if to["gpu"] in facts.gpus else 0
        offered = region is not None and facts.offered(size, region)
        price = facts.price(size, region, work.system) if region else None
        out = {
            "unknown-lifecycle": not life.known,
            "not-yet": year > asked.as_of.year,
            "retired": life.retired or (end is not None and end <= asked.as_of),
            "unknown-gpu": not known,
            "unknown-gpu-memory": to["gpu"] is not None and memory is None,
            "unknown-speed": known and not fpga and speed is None,
            "unknown-region": region is None,
            "unknown-price": region is not None and (stay or offered) and price is None,
            "unknown-windows-licence": price is not None and price.licence is None,
        }
        if not stay:
            small = memory is not None and work.needed is not None and memory < work.needed
            out |= {
                "retires-in-horizon": end is not None and asked.as_of < end <= asked.end,
                "special": to["special"] is not None,
                "region": region is not None and not offered,
                "gpu-memory": small and work.needed_said,
                "gpu-memory-assumed": small and not work.needed_said and not fpga,
                "fpga": fpga,
                "data-disks": _above(work.data_disks, to["max_data_disks"]),
                "premium-storage": work.premium and to["premium_storage"] is False,
            }
            out |= self._slow(work, size, found, speed, asked) | self._drivers(work, size, asked)
        return {code for code, holds in out.items() if holds}, found

    def _slow(self, work: Work, size: str, found: Sized | None, speed: float | None, asked: Asked) -> dict[str, bool]:
        to, now, assume = self.facts.sizes[size], self.facts.sizes[work.size], asked.assume
        seat, joined = work.shape == "seat", work.kind in ("training", "hpc")
        host = (to["vcpus"], now["vcpus"]), (to["memory_gib"], now["memory_gib"])
        known = all(value is not None for pair in host for value in pair)
        return {
            "spans-vms": found is not None and found.spans and to["rdma"] == "none",
            "slower": seat
            and work.kind != "dev"
            and found is not None
            and found.replaces < assume["seat_slack"] * (work.per_gpu or 0.0),
            "job-too-slow": joined
            and work.shape == "queue"
            and work.job <= 1
            and speed is not None
            and speed < assume["slowest_job"],
            "host-too-small": seat and known and any(new < assume["host_floor"] * old for new, old in host),
        }

    def _drivers(self, work: Work, size: str, asked: Asked) -> dict[str, bool]:
        to = self.facts.sizes[size]
        support = self.facts.support.get(to["series"], {})
        draws, nvidia = work.kind == "graphics", to["vendor"] == "nvidia"
        driver = support.get(f"graphics_{work.system}")
        included, priced = support.get("grid_licence_included"), "grid_licence" in asked.assume
        return {
            "graphics-driver": draws and driver is False,
            "unknown-graphics-driver": draws and driver is None,
            "unknown-grid-licence": draws and nvidia and driver is True and included is None and not priced,
            "grid-licence-cost": draws and nvidia and included is False and not priced,
            "compute-driver": not draws and support.get(f"compute_{work.system}") is False,
        }

    def _option(self, work: Work, option: Any, asked: Asked) -> Iterator[str]:
        """Facts, machines, hours and money of one ranked size."""
        against, found = self.against(work, option.size, option.region, asked)
        if against:
            yield f"ranked {option.rank} in spite of {', '.join(sorted(against))}"
        stay = option.size == work.size and option.region == work.region
        if stay != (option.verdict == "stay"):
            yield f"the verdict is {option.verdict}"
        price = self.facts.price(option.size, option.region, work.system)
        if found is None or price is None or price.licence is None:
            yield "no speed or no price is known, and yet it is ranked"
            return
        if (found.vms, found.spans) != (option.vms, found.spans) or not CLOSE(found.hours, option.hours_per_month):
            yield f"{option.vms} VMs for {option.hours_per_month} h, the formula gives {found.vms} for {found.hours}"
        if found.spans and self.facts.sizes[option.size]["rdma"] is None and not _asks(option):
            yield "a job spans VMs, nobody knows of InfiniBand, and nothing is asked"
        if not CLOSE(price.compute + price.licence, option.hourly_price):
            yield f"costs {option.hourly_price} an hour, the price rows say {price.compute + price.licence}"
        yield from self._cheapest_place(work, option, price, asked)
        cost = self._cost(work, option, found, price, asked)
        if not CLOSE(cost, option.tco.expected):
            yield f"cost of ownership {option.tco.expected}, the formula gives {cost}"

    def _cheapest_place(self, work: Work, option: Any, price: Hourly, asked: Asked) -> Iterator[str]:
        """Where several regions are allowed, no other one is cheaper; today's size keeps its own if it can."""
        places = self.facts.places(work.region, asked.scope)
        if option.region not in places:
            yield f"{option.region} is no region that was allowed"
        if len(places) == 1 or option.verdict == "stay":
            return
        for place in places:
            other = self.facts.price(option.size, place, work.system) if place else None
            if other is None or other.licence is None or self.against(work, option.size, place, asked)[0]:
                continue
            if other.compute + other.licence < price.compute + (price.licence or 0.0) - 1e-12:
                yield f"is cheaper in {place} than in {option.region}"

    def _cost(self, work: Work, option: Any, found: Sized, price: Hourly, asked: Asked) -> float:
        to, stay = self.facts.sizes[option.size], option.verdict == "stay"
        included = self.facts.support.get(to["series"], {}).get("grid_licence_included")
        needs = work.kind == "graphics" and to["vendor"] == "nvidia" and included is not True
        end = self.facts.life(option.size, option.region, asked.as_of).own_end if stay else None
        return ownership(
            work,
            found,
            price,
            option.verdict,
            grid=asked.assume.get("grid_licence", 0.0) if needs else 0.0,
            moves_data=option.region != work.region,
            ends=end if end is not None and asked.as_of < end <= asked.end else None,
            as_of=asked.as_of,
            months=asked.months,
            assume=asked.assume,
        )

    def _refusal(self, work: Work, size: str, codes: set[str], asked: Asked) -> Iterator[str]:
        """A size is refused where facts refuse it everywhere, and for just those reasons."""
        places = self.facts.places(work.region, asked.scope)
        ours = [self.against(work, size, place, asked)[0] for place in places]
        if not all(ours):
            yield f"refused for {sorted(codes)}; nothing stands against it in {places[ours.index(set())]}"
        if codes not in ours:
            yield f"refused for {sorted(codes)}, the facts say {sorted(ours[0])}"

    def _order(self, work: Work, options: list[Any], asked: Asked) -> Iterator[str]:
        """Each option is at least as good as the next by the strategy, so that the first is the best of all."""
        for number, option in enumerate(options, 1):
            if option.rank != number:
                yield f"{option.size} stands at {number} and says {option.rank}"
        for better, worse in pairwise(options):
            pairs = zip(self._keys(work, better, asked), self._keys(work, worse, asked), strict=True)
            for one, other in pairs:
                if CLOSE(one, other) if isinstance(one, float) else one == other:
                    continue
                if one > other:
                    yield f"{better.size} is ranked before {worse.size} and is worse by {asked.strategy}"
                break

    def _keys(self, work: Work, option: Any, asked: Asked) -> tuple[Any, ...]:
        """What the ranking compares, the smaller the better."""
        to = self.facts.sizes[option.size]
        life = self.facts.life(option.size, option.region, asked.as_of)
        end = life.own_end if option.verdict == "stay" else life.end
        found = self.against(work, option.size, option.region, asked)[1]
        replaces = -found.replaces if found else 0.0
        effort = ("stay", "resize", "redeploy", "rebuild", "port").index(option.verdict)
        first: dict[str, tuple[Any, ...]] = {
            "lowest_cost": (),
            "same_count": (option.vms != work.vms,),
            "lowest_hourly_price": (option.hourly_price,),
            "least_change": (effort,),
            "fastest": (replaces,),
            "longest_lived": (
                -math.inf if end is None else float(-end.toordinal()),
                -self.facts.gpus[to["gpu"]]["release_year"],
            ),
        }
        short_lived = end is not None and end <= asked.end
        bought = option.vms * self.facts.bought(option.size)
        last = (option.tco.expected, bought, float(to["vcpus"] or math.inf), option.size)
        return (short_lived, *first[asked.strategy], *last)


def _said(value: Any) -> float | None:
    return None if value is None or math.isnan(value) else float(value)


def _above(value: float | None, limit: float | None) -> bool:
    return value is not None and limit is not None and value > limit


def _asks(option: Any) -> bool:
    return any(rule.severity == "unknown" for rule in option.rules)
