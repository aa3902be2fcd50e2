"""How facts, sources and states of the catalogue look."""

from __future__ import annotations

import re
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from advisor.engine.citations import cite
from advisor.engine.size_facts import StatedFact
from advisor.templatetags.figures import UNKNOWN, figure, gpus

register = template.Library()

DASH = SafeString('<span class="doubt">\u2013<span class="vh">unknown</span></span>')
COMMIT = re.compile(r"(@[0-9a-f]{10})[0-9a-f]{30}")  # the first ten digits name a commit
TAGS = {"current": "good", "announced": "warn", "retired": "bad", "unknown": "doubt"}
YES, NO = "yes", "no"


@register.filter
def dash(text: Any) -> Any:
    """A dash where the text says unknown, for dense tables whose heading explains it."""
    return DASH if text == UNKNOWN or text is None else text


@register.filter
def status_tag(status: str) -> SafeString:
    """The status of a size as a word in its colour."""
    return format_html('<span class="tag {}">{}</span>', TAGS[status], status)


@register.filter
def yes_no(value: bool | None) -> str:
    return UNKNOWN if value is None else YES if value else NO


@register.filter
def value_of(fact: StatedFact) -> Any:
    """The value of a fact with its unit; the word unknown where no source says."""
    value = fact.value
    if value is None or isinstance(value, bool):
        return yes_no(value)
    if isinstance(value, tuple):
        return ", ".join(str(part) for part in value)
    if isinstance(value, str):
        return value
    return gpus(value) if fact.unit == "gpus" else f"{figure(value)} {fact.unit}".rstrip()


@register.filter
def pages(source: str) -> SafeString:
    """The pages of a source by their short names, each a link where it has an address."""
    return format_html_join(", ", "{}", ((page_link(page),) for page in cite(source)))


@register.filter
def pages_brief(source: str) -> SafeString:
    """The first page of a source, and how many more the list of sources of this page gives."""
    first, *others = cite(source)
    if not others:
        return format_html("{}", page_link(first))
    return format_html('{} and <a href="#sources">{} more</a>', page_link(first), len(others))


@register.filter
def with_unit(value: Any, unit: str) -> str:
    """A figure and its unit; the word unknown alone where no source says."""
    return UNKNOWN if value is None else f"{figure(value)} {unit}"


@register.filter
def page_link(page: Any, full: str = "") -> Any:
    """One page by its short name, or by its full text."""
    text = COMMIT.sub(r"\1", page.text) if full else page.short
    return format_html('<a href="{}" rel="external">{}</a>', page.url, text) if page.url else text


@register.filter
def pages_full(source: str) -> SafeString:
    """The pages of a source by their full text, each a link where it has an address."""
    return format_html_join(", ", "{}", ((page_link(page, "full"),) for page in cite(source)))


FACT_WORDS = {
    "accelerated_networking": "Accelerated networking",
    "gpu_memory_total_gib": "GPU memory of the VM, GiB",
    "gpu_memory_gib": "GPU memory, GiB",
    "max_data_disks": "Data disks at most",
    "memory_gib": "Memory, GiB",
    "temp_disk_gib": "Temp disk, GiB",
    "network_mbps": "Network, Mb/s",
    "network_mbps and name": "Network, Mb/s, and name",
    "gpus": "GPUs per VM",
    "gpu": "GPU",
    "generations": "VM generations",
    "retirement date in usgovvirginia and usgovarizona": "Retirement date in USGov Virginia and USGov Arizona",
}
WORK_WORDS = {"training": "Training", "inference": "Inference", "hpc-bandwidth": "HPC, bandwidth"}
COMPONENT_WORDS = {
    "cuda": "CUDA toolkit",
    "cudnn": "cuDNN",
    "driver": "NVIDIA driver",
    "pytorch": "PyTorch",
    "rapids": "RAPIDS",
    "tensorflow": "TensorFlow",
    "tensorrt": "TensorRT",
    "transformer_engine": "Transformer Engine",
}


@register.filter
def fact_words(fact: str) -> str:
    """What a conflict is about; facts without words of their own start with a capital."""
    return FACT_WORDS.get(fact, fact[:1].upper() + fact[1:])


@register.filter
def work_words(kind: str) -> str:
    return WORK_WORDS.get(kind, kind)


@register.filter
def component_words(component: str) -> str:
    return COMPONENT_WORDS.get(component, component)


@register.filter
def heading_words(words: str) -> SafeString:
    """What stands after a comma goes on a line of its own."""
    first, comma, rest = words.partition(", ")
    unit = format_html('<span class="u">{}</span>', rest) if comma else ""
    return format_html('<span class="w">{}</span>{}', first, unit)
