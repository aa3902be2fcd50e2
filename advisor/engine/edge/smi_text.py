"""From bytes to lines that can be read safely: size, encoding, control characters, colours."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

MAX_BYTES = 2_000_000  # a table is 3 kB per GPU; this is a long log already
MAX_LINES = 20_000
MAX_LINE = 400  # a table is 91 wide
_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
CONTROL_SHARE = 0.02  # text has next to none, random bytes have a tenth


@dataclass(frozen=True, slots=True, kw_only=True)
class SmiProblem:
    """One thing wrong with an input; `line` is 1-based, None for the whole."""

    line: int | None
    kind: str
    severity: Literal["error", "warning"]
    message: str


def lines_of(data: bytes | str) -> tuple[list[str], list[SmiProblem]]:
    """Lines without control characters, shortened; nothing when the input is no text."""
    if len(data) > MAX_BYTES:
        return [], [_whole("large", f"The input has {len(data):,} bytes; at most {MAX_BYTES:,} are read.")]
    text = decoded(data) if isinstance(data, bytes) else data.removeprefix("\ufeff")
    if not _CONTROL.sub("", text).strip():
        return [], [_whole("nothing", "The input is empty.")]
    plain = _COLOUR.sub("", text)
    controls = len(_CONTROL.findall(plain)) + plain.count("\ufffd")
    if controls > max(4, len(plain) * CONTROL_SHARE):
        return [], [_whole("binary", "The input is no text.")]
    lines = _CONTROL.sub("", plain.replace("\u00a0", " ")).splitlines()
    problems = []
    if len(lines) > MAX_LINES:
        problems.append(_whole("long", f"The input has {len(lines):,} lines; the first {MAX_LINES:,} were read."))
    return [line[:MAX_LINE] for line in lines[:MAX_LINES]], problems


def decoded(data: bytes) -> str:
    """UTF-16 with its mark or by its zero bytes (PowerShell writes it), else UTF-8."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    if data[1:400:2].count(0) > len(data[1:400:2]) * 0.4:
        return data.decode("utf-16-le", errors="replace")
    return data.decode("utf-8-sig", errors="replace")


def _whole(kind: str, message: str) -> SmiProblem:
    return SmiProblem(line=None, kind=kind, severity="error", message=message)
