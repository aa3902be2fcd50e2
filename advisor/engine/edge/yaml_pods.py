"""Mistakes of a deployment file that are seen in its structure: variables, their place, values, GPU requests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from advisor.engine.edge.yaml_nodes import child, items, last_line, pairs, walk, word

SHARE, DEVICES = "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "NVIDIA_VISIBLE_DEVICES"
CONTAINERS = ("containers", "initContainers", "ephemeralContainers")
#: Plain words that kubectl reads as something other than text.
_NOT_TEXT = re.compile(
    r"^(?:[-+]?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d+)(?:[eE][-+]?\d+)?|0x[0-9a-fA-F]+|0o[0-7]+|"
    r"y|n|yes|no|on|off|true|false|null|~|[-+]?\.(?:inf|nan)|\d{4}-\d\d-\d\d)$",
    re.IGNORECASE,
)
_SHARE_TEXT = re.compile(r"^\s*(\d{1,3}(?:\.\d+)?)\s*%?\s*$")
_DEVICE_TEXT = re.compile(r"^\d(?:,\d)*$|^all$|^none$|^void$|^$|^GPU-[\w-]+$|^MIG-[\w/-]+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something in the structure: `level` error, warning; `line` 0-based. An edit, where there is one, is in Edits."""

    code: str
    level: str
    line: int
    message: str
    found: str = ""
    corrected: str | None = None


@dataclass(slots=True)
class Edits:
    """Changes of the text: spans of one line, lines to comment out, blocks to move."""

    spans: list[tuple[int, int, int, str]] = field(default_factory=list)
    comment_out: list[tuple[int, int]] = field(default_factory=list)
    moves: list[tuple[int, int, int, int, bool]] = field(default_factory=list)  # first, last, after, by, without head


def container_nodes(root: Node) -> list[MappingNode]:
    """Entries of every list of containers."""
    return [
        entry
        for node in walk([root])
        for pair in pairs(node)
        if pair.key.value in CONTAINERS
        for entry in items(pair.value)
        if isinstance(entry, MappingNode)
    ]


def inspect(root: Node, edits: Edits) -> Iterator[Finding]:
    """All findings of one document; what can be mended goes to `edits`."""
    containers = container_nodes(root)
    inside = {id(node) for node in containers}
    for node in walk([root]):
        for pair in pairs(node):
            if pair.key.value == "env" and isinstance(pair.value, SequenceNode):
                yield from entries(pair.value, edits)
                if containers and id(node) not in inside:
                    yield misplaced(pair.key, pair.value, containers, edits)
            elif pair.key.value == "env" and id(node) in inside and isinstance(pair.value, MappingNode):
                message = "env is a list: each variable begins with a dash and has name and value."
                yield Finding(code="yaml-env-outside", level="error", line=pair.key.start_mark.line, message=message)
            elif pair.key.value in ("limits", "requests"):
                yield from gpu_requests(pair.value, edits)
    if isinstance(root, SequenceNode) and all(child(entry, "name") for entry in items(root)):
        yield from entries(root, edits)
    yield from together(root, containers)


def entries(env: SequenceNode, edits: Edits) -> Iterator[Finding]:
    """The variables of one list."""
    last: dict[str, Node] = {}
    for entry in items(env):
        line = entry.start_mark.line
        if not isinstance(entry, MappingNode):
            message = "This is one piece of text, not a variable with name and value."
            yield Finding(code="yaml-colon-space", level="error", line=line, message=message, found=word(entry)[:80])
            continue
        name = word(child(entry, "name"))
        for pair in pairs(entry):
            if pair.key.value not in ("name", "value", "valueFrom"):
                message = f"{word(pair.key)[:60]!r} is no part of a variable; name, value and valueFrom are."
                yield Finding(code="yaml-env-outside", level="error", line=pair.key.start_mark.line, message=message)
        if name in last and name:
            yield twice(name, last[name], edits, bool(env.flow_style))
        last[name] = entry
        yield from value_of(name, child(entry, "value"), edits)


def twice(name: str, earlier: Node, edits: Edits, flow: bool) -> Finding:
    line = earlier.start_mark.line
    if not flow:
        edits.comment_out.append((line, last_line(earlier)))
    message = f"{name[:60]} stands twice in this list; the last one normally wins. The earlier one is made a comment."
    return Finding(code="yaml-twice", level="error", line=line, message=message, found=name)


def value_of(name: str, value: Node | None, edits: Edits) -> Iterator[Finding]:
    """The value of one variable: text, and for the share a bare number."""
    if not isinstance(value, ScalarNode):
        if value is not None:
            message = f"The value of {name[:60]} is a list or a group; a variable's value is text."
            yield Finding(code="yaml-unquoted", level="error", line=value.start_mark.line, message=message)
        return
    text, line = str(value.value), value.start_mark.line
    plain = value.style is None
    new = text
    if name == SHARE and "%" in text and (share := _SHARE_TEXT.match(text)):
        new = share[1]
        message = f"The share is a bare number: {new}, without the sign %."
        yield Finding(code="yaml-percent", level="error", line=line, message=message, found=text, corrected=f'"{new}"')
    elif plain and text and _NOT_TEXT.match(text):
        message = f"The value of {name[:60]} is not in quotes, so it is no text: the API refuses it."
        yield Finding(
            code="yaml-unquoted", level="error", line=line, message=message, found=text, corrected=f'"{text}"'
        )
    elif name in (SHARE, DEVICES) and any(mark in text for mark in "\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb"):
        new = re.sub("[\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb]", "", text)
        message = "Typographic quotes are part of this value; the container gets them."
        yield Finding(code="yaml-quotes", level="error", line=line, message=message, found=text, corrected=f'"{new}"')
    mended = new != text or (plain and text and _NOT_TEXT.match(text))
    if mended and value.end_mark.line == line:
        edits.spans.append((line, value.start_mark.column, value.end_mark.column, f'"{new}"'))
    yield from sense_of(name, new, line)


