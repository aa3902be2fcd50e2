"""What all commands share: a loaded catalogue, one clear line per error, and one JSON object on standard output."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from datetime import date
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandError, CommandParser

from advisor import store

WRONG_ARGUMENTS = 2


class UserError(CommandError):
    """The input cannot be used; the message is all that a person sees, the exit code is 1."""


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
    user_errors: ClassVar[tuple[type[Exception], ...]] = (store.UnknownPriceBook,)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def execute(self, *args: Any, **options: Any) -> str | None:
        store.ensure_catalogue()
        try:
            return super().execute(*args, **options)
        except self.user_errors as error:
            raise UserError(str(error)) from error
        except BrokenPipeError:  # the reader, a pager or head, has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return None

    def refuse(self, message: str) -> CommandError:
        """The error of a wrong argument that only the catalogue can judge; the caller raises it."""
        return CommandError(message, returncode=WRONG_ARGUMENTS)

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
