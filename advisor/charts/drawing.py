"""What a drawing is made of: shapes with their places and classes; a template writes them as SVG."""

from __future__ import annotations

from dataclasses import dataclass, field

#: Of a letter of a label, about.
LETTER_WIDTH = 6.6


@dataclass(frozen=True, slots=True)
class Path:
    """A line or an area: its SVG path and its classes."""

    d: str
    css: str


@dataclass(frozen=True, slots=True)
class Box:
    """A bar."""

    x: str
    y: str
    width: str
    height: str
    css: str


@dataclass(frozen=True, slots=True)
class Text:
    """Words at a place."""

    x: str
    y: str
    text: str
    css: str = ""


@dataclass(slots=True)
class Drawing:
    """One drawing: its size and its shapes, in the order in which they are laid down."""

    width: int
    height: int
    paths: list[Path] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)


def at(value: float) -> str:
    """A place to a tenth."""
    return f"{value:.1f}"


def fitting(text: str, width: float) -> str:
    """As much of a label as fits; the table behind the drawing has the whole."""
    most = int(width / LETTER_WIDTH)
    return text if len(text) <= most else text[: most - 1] + "…"