def sense_of(name: str, text: str, line: int) -> Iterator[Finding]:
    """Values that are text but mean nothing."""
    share = _SHARE_TEXT.match(text)
    if name == SHARE and not (share and 0 < float(share[1]) <= 100):
        message = f"{text[:40]!r} is no share: a number above 0 and up to 100."
        yield Finding(code="mps-cap", level="error", line=line, message=message, found=text)
    if name == DEVICES and not _DEVICE_TEXT.match(text):
        message = f"{text[:40]!r} names no GPU: whole GPUs only, by number, such as 0 or 0,1."
        yield Finding(code="share-time", level="error", line=line, message=message, found=text)
    if name == DEVICES and "," in text:
        message = "One app on two GPUs: Microsoft's pages disagree on whether that works."
        yield Finding(code="share-both-gpus", level="warning", line=line, message=message, found=text)


def misplaced(key: ScalarNode, env: SequenceNode, containers: list[MappingNode], edits: Edits) -> Finding:
    """`env` outside a container's entry; moved when there is only one container that can be meant."""
    line, message = key.start_mark.line, "env stands outside the entry of a container, where it has no effect."
    usable = len(containers) == 1 and not env.flow_style and not containers[0].flow_style
    if not usable:
        more = " Which container is meant is not known; move it by hand."
        return Finding(code="yaml-env-outside", level="error", line=line, message=message + more)
    target = containers[0]
    own = next((p.value for p in pairs(target) if p.key.value == "env" and isinstance(p.value, SequenceNode)), None)
    first = items(env)[0] if items(env) else env
    if own is not None and items(own) and not own.flow_style:
        by = items(own)[0].start_mark.column - first.start_mark.column
        edits.moves.append((line, last_line(env), last_line(own), by, True))
    else:
        by = pairs(target)[0].key.start_mark.column - key.start_mark.column
        edits.moves.append((line, last_line(env), last_line(target), by, False))
    return Finding(code="yaml-env-outside", level="error", line=line, message=message + " It is moved there.")


def gpu_requests(limits: Node, edits: Edits) -> Iterator[Finding]:
    for pair in pairs(limits):
        line = pair.key.start_mark.line
        if pair.key.value == "nvidia.com.gpu":
            edits.spans.append((line, pair.key.start_mark.column, pair.key.end_mark.column, "nvidia.com/gpu"))
            message = "The resource is called nvidia.com/gpu, with a slash; this name asks for nothing."
            yield Finding(code="plugin-name", level="error", line=line, message=message, found="nvidia.com.gpu")
        if pair.key.value in ("nvidia.com/gpu", "nvidia.com.gpu") and not re.match(r"^[0-9]{1,3}$", word(pair.value)):
            message = f"{word(pair.value)[:40]!r} GPUs cannot be asked for: whole GPUs only."
            yield Finding(code="share-whole", level="error", line=line, message=message)


def together(root: Node, containers: list[MappingNode]) -> Iterator[Finding]:
    """What concerns a pod as a whole: sharing beside whole GPUs, and the settings that the walkthrough makes."""
    sharing = [node for node in containers if variable(node, DEVICES) is not None or variable(node, SHARE) is not None]
    whole = [node for node in containers if child(node, "resources", "limits", "nvidia.com/gpu") is not None]
    if sharing and whole:
        message = "Sharing by variable and whole GPUs by nvidia.com/gpu stand in one file: both may land on one card."
        yield Finding(code="share-unseen", level="warning", line=whole[0].start_mark.line, message=message)
    if sharing and not all(_switched_on(root, name) for name in ("hostPID", "hostIPC")):
        message = (
            "The walkthrough sets hostPID: true and hostIPC: true on pods that share a GPU; here they are not set."
        )
        yield Finding(code="share-host-ipc", level="warning", line=sharing[0].start_mark.line, message=message)


def _switched_on(root: Node, name: str) -> bool:
    return any(p.key.value == name and word(p.value).lower() == "true" for node in walk([root]) for p in pairs(node))


def variable(container: Node, name: str) -> str | None:
    """The value of a variable of a container; None when it has none of that name."""
    found = [entry for entry in items(child(container, "env")) if word(child(entry, "name")) == name]
    return word(child(found[-1], "value")) if found else None


def shares(root: Node) -> list[tuple[str, float, int]]:
    """Name of the container, its share and how often it runs (replicas, parallelism)."""
    found = []
    for node in container_nodes(root):
        share = _SHARE_TEXT.match(variable(node, SHARE) or "")
        if share:
            count = word(child(root, "spec", "replicas")) or word(child(root, "spec", "parallelism")) or "1"
            times = int(count) if re.match(r"^[0-9]{1,4}$", count) else 1
            found.append((word(child(node, "name")), float(share[1]), times))
    return found
