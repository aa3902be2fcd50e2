"""`terraform`: Terraform source with literal sizes. What stands behind variables is not guessed; a plan has it all."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from advisor.engine.catalogue import Catalogue, squash
from advisor.engine.readers.collecting import Collector
from advisor.engine.readers.declared import LAYOUT, Declared, Unresolved, Value, add_declared, whole_number
from advisor.engine.readers.head import Head
from advisor.engine.readers.problems import Problems
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.records import open_text
from advisor.engine.readers.resource_file import finish_collected
from advisor.engine.readers.rows import Options
from advisor.engine.readers.source_blocks import Block, iterate_blocks
from advisor.engine.readers.terraform_kinds import KINDS, SPOT, MachineKind

NAME = "terraform"
DEPTH_MAX = 50  # of brackets within brackets, on which the parser takes long
PARSED_MAX = 400  # blocks: the parser takes some milliseconds for each
_PLAN = (
    "A plan has every value: `terraform plan -out p.tfplan && terraform show -json p.tfplan > plan.json`, "
    "and hand in plan.json."
)
_RESOURCE = re.compile(r'\s*resource\s+"(azurerm_\w+)"\s+"([^"]+)"\s*\{')
_OPENING = re.compile(r'\s*(?:resource\s+"\w+"\s+"[^"]+"|variable\s+"[^"]+")\s*\{')
_VARIABLE = re.compile(r'\s*variable\s+"([^"]+)"')
_DEFAULT = re.compile(r'\bdefault\s*=\s*("[^"\n]*"|\d+)')
_LITERAL_REGION = re.compile(r'\blocation\s*=\s*"([^"$\n]+)"')
_REFERENCE = re.compile(r"(azurerm_\w+\.\w+)")


def recognises(head: Head) -> bool:
    """A line that opens a resource of the provider azurerm."""
    return not head.is_json and re.search(r'^[ \t]*resource\s+"azurerm_', head.text, re.MULTILINE) is not None


def read(head: Head, catalogue: Catalogue, options: Options) -> Reading:
    """Each resource is a record on the line where its block starts; one that makes no machines is an other row."""
    collector = Collector(LAYOUT, Problems(), is_items=False)
    text = open_text(head.stream, head.decoding)
    try:
        blocks = list(iterate_blocks(text, _OPENING))
    finally:
        text.detach()
    known = _Known(blocks)
    parsed = 0
    for block in blocks:
        found = _RESOURCE.match(block.text)
        if found is None:
            if not _VARIABLE.match(block.text):
                collector.skip(block.line)
            continue
        kinds = KINDS.get(found.group(1))
        if kinds is None:
            collector.skip(block.line)
            continue
        parsed += 1
        values = _parse(block) if parsed <= PARSED_MAX else None
        if values is None:
            more = f"more than {PARSED_MAX} resources are not read from source." if parsed > PARSED_MAX else ""
            collector.spoil(block.line, "broken_block", f"{more or 'the block cannot be read.'} {_PLAN}")
            continue
        for kind in kinds:
            machine = _machine(f"{found.group(1)}.{found.group(2)}", kind, values, known)
            if len(kinds) == 1 or machine.count not in ("", "0"):
                add_declared(collector, block.line, machine, options.default_region, _PLAN)
    return finish_collected(replace(head, table=None), collector, catalogue, options, NAME)


class _Known:
    """What the file says of its own variables and regions: literal values only."""

    def __init__(self, blocks: list[Block]) -> None:
        self.defaults: dict[str, str] = {}
        self.regions: dict[str, str] = {}
        for block in blocks:
            if (variable := _VARIABLE.match(block.text)) and (default := _DEFAULT.search(block.text)):
                self.defaults[f"var.{variable.group(1)}"] = default.group(1).strip('"')
            if (resource := _RESOURCE.match(block.text)) and (region := _LITERAL_REGION.search(block.text)):
                self.regions[f"{resource.group(1)}.{resource.group(2)}"] = region.group(1)

    def value(self, value: object) -> Value:
        """A literal as text, an expression as unresolved with the default of its variable."""
        if isinstance(value, bool) or value is None:
            return None
        if isinstance(value, int | float):
            return f"{value:g}"
        text = str(value)
        if text.startswith('"') and "${" not in text:
            return text.strip('"')
        bare = text.removeprefix("${").removesuffix("}")
        return Unresolved(bare, self.defaults.get(bare, ""))

    def region(self, value: object) -> Value:
        """A region, also that of another resource of this file whose region is literal."""
        found = self.value(value)
        if isinstance(found, Unresolved) and (reference := _REFERENCE.search(found.text)):
            return self.regions.get(reference.group(1), found)
        return found


def _parse(block: Block) -> dict[str, Any] | None:
    """The arguments of a block, None where it is no Terraform."""
    import hcl2  # noqa: PLC0415 - building its tables takes a moment, and few files are source

    if not block.ended or _depth(block.text) > DEPTH_MAX:
        return None
    try:
        document = hcl2.loads(block.text)
        return next(iter(next(iter(document["resource"][0].values())).values()), None)
    except Exception:  # the parser raises what it likes
        return None


def _depth(text: str) -> int:
    """The deepest nesting of brackets, those in texts and comments too."""
    steps = (1 if mark in "([{" else -1 for mark in text if mark in "()[]{}")
    return max(itertools.accumulate(steps), default=0)


def _machine(name: str, kind: MachineKind, values: dict[str, Any], known: _Known) -> Declared:
    own = known.value(_at(values, kind.count)) if kind.count else "1"
    number = _times(own, _instances(values, known))
    region = known.region(values.get(kind.region or kind.region_of))
    return Declared(
        name=name,
        size=known.value(_at(values, kind.size)) or Unresolved(f"no {kind.size}"),
        region=region or Unresolved(f"no {kind.region or kind.region_of}"),
        count=number,
        os=kind.os,
        spot=kind.always_spot or squash(str(known.value(values.get(kind.priority)) or "")) in SPOT,
        service=kind.service,
        titles=(("size", kind.size), ("count", kind.count or "count"), ("region", kind.region or kind.region_of)),
    )


def _instances(values: dict[str, Any], known: _Known) -> Value:
    """How many times the resource is made: `count`, or the members of a literal `for_each`."""
    if "for_each" in values:
        each = values["for_each"]
        if isinstance(each, dict | list):
            return str(len(each))
        members = re.fullmatch(r"\$\{toset\(\[(.*)\]\)\}", str(each), re.DOTALL)
        if members and "var." not in members.group(1):
            return str(len(list(_members(members.group(1)))))
        return Unresolved(f"for_each = {each}")
    return known.value(values["count"]) if "count" in values else "1"


def _members(text: str) -> Iterator[str]:
    return (found.group() for found in re.finditer(r'"[^"]*"', text))


def _times(one: Value, other: Value) -> Value:
    if isinstance(one, Unresolved) or isinstance(other, Unresolved):
        return one if isinstance(one, Unresolved) else other
    numbers = (whole_number(one), whole_number(other))
    return str(int(numbers[0]) * int(numbers[1])) if all(numbers) else ""


def _at(values: Any, path: str) -> object:
    for name in path.split("."):
        if isinstance(values, list):
            values = values[0] if values else None
        if not isinstance(values, dict):
            return None
        values = values.get(name)
    return values
