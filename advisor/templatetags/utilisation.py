"""How the figures of monitoring look: shares in percent, memory in GiB, hosts and what they were matched to."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

from advisor.engine.answer import PoolAdvice
from advisor.engine.gpu_use import GpuUse
from advisor.engine.pool_use import PoolUse, figures_in_words, remarks, sources_in_words
from advisor.engine.utilisation import NOT_OURS, HostUse
from advisor.templatetags.figures import UNKNOWN, number, share

register = template.Library()

_HOW = {"name": "by name", "uuid": "its GPU is one of that machine", "hand": "by hand"}


@register.filter
def gib(value: float | None) -> str:
    """Memory with its unit."""
    return UNKNOWN if value is None else f"{number(value, 1)} GiB"


@register.filter
def gib_number(value: float | None) -> str:
    """Memory in a column that names the unit."""
    return UNKNOWN if value is None else number(value, 1)


@register.filter
def use_remarks(pool: PoolAdvice) -> tuple[str, ...]:
    """What counts of a pool's figures, what does not, and what they hint at."""
    return remarks(pool.gpu_use, pool.workload.watched) if pool.gpu_use else ()


@register.filter
def use_figures(use: PoolUse) -> str:
    """The figures in one sentence."""
    return figures_in_words(use)


@register.filter
def use_sources(use: PoolUse) -> str:
    """The files behind the figures, with samples and days."""
    return sources_in_words(use)


@register.filter
def watts(value: float) -> str:
    """Power with its unit."""
    return f"{number(value, 0)} W"


@register.filter
def peak(use: GpuUse) -> str:
    """What 95 % of the samples do not exceed."""
    return share(use.busy_at(0.95))


@register.filter
def host_words(host: HostUse) -> str:
    """What is known of a host that nobody has matched: its GPUs, its file, and why it is asked for."""
    gpu = next((use.name for use in host.uses if use.name), None)
    gpus = f"{len(host.uses)} GPU{'s'[: len(host.uses) != 1]}" + (f", {gpu}" if gpu else "")
    why = "; machines of several pools are called so" if host.several else ""
    return f"{gpus}; in {', '.join(host.files[:3])}{why}"


@register.filter
def machine_words(host: HostUse, pools: Mapping[str, str]) -> str:
    """The machine that a host is, with its pool and how that is known."""
    if host.target is None:
        return "not known yet"
    if host.target == NOT_OURS:
        return "not one of ours"
    pool, _, name = host.target.partition("/")
    return f"{name or 'one'} of {pools.get(pool, pool)}, {_HOW[host.how]}"
