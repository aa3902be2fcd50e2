"""YAML as nodes that know their line and column; refuses text that would cost too much to read."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import AliasEvent, CollectionEndEvent, CollectionStartEvent, DocumentStartEvent
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

MAX_CHARACTERS = 64 * 1024  # a deployment has some kilobytes
MAX_DEPTH = 40  # a deployment has about 12
MAX_ALIASES = 20
MAX_EVENTS = 5_000  # a second of work; a deployment has some hundred
MAX_DOCUMENTS = 50


class UnreadableYaml(Exception):
    """The text is no YAML, or too much of it. `line` is 1-based, None for the whole."""

    def __init__(self, message: str, line: int | None = None, kind: str = "syntax") -> None:
        super().__init__(message)
        self.line, self.kind = line, kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A key of a mapping with its value."""

    key: ScalarNode
    value: Node


@lru_cache(maxsize=4)  # one check looks at the same text several times; nobody changes the nodes
def documents(text: str) -> list[Node]:
    """The root nodes of `text`; raises UnreadableYaml."""
    _guard_brackets(text)
    try:
        _guard_events(text)
        return [node for node in YAML().compose_all(text) if node is not None]
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        message = " ".join(str(error.problem or error.context or error).split())
        raise UnreadableYaml(message, None if mark is None else mark.line + 1) from error
    except (YAMLError, ValueError, AttributeError, KeyError, IndexError, TypeError, AssertionError) as error:
        raise UnreadableYaml(" ".join(str(error).split())[:200] or type(error).__name__) from error
    except RecursionError as error:
        raise UnreadableYaml("The text is nested too deeply.", kind="limit") from error


def _guard_brackets(text: str) -> None:
    """Cheap, before any parser sees the text: the parser takes long for many open brackets and marks."""
    if len(text) > MAX_CHARACTERS:
        raise UnreadableYaml(
            f"The text has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read.", kind="limit"
        )
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > 20_000:
            raise UnreadableYaml("This line is too long.", number, "limit")
    depth = 0
    for position, character in enumerate(text):
        if character in "[{":
            depth += 1
            if depth > MAX_DEPTH * 2:
                raise UnreadableYaml("The text is nested too deeply.", text.count("\n", 0, position) + 1, "limit")
        elif character in "]}":
            depth = max(0, depth - 1)


def _guard_events(text: str) -> None:
    depth = aliases = roots = 0
    for count, event in enumerate(YAML().parse(io.StringIO(text))):
        if isinstance(event, CollectionStartEvent):
            depth += 1
        elif isinstance(event, CollectionEndEvent):
            depth -= 1
        elif isinstance(event, AliasEvent):
            aliases += 1
        elif isinstance(event, DocumentStartEvent):
            roots += 1
        line = event.start_mark.line + 1 if event.start_mark else None
        if depth > MAX_DEPTH:
            raise UnreadableYaml("The text is nested too deeply.", line, "limit")
        if aliases > MAX_ALIASES:
            raise UnreadableYaml(f"The text has more than {MAX_ALIASES} aliases (*name).", line, "limit")
        if count > MAX_EVENTS or roots > MAX_DOCUMENTS:
            raise UnreadableYaml("The text has too many entries.", line, "limit")


def walk(roots: list[Node]) -> Iterator[Node]:
    """Every node once; what an alias points to is not visited again."""
    seen: set[int] = set()
    stack = list(reversed(roots))
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        if isinstance(node, MappingNode):
            stack.extend(part for pair in reversed(node.value) for part in reversed(pair))
        elif isinstance(node, SequenceNode):
            stack.extend(reversed(node.value))


def pairs(node: Node | None) -> list[Pair]:
    """The pairs of a mapping whose key is a word; nothing for any other node."""
    if not isinstance(node, MappingNode):
        return []
    return [Pair(key=key, value=value) for key, value in node.value if isinstance(key, ScalarNode)]


def child(node: Node | None, *path: str) -> Node | None:
    """The value at a path of keys; the last one where a key stands twice."""
    for name in path:
        node = next((pair.value for pair in reversed(pairs(node)) if pair.key.value == name), None)
    return node


def items(node: Node | None) -> list[Node]:
    return list(node.value) if isinstance(node, SequenceNode) else []


def word(node: Node | None) -> str:
    return str(node.value) if isinstance(node, ScalarNode) else ""


def last_line(node: Node) -> int:
    """The 0-based line on which a node's own text ends, without the comments and blank lines behind it."""
    return max(_own_end(part) for part in walk([node]))


def _own_end(node: Node) -> int:
    block = isinstance(node, MappingNode | SequenceNode) and not node.flow_style
    if block or not node.end_mark:
        return int(node.start_mark.line)
    return int(node.end_mark.line if node.end_mark.column else max(node.start_mark.line, node.end_mark.line - 1))
