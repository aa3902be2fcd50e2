"""From a row of the candidate table to words: one view of a row that fills the templates of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

import numpy as np

from advisor.engine.answer import Reason
from advisor.engine.arrays import Table
from advisor.engine.rulebook.software import guest_vgpu
from advisor.engine.rules import Rule
from advisor.engine.vm_facts import shown


class Row(Mapping[str, Any]):
    """One entry of a table by column name, with the few texts that templates need and the table does not carry."""

    __slots__ = ("_position", "_table")

    def __init__(self, table: Table, position: int) -> None:
        self._table = table
        self._position = position

    def __getitem__(self, name: str) -> Any:
        derived = _DERIVED.get(name)
        return self._table.cell(name, self._position) if derived is None else derived(self)

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return sum(1 for _ in self._table)

    def number(self, name: str) -> float | None:
        """The value as a float, None where it is unknown."""
        value = self[name]
        return None if value is None or value != value else float(value)  # noqa: PLR0124 (NaN is not itself)


def day_of(ordinal: float | None) -> date | None:
    """The day of an ordinal as the tables carry it; None where it is unknown."""
    return None if ordinal is None or np.isnan(ordinal) else date.fromordinal(int(ordinal))


def _day_text(row: Row, name: str) -> str:
    day = day_of(row[name])
    return day.isoformat() if day else "a day that no source gives"


def _cuda_text(row: Row, name: str) -> str:
    version = row.number(name)
    return "unknown" if version is None else f"{int(version // 100)}.{int(version % 100)}"


def _smaller_size(row: Row) -> str:
    name = row["nearest_smaller"]
    return f"The nearest smaller size is {name}." if name else "No smaller size can be ranked."


def _of_system(row: Row, name: str) -> Any:
    return row[f"{name}_windows" if row["os"] == "windows" else f"{name}_linux"]


def _local_words(row: Row) -> str:
    """Temporary disk and local NVMe of the target, as far as they are known."""
    disks = ((row.number("temp_disk_gib"), "GiB"), (row.number("local_nvme_gib"), "GiB of NVMe"))
    told = [f"{size:g} {unit}" for size, unit in disks if size]
    return " and ".join(told) or ("none" if any(size == 0 for size, _ in disks) else "an unknown amount")


def _image_words(row: Row) -> str:
    text = row["image_text"]
    return "The guest system" if text in (None, "other") else str(text)


def _software_end_words(row: Row) -> str:
    text = row["software_end"]
    return f"{text}." if text else ""


_DERIVED: Mapping[str, Any] = {
    "ends_date": lambda row: _day_text(row, "ends"),
    "third_party_date": lambda row: _day_text(row, "third_party_ends"),
    "short_target": lambda row: row["target"].removeprefix("Standard_"),
    "min_cuda_text": lambda row: _cuda_text(row, "min_cuda"),
    "last_cuda_text": lambda row: _cuda_text(row, "last_cuda"),
    "from_last_cuda_text": lambda row: _cuda_text(row, "from_last_cuda"),
    "pytorch_last_text": lambda row: _cuda_text(row, "pytorch_last"),
    "tensorflow_first_text": lambda row: _cuda_text(row, "tensorflow_first"),
    "tensorflow_last_text": lambda row: _cuda_text(row, "tensorflow_last"),
    "software_end_words": _software_end_words,
    "host_vgpu_words": lambda row: _of_system(row, "host_vgpu_text"),
    "grid_least_words": lambda row: f"R{_of_system(row, 'grid_least'):.0f}",
    "grid_most_words": lambda row: f"R{_of_system(row, 'grid_most'):.0f}",
    "guest_vgpu_words": lambda row: f"{float(guest_vgpu(row['driver_branch'])):.0f}",
    "zone_words": lambda row: shown("zone", row["zone_text"]),
    "image_words": _image_words,
    "local_words": _local_words,
    "room_gib": lambda row: np.fmax(row["temp_disk_gib"], row["local_nvme_gib"]) - (1 if row["trusted"] == 1 else 0),
    "fp64_percent": lambda row: 100 * row["fp64_share"],
    "quota_vcpus": lambda row: row["n"] * row["vcpus"],
    "size_factor": lambda row: row["replaces"] * row["n"] / row["asked"],
    "most_job_gpus": lambda row: np.floor(row["job_slack"] * row["replaces"]),
    "smaller_size": _smaller_size,
    "core_licences": lambda row: np.maximum(8, row["vcpus"]),
    "all_core_licences": lambda row: row["n"] * np.maximum(8, row["vcpus"]),
    "times_longer": lambda row: 1 / row["speed"],
    "seat_percent": lambda row: 100 * row["replaces"] / row["k0"],
}


def hit(rule: Rule, row: Row) -> Reason:
    """A rule hit in words."""
    return Reason(
        code=rule.code,
        severity=rule.severity,
        message=rule.message.format_map(row),
        fix=rule.fix.format_map(row),
        source=rule.source,
        question=rule.question.format_map(row) if rule.severity == "unknown" else "",
        field=rule.field,
    )


def unknown(rule: Rule, row: Row) -> Reason:
    """A rule that could not be judged: what is not known, and the question that would settle it."""
    question = rule.question.format_map(row)
    return Reason(
        code=f"unknown-{rule.needed}" if rule.needed else rule.code,
        severity="unknown",
        message=f"Not known: {question}" if question else "A fact that this rule needs is not known.",
        fix="",
        source=rule.source,
        question=question,
        field=rule.field,
    )
