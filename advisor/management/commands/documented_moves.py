"""`manage.py documented_moves`: every move that Microsoft documents, judged on a day by the rules of the advice."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any, get_args

from django.core.management.base import CommandParser
from django.utils import timezone

from advisor import store
from advisor.engine.documented import JudgedMove, Judgement, judge_documented
from advisor.engine.heavier import verdict_words
from advisor.engine.microsoft import page_is_younger
from advisor.engine.single import REGION
from advisor.management.commands._base import EngineCommand, parse_day

JUDGEMENTS: tuple[Judgement, ...] = get_args(Judgement)
DEFAULT_HORIZON = 36


class Command(EngineCommand):
    help = "Judges every move that Microsoft documents: agree, disagree with the reason, outdated, or unknown."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--as-of", type=parse_day, metavar="DATE", help="the day of the judgement (default: today)")
        parser.add_argument("--horizon", type=int, default=DEFAULT_HORIZON, metavar="MONTHS", choices=range(1, 121))
        parser.add_argument("--region", default=REGION, help="where the machines are (default: %(default)s)")
        parser.add_argument("--judgement", choices=JUDGEMENTS, help="only moves that are judged so")
        parser.add_argument("--size", help="only moves from this size")

    def handle(self, *_args: Any, **options: Any) -> None:
        world = store.world()
        region = world.catalogue.canonical_region(options["region"])
        if region is None:
            near = ", ".join(world.catalogue.nearest_regions(options["region"]))
            raise self.refuse(f"There is no region {options['region']!r}." + (f" Do you mean {near}?" if near else ""))
        moves = world.catalogue.moves
        if options["size"]:
            name = world.catalogue.canonical_size(options["size"])
            if name is None:
                raise self.refuse(f"There is no size {options['size']!r}.")
            moves = tuple(move for move in moves if move.from_size == name)
        as_of = options["as_of"] or timezone.localdate()
        judged = judge_documented(world, as_of, region=region, horizon_months=options["horizon"], only=moves)
        judged = tuple(one for one in judged if options["judgement"] in (None, one.judgement))
        counts = Counter(one.judgement for one in judged)
        if options["json"]:
            self.print_json(
                {
                    "schema": "documented-moves/1",
                    "as_of": as_of,
                    "horizon_months": options["horizon"],
                    "region": region,
                    "catalogue": world.catalogue.version,
                    "counts": {name: counts[name] for name in JUDGEMENTS},
                    "moves": [move_object(one, as_of) for one in judged],
                }
            )
            return
        header = ("FROM", "TO", "SIZE", "FOR", "JUDGEMENT", "TAKES", "WHY")
        self.print_table(header, [table_row(one, as_of) for one in judged])
        self.stdout.write(", ".join(f"{name} {counts[name]}" for name in JUDGEMENTS))
        if younger := sum(bool(page_is_younger(one.move, as_of)) for one in judged):
            self.stdout.write(
                f"{younger} stand on pages that are younger than {as_of}: today's knowledge seen from there."
            )


def move_object(one: JudgedMove, as_of: date) -> dict[str, Any]:
    """One move with its judgement; `target` is the size that a page means which names a series."""
    move, ends = one.move, one.ends
    return {
        "from": move.from_size,
        "to": move.to_size,
        "to_series": move.to_series,
        "target": one.target.name if one.target else None,
        "workload": move.workload or None,
        "judged_for": one.kind,
        "os": one.os,
        "judgement": one.judgement,
        "why": one.why,
        "reasons": [
            {"code": r.code, "severity": r.severity, "message": r.message, "fix": r.fix, "source": r.source}
            for r in one.reasons
        ],
        "verdict": one.option.verdict if one.option else None,
        "heavier": one.heavier or None,
        "rank": one.option.rank if one.option else None,
        "ranked": one.ranked,
        "first": one.first.size if one.first else None,
        "ends": {"retirement_date": ends.retirement_date, "earliest_date": ends.earliest_date, "source": ends.source}
        if ends
        else None,
        "newer": [{"to": m.to_size or m.to_series, "source": m.source, "as_of": m.as_of} for m in one.newer],
        "note": move.note,
        "source": move.source,
        "source_as_of": move.as_of,
        "source_is_younger": bool(page_is_younger(move, as_of)),
    }


def table_row(one: JudgedMove, as_of: date) -> tuple[str, ...]:
    move = one.move
    return (
        move.from_size.removeprefix("Standard_"),
        (move.to_size or move.to_series or "").removeprefix("Standard_"),
        one.target.short if one.target and not move.to_size else "",
        move.workload or one.kind,
        one.judgement,
        verdict_words(one.option) if one.option else "",
        " ".join(filter(None, (one.why, one.heavier, page_is_younger(move, as_of)))),
    )
