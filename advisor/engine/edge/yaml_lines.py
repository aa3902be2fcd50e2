"""Mistakes of a deployment file that are seen line by line, mended so that every line keeps its number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

#: Keys of a pod's description. Only for them a missing blank after the colon is taken for a mistake.
KEYS = (
    "apiVersion|kind|metadata|name|namespace|labels|spec|replicas|selector|matchLabels|template|containers|"
    "initContainers|image|imagePullPolicy|command|args|env|value|valueFrom|resources|limits|requests|hostPID|hostIPC|"
    "restartPolicy|backoffLimit|ports|containerPort|volumeMounts|mountPath|volumes|NVIDIA_VISIBLE_DEVICES|"
    "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE"
)
QUOTES = "\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u201b\u00ab\u00bb\u2033\u2032"
_BLOCK = re.compile(r"^(?P<lead>\s*(?:- +)*)\S.*[:\-] +[|>][+-]?[1-9]?[+-]?\s*(?:#.*)?$")
_BARE_BLOCK = re.compile(r"^(?P<lead>\s*)- +[|>][+-]?[1-9]?[+-]?\s*(?:#.*)?$")
_DASH = re.compile(r"^(\s*)-(?=[A-Za-z_][\w.-]*\s*:)")
_COLON = re.compile(rf"^(\s*(?:- +)*)({KEYS}):(?=[^\s/])")
_QUOTED = re.compile(rf"^(\s*(?:- +)*(?:[\w.-]+: +)?)([{QUOTES}\"'])([^{QUOTES}\"']*)([{QUOTES}\"'])(\s*(?:#.*)?)$")
_FIRST_OF_TWO = re.compile(r"^(\s*)-( +)(name|value|valueFrom):(?: |$)")
_SECOND_OF_TWO = re.compile(r"^(\s*)(name|value|valueFrom):(?: |$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class LineFix:
    """A mended mistake: `code` names the statement, `line` is 0-based."""

    code: str
    line: int
    found: str
    corrected: str


def mend(lines: list[str], protected: set[int] | None, tab: int = 2) -> tuple[list[str], list[LineFix]]:
    """The lines with their mistakes mended, and what was done. `protected` lines are inside a text of several lines;
    None: not known, because the file does not parse; they are then guessed."""
    out, fixes = list(lines), []
    spared = _guessed(lines) if protected is None else protected
    for number, line in enumerate(lines):
        if number in spared:
            continue
        for code, mended in _line_fixes(line, tab):
            fixes.append(LineFix(code=code, line=number, found=out[number], corrected=mended))
            out[number] = mended
    fixes.extend(_align(out, spared))
    return out, sorted(fixes, key=lambda fix: fix.line)


def _line_fixes(line: str, tab: int) -> Iterator[tuple[str, str]]:
    """Each mistake of one line with the line after mending it, one after the other."""
    for code, mend_one in (
        ("yaml-tab", lambda text: _tabs(text, tab)),
        ("yaml-slash-comment", _slashes),
        ("yaml-quotes", _quotes),
        ("yaml-dash-space", lambda text: text if text.startswith("---") else _DASH.sub(r"\1- ", text)),
        ("yaml-colon-space", lambda text: _COLON.sub(r"\1\2: ", text)),
    ):
        mended = mend_one(line)
        if mended != line:
            yield code, mended
            line = mended


def _tabs(line: str, width: int) -> str:
    """Tabs before the text become blanks; between words, outside quotes, one blank; at the end nothing."""
    if "\t" not in line:
        return line
    body = line.lstrip(" \t")
    if not body or body.startswith("#"):
        return line[: len(line) - len(body)].replace("\t", " " * width) + body
    lead = line[: len(line) - len(body)].replace("\t", " " * width)
    parts = re.split(r"(\"[^\"]*\"|'[^']*'|\s#.*$)", body.rstrip("\t"))
    return lead + "".join(part if place % 2 else re.sub(r"\t+", " ", part) for place, part in enumerate(parts))


def _slashes(line: str) -> str:
    body = line.lstrip()
    lead = line[: len(line) - len(body)]
    if body.startswith("//"):
        return f"{lead}#{body[2:]}"
    found = re.match(r"^((?:- +)*[\w.\-/]+:(?: +(?:\"[^\"]*\"|'[^']*'|[^\s\"'#][^\"'#]*?))?)\s+//(.*)$", body)
    return f"{lead}{found[1]}  #{found[2]}" if found else line


def _quotes(line: str) -> str:
    found = _QUOTED.match(line)
    if not found or not ({found[2], found[4]} & set(QUOTES)):
        return line
    return f'{found[1]}"{found[3]}"{found[5]}'


def _align(lines: list[str], spared: set[int]) -> Iterator[LineFix]:
    """`name` and `value` of one variable in one column; changes `lines`."""
    column: int | None = None
    for number, line in enumerate(lines):
        if number in spared or not line.strip() or line.lstrip().startswith("#"):
            continue
        if first := _FIRST_OF_TWO.match(line):
            column, word = len(first[1]) + 1 + len(first[2]), first[3]
            continue
        second = _SECOND_OF_TWO.match(line)
        if column is not None and second and second[2] != word and len(second[1]) != column:
            code = "yaml-value-deeper" if len(second[1]) > column else "yaml-value-shallower"
            _shift(lines, number, len(second[1]), column - len(second[1]))
            yield LineFix(code=code, line=number, found=line, corrected=" " * column + line.lstrip(" "))
        column = None


def _shift(lines: list[str], number: int, column: int, by: int) -> None:
    """Move a line, and what stands below it and deeper."""
    last = number + 1
    while last < len(lines) and (not lines[last].strip() or _indent(lines[last]) > column):
        last += 1
    for place in range(number, last):
        lines[place] = moved(lines[place], by)


def moved(line: str, by: int) -> str:
    """A line `by` blanks further to the right, or to the left as far as it can go."""
    if not line.strip():
        return line
    return " " * max(0, _indent(line) + by) + line.lstrip(" ")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _guessed(lines: list[str]) -> set[int]:
    """Lines of texts introduced by | or >."""
    inside: set[int] = set()
    column: int | None = None
    for number, line in enumerate(lines):
        if column is not None:
            if not line.strip() or _indent(line) > column:
                inside.add(number)
                continue
            column = None
        if bare := _BARE_BLOCK.match(line):
            column = len(bare["lead"])
        elif block := _BLOCK.match(line):
            column = len(block["lead"])
    return inside
