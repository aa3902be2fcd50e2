"""Which driver and CUDA toolkit to install on the target, by the published matrix, and which images find its GPU."""

from __future__ import annotations

from advisor.engine.catalogue import Catalogue, Gpu, Size
from advisor.engine.fact_kinds import version_key
from advisor.engine.platform import DriverRelease, gpu_family
from advisor.engine.platform_facts import images_known
from advisor.engine.runbook.values import ImageSeen, SoftwarePlan

#: The long-term branch that is taken where a page names no driver: also the one that AKS installs.
LONG_TERM = "R580"
NOTHING = SoftwarePlan(driver_kind=None, driver=None, cuda=None, note="No page that was read says.", source="")


def software_plan(catalogue: Catalogue, size: Size, system: str, kind: str) -> SoftwarePlan:
    """The driver that a page names for the series on `system`, else the branch that supports its GPU, and CUDA.

    `kind` is the kind of work: graphics takes GRID where a series has both.
    """
    support = catalogue.series_support.get(size.series)
    gpu = catalogue.gpus.get(size.gpu) if size.gpu else None
    if support is None or support.driver is None or gpu is None:
        return NOTHING
    driver = support.driver
    if driver == "cuda-or-grid":
        driver = "grid" if kind == "graphics" else "cuda"
    rows = (r for r in catalogue.drivers if (r.series, r.system, r.kind) == (size.series, system, driver))
    named = next(rows, None)
    if driver == "amd":
        return _amd(named, support.note, support.source)
    if driver == "grid":
        return _grid(catalogue, gpu, named, support.note, support.source)
    return _cuda(catalogue, gpu, named)


def _amd(named: DriverRelease | None, note: str, source: str) -> SoftwarePlan:
    text = f"AMD {named.version}" if named and named.version else "AMD, as Microsoft publishes it"
    return SoftwarePlan(
        driver_kind="amd",
        driver=text,
        cuda=None,
        note=f"There is no CUDA. {named.note if named else note}".strip(),
        source=named.source if named else source,
    )


def _grid(catalogue: Catalogue, gpu: Gpu, named: DriverRelease | None, note: str, source: str) -> SoftwarePlan:
    if named is None:
        return SoftwarePlan(driver_kind="grid", driver=None, cuda=None, note=note, source=source)
    release = named.vgpu_version or (f"{named.vgpu:g}" if named.vgpu else None)
    vgpu = f"vGPU {release}" if release else None
    driver = ", ".join(filter(None, (named.version, vgpu)))
    cuda, why, more = _toolkit(catalogue, gpu, named.version)
    return SoftwarePlan(
        driver_kind="grid",
        driver=f"GRID {driver}" if driver else None,
        cuda=cuda,
        note=" ".join(filter(None, (named.note, why))),
        source="; ".join(filter(None, (named.source, more))),
    )


def _cuda(catalogue: Catalogue, gpu: Gpu, named: DriverRelease | None) -> SoftwarePlan:
    branch = gpu.last_driver_branch or LONG_TERM
    version = named.version if named else None
    rows = [row for row in catalogue.software if row.component == "driver"]
    ends = next((row for row in rows if not row.gpus and row.first_version == branch), None)
    cuda, why, more = _toolkit(catalogue, gpu, version or branch.removeprefix("R"))
    told = [f"The last branch that supports {gpu.name}." if gpu.last_driver_branch else ""]
    told += [ends.note if ends else "", named.note if named else "", why]
    return SoftwarePlan(
        driver_kind="cuda",
        driver=f"{branch} ({version})" if version else branch,
        cuda=cuda,
        note=" ".join(filter(None, told)),
        source="; ".join(
            dict.fromkeys(filter(None, (named.source if named else "", ends.source if ends else "", more)))
        ),
    )


def _toolkit(catalogue: Catalogue, gpu: Gpu, driver: str | None) -> tuple[str | None, str, str]:
    """The newest toolkit that driver and GPU both take, the reason, and the source."""
    rows = [row for row in catalogue.software if row.component == "cuda" and gpu.name in row.gpus]
    source = rows[0].source if rows else ""
    if gpu.last_cuda:
        return gpu.last_cuda, f"CUDA {gpu.last_cuda} is the last that supports {gpu.name}.", source
    if driver is None:
        return None, "No source gives the driver's version, so the newest CUDA is not known.", source
    fits, least = None, None
    needs = [r for r in catalogue.software if r.component == "driver" and r.subject.startswith("CUDA ")]
    for row in sorted(needs, key=lambda r: version_key(r.subject.removeprefix("CUDA "))):
        toolkit = row.subject.removeprefix("CUDA ")
        # A branch alone, such as 580, is taken with its first build: it has what the branch before it had.
        if row.first_version and version_key(row.first_version) <= version_key(driver):
            fits, source = toolkit, row.source
        elif least is None:
            least = f"CUDA {toolkit} needs driver {row.first_version}."
    floor = f"{gpu.name} needs CUDA {gpu.min_cuda} or later." if gpu.min_cuda else ""
    return fits, " ".join(filter(None, (floor, least or ""))), source


def images_seen(catalogue: Catalogue, gpu: str | None) -> tuple[ImageSeen, ...]:
    """Every image that somebody reported on, and how it gets on with a GPU; unknown where nobody said."""
    if gpu is None:
        return ()
    family = gpu_family(gpu)
    rows = {row.image: row for row in catalogue.images if row.gpu == family}
    seen = []
    for image in images_known(catalogue):
        row = rows.get(image)
        seen.append(
            ImageSeen(
                image=image,
                gpu=family,
                works=row.works if row else None,
                as_of=row.as_of if row else None,
                note=row.note if row else "",
                source=row.source if row else "",
            )
        )
    return tuple(seen)
