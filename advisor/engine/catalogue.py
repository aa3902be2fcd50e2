"""Facts about sizes, GPUs, lifecycle and moves, each with its source and date.

Facts are frozen values. A field that no source gives is None; "there is none" is a value of its own
(0, False or an empty tuple), so that unknown and none are never confused.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from difflib import get_close_matches
from functools import cached_property
from typing import Any, Literal, TypeVar

from advisor.engine.platform import DriverRelease, ImageSupport, SeriesPlatform, SystemSupport

Vendor = Literal["nvidia", "amd", "fpga"]
GpuLink = Literal["nvlink", "infinity-fabric", "pcie"]
RdmaKind = Literal["none", "network-direct", "sr-iov"]
EventKind = Literal[
    "announced",  # retirement was announced on that day
    "retires",  # its last day
    "deallocated",  # machines still there are switched off by `service`
    "reservation-sales-end",
    "savings-plan-sales-end",
    "no-new-capacity",  # the source says that no more hardware is added
    "none-announced",  # the source's list of retirements, read on `as_of`, does not name the size
    "recommended-as-target",  # a Microsoft page names the size as a target: evidence that it lives
    "first-offered",
]
Publisher = Literal["microsoft", "third-party"]
Service = Literal["vm", "vmss", "aks", "batch", "aml"]


class CatalogueError(ValueError):
    """A fact that contradicts itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gpu:
    """One GPU as its data sheet gives it, with the share of each peak that it sustains.

    Rates are peaks of dense arithmetic in TFLOPS (int8: TOPS), bandwidth in GB/s, memory in GiB (nominal).
    Sustained shares run 0 to 1 and come from the speed model's measurements or, where `inherited_shares`
    says so, from a relative.
    """

    name: str
    vendor: Vendor
    architecture: str
    compute_capability: float | None  # None: no CUDA device
    release_year: int
    memory_gib: float
    memory_bandwidth_gbps: float
    fp32_tflops: float
    fp64_tflops: float | None
    tf32_tensor_tflops: float | None
    fp16_tflops: float | None
    fp16_tensor_tflops: float | None  # None: no tensor cores
    int8_tops: float | None
    fp8_tensor_tflops: float | None
    tdp_watts: float | None
    interconnect: str
    min_cuda: str | None  # first CUDA toolkit that compiles for it
    last_cuda: str | None  # last one; None: still supported
    last_driver_branch: str | None
    share_fp32: float | None
    share_tensor: float | None
    share_bandwidth: float | None
    shares_note: str  # "measured", "inherited from X" or "default"
    source: str
    as_of: date
    note: str = ""
    bf16_tensor_tflops: float | None = None  # None: no bf16 tensor cores
    share_int8: float | None = None  # None: int8 sustains the tensor share
    mig_max_instances: int | None = None  # 0: cannot be split; None: no source says
    mps_thread_percentage: bool | None = None  # MPS honours an active-thread percentage


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """One VM size as its page describes it; raises CatalogueError when its numbers disagree.

    `gpus` counts GPUs as the guest sees them: a sixth of a card is 1/6. `gpu_memory_gib` is per whole GPU
    (of the card for a slice), `gpu_memory_total_gib` what the VM has in all, so for a slice its own share.
    """

    name: str  # canonical: Standard_NC6s_v3
    series: str
    gpu: str | None  # name in the GPU table; None: not a GPU (FPGA)
    gpu_label: str  # as the size page writes it
    vendor: Vendor
    family_quota: str | None
    vcpus: int | None
    memory_gib: float | None
    gpus: float | None
    gpu_memory_gib: float | None
    gpu_memory_total_gib: float | None
    temp_disk_gib: float | None  # 0: the size has none; None: no page says
    local_nvme_gib: float | None
    max_data_disks: int | None
    max_nics: int | None
    network_mbps: float | None
    rdma: RdmaKind | None
    infiniband_gbps: float | None  # per VM; 0 without InfiniBand, None when the page gives no rate
    gpu_link: GpuLink | None  # between the GPUs of one VM; meaningless with one GPU
    generations: tuple[int, ...] | None  # VM generations that boot
    accelerated_networking: bool | None
    premium_storage: bool | None
    ephemeral_os_disk: bool | None
    special: str | None  # why it never answers a general need; None: it may be advised
    source: str
    as_of: date
    note: str = ""
    cpu_model: str | None = None
    nested_virtualisation: bool | None = None
    aliases: tuple[str, ...] = ()  # other names that meters and price lists give this very size

    def __post_init__(self) -> None:
        if self.gpus is not None and self.gpus <= 0:
            raise CatalogueError(f"{self.name}: gpus is {self.gpus}, must be above 0")
        parts = (self.gpus, self.gpu_memory_gib, self.gpu_memory_total_gib)
        if all(p is not None for p in parts):
            gpus, each, total = (float(p) for p in parts if p is not None)
            if abs(gpus * each - total) > 0.005 * total:
                raise CatalogueError(f"{self.name}: {gpus:g} GPUs x {each:g} GiB is not {total:g} GiB")

    @property
    def is_gpu(self) -> bool:
        return self.vendor != "fpga"

    @property
    def is_slice(self) -> bool:
        return self.gpus is not None and self.gpus < 1

    @property
    def short(self) -> str:
        return self.name.removeprefix("Standard_")


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEvent:
    """One statement of one source about one size: what happens, when, where and to which service."""

    size: str
    event: EventKind
    on: date | None  # the day it happens; None: the source gives no calendar date
    region: str | None  # ARM name; None: every region that has no event of its own
    service: Service
    publisher: Publisher
    superseded: bool  # a later page of the same publisher replaces it; kept and shown, never used
    source: str
    as_of: date
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Two sources that disagree about one fact of a size or a general rule; `used` says which one counts here."""

    subject: str  # a size, a series or a topic such as "resize-temp-disk"
    sizes: tuple[str, ...]
    fact: str
    version_a: str
    source_a: str
    version_b: str
    source_b: str
    used: Literal["a", "b", "both"]
    reason: str
    as_of: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Microsoft's documented move from one size, or from every size of a series.

    `to_size` is a size; where the page names only a series, `to_series` is set and the advice picks the size of
    that series with the same GPU count, else the next larger.
    """

    from_size: str
    to_size: str | None
    to_series: str | None
    workload: str  # "" : any; else training, inference, hpc, graphics
    note: str
    source: str
    as_of: date


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesSupport:
    """Drivers of a series: which kinds exist and on which guest systems they show the GPU."""

    series: str
    driver: Literal["cuda", "grid", "cuda-or-grid", "amd"] | None
    graphics_linux: bool | None  # a graphics driver (GRID or AMD Cloud Edition) exists for Linux guests
    graphics_windows: bool | None
    compute_linux: bool | None  # CUDA or ROCm
    compute_windows: bool | None
    grid_licence_included: bool | None
    note: str
    source: str
    as_of: date


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftwareSupport:
    """First and last version of a component for a GPU generation, as published."""

    subject: str  # "3.7 (K80)", "any", "CUDA 12.9"
    component: str
    first_version: str | None
    last_version: str | None
    gpus: tuple[str, ...]  # names in the GPU table that the row speaks of; empty: none in particular
    source: str
    as_of: date
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """One Azure region; `aliases` are the spellings seen in files and price lists."""

    name: str  # ARM name: westeurope
    display_name: str
    geography: str | None
    aliases: tuple[str, ...]
    source: str
    as_of: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Availability:
    """A document that says a series can be had in a region."""

    series: str
    region: str
    source: str
    as_of: date
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaFamily:
    """A vCPU quota family with every spelling seen."""

    api_name: str
    display_name: str | None
    spellings: tuple[str, ...]
    series: str | None
    sizes: tuple[str, ...]
    certainty: str
    source: str
    as_of: date


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedName:
    """A name that stands in a price list or an API and has no size page: recognised in files, never advised."""

    name: str
    note: str
    source: str
    as_of: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """One published throughput. Only rows of one `group` may be divided by each other."""

    group: str
    kind: str  # speed kind: training, inference, ...
    gpu: str
    gpus: float
    precision: str
    batch_size: str
    benchmark: str
    framework: str
    throughput: float
    unit: str
    higher_is_better: bool
    source: str
    source_family: str
    as_of: str  # as published: a year, a month or a day


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedFit:
    """What one fit of the speed model found (see docs/speed-model.md), without the rows of one source.

    Parameters are those of the time model, on the log scale; variances those of its effects, log scale squared;
    stretches are factors on the deviation of a prediction, by kind of work and by the older GPU of a pair.
    """

    left_out: str  # source family whose rows were not used; "": all were
    parameters: Mapping[str, float]
    variances: Mapping[str, float]
    stretches: Mapping[str, float]
    source: str
    as_of: date


