"""`bicep`: Bicep source with literal sizes. No Python library reads Bicep, so only plain `name: value` lines count."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from advisor.engine.catalogue import Catalogue, squash
from advisor.engine.readers.collecting import Collector
from advisor.engine.readers.declared import LAYOUT, Declared, Unresolved, Value, add_declared
from advisor.engine.readers.head import Head
from advisor.engine.readers.problems import Problems
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.records import open_text
from advisor.engine.readers.resource_file import finish_collected
from advisor.engine.readers.rows import Options
from advisor.engine.readers.source_blocks import Block, iterate_blocks

NAME = "bicep"
_BUILT = (
    "Deploy it and hand in what runs (`az vm list -d -o json > vms.json`), or put the value into the file. "
    "`az bicep build` makes a template, which has the same expressions."
)
_RESOURCE = re.compile(r"\s*resource\s+(\w+)\s+'(Microsoft\.[\w./]+)@[^']*'\s*+(existing)?\s*+=?\s*+([^{]*+)\{")
_PARAMETER = re.compile(r"^[ \t]*(?:param|var)\s+(\w+)(?:\s+\w+)?\s*=\s*('[^'\n]*'|\d+)", re.MULTILINE)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|(?<![:'\w])//[^\n]*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Kind:
    service: str
    size: str
    count: str = ""


_KINDS = {
    "microsoft.compute/virtualmachines": _Kind("vm", "vmSize"),
    "microsoft.compute/virtualmachinescalesets": _Kind("vmss", "name", "capacity"),
    "microsoft.containerservice/managedclusters": _Kind("aks", "vmSize", "count"),
    "microsoft.containerservice/managedclusters/agentpools": _Kind("aks", "vmSize", "count"),
}


def recognises(head: Head) -> bool:
    """A line that opens a resource of a provider of Microsoft."""
    return not head.is_json and re.search(r"^[ \t]*resource\s+\w+\s+'Microsoft\.", head.text, re.MULTILINE) is not None


def read(head: Head, catalogue: Catalogue, options: Options) -> Reading:
    """Each resource is a record on the line where it starts; one that makes no machines is an other row."""
    collector = Collector(LAYOUT, Problems(), is_items=False)
    text = open_text(head.stream, head.decoding)
    try:
        blocks = list(iterate_blocks(text, _RESOURCE))
    finally:
        text.detach()
    defaults = {name: value.strip("'") for name, value in _PARAMETER.findall(head.text)}
    for block in blocks:
        _add(collector, block, defaults, options)
    return finish_collected(replace(head, table=None), collector, catalogue, options, NAME)


def _add(collector: Collector, block: Block, defaults: Mapping[str, str], options: Options) -> None:
    found = _RESOURCE.match(block.text)
    kind = _KINDS.get(found.group(2).casefold()) if found else None
    if found is None or kind is None or found.group(3):
        collector.skip(block.line)
        return
    if not block.ended:
        collector.spoil(block.line, "broken_block", f"the closing brace of the resource is missing. {_BUILT}")
        return
    body = _COMMENT.sub("", block.text[found.end() :])
    looped = Unresolved(found.group(4).strip()) if "for " in found.group(4) else None
    profiles = _profiles(body) if kind.service == "aks" else [body]
    for profile in profiles or [body]:
        sku = _inside(profile, "sku") if kind.service == "vmss" else profile
        machine = Declared(
            name=_plain(_value(body, "name", defaults)) or found.group(1),
            size=_value(sku, kind.size, defaults) or Unresolved(f"no {kind.size}"),
            region=_value(body, "location", defaults) or Unresolved("no location"),
            count=looped or (_value(sku, kind.count, defaults) if kind.count else "1"),
            spot=squash(_plain(_value(profile, "priority", defaults) or _value(profile, "scaleSetPriority", defaults)))
            in ("spot", "low"),
            service=kind.service,
            titles=(("size", kind.size), ("count", kind.count or "loop"), ("region", "location")),
        )
        add_declared(collector, block.line, machine, options.default_region, _BUILT)


def _value(text: str, name: str, defaults: Mapping[str, str]) -> Value:
    """What stands after `name:`, None where it does not occur."""
    found = re.search(rf"(?:^|[{{,\s]){name}\s*:\s*([^\n]+)", text) if name else None
    if found is None:
        return None
    value = found.group(1).strip().rstrip(",}").strip()
    if re.fullmatch(r"'[^'$]*'", value):
        return value.strip("'")
    return value if value.isdigit() else Unresolved(value, defaults.get(value, ""))


def _plain(value: Value) -> str:
    return value if isinstance(value, str) else ""


def _inside(text: str, name: str) -> str:
    """The text of the object `name: {...}` up to its first closing brace."""
    found = re.search(rf"\b{name}\s*:\s*\{{([^{{}}]*)\}}", text)
    return found.group(1) if found else ""


def _profiles(body: str) -> list[str]:
    """The objects of `agentPoolProfiles`; none for a pool that is a resource of its own."""
    found = re.match(r"\s*:\s*\[(.*)\]", body.partition("agentPoolProfiles")[2], re.DOTALL)
    return [profile for profile in re.findall(r"\{[^{}]*\}", found.group(1)) if "vmSize" in profile] if found else []
