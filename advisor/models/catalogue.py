"""Columns and constraints of what is stored; no arithmetic. Catalogue rows turn into engine values by `to_engine`.

Catalogue rows name each other by natural key (a size's name, a series) in plain text, not by foreign keys: the
fixtures stay readable, load in any order, and tests/catalogue checks that every name exists.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q

from advisor.engine import catalogue, prices
from advisor.facts import DatedFact, Fact, above_zero, flag, names, number, one_of, text, unique


class StoredGpu(DatedFact):
    engine, key = catalogue.Gpu, ("name",)
    name = models.CharField(max_length=60, unique=True)
    vendor = models.CharField(max_length=10)
    architecture = text()
    compute_capability = number()
    release_year = models.PositiveSmallIntegerField()
    memory_gib = models.FloatField()
    memory_bandwidth_gbps = models.FloatField()
    fp32_tflops = models.FloatField()
    fp64_tflops = number()
    tf32_tensor_tflops = number()
    fp16_tflops = number()
    fp16_tensor_tflops = number()
    bf16_tensor_tflops = number()
    int8_tops = number()
    fp8_tensor_tflops = number()
    tdp_watts = number()
    interconnect = text()
    min_cuda = text(null=True)
    last_cuda = text(null=True)
    last_driver_branch = text(null=True)
    share_fp32 = number()
    share_tensor = number()
    share_bandwidth = number()
    share_int8 = number()
    shares_note = text()
    mig_max_instances = models.PositiveSmallIntegerField(null=True, blank=True)
    mps_thread_percentage = flag()
    note = text()

    class Meta:
        constraints: ClassVar = [
            one_of("vendor", catalogue.Vendor, "gpu_vendor_known"),
            above_zero("memory_gib", "gpu_memory_above_0"),
            above_zero("fp32_tflops", "gpu_fp32_above_0"),
        ]


class StoredSize(DatedFact):
    """`gpus` is text, so that a sixth of a card stays "1/6" and is never rounded."""

    engine, key = catalogue.Size, ("name",)
    name = models.CharField(max_length=80, unique=True)
    series = models.CharField(max_length=40)
    gpu = text(null=True)
    gpu_label = text()
    vendor = models.CharField(max_length=10)
    family_quota = text(null=True)
    vcpus = models.PositiveIntegerField(null=True, blank=True)
    memory_gib = number()
    gpus = models.CharField(max_length=10, null=True, blank=True)
    gpu_memory_gib = number()
    gpu_memory_total_gib = number()
    temp_disk_gib = number()
    local_nvme_gib = number()
    max_data_disks = models.PositiveIntegerField(null=True, blank=True)
    max_nics = models.PositiveIntegerField(null=True, blank=True)
    network_mbps = number()
    rdma = models.CharField(max_length=20, null=True, blank=True)
    infiniband_gbps = number()
    gpu_link = models.CharField(max_length=20, null=True, blank=True)
    generations = names(null=True)
    accelerated_networking = flag()
    premium_storage = flag()
    ephemeral_os_disk = flag()
    nested_virtualisation = flag()
    cpu_model = text(null=True)
    aliases = names()
    special = text(null=True)
    note = text()

    class Meta:
        constraints: ClassVar = [
            one_of("vendor", catalogue.Vendor, "size_vendor_known"),
            one_of("rdma", catalogue.RdmaKind, "size_rdma_known"),
            one_of("gpu_link", catalogue.GpuLink, "size_gpu_link_known"),
        ]

    @classmethod
    def from_values(cls, rows: Iterable[Sequence[Any]]) -> list[Any]:
        at = cls.engine_columns().index("gpus")
        exact = ([*row[:at], None if row[at] is None else float(Fraction(row[at])), *row[at + 1 :]] for row in rows)
        return super().from_values(exact)


class StoredLedgerEvent(DatedFact):
    engine, key = catalogue.LedgerEvent, ("size", "event", "service", "region", "on", "source")
    size = models.CharField(max_length=80, db_index=True)
    event = models.CharField(max_length=30)
    on = models.DateField(null=True, blank=True)
    region = models.CharField(max_length=40, null=True, blank=True)
    service = models.CharField(max_length=10)
    publisher = models.CharField(max_length=20)
    superseded = models.BooleanField()
    note = text()

    class Meta:
        constraints: ClassVar = [
            one_of("event", catalogue.EventKind, "event_known"),
            one_of("service", catalogue.Service, "event_service_known"),
            one_of("publisher", catalogue.Publisher, "event_publisher_known"),
            unique(
                "size", "event", "service", "region", "on", "source", name="event_unique", may_be_null=("region", "on")
            ),
        ]


class StoredConflict(Fact):
    engine, key = catalogue.Conflict, ("subject", "fact")
    subject = models.CharField(max_length=80)
    sizes = names()
    fact = models.CharField(max_length=120)
    version_a = text()
    source_a = text()
    version_b = text()
    source_b = text()
    used = models.CharField(max_length=10)
    reason = text()
    as_of = models.DateField()

    class Meta:
        constraints: ClassVar = [
            unique("subject", "fact", name="conflict_unique"),
            models.CheckConstraint(condition=Q(used__in=("a", "b", "both")), name="conflict_used_known"),
        ]


class StoredMove(DatedFact):
    engine, key = catalogue.Move, ("from_size", "to_size", "to_series", "workload", "source")
    from_size = models.CharField(max_length=80, db_index=True)
    to_size = models.CharField(max_length=80, null=True, blank=True)
    to_series = models.CharField(max_length=40, null=True, blank=True)
    workload = models.CharField(max_length=20, blank=True)
    note = text()

    class Meta:
        constraints: ClassVar = [
            unique(
                "from_size",
                "to_size",
                "to_series",
                "workload",
                "source",
                name="move_unique",
                may_be_null=("to_size", "to_series"),
            ),
            models.CheckConstraint(
                condition=Q(to_size__isnull=True) ^ Q(to_series__isnull=True), name="move_has_one_target"
            ),
        ]


class StoredSeriesSupport(DatedFact):
    engine, key = catalogue.SeriesSupport, ("series",)
    series = models.CharField(max_length=40, unique=True)
    driver = models.CharField(max_length=20, null=True, blank=True)
    graphics_linux = flag()
    graphics_windows = flag()
    compute_linux = flag()
    compute_windows = flag()
    grid_licence_included = flag()
    note = text()


class StoredSoftwareSupport(DatedFact):
    engine, key = catalogue.SoftwareSupport, ("component", "subject", "first_version", "last_version")
    subject = models.CharField(max_length=80)
    component = models.CharField(max_length=40)
    first_version = models.CharField(max_length=40, null=True, blank=True)
    last_version = models.CharField(max_length=40, null=True, blank=True)
    gpus = names()
    note = text()

    class Meta:
        constraints: ClassVar = [
            unique(
                "component",
                "subject",
                "first_version",
                "last_version",
                name="software_unique",
                may_be_null=("first_version", "last_version"),
            )
        ]


class StoredRegion(DatedFact):
    engine, key = catalogue.Region, ("name",)
    name = models.CharField(max_length=40, unique=True)
    display_name = models.CharField(max_length=60)
    geography = models.CharField(max_length=40, null=True, blank=True)
    aliases = names()


class StoredAvailability(DatedFact):
    engine, key = catalogue.Availability, ("series", "region")
    series = models.CharField(max_length=40)
    region = models.CharField(max_length=40)
    note = text()

    class Meta:
        constraints: ClassVar = [unique("series", "region", name="availability_unique")]


class StoredQuotaFamily(DatedFact):
    engine, key = catalogue.QuotaFamily, ("api_name",)
    api_name = models.CharField(max_length=80, unique=True)
    display_name = text(null=True)
    spellings = names()
    series = models.CharField(max_length=40, null=True, blank=True)
    sizes = names()
    certainty = text()


class StoredListedName(DatedFact):
    engine, key = catalogue.ListedName, ("name",)
    name = models.CharField(max_length=80, unique=True)
    note = text()


class StoredBenchmark(Fact):
    """`as_of` is text: a year, a month or a day, as published."""

    engine, key = catalogue.Benchmark, ("group", "gpu", "gpus", "batch_size")
    group = models.CharField(max_length=120)
    kind = models.CharField(max_length=30)
    gpu = models.CharField(max_length=60)
    gpus = models.FloatField()
    precision = models.CharField(max_length=40)
    batch_size = models.CharField(max_length=40, blank=True)
    benchmark = text()
    framework = text()
    throughput = models.FloatField()
    unit = models.CharField(max_length=40)
    higher_is_better = models.BooleanField()
    source = text()
    source_family = text()
    as_of = models.CharField(max_length=20)

    class Meta:
        constraints: ClassVar = [
            unique("group", "gpu", "gpus", "batch_size", name="benchmark_unique"),
            above_zero("throughput", "benchmark_throughput_above_0"),
        ]


class StoredSpeedFit(DatedFact):
    """Parameters, variances and stretches stand by name: they are read and written as one."""

    engine, key = catalogue.SpeedFit, ("left_out",)
    left_out = models.CharField(max_length=60, unique=True, blank=True)
    parameters = models.JSONField()
    variances = models.JSONField()
    stretches = models.JSONField()


class StoredPriceBook(DatedFact):
    """The engine's PriceBook also holds prices and terms; `loading.build_price_book` puts them together.

    A book from the fixtures is built in and goes when they are loaded again; a refreshed one stays, with what its
    checks found and what changed against the book before it.
    """

    engine, key = prices.PriceBook, ("name",)
    name = models.CharField(max_length=60, unique=True)
    currency = models.CharField(max_length=3)
    windows_licence_per_vcpu_hour = models.FloatField()
    windows_licence_source = text()
    built_in = models.BooleanField(default=True)
    warnings = models.JSONField(default=list, blank=True)  # code, size, region, message of each
    changes = models.JSONField(default=dict, blank=True)  # summary of engine.retail.changes; empty: never compared


class StoredPrice(DatedFact):
    engine, key = prices.Price, ("book", "size", "region", "os", "price_model")
    book = models.CharField(max_length=60)
    size = models.CharField(max_length=80)
    region = models.CharField(max_length=40)
    os = models.CharField(max_length=10)
    price_model = models.CharField(max_length=10)
    hourly_price = models.FloatField()

    class Meta:
        constraints: ClassVar = [
            unique("book", "size", "region", "os", "price_model", name="price_unique"),
            above_zero("hourly_price", "price_above_0"),
            one_of("os", prices.Os, "price_os_known"),
            one_of("price_model", prices.PriceModel, "price_model_known"),
        ]


class StoredCommitmentTerms(DatedFact):
    engine, key = prices.CommitmentTerms, ("series", "price_model")
    series = models.CharField(max_length=40)
    price_model = models.CharField(max_length=10)
    sold = flag()
    sold_until = models.DateField(null=True, blank=True)
    discount_low = number()
    discount_high = number()
    note = text()

    class Meta:
        constraints: ClassVar = [
            unique("series", "price_model", name="commitment_unique"),
            models.CheckConstraint(
                condition=Q(discount_low__gte=0, discount_low__lte=F("discount_high"), discount_high__lt=1)
                | Q(discount_low__isnull=True, discount_high__isnull=True),
                name="commitment_discount_range",
            ),
        ]


class StoredSpotTerms(DatedFact):
    engine, key = prices.SpotTerms, ("series",)
    series = models.CharField(max_length=40, unique=True)
    capable = models.CharField(max_length=20, null=True, blank=True)
    note = text()


class StoredCatalogueVersion(models.Model):
    """The one row that says which fixtures are loaded and which migrations are applied, each as a hash."""

    fixtures = models.CharField(max_length=64)
    migrations = models.CharField(max_length=64)
    as_of = models.DateField()

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(condition=Q(id=1), name="one_catalogue_version")]
