"""Every move that Microsoft documents, judged on a day by what the advice makes of one machine of that size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from advisor.engine.advice import advise
from advisor.engine.answer import Option, PoolAdvice, Reason
from advisor.engine.candidates import World
from advisor.engine.catalogue import Catalogue, Move, SeriesSupport, Size
from advisor.engine.heavier import heavier_words
from advisor.engine.ledger import LifecycleStatus, status_at
from advisor.engine.microsoft import named_in, replaced_by, target_of
from advisor.engine.request import AdviceRequest
from advisor.engine.single import REGION, single_machines
from advisor.engine.size_moves import kind_of

Judgement = Literal["agree", "disagree", "outdated", "unknown"]
#: Refusals that say that the target's time is over.
ENDED = ("retired", "retires-in-horizon")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedMove:
    """One documented move and what the advice says of it for one machine that runs all month.

    agree: the target can be ranked. disagree: a rule refuses it. outdated: it ends inside the horizon, or a newer page
    names others. unknown: a fact is missing without which nothing can be ranked.
    """

    move: Move
    target: Size | None  # of a series, the size that its page means
    kind: str  # the work it is judged for: the page's own, else what the size is sold for
    os: str
    judgement: Judgement
    why: str  # one sentence
    reasons: tuple[Reason, ...]  # why it is refused; of a target that can be ranked, what the move asks for
    ends: LifecycleStatus | None  # of the target, where its time is over
    newer: tuple[Move, ...]  # what a newer page names instead
    option: Option | None  # the target, where it can be ranked
    first: Option | None  # what the advice puts first; None: nothing can be ranked
    ranked: int  # how many sizes can be ranked
    heavier: str = ""  # the dearer way in words, where an unknown fact may ask for it


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveGroup:
    """Moves that differ in nothing but the size that they come from, and are judged in the same words."""

    sizes: tuple[str, ...]
    first: JudgedMove


def grouped(judged: Iterable[JudgedMove]) -> list[MoveGroup]:
    """Equal judgements as one, in the order in which they come first."""
    groups: dict[tuple[object, ...], list[JudgedMove]] = {}
    for one in judged:
        move, first = one.move, one.first
        said = (
            one.kind,
            one.judgement,
            one.why,
            first.size if first else None,
            one.option and one.option.verdict,
            one.heavier,
        )
        groups.setdefault((move.to_size, move.to_series, move.workload, move.source, said), []).append(one)
    return [MoveGroup(sizes=tuple(one.move.from_size for one in same), first=same[0]) for same in groups.values()]


def judge_documented(
    world: World, as_of: date, *, region: str = REGION, horizon_months: int = 36, only: Iterable[Move] | None = None
) -> tuple[JudgedMove, ...]:
    """All documented moves, or `only` some, in the order of the catalogue, as seen on `as_of`.

    Each is judged by the very advice for one machine of its size in `region`, pay-as-you-go, steady: for the work that
    its page names, else the work its size is sold for; graphics on Windows, as virtual desktops are, and so is a series
    without a driver for Linux; all else on Linux.
    """
    catalogue = world.catalogue
    moves = tuple(catalogue.moves if only is None else only)
    works = {move: _work(catalogue, move) for move in moves}
    pools = _pools(world, AdviceRequest(as_of=as_of, horizon_months=horizon_months, top=0), works.values(), region)
    return tuple(_judged(world, move, works[move], pools[works[move]], as_of) for move in moves)


Work = tuple[str, str, str]  # size, kind, system


def _work(catalogue: Catalogue, move: Move) -> Work:
    source = catalogue.sizes.get(move.from_size)
    kind = move.workload or (kind_of(source) if source else "training")
    return move.from_size, kind, system_of(catalogue, move.from_size, kind)


def system_of(catalogue: Catalogue, size: str, kind: str) -> str:
    """The system that a kind of work on machines of `size` is judged on.

    Windows for graphics, and where a page says that the series has no driver for Linux but one for Windows: NVv4.
    """
    source = catalogue.sizes.get(size)
    support = catalogue.series_support.get(source.series) if source else None
    if support is not None and support.graphics_windows and not _on_linux(support):
        return "windows"
    return "windows" if kind == "graphics" else "linux"


def _on_linux(support: SeriesSupport) -> bool:
    """Whether the series may have a driver for Linux: some page says so, or none says that there is none."""
    return support.graphics_linux is not False or support.compute_linux is not False


def _pools(world: World, request: AdviceRequest, works: Iterable[Work], region: str) -> dict[Work, PoolAdvice]:
    """The advice for each kind of work, worked out once."""
    different = sorted(set(works))
    rows = [{"size": size, "region": region, "os": os, "workload": kind, "pool": kind} for size, kind, os in different]
    advice = advise([single_machines(rows)], world, request)
    return {(pool.size, pool.workload.kind, pool.os): pool for pool in advice.pools}


def _target(catalogue: Catalogue, move: Move) -> Size | None:
    """The size that is meant; None where a page names a series and no page says how many GPUs the source has."""
    source = catalogue.sizes.get(move.from_size)
    if move.to_size is None and (source is None or source.gpus is None):
        return None
    return target_of(catalogue, move)


def _judged(world: World, move: Move, work: Work, pool: PoolAdvice, as_of: date) -> JudgedMove:
    catalogue = world.catalogue
    target, newer = _target(catalogue, move), replaced_by(catalogue, move, as_of)
    name = target.name if target else ""
    said = next((one for one in pool.microsoft_move if one.size == name), None)
    option = pool.options[said.rank - 1] if said and said.rank else None
    reasons = tuple(option.rules if option else said.refused if said else ())
    ended = any(reason.code in ENDED for reason in reasons)
    ends = status_at(catalogue, name, pool.region, as_of) if target and ended else None
    return JudgedMove(
        move=move,
        target=target,
        kind=work[1],
        os=work[2],
        judgement=_judgement(option, reasons, ended=ended or bool(newer)),
        why=_why(option, reasons, ends, newer, len(pool.options)),
        reasons=reasons,
        ends=ends,
        newer=newer,
        option=option,
        first=pool.options[0] if pool.options else None,
        ranked=len(pool.options),
        heavier=heavier_words(option, world.quotes.book.currency) if option else "",
    )


def _judgement(option: Option | None, reasons: Sequence[Reason], *, ended: bool) -> Judgement:
    if ended:
        return "outdated"
    if option is not None:
        return "agree"
    known = [reason for reason in reasons if reason.severity != "unknown"]
    return "disagree" if known else "unknown"


def _why(
    option: Option | None, reasons: Sequence[Reason], ends: LifecycleStatus | None, newer: Sequence[Move], ranked: int
) -> str:
    """What decides, first: an end, a newer page, a refusal, an unknown; else the place in the ranking."""
    texts = []
    if newer:
        texts.append(f"The page of {newer[0].as_of} names {named_in(newer)} instead.")
    if option is not None:
        texts.append(f"It ranks {option.rank} of {ranked} for one machine.")
    else:
        texts += [reason.message for reason in sorted(reasons, key=lambda r: (r.code not in ENDED, r.severity))]
    if ends and ends.reservation_sales_end:
        texts.append(f"Its reservation sales ended on {ends.reservation_sales_end}.")
    return " ".join(texts) or (
        "No page gives the figures of this size: which one of the series is meant, and whether it does, is not known."
    )
