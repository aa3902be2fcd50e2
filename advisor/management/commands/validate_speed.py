"""Score the speed model on published pairs that it was not allowed to see."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from django.conf import settings
from django.core.management.base import CommandParser

from advisor import store
from advisor.documents import SPEED_PAIRS, speed_pairs, write_speed_pairs
from advisor.engine.catalogue import Benchmark, Catalogue
from advisor.engine.speed_file import read_benchmarks
from advisor.engine.speed_score import (
    Leave,
    Score,
    ScoredPair,
    UnreadableBenchmarks,
    Validation,
    mixed_as,
    validate,
)
from advisor.management.commands._base import EngineCommand, Error

DOCS = Path(settings.BASE_DIR) / "docs" / "speed-model.md"
LEAVES: tuple[Leave, ...] = ("source", "group")
BEGIN, END = "<!-- errors: begin -->", "<!-- errors: end -->"


class Command(EngineCommand):
    help = "Score the speed model by leaving out, for every published pair, the source it comes from."
    user_errors: ClassVar[tuple[type[Exception], ...]] = (*EngineCommand.user_errors, UnreadableBenchmarks)

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--file", type=Path, metavar="CSV", help="score these benchmarks instead of the shipped ones"
        )
        parser.add_argument("--leave", choices=("source", "group"), default="source")
        parser.add_argument(
            "--update-docs",
            action="store_true",
            help=f"write the errors into docs/{DOCS.name} and the pairs into {SPEED_PAIRS}",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        catalogue = store.catalogue()
        if options["update_docs"]:
            update_docs(catalogue)
            self.stdout.write(f"docs/{DOCS.name} is up to date")
            return
        rows = self.read(options["file"], catalogue) if options["file"] else None
        validation = validate(catalogue, leave=options["leave"], rows=rows)
        if options["json"]:
            self.print_json(as_json(validation))
        else:
            self.stdout.write(as_table(validation))
            if rows is not None:
                self.stdout.write(beside_own(validation, options["leave"]))
        if validation.unanswered:
            self.stderr.write(f"{validation.unanswered} pairs have no answer and are not scored")

    def read(self, path: Path, catalogue: Catalogue) -> tuple[Benchmark, ...]:
        try:
            with path.open(encoding="utf-8-sig", newline="") as stream:
                rows, problems = read_benchmarks(stream, catalogue)
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
            raise Error(f"{path} cannot be read: {reason}") from error
        for problem in problems:
            self.stderr.write(f"{path.name}, {problem}")
        return rows


def as_json(validation: Validation) -> dict[str, Any]:
    """The answer with the keys of the contract."""
    return {
        "schema": "validate-speed/1",
        "kinds": [{"kind": kind} | score_json(score) for kind, score in validation.kinds.items()],
        "from": [{"from": gpu} | score_json(score) for gpu, score in validation.sources.items()],
        "all": {"kind": "all"} | score_json(validation.all),
        "pairs": [pair_json(pair) for pair in validation.pairs],
    }


def score_json(score: Score) -> dict[str, float]:
    return {
        "groups": score.groups,
        "pairs": score.pairs,
        "median_abs_log_error": score.median_abs_log_error,
        "p90_abs_log_error": score.p90_abs_log_error,
        "inside_interval": score.inside_interval,
    }


def pair_json(pair: ScoredPair) -> dict[str, Any]:
    return {
        "group": pair.group,
        "from": pair.source,
        "to": pair.target,
        "kind": pair.kind,
        "measured": pair.measured,
        "low": pair.low,
        "expected": pair.expected,
        "high": pair.high,
    }


def as_table(validation: Validation) -> str:
    """Scores as a Markdown table, by kind, then by source GPU."""
    scores = [
        *validation.kinds.items(),
        *((f"from {gpu}", score) for gpu, score in validation.sources.items()),
        ("**all**", validation.all),
    ]
    head = "| pairs of | groups | pairs | median error | 90th percentile | inside the range |"
    return "\n".join([head, "|---|---|---|---|---|---|", *(table_row(name, score) for name, score in scores)])


def beside_own(validation: Validation, leave: Leave) -> str:
    """The errors on a file beside what the model's own errors say of such work."""
    own = mixed_as(speed_pairs(), validation.pairs)
    if own is None:
        return "\nThe shipped benchmarks hold no work of these kinds to compare with."
    left_out = "each source" if leave == "source" else "each group"
    return (
        f"\nThese pairs, {left_out} left out: {in_words(validation.all)}."
        f"\nThe shipped benchmarks at the same mix of kinds, each source left out: {in_words(own)}."
    )


def in_words(score: Score) -> str:
    return (
        f"median error {score.median_abs_log_error:.3f}, 90th percentile {score.p90_abs_log_error:.2f}, "
        f"{score.inside_interval:.0%} inside the range"
    )


def table_row(name: str, score: Score) -> str:
    return (
        f"| {name} | {score.groups} | {score.pairs} | {score.median_abs_log_error:.3f} "
        f"| {score.p90_abs_log_error:.2f} | {score.inside_interval:.0%} |"
    )


def update_docs(catalogue: Catalogue) -> None:
    """Replace the tables between the two marks of docs/speed-model.md, and the pairs beside it."""
    by = {leave: validate(catalogue, leave=leave) for leave in LEAVES}
    write_speed_pairs(by["source"].pairs)
    parts = [f"### Leaving out the {leave}\n\n{as_table(validation)}" for leave, validation in by.items()]
    text = DOCS.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    tables = "\n\n".join(parts)
    DOCS.write_text(f"{before}{BEGIN}\n\n{tables}\n\n{END}{after}", encoding="utf-8")
