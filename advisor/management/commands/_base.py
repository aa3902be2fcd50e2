"""What all commands share: a loaded catalogue, one clear line per error, and one JSON object on standard output."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandError, CommandParser

from advisor import store
from advisor.engine.assumptions import UnknownAssumption
from advisor.engine.catalogue import Catalogue
from advisor.engine.contrast.named import UnknownSize
from advisor.engine.readers import Reading
from advisor.engine.speed import UnknownGpu, resolve_gpu
from advisor.engine.speed_own import OwnRatio, UnreadableRatios, is_ratio, later_counts, read_ratios
from advisor.engine.speed_work import UnknownWork

WRONG_ARGUMENTS = 2


class Error(CommandError):
    """The input cannot be used: exit code 1. A person sees the name of this class and the message, on one line."""


def wrong_argument(message: str) -> Error:
    """The error of an argument that only the catalogue can judge: exit code 2. The caller raises it."""
    return Error(message, returncode=WRONG_ARGUMENTS)


def reason(reading: Reading) -> str:
    """Why no fleet could be read from a file, on one line."""
    errors = [problem for problem in reading.problems if problem.severity == "error"]
    whole = [problem for problem in errors if problem.line is None and problem.item is None]
    return " ".join((whole or errors)[0].message.split()) if errors else "no fleet could be read"


def no_fleet(readings: Sequence[Reading]) -> Error:
    """The error of files of which none can be used, each with its reason. The caller raises it."""
    said = "; ".join(f"{reading.file}: {reason(reading)}" for reading in readings)
    unnamed = any(problem.kind == "no_size_column" for reading in readings for problem in reading.problems)
    return Error(f"{said} If a column has the sizes, name it: --map size=COLUMN." if unnamed else said)


def number(text: str) -> float:
    """A finite number, for argparse."""
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
    if not abs(value) < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a finite number")
    return value


def positive(text: str) -> float:
    """A number above 0, for argparse."""
    value = number(text)
    if value <= 0:
        raise argparse.ArgumentTypeError(f"{text} must be above 0")
    return value


def measured_ratio(text: str) -> tuple[str, str, float]:
    """FROM:TO=RATIO as the two names and the ratio, for argparse."""
    pair, equals, number = text.rpartition("=")
    source, colon, target = (part.strip() for part in pair.partition(":"))
    try:
        ratio = float(number)
    except ValueError:
        ratio = -1.0
    if not (equals and colon and source and target and is_ratio(ratio)):
        raise argparse.ArgumentTypeError(f"{text!r} is not FROM:TO=RATIO, for example K80:T4=1.6")
    return source, target, ratio


def measured_ratios(options: Mapping[str, Any], catalogue: Catalogue) -> tuple[OwnRatio, ...]:
    """The user's own ratios: of --measured-file, and of --measured, which beat the file's."""
    found: tuple[OwnRatio, ...] = ()
    path = options["measured_file"]
    if path is not None:
        try:
            with path.open("rb") as stream:
                found = read_ratios(stream, catalogue)
        except OSError as error:
            raise Error(f"{path} cannot be read: {error.strerror or error}") from error
        except UnreadableRatios as error:
            raise Error(f"{path.name}, {error}") from error
    typed = [
        OwnRatio(from_gpu=resolve_gpu(catalogue, one), to_gpu=resolve_gpu(catalogue, other), ratio=ratio)
        for one, other, ratio in options["measured"]
    ]
    same = next((ratio.from_gpu for ratio in typed if len(ratio.gpus) < 2), None)
    if same is not None:
        raise wrong_argument(f"--measured: from and to are both {same}; name two GPUs")
    return later_counts((*found, *typed))


def parse_day(text: str) -> date:
    """A date in ISO 8601, for argparse."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date; write it as 2026-11-30") from None


def to_json(value: Any) -> Any:
    """What json cannot write itself: dates in ISO 8601."""
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no place in JSON")


class EngineCommand(BaseCommand):
    """A command on the catalogue. Exits 0 with an answer, 1 with one line on standard error, 2 on wrong arguments."""

    requires_system_checks = ()
    #: Exceptions of the engine whose message is meant for the user.
    user_errors: ClassVar[tuple[type[Exception], ...]] = ()
    #: Likewise, where an argument names what the catalogue does not have.
    wrong_arguments: ClassVar[tuple[type[Exception], ...]] = (
        store.UnknownPriceBook,
        UnknownGpu,
        UnknownWork,
        UnknownAssumption,
        UnknownSize,
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def execute(self, *args: Any, **options: Any) -> str | None:
        store.ensure_catalogue()
        try:
            return super().execute(*args, **options)
        except self.user_errors as error:
            raise Error(str(error)) from error
        except self.wrong_arguments as error:
            raise wrong_argument(str(error)) from error
        except BrokenPipeError:  # the reader, a pager or head, has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return None

    def refuse(self, message: str) -> Error:
        """The error of a wrong argument that only the catalogue can judge; the caller raises it."""
        return wrong_argument(message)

    def print_json(self, answer: dict[str, Any]) -> None:
        """Exactly one JSON object; NaN would not be JSON and is our own mistake."""
        self.stdout.write(json.dumps(answer, ensure_ascii=False, allow_nan=False, default=to_json))

    def print_table(self, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Columns as wide as their widest cell, figures to the right."""
        widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
        for row in (header, *rows):
            cells = (cell.rjust(w) if is_figure(cell) else cell.ljust(w) for cell, w in zip(row, widths, strict=True))
            self.stdout.write("  ".join(cells).rstrip())


def is_figure(cell: str) -> bool:
    return cell.replace(".", "", 1).isdigit()
