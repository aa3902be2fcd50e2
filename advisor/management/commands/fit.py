"""Will a model fit: what it needs of GPU memory, which sizes hold it, and how far published figures agree."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from advisor import store
from advisor.engine.fit.answer import FitAnswer, answer
from advisor.engine.fit.check import Checked, FamilyError, by_family, checked
from advisor.engine.fit.facts import Model
from advisor.engine.fit.hold import MOST_TOKENS, MOST_USERS, Holding
from advisor.engine.fit.parts import Need
from advisor.engine.fit.words import NAMED, no_first, notes
from advisor.engine.fit.work import METHODS, OPTIMISERS, PRECISIONS, BadWork, Work
from advisor.management.commands._base import EngineCommand, parse_day, positive

SCHEMA = "fit/1"


def whole_up_to(most: int) -> Any:
    """A whole number from 1 on, for argparse."""

    def read(text: str) -> int:
        if not text.isdecimal() or not 1 <= int(text[:12]) <= most or len(text) > 12:
            raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number between 1 and {most:,}")
        return int(text)

    return read


class Command(EngineCommand):
    help = "How much GPU memory does a known model need, which sizes hold it, up to which context and users?"
    wrong_arguments = (*EngineCommand.wrong_arguments, BadWork)

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("model", metavar="MODEL", nargs="?", help="a known model, for example 'Llama 3 8B'")
        parser.add_argument("--check", action="store_true", help="errors against published figures, by family")
        parser.add_argument("--task", choices=("inference", "training"), default="inference")
        parser.add_argument("--precision", choices=PRECISIONS, default="bf16")
        parser.add_argument("--context", type=whole_up_to(MOST_TOKENS), default=4096, metavar="TOKENS")
        parser.add_argument("--users", type=whole_up_to(MOST_USERS), default=1, metavar="N", help="or batch")
        parser.add_argument("--weights-gib", type=positive, metavar="GIB", help="size of the checkpoint on disk")
        parser.add_argument("--method", choices=METHODS, default="full", help="of training")
        parser.add_argument("--optimiser", choices=OPTIMISERS, default="adamw")
        parser.add_argument("--no-checkpointing", action="store_true", help="training keeps all activations")
        parser.add_argument("--no-flash", action="store_true", help="attention keeps its scores")
        parser.add_argument("--as-of", type=parse_day, default=None, metavar="DATE")

    def handle(self, *args: Any, **options: Any) -> None:
        facts = store.fit()
        if options["check"]:
            rows = checked(facts)
            self._tell({"families": [asdict(row) for row in by_family(rows)]}, check_text(rows), options)
            return
        if options["model"] is None:
            raise self.refuse("name a model, or ask for --check; known: " + ", ".join(sorted(facts.models)))
        model = self._model(facts.models, options["model"])
        found = answer(facts, store.catalogue(), model, work_of(options), options["as_of"] or timezone.localdate())
        self._tell(as_json(found), as_text(found), options)

    def _tell(self, values: dict[str, Any], text: str, options: Mapping[str, Any]) -> None:
        if options["json"]:
            self.print_json({"schema": SCHEMA, **values})
        else:
            self.stdout.write(text)

    def _model(self, models: Mapping[str, Model], name: str) -> Model:
        """The model of that name, large and small letters alike."""
        known = {model.name.casefold(): model for model in models.values()}
        if name.strip().casefold() in known:
            return known[name.strip().casefold()]
        near = difflib.get_close_matches(name.casefold()[:80], known, n=3, cutoff=0.4)
        like = ", ".join(known[word].name for word in near) or ", ".join(sorted(models))
        raise self.refuse(f"{name[:80]!r} is no known model; near: {like}")


def work_of(options: Mapping[str, Any]) -> Work:
    """What was asked for; raises BadWork where it does not go together."""
    return Work(
        task=options["task"],
        precision=options["precision"],
        context=options["context"],
        users=options["users"],
        flash=not options["no_flash"],
        weights_gib=options["weights_gib"],
        method=options["method"],
        optimiser=options["optimiser"],
        checkpointing=not options["no_checkpointing"],
    )


def as_json(found: FitAnswer) -> dict[str, Any]:
    """GiB throughout; null: unknown. `holds` are the sizes that hold it, smallest first; `refused` those that cannot do
    such work whatever they hold."""
    return {
        "model": found.model.name,
        "task": found.work.task,
        "precision": found.work.precision,
        "context": found.work.context,
        "users": found.work.users,
        "margin": found.margin,
        "need": need_json(found.alone),
        "questions": list(found.alone.questions),
        "smallest": None if found.first is None else holding_json(found.first),
        "longest_context": found.longest_context,
        "most_users": found.most_users,
        "beyond_max_context": found.beyond,
        "holds": [holding_json(one) for one in found.holding],
        "unsure": [one.room.size.name for one in found.unsure],
        "too_small": [one.room.size.name for one in found.too_small],
        "refused": [{"size": name, "code": why.code, "message": why.message} for name, why in found.refused.items()],
        "notes": list(notes(found)),
    }


def need_json(need: Need) -> dict[str, Any]:
    """Low, expected, high; expected is null where the upper bound is unknown."""
    return {
        "low_gib": need.low_gib,
        "expected_gib": None if need.high_gib is None else need.expected_gib,
        "high_gib": need.high_gib,
        "parts": [
            {"code": part.code, "formula": part.formula, "low_gib": part.low_gib, "high_gib": part.high_gib}
            for part in need.parts
        ],
    }


def holding_json(one: Holding) -> dict[str, Any]:
    return {
        "size": one.room.size.name,
        "gpus": one.split.gpus,
        "machines": one.machines,
        "needed_gib_per_gpu": one.need.expected_gib,
        "usable_gib_per_gpu": one.room.usable_gib,
    }


def as_text(found: FitAnswer) -> str:
    need = found.alone
    upper = "unknown" if need.high_gib is None else f"{need.high_gib:.2f}"
    lines = [
        f"{found.model.name}, {found.work.task}, {found.work.precision}: {need.low_gib:.2f} to {upper} GiB on one GPU",
        *(f"- {part.label}: {part.low_gib:.2f} GiB{_more(part.high_gib)}, {part.formula}" for part in need.parts),
    ]
    if found.first is None:
        lines += [no_first(found), f"Sizes that may hold it: {len(found.unsure)}"]
    else:
        first = found.first
        lines += [
            f"Smallest size: {first.room.size.name}, GPUs {first.split.gpus}, machines {first.machines}",
            f"There: longest context {found.longest_context:,} tokens with as many users; "
            f"most users {found.most_users:,} at {found.work.context:,} tokens",
            "Then: " + (", ".join([one.room.size.name for one in found.holding if one is not first][:NAMED]) or "none"),
        ]
    lines += [f"Note: {note}" for note in notes(found)]
    return "\n".join(lines + [f"Question: {question}" for question in need.questions])


def _more(high: float | None) -> str:
    return " at least" if high is None else f" to {high:.2f} GiB"


def check_text(rows: tuple[Checked, ...]) -> str:
    """One line per family, and one per disputed figure, which does not count."""
    lines = [_family(row) for row in by_family(rows)]
    lines += [
        f"not counted: {row.load.code}: {row.error:+.1%}. {row.load.disputed}" for row in rows if row.load.disputed
    ]
    return "\n".join(lines)


def _family(row: FamilyError) -> str:
    figures = "1 figure" if row.figures == 1 else f"{row.figures} figures"
    errors = f"median error {row.median_error:.1%}, largest {row.worst_error:+.1%}"
    return f"{row.family}: {figures}, {errors}, {row.covered} covered by bound or margin"
