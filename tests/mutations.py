"""Fleet files spoilt at random: bits turned, ends cut off, encodings swapped, columns shuffled, parts doubled."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from tests.made_samples import made_samples

SAMPLES = Path(__file__).parent / "samples"
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252", "cp949", "shift_jis")
HOSTILE = (
    b"\x00",
    b'"',
    b"=1+1",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\r",
    b"\n\n",
    b"{" * 40,
    b"[" * 40,
    b"NC99",
    b"1e999",
    b"\t",
)
RUNS = (b"(", b"[", b"{", b"<", b'"', b"'", b" ", b"\n", b"\t", b",", b"1", b"a ", b"1 ", b"(a", b"/*", b"- ", b"[]")
#: What hides in cells of real files.
CELLS = (
    "",
    "n/a",
    "-",
    "1.460,50",
    "1,460.50",
    "\u00a0",
    "NC6s\u00a0v3",
    "=HYPERLINK(1)",
    "9" * 40,
    "-1",
    "NaN",
    "null",
)


def samples() -> list[tuple[str, bytes]]:
    """The fleet files that the tests keep, files of utilisation, and files made here, by name."""
    found = (path for folder in ("fleets", "utilisation") for path in (SAMPLES / folder).rglob("*"))
    kept = sorted(path for path in found if path.is_file() and path.name != "expected.json")
    return [*((path.name, path.read_bytes()) for path in kept), *made_samples()]


def mutated(data: bytes, rng: random.Random) -> bytes:
    """The file with one to four faults."""
    for _ in range(rng.randint(1, 4)):
        data = rng.choice(_FAULTS)(data, rng)
    return data


def _flip(data: bytes, rng: random.Random) -> bytes:
    spoilt = bytearray(data)
    for _ in range(rng.randint(1, 8) if spoilt else 0):
        spoilt[rng.randrange(len(spoilt))] ^= 1 << rng.randrange(8)
    return bytes(spoilt)


def _cut(data: bytes, rng: random.Random) -> bytes:
    start, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return data[:end] if rng.random() < 0.7 else data[start:]


def _put(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + rng.choice(HOSTILE) * rng.randint(1, 3) + data[place:]


def _run(data: bytes, rng: random.Random) -> bytes:
    """One mark tens of thousands of times: what an expression that looks back at each of them takes minutes for."""
    place = rng.randrange(len(data) + 1)
    return data[:place] + rng.choice(RUNS) * rng.randint(1, 40_000) + data[place:]


def _double(data: bytes, rng: random.Random) -> bytes:
    start, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return data[:end] + data[start : min(end, start + 5_000)] + data[end:]


def _encoding(data: bytes, rng: random.Random) -> bytes:
    text = data.decode("utf-8", errors="replace")
    return text.encode(rng.choice(ENCODINGS), errors="replace")


def _columns(data: bytes, rng: random.Random) -> bytes:
    """Columns in another order, one of them gone, doubled or with another delimiter."""
    text = data.decode("utf-8", errors="replace")
    mark = max(",;\t", key=text.count)
    rows = [line.split(mark) for line in text.split("\n")]
    width = max(map(len, rows))
    order = rng.sample(range(width), width)[: rng.randint(1, width)]
    order += rng.sample(order, min(len(order), rng.randint(0, 2)))
    other = rng.choice(",;\t|")
    return "\n".join(other.join(row[i] for i in order if i < len(row)) for row in rows).encode(errors="replace")


def _cell(data: bytes, rng: random.Random) -> bytes:
    text = data.decode("utf-8", errors="replace")
    mark = max(",;\t", key=text.count)
    rows = [line.split(mark) for line in text.split("\n")]
    for _ in range(rng.randint(1, 5)):
        row = rng.choice(rows)
        row[rng.randrange(len(row))] = rng.choice(CELLS)
    return "\n".join(mark.join(row) for row in rows).encode(errors="replace")


_FAULTS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _flip,
    _cut,
    _put,
    _run,
    _double,
    _encoding,
    _columns,
    _cell,
)