def squash(text: str) -> str:
    """`text` as names are compared: NFKC, lower case, letters and digits only."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).replace("\0", "")).casefold()


_METER_SUFFIX = re.compile(r"(?<!\s)\s+(spot|low priority|-\s*free)$", re.IGNORECASE)
_N_SERIES = re.compile(r"^n[cdvgpm]+\d")
NOT_GPU_PREFIXES = ("np", "nm")  # FPGA and media sizes begin with N and are no GPU sizes


@dataclass(frozen=True, kw_only=True)
class Catalogue:
    """Every fact the engine may use; raises CatalogueError when two facts have the same key."""

    version: str  # changes when any fact changes
    as_of: date  # the day the facts were collected
    sizes: Mapping[str, Size]
    gpus: Mapping[str, Gpu]
    events: tuple[LedgerEvent, ...]
    conflicts: tuple[Conflict, ...] = ()
    moves: tuple[Move, ...] = ()
    series_support: Mapping[str, SeriesSupport] = field(default_factory=dict)
    software: tuple[SoftwareSupport, ...] = ()
    drivers: tuple[DriverRelease, ...] = ()
    systems: tuple[SystemSupport, ...] = ()
    images: tuple[ImageSupport, ...] = ()
    platforms: Mapping[str, SeriesPlatform] = field(default_factory=dict)
    regions: Mapping[str, Region] = field(default_factory=dict)
    availability: tuple[Availability, ...] = ()
    quota_families: tuple[QuotaFamily, ...] = ()
    listed_names: Mapping[str, ListedName] = field(default_factory=dict)
    benchmarks: tuple[Benchmark, ...] = ()
    speed_fits: tuple[SpeedFit, ...] = ()

    @cached_property
    def _size_by_key(self) -> dict[str, str]:
        names = [*self.sizes, *self.listed_names]
        keys = {squash(alias): size.name for size in self.sizes.values() for alias in size.aliases}
        return keys | {squash(name.removeprefix("Standard_")): name for name in names}

    @cached_property
    def _region_by_key(self) -> dict[str, str]:
        keys: dict[str, str] = {}
        for region in self.regions.values():
            for spelling in (region.name, region.display_name, *region.aliases):
                keys.setdefault(squash(spelling), region.name)
        return keys

    @cached_property
    def events_of(self) -> Mapping[str, tuple[LedgerEvent, ...]]:
        """Ledger events by size, oldest source first."""
        by_size: dict[str, list[LedgerEvent]] = {}
        for event in sorted(self.events, key=lambda e: (e.as_of, e.source)):
            by_size.setdefault(event.size, []).append(event)
        return {size: tuple(events) for size, events in by_size.items()}

    @cached_property
    def conflicts_of(self) -> Mapping[str, tuple[Conflict, ...]]:
        """Conflicts by size, in fixture order."""
        by_size: dict[str, list[Conflict]] = {}
        for conflict in self.conflicts:
            for size in conflict.sizes:
                by_size.setdefault(size, []).append(conflict)
        return {size: tuple(found) for size, found in by_size.items()}

    @cached_property
    def memo(self) -> dict[Hashable, Any]:
        """Answers that stages work out once per catalogue; a catalogue never changes, so neither do they."""
        return {}

    def canonical_size(self, text: str) -> str | None:
        """The canonical name that `text` spells (case, Standard_, blanks, meter suffixes), else None."""
        return self._size_by_key.get(size_key(text))

    def looks_like_n_series(self, text: str) -> bool:
        """True when `text` is written like an N-series size, known or not."""
        return bool(_N_SERIES.match(size_key(text)))

    def nearest_sizes(self, text: str, limit: int = 3) -> tuple[str, ...]:
        """Known sizes whose names are nearest to `text`, nearest first."""
        keys = get_close_matches(size_key(text), list(self._size_by_key), n=limit, cutoff=0.5)
        return tuple(self._size_by_key[key] for key in keys)

    def canonical_region(self, text: str) -> str | None:
        """The ARM name of the region that `text` spells, else None."""
        return self._region_by_key.get(squash(text))

    def nearest_regions(self, text: str, limit: int = 3) -> tuple[str, ...]:
        """ARM names of the regions whose spelling is nearest to `text`, nearest first, no name twice."""
        keys = get_close_matches(squash(text), list(self._region_by_key), n=3 * limit, cutoff=0.6)
        return tuple(dict.fromkeys(self._region_by_key[key] for key in keys))[:limit]

    def sizes_of(self, series: str) -> tuple[Size, ...]:
        """Sizes of a series by GPUs, then name."""
        found = (size for size in self.sizes.values() if size.series == series)
        return tuple(sorted(found, key=lambda size: (size.gpus or 0.0, size.name)))


def size_key(text: str) -> str:
    """`text` as size names are compared: NFKC, no Standard prefix, no meter suffix, letters and digits only."""
    plain = unicodedata.normalize("NFKC", text).replace("\0", "").strip()
    plain = _METER_SUFFIX.sub("", plain)
    plain = re.sub(r"^standard(?=[\s_])", "", plain, flags=re.IGNORECASE)
    return squash(plain)


Named = TypeVar("Named", Size, Gpu, Region, ListedName)


def by_name(rows: Iterable[Named]) -> dict[str, Named]:
    """Rows keyed by name; raises CatalogueError on a name that stands twice."""
    table: dict[str, Named] = {}
    for row in rows:
        if row.name in table:
            raise CatalogueError(f"{row.name} stands twice")
        table[row.name] = row
    return table
