"""Bytes to text: encoding by evidence, helper lines, delimiters, and header names as they are compared."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np

from advisor.engine.catalogue import squash

BLANKS = (
    " \t\r\n\v\f\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u200b\u202f\u205f\u3000\ufeff\0"
)
DELIMITERS = (",", ";", "\t", "|")
BLOCK_BYTES = 4 << 20
SAMPLE_BYTES = 1 << 18
CONTROL_SHARE = 0.02  # of the first bytes: text has next to none, random bytes have a tenth
ZERO_SHARE = 0.2  # of the bytes at odd or even places: UTF-16 of text that is mostly ASCII
RARE_BAD_BYTES = 0.02  # of the characters beyond ASCII: UTF-8 with a scratch, not another encoding

#: What spreadsheets write that do not write Unicode: Korean, Japanese, Chinese, western, Cyrillic. docs/adr/0031 says
#: why not central European too.
LEGACY = ["cp949", "cp932", "gb18030", "cp1252", "cp1251"]
_CONTROLS = bytes(b for b in range(32) if b not in b"\t\n\v\f\r\x1a\0")
_SEP_LINE = re.compile(r'^"?sep=(.|\\t)"?$', re.IGNORECASE)
# No opening bracket within: else each of a hundred thousand that are never closed is searched to the end of the text.
_IN_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_BRACKET = re.compile(r"^(.*?)\(([A-Za-z][A-Za-z0-9_-]*)\)\s*$", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoding:
    """How a file becomes text. `plain`: strict UTF-8 without NULs, so that bytes can be cut at line ends."""

    codec: str
    label: str  # as reported: utf-8-sig when a mark was there
    skip: int = 0  # bytes of the mark
    plain: bool = False
    has_nul: bool = False
    replaces: bool = False  # a few bytes are no text and become the replacement character


def detect(stream: BinaryIO) -> Decoding | None:
    """How to decode the stream, or None when it is not text.

    Byte-order mark, then UTF-16 by its zero bytes, then strict UTF-8 over the whole file, then the likeliest of
    `LEGACY`.
    """
    stream.seek(0)
    sample = stream.read(SAMPLE_BYTES)
    if sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return Decoding(codec="utf-16", label="utf-16")
    if wide := _wide_without_mark(sample):
        return Decoding(codec=wide, label=wide)
    if len(sample.translate(None, _CONTROLS)) < len(sample) * (1 - CONTROL_SHARE) or sample.count(0) > len(sample) / 2:
        return None
    marked = sample.startswith(codecs.BOM_UTF8)
    bad, has_nul = _first_bad_block(stream)
    codec, replaces = ("utf-8", False) if bad is None else _legacy(bad)
    if codec == "utf-8" and marked:
        return Decoding(
            codec="utf-8",
            label="utf-8-sig",
            skip=3,
            plain=bad is None and not has_nul,
            has_nul=has_nul,
            replaces=replaces,
        )
    plain = bad is None and not has_nul
    return Decoding(codec=codec, label=codec, plain=plain, has_nul=has_nul, replaces=replaces)


def _wide_without_mark(sample: bytes) -> str | None:
    if b"\0" not in sample:
        return None
    bytes_ = np.frombuffer(sample[: len(sample) // 2 * 2], dtype=np.uint8)
    if len(bytes_) < 4:
        return None
    even, odd = float((bytes_[::2] == 0).mean()), float((bytes_[1::2] == 0).mean())
    if odd > ZERO_SHARE and even < odd / 10:
        return "utf-16-le"
    if even > ZERO_SHARE and odd < even / 10:
        return "utf-16-be"
    return None


def _first_bad_block(stream: BinaryIO) -> tuple[bytes | None, bool]:
    """The bytes around the first place that is not UTF-8, None when all is; and whether there are NULs."""
    stream.seek(0)
    decoder = codecs.getincrementaldecoder("utf-8")()
    has_nul = False
    while block := stream.read(BLOCK_BYTES):
        has_nul = has_nul or b"\0" in block
        try:
            if not block.isascii() or decoder.getstate()[0]:
                decoder.decode(block)
        except UnicodeDecodeError as error:
            return block[max(0, error.start - SAMPLE_BYTES) : error.start + SAMPLE_BYTES], has_nul or b"\0" in block
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        stream.seek(max(0, stream.tell() - SAMPLE_BYTES))
        return stream.read(), has_nul
    return None, has_nul


def _legacy(sample: bytes) -> tuple[str, bool]:
    """The codec of bytes that are not all UTF-8, and whether some bytes are to be replaced."""
    as_utf8 = sample.decode("utf-8", errors="replace")
    bad = as_utf8.count("\ufffd")
    good = sum(1 for c in as_utf8 if ord(c) > 127) - bad
    if bad <= good * RARE_BAD_BYTES:
        return "utf-8", True
    from charset_normalizer import from_bytes  # noqa: PLC0415 (most files are UTF-8 and need no guess)

    found = from_bytes(sample, cp_isolation=LEGACY).best()
    return (found.encoding, False) if found else ("cp1252", True)


def separator_line(line: str) -> str | None:
    """The delimiter that a line such as `sep=;` names, None for any other line."""
    found = _SEP_LINE.match(line.strip(BLANKS))
    return found.group(1).replace("\\t", "\t") if found else None


def is_type_line(line: str) -> bool:
    """True for the `#TYPE ...` line that Windows PowerShell writes above a header."""
    return line.strip(BLANKS).strip('"').startswith("#TYPE ")


def guess_delimiter(header: str) -> str:
    """The delimiter that stands most often in `header` outside quotes; a comma when none does."""
    outside = re.sub(r'"[^"]*"', "", header)
    return max(DELIMITERS, key=lambda d: (outside.count(d), -DELIMITERS.index(d)))


def header_keys(header: str) -> tuple[str, ...]:
    """The names under which a header may be known, best first: the ASCII word in brackets, all of it, the rest.

    >>> header_keys("Ressourcengruppe (ResourceGroup)")
    ('resourcegroup', 'ressourcengrupperesourcegroup', 'ressourcengruppe')
    """
    found = _BRACKET.match(header)
    keys = (found.group(2), header, found.group(1)) if found else (header, _IN_BRACKETS.sub("", header))
    return tuple(dict.fromkeys(key for key in map(squash, keys) if key))
