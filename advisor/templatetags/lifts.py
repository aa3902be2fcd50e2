"""Where a reason for a refusal can be lifted: the page and the place at which a person says what it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django import template
from django.urls import reverse

register = template.Library()

#: By the code of a reason: the name of an address, and the place on its page ({pool} stands for the pool's id).
LIFTS: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(("gpu-memory", "gpu-memory-assumed"), ("pool", "id_{pool}_gpu_memory_gib")),
    "spans-vms": ("pool", "id_{pool}_job_gpus"),
    "dtype": ("pool", "id_{pool}_precision"),
    "graphics-driver": ("pool", "id_{pool}_workload"),
    "spot-not-interruptible": ("pool", "id_{pool}_interruptible"),
    "unknown-speed": ("pool", "own-{pool}"),
    **dict.fromkeys(("data-disks", "nics", "premium-storage"), ("machines", "")),
    **dict.fromkeys(("ephemeral-refused", "ephemeral-too-large"), ("machines", "")),
    "slower": ("fleet-assumptions", "seat_slack"),
    "job-too-slow": ("fleet-assumptions", "slowest_job"),
    "host-too-small": ("fleet-assumptions", "host_floor"),
    **dict.fromkeys(("grid-licence-cost", "unknown-grid-licence"), ("fleet-assumptions", "grid_licence")),
}


@register.simple_tag
def lift_at(code: str, fleet: UUID, pool: str, query: str) -> str:
    """The address at which a reason can be lifted; "" where no page of ours can."""
    if code not in LIFTS:
        return ""
    name, place = LIFTS[code]
    path = reverse(name, args=[fleet] if name == "fleet-assumptions" else [fleet, pool])
    return path + (f"?{query}" if query else "") + (f"#{place.format(pool=pool)}" if place else "")
