"""Rows about models and the memory they take: columns and constraints, no arithmetic."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from advisor.engine.fit import facts
from advisor.facts import DatedFact, above_zero, flag, number, one_of, text


def whole() -> models.BigIntegerField[int | None, int | None]:
    return models.BigIntegerField(null=True, blank=True)


class StoredFitModel(DatedFact):
    engine, key = facts.Model, ("name",)
    name = models.CharField(max_length=60, unique=True)
    family = models.CharField(max_length=40)
    kind = models.CharField(max_length=10)
    parameters = whole()
    layers = whole()
    hidden_size = whole()
    heads = whole()
    kv_heads = whole()
    head_dim = whole()
    mlp_size = whole()
    vocab_size = whole()
    tied = flag()
    latent_size = whole()
    window = whole()
    window_layers = whole()
    max_context = whole()
    note = text()

    class Meta:
        constraints: ClassVar = [one_of("kind", facts.Kind, "fit_model_kind_known")]


class StoredMemoryReading(DatedFact):
    engine, key = facts.MemoryReading, ("gpu", "source")
    gpu = models.CharField(max_length=60)
    usable_gib = models.FloatField()
    read_by = text()

    class Meta:
        constraints: ClassVar = [
            above_zero("usable_gib", "memory_reading_above_0"),
            models.UniqueConstraint(fields=["gpu", "source"], name="memory_reading_once"),
        ]


class StoredLoadFigure(DatedFact):
    engine, key = facts.LoadFigure, ("code",)
    code = models.CharField(max_length=80, unique=True)
    model = models.CharField(max_length=60)
    quantity = models.CharField(max_length=20)
    precision = models.CharField(max_length=10)
    gpus = models.PositiveSmallIntegerField()
    context = whole()
    users = whole()
    method = text(null=True)
    optimiser = text(null=True)
    checkpointing = flag()
    flash = flag()
    chunked_loss = flag()
    published_gib = number()
    disputed = text()
    note = text()

    class Meta:
        constraints: ClassVar = [
            one_of("quantity", facts.Quantity, "load_figure_quantity_known"),
            above_zero("published_gib", "load_figure_above_0"),
        ]
