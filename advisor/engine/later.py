"""Sequences that are worked out when they are first looked at: long lists that most readers never open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, overload

T = TypeVar("T")


class Later(Sequence[T]):
    """The tuple that `make` answers, asked for once and only when needed; equal to any sequence of equal items."""

    __slots__ = ("_items", "_make")

    def __init__(self, make: Callable[[], tuple[T, ...]]) -> None:
        self._make: Callable[[], tuple[T, ...]] | None = make
        self._items: tuple[T, ...] = ()

    def _all(self) -> tuple[T, ...]:
        if self._make is not None:
            self._items, self._make = self._make(), None
        return self._items

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[T, ...]: ...
    def __getitem__(self, place: int | slice) -> T | tuple[T, ...]:
        return self._all()[place]

    def __len__(self) -> int:
        return len(self._all())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._all() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._all())

    def __repr__(self) -> str:
        return repr(self._all())


class OneByOne(Sequence[T]):
    """A sequence of known length whose items are made one at a time, each when it is first looked at."""

    __slots__ = ("_items", "_make")

    def __init__(self, make: Callable[[int], T], number: int) -> None:
        self._make = make
        self._items: list[T | None] = [None] * number

    def _at(self, place: int) -> T:
        item = self._items[place]
        if item is None:
            item = self._items[place] = self._make(place % len(self._items))
        return item

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[T, ...]: ...
    def __getitem__(self, place: int | slice) -> T | tuple[T, ...]:
        if isinstance(place, slice):
            return tuple(self._at(i) for i in range(*place.indices(len(self._items))))
        return self._at(place)

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))
