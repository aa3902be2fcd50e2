"""Rows of what pages say of a series beside its sizes."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from advisor.engine import platform
from advisor.facts import DatedFact, flag, number, text, unique


class StoredDriverRelease(DatedFact):
    engine, key = platform.DriverRelease, ("series", "system", "kind")
    series = models.CharField(max_length=40)
    system = models.CharField(max_length=10)
    kind = models.CharField(max_length=10)
    version = text(null=True)
    branch = number()
    vgpu = number()
    vgpu_version = text(null=True)
    minimum_branch = number()
    maximum_branch = number()
    note = text()

    class Meta:
        constraints: ClassVar = [unique("series", "system", "kind", name="driver_release_unique")]


class StoredSystemSupport(DatedFact):
    engine, key = platform.SystemSupport, ("series", "family")
    series = models.CharField(max_length=40)
    family = models.CharField(max_length=30)
    oldest = models.CharField(max_length=20)
    newest = models.CharField(max_length=20)
    note = text()

    class Meta:
        constraints: ClassVar = [unique("series", "family", name="system_support_unique")]


class StoredImageSupport(DatedFact):
    engine, key = platform.ImageSupport, ("image", "gpu")
    image = models.CharField(max_length=60)
    gpu = models.CharField(max_length=60)
    works = models.BooleanField()
    note = text()

    class Meta:
        constraints: ClassVar = [unique("image", "gpu", name="image_support_unique")]


class StoredSeriesPlatform(DatedFact):
    engine, key = platform.SeriesPlatform, ("series",)
    series = models.CharField(max_length=40, unique=True)
    disk_controller = models.CharField(max_length=10, null=True, blank=True)
    disk_encryption = flag()
    aks = flag()
    batch = flag()
    note = text()
