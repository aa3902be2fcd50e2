"""Words of the import page: formats, encodings, columns, and why rows are ignored."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from advisor.templatetags.figures import UNKNOWN

register = template.Library()

CODE = "<code>{}</code>"

FORMAT_WORDS = {
    "hand-list": "List made by hand",
    "portal-vm-export": "Portal export",
    "az-vm-list-json": "az vm list, JSON",
    "az-vm-list-table": "Table of the command line",
    "az-vmss-list-json": "az vmss list, JSON",
    "az-aks-list-json": "az aks list, JSON",
    "resource-graph-csv": "Resource Graph, CSV",
    "resource-graph-json": "Resource Graph, JSON",
    "azure-migrate": "Azure Migrate assessment",
    "ari-workbook": "Workbook of Azure Resource Inventory",
    "terraform": "Terraform source",
    "terraform-json": "Terraform plan or state",
    "bicep": "Bicep source",
    "arm-json": "Deployment template",
    "az-vm-list-usage-table": "Quota list",
    "az-vm-list-usage-json": "Quota list, JSON",
    "cost-ea": "Cost export, enterprise agreement",
    "cost-ea-legacy": "Cost export, enterprise agreement before 2020",
    "cost-mca": "Cost export, customer or partner agreement",
    "cost-payg-usage": "Usage export, pay as you go",
    "cost-analysis": "Download of cost analysis",
    "focus-1.0": "FOCUS 1.0",
    "focus-1.1": "FOCUS 1.1",
    "focus-1.2": "FOCUS 1.2",
    "focus-1.3": "FOCUS 1.3",
}
ENCODING_WORDS = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8 with byte-order mark",
    "utf-16": "UTF-16",
    "cp949": "Korean (cp949)",
    "cp932": "Japanese (cp932)",
    "gb18030": "Chinese (gb18030)",
    "cp1252": "Western European (cp1252)",
}
DELIMITER_WORDS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
IGNORED_WORDS = {
    "no_gpu": "no GPU",
    "not_gpu": "FPGA or media, not a GPU",
    "total": "a line of totals",
    "no_machine": "no machine of its own",
    "more": "further sizes without a GPU",
    "purchase": "a purchase, not hours",
    "refund": "a refund, not hours",
    "unused_commitment": "hours of a commitment that no machine used",
    "other_charge": "a tax, credit or correction",
    "licence": "a licence, not hours of a machine",
    "not_compute": "not hours of a machine",
    "other_provider": "another cloud",
    "sample": "a sample of GPU monitoring, no machine",
    "no_size_said": "hours of a machine whose size the file does not say",
}
FIELD_WORDS = {
    "size": "size",
    "region": "region",
    "count": "number of machines",
    "hours_per_vm": "hours a month, each machine",
    "hours": "hours a month, whole row",
    "name": "name",
    "os": "operating system",
    "state": "state (running, deallocated)",
    "price_model": "price model",
    "resource_group": "resource group",
    "pool": "pool",
    "workload": "kind of work",
    "pattern": "burst or steady",
    "precision": "precision",
    "gpu_memory_gib": "GPU memory needed, GiB",
    "utilisation": "GPU utilisation, percent",
    "cost": "cost",
    "currency": "currency",
}
KIND_WORDS = {
    "training": "Training",
    "inference": "Inference",
    "hpc": "HPC",
    "graphics": "Graphics",
    "dev": "Dev and test",
}


@register.filter
def format_words(code: str) -> str:
    return FORMAT_WORDS.get(code, code)


@register.filter
def encoding_words(code: str | None) -> str:
    return ENCODING_WORDS.get(code or "", code or "")


@register.filter
def delimiter_words(mark: str | None) -> str:
    return DELIMITER_WORDS.get(mark or "", "")


@register.filter
def ignored_words(code: str) -> str:
    return IGNORED_WORDS.get(code, code)


@register.filter
def period_words(period: Any) -> str:
    """`2026-10-01 to 2026-10-31, 31 days`."""
    days = f"{period.days:,} day" + ("" if period.days == 1 else "s")
    return f"{period.start.isoformat()} to {period.end.isoformat()}, {days}"


@register.filter
def kind_words(code: str) -> str:
    return KIND_WORDS.get(code, code)


@register.filter
def region_words(name: str | None, regions: Any) -> str | SafeString:
    """A region as the portal calls it; the word unknown where the file has none."""
    if name is None:
        return UNKNOWN
    return regions[name].display_name if name in regions else name


@register.filter
def lines(entry: Any) -> str:
    """The lines on which rows stand: `5`, or `5 to 7`; nothing where the file has elements instead."""
    if entry.first is None:
        return ""
    return f"{entry.first:,}" if entry.first == entry.last else f"{entry.first:,} to {entry.last:,}"


@register.simple_tag
def remarks(group: Any) -> SafeString:
    """What is odd about machines of one size and region; nothing at all where nothing is."""
    found = [("quiet", f"{group.deallocated:,} off (deallocated).")] if group.deallocated else []
    found += [("quiet", "Part of a GPU each.")] if group.slice_of_gpu else []
    found += [] if group.has_page else [("doubt", "Known by name only: no page says what it has.")]
    found += [] if group.region else [("doubt", "Prices and availability need a region.")]
    return format_html_join(" ", '<span class="{}">{}</span>', found)


@register.filter
def with_code(text: str) -> SafeString:
    """A message with what stands between backticks as code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return format_html("{}", text)
    return format_html_join("", "{}", ((format_html(CODE, part) if n % 2 else part,) for n, part in enumerate(parts)))


@register.filter
def number_of(value: int) -> str:
    """A whole number, thousands separated."""
    return f"{value:,}"


@register.filter
def machines(number: int) -> str:
    """`1 machine`, `12 machines`."""
    return f"{number:,} machine" + ("" if number == 1 else "s")


@register.filter
def rows(number: int) -> str:
    """`1 row`, `12 rows`."""
    return f"{number:,} row" + ("" if number == 1 else "s")
