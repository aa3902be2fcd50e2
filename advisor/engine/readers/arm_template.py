"""`arm-json`: deployment templates with literal sizes, also those that the portal exports from a resource group."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.engine.catalogue import Catalogue, squash
from advisor.engine.readers.collecting import Collector
from advisor.engine.readers.declared import LAYOUT, Declared, Unresolved, Value, add_declared, whole_number
from advisor.engine.readers.head import Head
from advisor.engine.readers.jsontext import iterate_elements, pick, plain_text
from advisor.engine.readers.problems import Problems
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.records import open_text
from advisor.engine.readers.resource_file import broken_is_told, finish_collected
from advisor.engine.readers.resources import flat, kind_of
from advisor.engine.readers.rows import Options

NAME = "arm-json"
NESTED_MAX = 50  # levels of resources within resources
_DEPLOYED = "Hand in what runs instead: `az vm list -d -o json > vms.json`, or put the value into the template."


def recognises(head: Head) -> bool:
    """An object with a schema of deployment templates and resources."""
    first = next(iter(head.items), None)
    return (
        "deploymenttemplate" in plain_text(pick(first, "$schema")).casefold() and pick(first, "resources") is not None
    )


def read(head: Head, catalogue: Catalogue, options: Options) -> Reading:
    """Each resource is an element, counted in the order of the file, those inside others too."""
    collector = Collector(LAYOUT, Problems())
    text = open_text(head.stream, head.decoding)
    try:
        with broken_is_told(collector):
            document = next(iterate_elements(text), None)
            names = _Names(document)
            for place, resource in enumerate(_resources(pick(document, "resources"), 0)):
                machines = list(_machines(flat(resource), names))
                if not machines:
                    collector.skip(place)
                for machine in machines:
                    add_declared(collector, place, machine, options.default_region, _DEPLOYED)
    finally:
        text.detach()
    return finish_collected(head, collector, catalogue, options, NAME)


class _Names:
    """Parameters with literal defaults, for what is said of an expression; they are never taken as the value."""

    def __init__(self, document: object) -> None:
        self.parameters = pick(document, "parameters")
        self.variables = pick(document, "variables")

    def value(self, value: object) -> Value:
        text = plain_text(value).strip()
        if not (text.startswith("[") and text.endswith("]") and not text.startswith("[[")):
            return text or None
        inner = text[1:-1].replace('"', "'")
        name = inner.split("'")[1] if inner.count("'") == 2 else ""
        default = ""
        if inner.startswith("parameters("):
            default = plain_text(pick(self.parameters, name, "defaultValue"))
        elif inner.startswith("variables("):
            default = plain_text(pick(self.variables, name))
        return Unresolved(text, "" if default.startswith("[") else default)


def _resources(listed: object, level: int) -> Iterator[object]:
    if isinstance(listed, dict):  # symbolic names, in newer templates
        listed = list(listed.values())
    for resource in listed if isinstance(listed, list) else []:
        yield resource
        for inner in (pick(resource, "resources"), pick(resource, "properties", "template", "resources")):
            if inner is not None and level < NESTED_MAX:
                yield from _resources(inner, level + 1)


def _machines(resource: object, names: _Names) -> Iterator[Declared]:
    kind = kind_of(resource)
    if kind == "vm":
        yield _declared(resource, names, pick(resource, "hardwareProfile", "vmSize"), None, "vm", resource)
    elif kind == "vmss":
        sku, profile = pick(resource, "sku"), pick(resource, "virtualMachineProfile")
        yield _declared(resource, names, pick(sku, "name"), (pick(sku, "capacity"),), "vmss", profile)
    elif kind == "pool":
        yield _declared(resource, names, pick(resource, "vmSize"), (pick(resource, "count"),), "aks", resource)
    elif kind == "aks":
        pools = pick(resource, "agentPoolProfiles")
        for pool in pools if isinstance(pools, list) else []:
            yield _declared(resource, names, pick(pool, "vmSize"), (pick(pool, "count"),), "aks", pool)


def _declared(
    resource: object, names: _Names, size: object, counted: tuple[object] | None, service: str, profile: object
) -> Declared:
    """One machine, or `counted` ones; a copy loop multiplies, so its count must be literal."""
    count: Value = "1"
    if counted is not None:
        count = whole_number(counted[0]) or names.value(counted[0])
    if (loop := pick(resource, "copy", "count")) is not None:
        times = whole_number(loop)
        if not times:
            count = Unresolved(plain_text(loop))
        elif isinstance(count, str) and count.isdigit():
            count = str(int(count) * int(times))
    priority = pick(profile, "priority") or pick(profile, "scaleSetPriority")
    return Declared(
        name=plain_text(pick(resource, "name")),
        size=names.value(size) or Unresolved("no size"),
        region=names.value(pick(resource, "location")) or Unresolved("no location"),
        count=count,
        os=_system(profile),
        spot=squash(plain_text(priority)) in ("spot", "low"),
        service=service,
        titles=(("size", "vmSize"), ("count", "count"), ("region", "location")),
    )


def _system(profile: object) -> str:
    name = plain_text(pick(profile, "storageProfile", "osDisk", "osType")) or plain_text(pick(profile, "osType"))
    return name.casefold() if name.casefold() in ("linux", "windows") else ""
