"""Corrections of refused rows as a page sends them: one text, and where there are suggestions one choice, per cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from advisor.engine.readers.corrections import WHOLE
from advisor.engine.readers.problems import shown
from advisor.engine.readers.refused import Refused, RefusedRow, Wrong

TEXT_MAX = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionField:
    """One cell to correct. `choices` are suggestions to pick; `text` is what stands in the input."""

    name: str
    file: str
    at: int
    is_item: bool
    wrong: Wrong
    choices: tuple[str, ...]
    text: str

    @property
    def place(self) -> int:
        return WHOLE if self.wrong.place is None else self.wrong.place

    @property
    def message(self) -> str:
        """What is wrong, without the line and column that stand beside it."""
        where = f"{'Element' if self.is_item else 'Line'} {self.at}"
        where += f", column {shown(self.wrong.column)}" if self.wrong.column else ""
        text = self.wrong.message.removeprefix(f"{where}: ")
        return text[:1].upper() + text[1:]


def correction_fields(refused_by_file: Sequence[Refused | None]) -> Iterator[CorrectionField]:
    """The cells to correct, in the order of files and lines."""
    for number, refused in enumerate(refused_by_file):
        if refused is None:
            continue
        for row in refused.rows:
            for wrong in row.wrong:
                yield _field(number, refused, row, wrong)


def _field(number: int, refused: Refused, row: RefusedRow, wrong: Wrong) -> CorrectionField:
    picked = wrong.field in ("size", "region") and bool(wrong.suggestions)
    return CorrectionField(
        name=f"f{number}-{row.at}-{'row' if wrong.place is None else wrong.place}",
        file=refused.file,
        at=row.at,
        is_item=refused.is_items,
        wrong=wrong,
        choices=wrong.suggestions if picked else (),
        text="" if picked else wrong.suggestions[0] if wrong.suggestions else wrong.value,
    )


def corrections(
    data: Mapping[str, str], refused_by_file: Sequence[Refused | None]
) -> dict[int, dict[int, dict[int, str]]]:
    """New texts by file, row and cell; cells that were left as they are do not stand in it.

    A typed text goes before a picked one. A cell without suggestions may be emptied.
    """
    found: dict[int, dict[int, dict[int, str]]] = {}
    for field in correction_fields(refused_by_file):
        typed = data.get(field.name, field.wrong.value if not field.choices else "").strip()[:TEXT_MAX]
        picked = data.get(f"{field.name}-pick", "")[:TEXT_MAX]
        text = typed or (picked if field.choices else "")
        if text != field.wrong.value and (text or not field.choices):
            number = int(field.name[1:].partition("-")[0])
            found.setdefault(number, {}).setdefault(field.at, {})[field.place] = text
    return found
