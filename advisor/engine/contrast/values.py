"""The values of a contrast: two sizes of one pool side by side, and what would turn their order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: What is varied, each alone: the price of one VM-hour of either size, hours per VM and month of the pool, the speed
#: of one GPU or slice of the other size against one of today's, from its present speed upwards.
What = Literal["other_price", "first_price", "hours", "speed"]
WHATS: tuple[What, ...] = ("other_price", "first_price", "hours", "speed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two sizes as the pool would use it; None is unknown."""

    size: str
    region: str | None
    vms: int | None
    gpus: float | None
    speed: float | None
    hours_per_month: float | None
    gpu_hours_per_month: float | None
    hourly_price: float | None
    monthly_cost: float | None
    tco: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One component of the cost of ownership on both sides; `amount` is the other's less the first's."""

    name: str
    first: float
    other: float
    amount: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Values from `at_least` to `at_most`, both included; None: no limit on that side."""

    at_least: float | None
    at_most: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """The values of one figure at which the other size is at least as good as the first, all else unchanged.

    Prices are money per VM-hour, Windows included. `now` is the figure of the answer, None where it is unknown, and
    `holds` says that the other is as good at it already. Where `spans` is empty, `why` gives the reason.
    """

    what: What
    now: float | None
    holds: bool
    spans: tuple[Span, ...]
    why: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstacle:
    """A reason that keeps the other size out whatever it costs, and what would change that (None: nothing known)."""

    code: str
    message: str
    flips_if: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """Why `first`, the pool's first choice, and not `other`; and what would turn that.

    `roles` say why the other is looked at: second (choice), microsoft (its documented move), asked (by the user).
    `flips` hold one entry per WHATS, worked out as if the obstacles were gone.
    """

    roles: tuple[str, ...]
    first: Side
    other: Side
    because: str
    turns: str  # what would turn it, in a sentence or two
    differences: tuple[Difference, ...]  # the largest first; empty while a cost is unknown
    flips: tuple[Flip, ...]
    obstacles: tuple[Obstacle, ...]
    note: str = ""

    @property
    def sentence(self) -> str:
        """X instead of Y because of this; it would turn if that."""
        return f"{self.because} {self.turns}"
