"""The dearer way: what a move takes where a fact that nobody gave is the one that asks for more.

The verdict of an option counts unknown facts as the lighter of two answers. Here each such fact is set to the heavier
one, and the same rules and the same money say what the move takes then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from advisor.engine.answer import Heavier, Option
from advisor.engine.arrays import Table
from advisor.engine.money import VERDICTS, money_facts, ownership
from advisor.engine.request import AdviceRequest
from advisor.engine.rulebook import DECIDING, REFUSING
from advisor.engine.rulebook.common import linux
from advisor.engine.rules import Facts, judge, rejects
from advisor.engine.stages import verdicts
from advisor.engine.words import Row


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trial:
    """One unknown: where it is open, the columns with the heavier answer, and both answers in words."""

    field: str
    is_open: Callable[[Facts], Any]
    columns: Callable[[Facts], dict[str, Any]]
    lighter: str
    heavier: str


def _older_system(c: Facts) -> dict[str, Any]:
    """A system that pages name, in a version before any of them."""
    named = np.where(linux(c), c["names_linux"], c["names_windows"]) == 1
    found = np.full(named.shape, None, dtype=object)
    for family in ("ubuntu", "rhel", "sles", "centos", "almalinux", "debian", "windows-server", "windows"):
        fits = named & (c[f"oldest_{family}"] > 0) & (linux(c) != family.startswith("windows"))
        found = np.where((found == None) & fits, family, found)  # noqa: E711 (an array of objects)
    return {"system_family": found, "system_version": 0.0}


_TRIALS = (
    _Trial(
        field="generation",
        is_open=lambda c: np.isnan(c["generation"]) & (c["from_gen1"] == 1) & (c["from_gen2"] == 1),
        columns=lambda _c: {"generation": 1.0},
        lighter="the images are Generation 2",
        heavier="Generation 1",
    ),
    _Trial(
        field="cuda",
        is_open=lambda c: c["open_cuda"] & (c["min_cuda"] > 0) & ~(c["min_cuda"] <= c["from_min_cuda"]),
        columns=lambda _c: {"cuda_number": 0.0},
        lighter="code and images use CUDA {min_cuda_text} or later",
        heavier="an earlier CUDA",
    ),
    _Trial(
        field="image",
        is_open=lambda c: np.array([[family is None for family in row] for row in c["system_family"]]),
        columns=_older_system,
        lighter="the guest system is not older than those that pages name",
        heavier="an older guest system",
    ),
    _Trial(
        field="infiniband",
        is_open=lambda c: (
            (c["from_infiniband"] == 1) & (c["infiniband"] == 1) & (c["from_infiniband_gbps"] != c["infiniband_gbps"])
        ),
        columns=lambda c: {"from_old_rdma": 1.0 - c["old_rdma"]},
        lighter="today's InfiniBand driver knows the card of {short_target}",
        heavier="it does not know the card",
    ),
    _Trial(
        field="os",
        is_open=lambda c: c["os_assumed"],
        columns=lambda _c: {"os": np.array("windows", dtype=object)},
        lighter="the machines run Linux",
        heavier="they run Windows",
    ),
    _Trial(
        field="temp_disk_gib",
        is_open=lambda c: np.isnan(c["temp_disk_gib"]) & (c["from_temp_disk_gib"] >= 0),
        columns=lambda c: {"temp_disk_gib": np.where(c["from_temp_disk_gib"] > 0, 0.0, 1.0)},
        lighter="both sizes have a temporary disk or neither",
        heavier="only one of them has a temporary disk",
    ),
    _Trial(
        field="disk_controller",
        is_open=lambda c: np.isnan(c["is_scsi"]) & (c["nvme"] == 1),
        columns=lambda _c: {"is_scsi": 1.0},
        lighter="the disk controller is NVMe",
        heavier="SCSI",
    ),
    _Trial(
        field="target_disk_controller",
        is_open=lambda c: (c["nvme_open"] == 1) & ~(c["is_scsi"] == 0) & (c["series"] != c["from_series"]),
        columns=lambda _c: {"nvme": 1.0, "is_scsi": 1.0},
        lighter="{short_target} attaches its disks over SCSI",
        heavier="over NVMe",
    ),
    _Trial(
        field="ephemeral_os_disk",
        is_open=lambda c: np.isnan(c["ephemeral_os_disk"]) & (c["from_takes_ephemeral"] == 1),
        columns=lambda _c: {"ephemeral_os_disk": 1.0},
        lighter="the OS disk is not ephemeral",
        heavier="the OS disk is ephemeral",
    ),
)


def heavier_ways(rows: Table, request: AdviceRequest, assume: dict[str, float]) -> list[tuple[Heavier, ...]]:
    """For each option of `rows` the unknown facts that could make its move heavier, the heaviest verdict first.

    A fact that would refuse the size is none of them: it is asked for as such. None on a stay.
    """
    found: list[list[tuple[int, Heavier]]] = [[] for _ in range(len(rows))]
    for trial in _TRIALS:
        is_open = np.broadcast_to(trial.is_open(rows), rows.shape) & ~rows["stay"]
        if not is_open.any():
            continue
        tried = rows.with_columns(**{k: _where(is_open, v, rows[k]) for k, v in trial.columns(rows).items()})
        judged = judge(DECIDING, tried)
        verdict = verdicts(tried, judged)
        counts = is_open & (verdict > rows["verdict"])
        for rule in REFUSING:
            counts = counts & ~rejects(rule, judged)
        tried = tried.with_columns(verdict=verdict)
        parts = ownership(
            money_facts(tried), tried["n"], tried["hours"], request.price_model, request.horizon_months, assume
        )
        labour = np.broadcast_to(parts["migration_labour"], rows.shape)
        for place in np.flatnonzero(counts.reshape(-1)).tolist():
            row, effort = Row(rows, place), int(verdict[place, 0])
            way = Heavier(
                field=trial.field,
                verdict=VERDICTS[effort],
                lighter_if=trial.lighter.format_map(row),
                heavier_if=trial.heavier.format_map(row),
                migration_labour=float(labour[place, 0]),
            )
            found[place].append((-effort, way))
    return [tuple(way for _, way in sorted(ways, key=lambda one: one[0])) for ways in found]


def _where(is_open: Any, values: Any, before: Any) -> Any:
    return np.where(is_open, values, before)


def heavier_words(option: Option, currency: str) -> str:
    """The lighter and the dearer way in one sentence; empty where no unknown fact makes the move heavier.

    "Resize if the images are Generation 2; if Generation 1 rebuild, and USD 4,085 of labour instead of 475."
    """
    if not option.heavier:
        return ""
    labour = option.tco.components["migration_labour"]
    told = [f"{option.verdict.capitalize()} if {_joined([way.lighter_if for way in option.heavier], 'and')}"]
    for verdict, same in groupby(option.heavier, key=lambda way: way.verdict):
        ways = list(same)
        cost = f"{currency} {ways[0].migration_labour:,.0f} of labour instead of {labour:,.0f}"
        told.append(f"if {_joined([way.heavier_if for way in ways], 'or')} {verdict}, and {cost}")
    return "; ".join(told) + "."


def verdict_words(option: Option) -> str:
    """The verdict in a table: "resize, or rebuild" where an unknown fact may ask for that."""
    heaviest = option.heavier[0].verdict if option.heavier else None
    return f"{option.verdict}, or {heaviest}" if heaviest else option.verdict


def _joined(texts: Sequence[str], word: str) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} {word} {texts[-1]}"
