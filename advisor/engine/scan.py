"""Any text searched for N-series sizes: which are dead, dying, current or unknown, by line, and what each could be."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal, get_args

from advisor.engine.advice import advise
from advisor.engine.answer import Option
from advisor.engine.candidates import World
from advisor.engine.catalogue import Catalogue, Move
from advisor.engine.documented import system_of
from advisor.engine.ledger import LifecycleStatus, status_at
from advisor.engine.life import Lane, lanes_of
from advisor.engine.readers.text import detect
from advisor.engine.request import AdviceRequest
from advisor.engine.single import single_machines
from advisor.engine.size_moves import kind_of

State = Literal["dead", "dying", "unknown", "current"]
STATES: tuple[State, ...] = get_args(State)
MAX_BYTES = 1_000_000
#: Different names that are read, each counted once. A text that has more is no configuration.
MAX_NAMES = 2_000
#: Places told of one name; the others are counted.
MAX_PLACES = 1_000
#: Characters around a name that are looked at.
_AROUND = 80

_PART = (
    r"(?:v\d{1,2}|promo|xl|ndr|flex|noib|t4|a10|a100|h100|h200|v100|p40|p100|v620|v710|mi\d{2,3}x?|gb\d{3}"
    r"|rtxpro\w{1,16})"
)
#: Between the parts: an underscore, also as Markdown escapes it; a blank, also as HTML keeps it together.
_BAR, _BLANK = r"\\?_", r"(?: |&nbsp;)"
#: A name with parts joined by an underscore, or by a blank where the part is one that sizes have. It starts a word, or
#: follows a line break as strings write it.
_NAME = re.compile(
    rf"(?:(?<![A-Za-z0-9_])|(?<=\\[nrt]))(?:standard(?:{_BAR}|{_BLANK}|-))?n(?:cc|[cdgvpm])\d{{1,3}}[a-z]{{0,8}}"
    rf"(?:{_BAR}[a-z0-9]{{1,24}}|{_BLANK}{_PART}(?![a-z0-9])){{0,4}}(?![A-Za-z0-9_])",
    re.IGNORECASE | re.ASCII,
)
_TAIL = re.compile(rf"[ _]{_PART}$", re.IGNORECASE | re.ASCII)
_EDGES = frozenset("\"'`,;|\t=<>()[]{}")
#: What stands before a size: an option of a command line, or a key that is said to be one.
_SAYS_SIZE = re.compile(
    r"(?:--[a-z-]{0,24}(?:size|sku)[ =]|(?:size|sku|instance[-_]?type)[\"']? {0,4}[:=]) {0,4}$", re.I
)
#: Words beside nv12, nv16 and nv24 where these are formats of pictures.
_PICTURES = re.compile(r"pix|format|fourcc|ffmpeg|yuv|video", re.IGNORECASE)
#: Blanks and hyphens that keep words together, each read as the plain one.
_PLAIN = str.maketrans({**dict.fromkeys("\u00a0\u2007\u202f\u2009\u3000", " "), "\u2011": "-", "\u2010": "-"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """One name in the text; `line` and `column` count from 1."""

    line: int
    column: int
    text: str
    size: str | None  # canonical; None: no size is called so


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One size, or one name that is none, with every line on which it stands."""

    name: str  # canonical, as written where no size is called so
    state: State
    known: bool  # it has facts in the catalogue
    status: LifecycleStatus | None
    elsewhere: tuple[Lane, ...]  # regions and services with an end of their own
    mentions: tuple[Mention, ...]  # the first MAX_PLACES
    places: int  # all of them
    near: tuple[str, ...]  # sizes with a name like it, where none is called so
    instead: Option | None  # what the advice puts first for one machine; None: alive, or nothing can be ranked
    documented: tuple[Move, ...]

    @property
    def places_left(self) -> int:
        """Places that are counted and not told."""
        return self.places - len(self.mentions)

    @property
    def lines(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(mention.line for mention in self.mentions))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """The answer: the worst first, then by name."""

    lines: int
    found: tuple[Found, ...]
    mentions: int
    read_to: int | None  # the last line whose names are all told, MAX_NAMES were reached; None: all of it was read

    def count(self, state: State) -> int:
        """How many sizes or names are in this state."""
        return sum(one.state == state for one in self.found)


def decoded(data: bytes) -> str | None:
    """The text of a file by the evidence of its bytes; None where it is no text."""
    decoding = detect(io.BytesIO(data))
    return None if decoding is None else data[decoding.skip :].decode(decoding.codec, "replace")


