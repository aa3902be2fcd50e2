"""How far a refresh is: a bar on a terminal, a line per region elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.core.management.base import OutputWrapper

from advisor.retail_fetch import Progress

BAR = 24


class ProgressPrinter:
    """Prints each report; on a terminal over the one before."""

    def __init__(self, out: OutputWrapper, clock: Callable[[], float] = time.monotonic) -> None:
        self.out = out
        self.clock = clock
        self.begun = clock()
        self.bar = out.isatty()
        self.width = 0

    def __call__(self, progress: Progress) -> None:
        if self.bar:
            text = bar_text(progress, self.clock() - self.begun)
            self.out.write("\r" + text.ljust(self.width), str, ending="")
            self.width = len(text)
        elif progress.region:
            what = f"{progress.region}: {progress.items} items"
            self.out.write(f"{what} ({progress.regions_done} of {progress.regions} regions)", str)

    def close(self) -> None:
        """End the line of the bar."""
        if self.width:
            self.out.write("", str)


def bar_text(progress: Progress, seconds: float) -> str:
    """The bar with counts and the time left, after `seconds` of this run."""
    done, regions = progress.regions_done, progress.regions
    full = BAR * done // regions if regions else BAR
    counts = f"{done} of {regions} regions, {progress.pages} page{'' if progress.pages == 1 else 's'}"
    return f"[{'#' * full}{'.' * (BAR - full)}] {counts}{time_left(progress, seconds)}"


def time_left(progress: Progress, seconds: float) -> str:
    """What the rest takes if it goes on as until now; "" until one region of this run is done."""
    now = progress.regions_done - progress.begun_with
    left = progress.regions - progress.regions_done
    if not now or not left:
        return ""
    rest = seconds / now * left
    return f", about {rest / 60:.0f} min left" if rest >= 90 else f", about {max(rest, 1):.0f} s left"
