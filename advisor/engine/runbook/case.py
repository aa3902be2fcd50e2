"""What the steps of a runbook look at: one option of a pool, its two sizes, and which rules hit."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from advisor.engine.answer import Option, PoolAdvice, Reason
from advisor.engine.catalogue import Catalogue, Size


@dataclass(frozen=True, kw_only=True)
class Case:
    """One option of a pool. `source` is None where the present size has no page."""

    pool: PoolAdvice
    option: Option
    catalogue: Catalogue

    @cached_property
    def source(self) -> Size | None:
        return self.catalogue.sizes.get(self.pool.size)

    @cached_property
    def target(self) -> Size:
        return self.catalogue.sizes[self.option.size]

    @cached_property
    def hits(self) -> Mapping[str, Reason]:
        """The rules that hit, by code."""
        return {reason.code: reason for reason in self.option.rules if reason.severity != "unknown"}

    @cached_property
    def unknown(self) -> Mapping[str, Reason]:
        """The rules that could not be judged, by code."""
        return {reason.code: reason for reason in self.option.rules if reason.severity == "unknown"}

    def has(self, *codes: str) -> tuple[str, ...]:
        """Those of the rules that hit."""
        return tuple(code for code in codes if code in self.hits)

    def said(self, *codes: str) -> str:
        """What the rules that hit say and ask to do, in the order of `codes`."""
        found = (self.hits[code] for code in codes if code in self.hits)
        return " ".join(filter(None, (part for reason in found for part in (reason.message, reason.fix))))

    def fact(self, name: str) -> str | None:
        """A fact of the machines as plain text, None where it is not known."""
        return next((fact.value for fact in self.pool.facts if fact.name == name), None)

    @property
    def windows(self) -> bool:
        return self.pool.os == "windows"

    @property
    def stays(self) -> bool:
        return self.option.verdict == "stay"

    @property
    def runs(self) -> bool:
        """False where the machines can no longer be started on their present size."""
        return self.pool.lifecycle.status != "retired"

    @property
    def region(self) -> str:
        """The region of the target, quoted for a shell; a variable where it is not known."""
        return shlex.quote(self.option.region) if self.option.region else '"$REGION"'

    @property
    def size(self) -> str:
        """The target's name, quoted for a shell."""
        return shlex.quote(self.option.size)

    @property
    def zone(self) -> str:
        """Options that put a new machine or disk where ZONE says; nothing where the machines are in no zone."""
        if "availability-set" in self.hits:  # a set is in no zone
            return ""
        if "zone" in self.hits:
            return ' --zone "$ZONE"'
        return ' ${ZONE:+--zone "$ZONE"}' if "zone-unknown" in self.unknown else ""

    @property
    def group(self) -> str:
        """The option that puts a new machine into the set or group of today: only its making can."""
        if self.option.region != self.pool.region:
            return ""
        if "availability-set" in self.hits:
            return ' --availability-set "$SET_ID"'
        return ' --ppg "$SET_ID"' if "proximity-group" in self.hits else ""

    @property
    def same_machines(self) -> bool:
        """As many VMs as today, each of which keeps its disks."""
        return self.pool.service == "vm" and self.option.vms == self.pool.vms and self.option.region == self.pool.region

    @property
    def new_image(self) -> bool:
        return self.option.verdict in ("rebuild", "port")
