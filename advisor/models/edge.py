"""Rows about Azure Stack Edge devices: columns and constraints, no arithmetic."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from advisor.engine.edge import devices
from advisor.facts import DatedFact, Fact, above_zero, flag, names, number, one_of, text


def count() -> models.PositiveIntegerField[int | None, int | None]:
    return models.PositiveIntegerField(null=True, blank=True)


def release() -> models.CharField[str | None, str | None]:
    return models.CharField(max_length=4, null=True, blank=True)


class StoredEdgeDevice(DatedFact):
    engine, key = devices.EdgeDevice, ("name",)
    name = models.CharField(max_length=40, unique=True)
    label = models.CharField(max_length=80)
    model = models.CharField(max_length=40)
    card = models.CharField(max_length=10, null=True, blank=True)
    gpus = models.PositiveSmallIntegerField()
    usable_vcpus = count()
    total_vcpus = count()
    usable_memory_gib = number()
    total_memory_gib = number()
    gpu_vms = models.BooleanField()
    accelerator = text()
    retirement_date = models.DateField(null=True, blank=True)
    lifecycle_note = text()
    note = text()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(card__isnull=True, gpus=0) | Q(card__in=("T4", "A2"), gpus__in=(1, 2)),
                name="edge_device_card_with_gpus",
            ),
        ]


class StoredEdgeSize(DatedFact):
    engine, key = devices.EdgeSize, ("name",)
    name = models.CharField(max_length=80, unique=True)
    family = models.CharField(max_length=20)
    card = models.CharField(max_length=10)
    gpus = models.PositiveSmallIntegerField()
    max_gpus = models.PositiveSmallIntegerField()
    gpu_memory_gib = models.FloatField()
    vcpus = models.PositiveIntegerField()
    memory_gib = models.FloatField()
    temp_disk_gib = count()
    max_os_disk_iops = count()
    max_temp_disk_iops = count()
    max_data_disk_iops = count()
    max_data_disks = count()
    max_nics = count()
    premium_storage = flag()
    since_release = release()
    note = text()

    class Meta:
        constraints: ClassVar = [
            one_of("card", devices.Card, "edge_size_card_known"),
            above_zero("memory_gib", "edge_size_memory_above_0"),
            above_zero("gpus", "edge_size_gpus_above_0"),
        ]


class StoredEdgeFact(DatedFact):
    engine, key = devices.EdgeFact, ("code",)
    code = models.CharField(max_length=40, unique=True)
    topic = models.CharField(max_length=20)
    basis = models.CharField(max_length=10)
    figure = number()
    unit = text()
    text = models.TextField()  # after all that calls the function of that name
    since_release = release()
    until_release = release()

    class Meta:
        constraints: ClassVar = [one_of("basis", devices.Basis, "edge_fact_basis_known")]


class StoredEdgeConflict(Fact):
    engine, key = devices.EdgeConflict, ("code",)
    code = models.CharField(max_length=40, unique=True)
    topic = models.CharField(max_length=20)
    fact = text()
    version_a = text()
    source_a = text()
    version_b = text()
    source_b = text()
    used = models.CharField(max_length=10)
    reason = text()
    as_of = models.DateField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(used__in=("a", "b", "both")), name="edge_conflict_used_known")
        ]


class StoredEdgeRelease(DatedFact):
    engine, key = devices.EdgeRelease, ("name",)
    name = models.CharField(max_length=4, unique=True)
    software_version = text(null=True)
    published = models.DateField()
    updates_from = names()
    note = text()


class StoredEdgeFailure(DatedFact):
    engine, key = devices.EdgeFailure, ("code",)
    code = models.CharField(max_length=40, unique=True)
    seen = text()
    cause = text()
    way_out = text()
