"""What the catalogue's models share: natural keys, the way to an engine value, and short names for their columns."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache
from typing import Any, ClassVar, get_args

from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Coalesce


class FactManager(models.Manager[Any]):
    """Finds a row by its natural key, so that loaddata may run twice."""

    def get_by_natural_key(self, *key: Any) -> Any:
        return self.get(**dict(zip(self.model.key, key, strict=True)))


class Fact(models.Model):
    """A fixture row: `engine` is the value it becomes, `key` the columns that name it."""

    engine: ClassVar[type[Any]]
    key: ClassVar[tuple[str, ...]]

    objects = FactManager()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return " ".join(str(part) for part in self.natural_key() if part is not None)

    def natural_key(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.key)

    @classmethod
    @cache
    def engine_columns(cls) -> tuple[str, ...]:
        """Columns that `engine` takes, in its order; what the engine keeps elsewhere has no column."""
        own = {column.name for column in cls._meta.concrete_fields}
        return tuple(entry.name for entry in dataclasses.fields(cls.engine) if entry.name in own)

    @classmethod
    def from_values(cls, rows: Iterable[Sequence[Any]]) -> list[Any]:
        """Engine values of rows whose cells stand in the order of `engine_columns`."""
        columns, engine = cls.engine_columns(), cls.engine
        return [
            engine(
                **{
                    name: tuple(cell) if isinstance(cell, list) else cell
                    for name, cell in zip(columns, row, strict=True)
                }
            )
            for row in rows
        ]

    def to_engine(self) -> Any:
        return self.from_values([[getattr(self, name) for name in self.engine_columns()]])[0]


class DatedFact(Fact):
    """A fact with its source and the day the source was read or is dated."""

    source = models.TextField()
    as_of = models.DateField()

    class Meta:
        abstract = True


def text(*, null: bool = False) -> models.TextField[Any, Any]:
    """A text column; NULL, not "", where the engine has None."""
    return models.TextField(null=null, blank=True)


def number() -> models.FloatField[Any, Any]:
    return models.FloatField(null=True, blank=True)


def flag() -> models.BooleanField[Any, Any]:
    return models.BooleanField(null=True, blank=True)


def names(*, null: bool = False) -> models.JSONField[Any, Any]:
    return models.JSONField(default=None if null else list, null=null, blank=True)


def one_of(column: str, allowed: Any, name: str) -> models.CheckConstraint:
    """The column holds one of the words of a Literal."""
    return models.CheckConstraint(condition=Q(**{f"{column}__in": get_args(allowed)}), name=name)


def above_zero(column: str, name: str) -> models.CheckConstraint:
    return models.CheckConstraint(condition=Q(**{f"{column}__gt": 0}), name=name)


def unique(*columns: str, name: str, may_be_null: Sequence[str] = ()) -> models.UniqueConstraint:
    """Unique over `columns`; two NULLs count as equal, which SQL alone does not grant."""
    if not may_be_null:
        return models.UniqueConstraint(fields=columns, name=name)
    parts = [Coalesce(F(c), Value(date.max if c == "on" else "")) if c in may_be_null else F(c) for c in columns]
    return models.UniqueConstraint(*parts, name=name)
