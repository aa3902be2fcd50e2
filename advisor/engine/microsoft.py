"""Microsoft's documented move for a pool, for reference, with what this advice makes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from advisor.engine.answer import MicrosoftMove, Reason
from advisor.engine.candidates import World, add_months
from advisor.engine.catalogue import Catalogue, Move, Size
from advisor.engine.ledger import status_at
from advisor.engine.request import AdviceRequest
from advisor.engine.words import Row


def moves_for(catalogue: Catalogue, size: str, kind: str) -> list[tuple[Size, Move]]:
    """The sizes that Microsoft names for a size and kind of work, each once, in the order of the documents.

    Where a page names a series only: the size of that series with the same GPU count, else the next larger, else the
    largest; of several the smaller VM, then the name.
    """
    found: dict[str, tuple[Size, Move]] = {}
    for move in catalogue.moves:
        if move.from_size != size or move.workload not in ("", kind):
            continue
        target = target_of(catalogue, move)
        if target is not None:
            found.setdefault(target.name, (target, move))
    return list(found.values())


def target_of(catalogue: Catalogue, move: Move) -> Size | None:
    """The size that a move leads to; of a series chosen as `moves_for` says, None where it has none."""
    if move.to_size:
        return catalogue.sizes.get(move.to_size)
    return _of_series(catalogue, move.to_series, catalogue.sizes.get(move.from_size))


def replaced_by(catalogue: Catalogue, move: Move, as_of: date) -> tuple[Move, ...]:
    """The moves of a newer page for the same size and work, where that page no longer names this target; else none.

    Pages younger than `as_of` were not there to replace any.
    """
    same = [m for m in catalogue.moves if (m.from_size, m.workload) == (move.from_size, move.workload)]
    same = [m for m in same if m.as_of <= as_of]
    newest = max((m.as_of for m in same), default=move.as_of)
    named = tuple(m for m in same if m.as_of == newest)
    still = any((m.to_size, m.to_series) == (move.to_size, move.to_series) for m in named)
    return () if newest <= move.as_of or still else named


def page_is_younger(move: Move, as_of: date) -> str:
    """That the page of a move is known from a later day only than the one that is asked for; empty where it is not."""
    return f"Its page is of {move.as_of}, after the day that is asked for." if move.as_of > as_of else ""


def named_in(moves: Sequence[Move]) -> str:
    """What moves name as their targets, each once."""
    return ", ".join(dict.fromkeys(move.to_size or move.to_series or "" for move in moves))


def _of_series(catalogue: Catalogue, series: str | None, source: Size | None) -> Size | None:
    sizes = [s for s in catalogue.sizes_of(series or "") if s.gpus is not None and s.special is None]
    sizes.sort(key=lambda s: (s.gpus or 0.0, s.vcpus or 0, s.memory_gib or 0.0, s.name))
    wanted = source.gpus if source and source.gpus else 0.0
    return next((s for s in sizes if (s.gpus or 0.0) >= wanted), sizes[-1] if sizes else None)


def microsoft_moves(
    pool: Mapping[Any, Any],
    rows: Sequence[Row],
    why_not: Callable[[str], tuple[Reason, ...]],
    world: World,
    request: AdviceRequest,
) -> tuple[MicrosoftMove, ...]:
    """Each documented target: its rank here if it can be ranked, why not if it cannot, and whether it is outdated."""
    ranks = {row["target"]: row for row in rows}
    horizon = add_months(request.as_of, request.horizon_months)
    found = []
    for target, move in moves_for(world.catalogue, pool["size"], pool["kind"]):
        status = status_at(world.catalogue, target.name, pool["region"], request.as_of)
        ends = status.earliest_date
        outdated = None
        if ends is not None and ends <= horizon:
            outdated = f"{target.series} {'retired' if ends <= request.as_of else 'retires'} {ends.isoformat()}"
        elif newer := replaced_by(world.catalogue, move, request.as_of):
            outdated = f"the page of {newer[0].as_of} names {named_in(newer)} instead"
        row = ranks.get(target.name)
        refused = why_not(target.name) if row is None else ()
        if row is not None:
            why = f"{round(row['n'])} of them would do the work; it ranks {int(row['rank'])} here."
        else:
            why = " ".join(reason.message for reason in refused)
        found.append(
            MicrosoftMove(
                size=target.name,
                agrees=row is not None,
                rank=None if row is None else int(row["rank"]),
                outdated=outdated,
                why=" ".join(filter(None, (why, page_is_younger(move, request.as_of), move.note))),
                source=move.source,
                refused=refused,
            )
        )
    return tuple(found)