def scan_text(text: str, world: World, as_of: date) -> Scan:
    """Every N-series size that the text names, as it stands on `as_of` where no region is said.

    dead: retired. dying: its end is announced. current: no end is announced. unknown: no size is called so, or no
    source says how it stands. A replacement is the first choice of the advice for one machine that runs all month.
    """
    catalogue = world.catalogue
    lines = text.splitlines()
    by_name: dict[str, list[Mention]] = {}
    places: Counter[str] = Counter()
    read_to = None
    for mention in mentions_in(lines, catalogue):
        name = mention.size or _key(mention.text)
        if name not in by_name and len(by_name) == MAX_NAMES:
            read_to = mention.line - 1
            break
        places[name] += 1
        if places[name] <= MAX_PLACES:
            by_name.setdefault(name, []).append(mention)
    ending = [name for name in by_name if state_of(catalogue, name, as_of) in ("dead", "dying")]
    instead = replacements(world, ending, as_of)
    found = [
        _found(catalogue, name, tuple(told), places[name], as_of, instead.get(name)) for name, told in by_name.items()
    ]
    found.sort(key=lambda one: (STATES.index(one.state), one.name))
    return Scan(lines=len(lines), found=tuple(found), mentions=places.total(), read_to=read_to)


def _key(text: str) -> str:
    return " ".join(text.split())


def mentions_in(lines: Iterable[str], catalogue: Catalogue) -> Iterator[Mention]:
    """Names of sizes, line by line.

    Small letters without Standard count where the line says that a size follows, where a size is called so with all its
    parts (nc6s_v3), and where nothing but the name stands between two delimiters: nv12 is also a format of pictures.
    """
    read: dict[str, tuple[str, str | None]] = {}
    for number, line in enumerate(lines, start=1):
        plain = line.translate(_PLAIN)
        for match in _NAME.finditer(plain):
            text = match.group().replace("\\", "").replace("&nbsp;", " ")
            if text not in read:
                read[text] = _read(catalogue, text)
            name, size = read[text]
            named = text[:2].isupper() or text[:8].casefold() == "standard"
            if named or (size is not None and _TAIL.search(name)) or _said(plain, match) or _alone(plain, match):
                yield Mention(line=number, column=match.start() + 1, text=name, size=size)


def _said(line: str, match: re.Match[str]) -> bool:
    """An option or a key before it says that this is a size."""
    return _SAYS_SIZE.search(line[max(0, match.start() - _AROUND) : match.start()].rstrip("\"'")) is not None


def _alone(line: str, match: re.Match[str]) -> bool:
    start, end = match.span()
    before, after = line[max(0, start - _AROUND) : start], line[end : end + _AROUND]
    if _PICTURES.search(before) or _PICTURES.search(after):
        return False
    before, after = before.rstrip(" "), after.lstrip(" ")
    opens = before[-1] in _EDGES if before.strip(" -*") else start <= _AROUND
    return opens and (after[0] in _EDGES if after else end + _AROUND >= len(line))


def _read(catalogue: Catalogue, text: str) -> tuple[str, str | None]:
    """The longest beginning that is a known size, with that size; what a size's name could have is never cut off."""
    rest = text
    while True:
        size = catalogue.canonical_size(rest)
        if size is not None or _TAIL.search(rest) or "_" not in rest[9:]:
            return (rest if size else text), size
        rest = rest.rpartition("_")[0]


def state_of(catalogue: Catalogue, name: str, as_of: date) -> State:
    """How a size stands on a day, in general."""
    if name not in catalogue.sizes:
        return "unknown"
    words: Mapping[str, State] = {"retired": "dead", "announced": "dying", "current": "current"}
    return words.get(status_at(catalogue, name, None, as_of).status, "unknown")


def _found(
    catalogue: Catalogue,
    name: str,
    mentions: tuple[Mention, ...],
    places: int,
    as_of: date,
    instead: Option | None,
) -> Found:
    known = name in catalogue.sizes
    lanes = lanes_of(catalogue, name, as_of) if known else ()
    listed = name in catalogue.listed_names
    return Found(
        name=name,
        state=state_of(catalogue, name, as_of),
        known=known,
        status=status_at(catalogue, name, None, as_of) if known else None,
        elsewhere=tuple(lane for lane in lanes if lane.regions),
        mentions=mentions,
        places=places,
        near=() if known or listed else catalogue.nearest_sizes(name[:80]),
        instead=instead,
        documented=tuple(move for move in catalogue.moves if move.from_size == name),
    )


def replacements(world: World, sizes: Iterable[str], as_of: date) -> dict[str, Option]:
    """The first choice for one machine of each size, for the work it is sold for; sizes without one are left out."""
    wanted = sorted({name for name in sizes if name in world.catalogue.sizes})
    if not wanted:
        return {}
    kinds = {name: kind_of(world.catalogue.sizes[name]) for name in wanted}
    systems = {name: system_of(world.catalogue, name, kind) for name, kind in kinds.items()}
    rows = [{"size": name, "os": systems[name], "workload": kinds[name]} for name in wanted]
    advice = advise([single_machines(rows)], world, AdviceRequest(as_of=as_of, top=1))
    return {pool.size: pool.options[0] for pool in advice.pools if pool.options}
