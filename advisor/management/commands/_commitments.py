"""Commitments that are held already, from a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from advisor.engine.catalogue import Catalogue
from advisor.engine.held import HeldCommitment
from advisor.engine.held_file import COLUMNS, read_held
from advisor.management.commands._base import Error


def add_commitment_argument(parser: CommandParser) -> None:
    """The file of held commitments."""
    parser.add_argument(
        "--commitments",
        metavar="FILE",
        help=f"reservations and savings plans you hold: CSV with {','.join(COLUMNS)}, or the portal's list",
    )


def held_of(options: dict[str, Any], catalogue: Catalogue) -> tuple[HeldCommitment, ...]:
    """What the file says is held; raises Error where a row cannot be used: a commitment left out changes figures."""
    name = options["commitments"]
    if name is None:
        return ()
    path = Path(name)
    try:
        with path.open("rb") as stream:
            reading = read_held(path.name, stream, catalogue)
    except OSError as error:
        raise Error(f"{name}: {error.strerror or error}") from error
    wrong = [problem.message for problem in reading.problems if problem.severity == "error"]
    if wrong:
        more = f" And {len(wrong) - 1} more." if len(wrong) > 1 else ""
        raise Error(f"{path.name}: {wrong[0]}{more}")
    return reading.held
