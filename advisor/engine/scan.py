"""Any text searched for N-series sizes: which are dead, dying, current or unknown, by line, and what each could be."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import islice
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
#: Names told; the others are counted. A text that has more is no configuration.
MAX_MENTIONS = 2_000
#: Characters around a name that are looked at.
_AROUND = 80

_PART = (
    r"(?:v\d{1,2}|promo|xl|ndr|flex|noib|t4|a10|a100|h100|h200|v100|p40|p100|v620|v710|mi\d{2,3}x?|gb\d{3}"
    r"|rtxpro\w{1,16})"
)
#: A name with parts joined by an underscore, or by a blank where the part is one that sizes have.
_NAME = re.compile(
    rf"(?<![A-Za-z0-9_])(?:standard[ _-])?n(?:cc|[cdgvpm])\d{{1,3}}[a-z]{{0,8}}"
    rf"(?:_[a-z0-9]{{1,24}}| {_PART}(?![a-z0-9])){{0,4}}(?![A-Za-z0-9_])",
    re.IGNORECASE | re.ASCII,
)
_TAIL = re.compile(rf"[ _]{_PART}$", re.IGNORECASE | re.ASCII)
_EDGES = frozenset("\"'`,;|\t=<>()[]{}")


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
    mentions: tuple[Mention, ...]
    near: tuple[str, ...]  # sizes with a name like it, where none is called so
    instead: Option | None  # what the advice puts first for one machine; None: alive, or nothing can be ranked
    documented: tuple[Move, ...]

    @property
    def lines(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(mention.line for mention in self.mentions))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """The answer: the worst first, then by name."""

    lines: int
    found: tuple[Found, ...]
    mentions: int
    read_to: int | None  # the line at which MAX_MENTIONS were reached; None: the whole text was read

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
    kept = list(islice(mentions_in(lines, catalogue), MAX_MENTIONS))
    by_name: dict[str, list[Mention]] = {}
    for mention in kept:
        by_name.setdefault(mention.size or _key(mention.text), []).append(mention)
    ending = [name for name in by_name if state_of(catalogue, name, as_of) in ("dead", "dying")]
    instead = replacements(world, ending, as_of)
    found = [_found(catalogue, name, tuple(told), as_of, instead.get(name)) for name, told in by_name.items()]
    found.sort(key=lambda one: (STATES.index(one.state), one.name))
    full = len(kept) == MAX_MENTIONS
    return Scan(lines=len(lines), found=tuple(found), mentions=len(kept), read_to=kept[-1].line if full else None)


def _key(text: str) -> str:
    return " ".join(text.split())


def mentions_in(lines: Iterable[str], catalogue: Catalogue) -> Iterator[Mention]:
    """Names of sizes, line by line.

    Small letters without Standard count only where nothing but the name stands between two delimiters: nv12 is also
    a format of pictures.
    """
    for number, line in enumerate(lines, start=1):
        for match in _NAME.finditer(line):
            text = match.group()
            named = text[:2].isupper() or text[:8].casefold() == "standard"
            if named or _alone(line, match):
                yield _mention(catalogue, number, match.start() + 1, text)


def _alone(line: str, match: re.Match[str]) -> bool:
    start, end = match.span()
    before, after = line[max(0, start - _AROUND) : start].rstrip(" "), line[end : end + _AROUND].lstrip(" ")
    opens = before[-1] in _EDGES if before.strip(" -*") else start <= _AROUND
    return opens and (after[0] in _EDGES if after else end + _AROUND >= len(line))


def _mention(catalogue: Catalogue, line: int, column: int, text: str) -> Mention:
    """The longest beginning that is a known size; what a size's name could have is never cut off."""
    rest = text
    while True:
        size = catalogue.canonical_size(rest)
        if size is not None or _TAIL.search(rest) or "_" not in rest[9:]:
            return Mention(line=line, column=column, text=rest if size else text, size=size)
        rest = rest.rpartition("_")[0]


def state_of(catalogue: Catalogue, name: str, as_of: date) -> State:
    """How a size stands on a day, in general."""
    if name not in catalogue.sizes:
        return "unknown"
    words: Mapping[str, State] = {"retired": "dead", "announced": "dying", "current": "current"}
    return words.get(status_at(catalogue, name, None, as_of).status, "unknown")


def _found(
    catalogue: Catalogue, name: str, mentions: tuple[Mention, ...], as_of: date, instead: Option | None
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
    rows = [{"size": name, "os": system_of(kinds[name]), "workload": kinds[name]} for name in wanted]
    advice = advise([single_machines(rows)], world, AdviceRequest(as_of=as_of, top=1))
    return {pool.size: pool.options[0] for pool in advice.pools if pool.options}
