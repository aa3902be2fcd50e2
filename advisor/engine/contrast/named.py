"""A size that somebody names to be held against the first choice."""

from __future__ import annotations

from advisor.engine.catalogue import Catalogue

#: Longer texts are no size; they are not compared with all names.
LONGEST = 80
NEAREST = 3


class UnknownSize(ValueError):
    """No size that can be compared; `near` are those whose names are nearest, which the message lists too."""

    def __init__(self, message: str, near: tuple[str, ...]) -> None:
        super().__init__(f"{message} Nearest: {', '.join(near)}." if near else message)
        self.near = near


def size_named(catalogue: Catalogue, text: str) -> str:
    """The canonical name of the size that `text` spells; raises UnknownSize also for one that no page describes."""
    text = text[:LONGEST]
    name = catalogue.canonical_size(text)
    if name in catalogue.sizes:
        return str(name)
    named = (other for other in catalogue.nearest_sizes(name or text, 4 * NEAREST) if other in catalogue.sizes)
    near = tuple(named)[:NEAREST]
    if name is None:
        raise UnknownSize(f"No size is called “{text.strip()}”.", near)
    raise UnknownSize(f"{name} stands in price lists only; no page describes it, so that nothing compares.", near)
