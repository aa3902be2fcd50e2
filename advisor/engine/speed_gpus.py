"""Names and ages of GPUs, as the speed model takes them."""

from __future__ import annotations

from advisor.engine.catalogue import Catalogue


class UnknownGpu(ValueError):
    """A name that no GPU, or more than one, answers to; the message lists what is allowed."""


def age(catalogue: Catalogue, gpu: str) -> tuple[int, float, str]:
    """What sorts GPUs from older to newer: release year, fp32 rate, name."""
    row = catalogue.gpus[gpu]
    return row.release_year, row.fp32_tflops, row.name


def resolve_gpu(catalogue: Catalogue, text: str) -> str:
    """The GPU of the catalogue that `text` names: its exact name first, then the one name that contains all its words.

    Case does not count. Raises UnknownGpu with the names to choose from when none or several match.
    """
    wanted = text.strip()
    if wanted in catalogue.gpus:
        return wanted
    by_case = {name.casefold(): name for name in catalogue.gpus}
    if wanted.casefold() in by_case:
        return by_case[wanted.casefold()]
    words = set(wanted.casefold().split())
    found = [name for name in catalogue.gpus if words and words <= set(name.casefold().split())]
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownGpu(f"{wanted!r} matches several GPUs: {', '.join(sorted(found))}")
    raise UnknownGpu(f"no GPU is called {wanted!r}; there are: {', '.join(sorted(catalogue.gpus))}")
