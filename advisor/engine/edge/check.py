"""The checker of deployment files: every mistake with line and reason, and the corrected text with comments kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from ruamel.yaml.nodes import Node, ScalarNode

from advisor.engine.edge.devices import EdgeCatalogue
from advisor.engine.edge.smi_text import decoded
from advisor.engine.edge.yaml_lines import LineFix, mend, moved
from advisor.engine.edge.yaml_nodes import MAX_CHARACTERS, UnreadableYaml, documents, walk
from advisor.engine.edge.yaml_pods import Edits, Finding, inspect, shares

MAX_PROBLEMS = 200
TAB_WIDTHS = (2, 4, 8)
Level = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckProblem:
    """One mistake: `line` 1-based (None: the whole), what stands there, what should, and the statement behind it."""

    code: str
    level: Level
    line: int | None
    message: str
    reason: str
    found: str
    corrected: str | None
    source: str
    as_of: date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """`corrected` is the text with all that could be mended, None when nothing could be read. `accepted`: it parses
    and no error is left in it. `left`: what is still wrong in it."""

    problems: tuple[CheckProblem, ...]
    corrected: str | None
    changed: bool
    accepted: bool
    left: tuple[CheckProblem, ...]
    share_sum: float | None  # of all MPS shares in the file, percent; None: it sets none
    problems_left_out: int = 0  # counted but not listed, when a file has more than the limit

    @property
    def errors(self) -> int:
        return sum(problem.level == "error" for problem in self.problems)


def check_deployment(edge: EdgeCatalogue, data: bytes | str, mps: bool | None = None) -> Checked:
    """Check a file for the sharing of GPUs. `mps`: whether MPS is on for the device, None when not known.

    Never raises for what stands in the file.
    """
    if len(data) > MAX_CHARACTERS * 2:
        return _unreadable(f"The file has {len(data):,} bytes; a deployment has some kilobytes.")
    text = decoded(data) if isinstance(data, bytes) else data.removeprefix("\ufeff")
    if not text.strip():
        return _unreadable("The file is empty.")
    if text.count("\x00") + text.count("\ufffd") > 4:
        return _unreadable("The file is no text.")
    end = "\r\n" if "\r\n" in text else "\n"
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    try:
        problems, corrected, total = _pass(edge, plain, mps)
    except UnreadableYaml as error:
        return _unreadable(str(error), error.line)
    left = tuple(problem for problem in _pass(edge, corrected, mps)[0] if problem.level == "error")
    return Checked(
        problems=tuple(problems[:MAX_PROBLEMS]),
        corrected=corrected.replace("\n", end),
        changed=corrected != plain,
        accepted=not left,
        left=left,
        share_sum=total,
        problems_left_out=max(0, len(problems) - MAX_PROBLEMS),
    )


def _pass(edge: EdgeCatalogue, text: str, mps: bool | None) -> tuple[list[CheckProblem], str, float | None]:
    """Problems, corrected text and sum of shares; raises UnreadableYaml only for text beyond the limits."""
    lines, fixes = _mended(text)
    problems = [_of_line(edge, fix) for fix in fixes]
    try:
        roots = documents("\n".join(lines))
    except UnreadableYaml as error:
        if error.kind == "limit":
            raise
        problems.append(_syntax(error, lines))
        return problems, "\n".join(lines), None
    edits = Edits()
    for root in roots:
        problems.extend(_of_finding(edge, finding, lines) for finding in inspect(root, edits))
    found = [(name, share, times) for root in roots for name, share, times in shares(root)]
    total = sum(share * times for _, share, times in found) if found else None
    problems.extend(_of_shares(edge, total, mps))
    problems.sort(key=lambda problem: (problem.line is not None, problem.line or 0))
    return problems, "\n".join(applied(lines, edits)), total


def _mended(text: str) -> tuple[list[str], list[LineFix]]:
    """Lines after the first look; of several widths of a tab, the first with which the file parses."""
    lines = text.split("\n")
    try:
        protected: set[int] | None = _inside_texts(documents(text))
    except UnreadableYaml as error:
        if error.kind == "limit":
            raise
        protected = None
    first = mend(lines, protected)
    if "\t" not in text:
        return first
    for width in TAB_WIDTHS:
        tried = mend(lines, protected, width)
        try:
            documents("\n".join(tried[0]))
        except UnreadableYaml:
            continue
        return tried
    return first


def _inside_texts(roots: Sequence[Node]) -> set[int]:
    """Lines inside scalars of several lines, which belong to the user."""
    inside: set[int] = set()
    for node in walk(list(roots)):
        if isinstance(node, ScalarNode) and node.end_mark.line > node.start_mark.line and node.value:
            last = node.end_mark.line if node.end_mark.column else node.end_mark.line - 1
            inside.update(range(node.start_mark.line + 1, last + 1))
    return inside


def applied(lines: list[str], edits: Edits) -> list[str]:
    """The lines with all edits: spans from the right, then comments, then moved blocks from the bottom."""
    out = list(lines)
    for number, start, end, new in sorted(set(edits.spans), reverse=True):
        out[number] = out[number][:start] + new + out[number][end:]
    for first, last in edits.comment_out:
        for number in range(first, last + 1):
            body = out[number].lstrip(" ")
            if body and not body.startswith("#"):
                out[number] = out[number][: len(out[number]) - len(body)] + "# " + body
    taken: set[int] = set()
    added: dict[int, list[str]] = {}
    for first, last, after, by, headless in edits.moves:
        block = [moved(line, by) for line in out[first + headless : last + 1]]
        added.setdefault(after, []).extend(block)
        taken.update(range(first, last + 1))
    result = []
    for number, line in enumerate(out):
        if number not in taken:
            result.append(line)
        result.extend(added.get(number, ()))
    return result


LINE_MESSAGES = {
    "yaml-tab": "A tab stands here; YAML takes blanks only.",
    "yaml-slash-comment": "// begins no comment in YAML; # does.",
    "yaml-quotes": "Typographic quotes stand here; they become part of the value.",
    "yaml-dash-space": "No blank follows the dash.",
    "yaml-colon-space": "No blank follows the colon.",
    "yaml-value-deeper": "This line is indented deeper than the other half of its variable.",
    "yaml-value-shallower": "This line is indented less than the other half of its variable.",
}


def _of_line(edge: EdgeCatalogue, fix: LineFix) -> CheckProblem:
    fact = edge.facts[fix.code]
    return CheckProblem(
        code=fix.code,
        level="error",
        line=fix.line + 1,
        message=LINE_MESSAGES[fix.code],
        reason=fact.text,
        found=fix.found[:200],
        corrected=fix.corrected[:200],
        source=fact.source,
        as_of=fact.as_of,
    )


def _of_finding(edge: EdgeCatalogue, finding: Finding, lines: Sequence[str]) -> CheckProblem:
    fact = edge.facts[finding.code]
    return CheckProblem(
        code=finding.code,
        level="error" if finding.level == "error" else "warning",
        line=finding.line + 1,
        message=finding.message,
        reason=fact.text,
        found=finding.found[:200] or (lines[finding.line].strip()[:200] if finding.line < len(lines) else ""),
        corrected=finding.corrected,
        source=fact.source,
        as_of=fact.as_of,
    )


def _of_shares(edge: EdgeCatalogue, total: float | None, mps: bool | None) -> Iterator[CheckProblem]:
    """Remarks on the file as a whole, when it sets shares."""
    if total is None:
        return
    if total > 100:
        yield _whole(
            edge, "mps-over-100", f"The shares add up to {total:g} %, counted once per replica. That is allowed."
        )
    if mps is False:
        yield _whole(edge, "yaml-no-mps", "MPS is off, so the shares have no effect. Turn it on: Start-HcsGpuMPS.")
    if mps is None:
        yield _whole(
            edge, "yaml-no-mps", "The shares need MPS on the device, which this file cannot show: Start-HcsGpuMPS."
        )


def _whole(edge: EdgeCatalogue, code: str, message: str) -> CheckProblem:
    fact = edge.facts[code]
    return CheckProblem(
        code=code,
        level="warning",
        line=None,
        message=message,
        reason=fact.text,
        found="",
        corrected=None,
        source=fact.source,
        as_of=fact.as_of,
    )


def _syntax(error: UnreadableYaml, lines: Sequence[str]) -> CheckProblem:
    shown = lines[error.line - 1].strip()[:200] if error.line and error.line <= len(lines) else ""
    return CheckProblem(
        code="yaml-syntax",
        level="error",
        line=error.line,
        message=f"This is no valid YAML, and how it is meant is not known: {error}",
        reason="The parser stops here.",
        found=shown,
        corrected=None,
        source="YAML parser",
        as_of=None,
    )


def _unreadable(message: str, line: int | None = None) -> Checked:
    problem = CheckProblem(
        code="unreadable",
        level="error",
        line=line,
        message=message,
        reason="Nothing was checked.",
        found="",
        corrected=None,
        source="limits of this program",
        as_of=None,
    )
    return Checked(problems=(problem,), corrected=None, changed=False, accepted=False, left=(problem,), share_sum=None)
