"""`terraform-json`: `terraform show -json` of a plan or a state, and state files themselves. Every value is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from advisor.engine.catalogue import Catalogue, squash
from advisor.engine.readers.collecting import Collector
from advisor.engine.readers.declared import LAYOUT, Declared, Unresolved, add_declared, whole_number
from advisor.engine.readers.head import Head
from advisor.engine.readers.jsontext import iterate_elements, pick, plain_text
from advisor.engine.readers.problems import Problems
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.records import open_text
from advisor.engine.readers.refusals import LIST_INSTEAD, refuse
from advisor.engine.readers.resource_file import broken_is_told, finish_collected
from advisor.engine.readers.rows import Options
from advisor.engine.readers.terraform_kinds import KINDS, SPOT, MachineKind

NAME = "terraform-json"
MODULES_MAX = 200  # levels of modules within modules
_KNOWN_AFTER = "Apply the plan and hand in its state: `terraform show -json > state.json`."


def recognises(head: Head) -> bool:
    """An object that names the version of Terraform beside resources or values."""
    first = next(iter(head.items), None)
    return pick(first, "terraform_version") is not None or (
        pick(first, "format_version") is not None and pick(first, "planned_values") is not None
    )


def read(head: Head, catalogue: Catalogue, options: Options) -> Reading:
    """Each instance of a resource is one element, counted in the order of the file."""
    collector = Collector(LAYOUT, Problems())
    text = open_text(head.stream, head.decoding)
    try:
        with broken_is_told(collector):
            document = next(iterate_elements(text), None)
            resources = list(_resources(document))
            regions = {address: plain_text(pick(values, "location")) for address, _, values in resources}
            regions |= {plain_text(pick(v, key)): plain_text(pick(v, "location")) for _, _, v in resources
                        for key in ("id", "name") if pick(v, "location")}  # fmt: skip
            for place, (address, kind, values) in enumerate(resources):
                _add(collector, place, (address, kind, values), regions, options)
    finally:
        text.detach()
    if not collector.skipped and not collector.spoilt and not len(collector.build().lines):
        message = f"The plan or state has no resources. {LIST_INSTEAD}"
        return refuse(head.name, NAME, "no_vms", message, head=head)
    return finish_collected(head, collector, catalogue, options, NAME)


_Resource = tuple[str, str, object]  # address, type, values


def _resources(document: object) -> Iterator[_Resource]:
    """The managed resources of a plan, of a shown state, or of a state file."""
    for name in ("planned_values", "values"):
        if (root := pick(document, name, "root_module")) is not None:
            yield from _of_module(root, 0)
            return
    listed = pick(document, "resources")
    for resource in listed if isinstance(listed, list) else []:
        if plain_text(pick(resource, "mode")) == "data":
            continue
        kind, name = plain_text(pick(resource, "type")), plain_text(pick(resource, "name"))
        module = plain_text(pick(resource, "module"))
        instances = pick(resource, "instances")
        for instance in instances if isinstance(instances, list) else []:
            key = plain_text(pick(instance, "index_key"))
            address = ".".join(filter(None, (module, kind, name))) + (f"[{key}]" if key else "")
            yield address, kind, pick(instance, "attributes")


def _of_module(module: object, level: int) -> Iterator[_Resource]:
    listed = pick(module, "resources")
    for resource in listed if isinstance(listed, list) else []:
        if plain_text(pick(resource, "mode")) != "data":
            yield plain_text(pick(resource, "address")), plain_text(pick(resource, "type")), pick(resource, "values")
    children = pick(module, "child_modules")
    for child in children if isinstance(children, list) and level < MODULES_MAX else []:
        yield from _of_module(child, level + 1)


def _add(collector: Collector, place: int, resource: _Resource, regions: Mapping[str, str], options: Options) -> None:
    address, type_name, values = resource
    kinds = KINDS.get(type_name)
    if kinds is None:
        collector.skip(place)
        return
    rows = 0
    for kind in kinds:
        machine = _machine(address, kind, values, regions)
        if len(kinds) > 1 and machine.count in ("", "0"):
            continue
        rows += 1
        add_declared(collector, place, machine, options.default_region, _KNOWN_AFTER)
    if not rows:
        collector.skip(place)


def _machine(address: str, kind: MachineKind, values: object, regions: Mapping[str, str]) -> Declared:
    size = plain_text(_value(values, kind.size))
    region = plain_text(pick(values, kind.region)) if kind.region else regions.get(_owner(values, kind), "")
    priority = squash(plain_text(pick(values, kind.priority)))
    return Declared(
        name=address,
        size=size or Unresolved("known after apply"),
        region=region or Unresolved("known after apply"),
        count=whole_number(_value(values, kind.count)) if kind.count else "1",
        os=kind.os or _system(values),
        spot=kind.always_spot or priority in SPOT,
        service=kind.service,
        module=address.rpartition(".")[0].rpartition(".")[0],
        titles=(("size", kind.size), ("count", kind.count), ("region", kind.region or kind.region_of)),
    )


def _owner(values: object, kind: MachineKind) -> str:
    return plain_text(pick(values, kind.region_of))


def _value(values: object, path: str) -> object:
    """What stands at a dotted path; a block is a list with one object."""
    for name in path.split("."):
        if isinstance(values, list):
            values = values[0] if values else None
        values = pick(values, name)
    return values


def _system(values: object) -> str:
    name = plain_text(pick(values, "os_type")).casefold()
    return name if name in ("linux", "windows") else ""
