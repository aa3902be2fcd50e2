"""Reading the lists of many regions: a few at a time, each kept on disk once it is whole, so that a run can go on."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock
from typing import Any

from advisor.engine.retail.items import FIELDS
from advisor.retail_client import RetailClient, RetailError, Unreachable

Items = Sequence[Mapping[str, Any]]

#: Regions asked for at once. About 20 at once were refused with 429; nobody has published a limit.
PARALLEL = 4
#: After as many regions that cannot be read the API is down, and the rest would fail too.
FAILED_AT_MOST = 3


class Stopped(Exception):
    """A client that waits was told to stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run is; `region` is "" between two regions."""

    region: str
    items: int  # of that region
    regions_done: int
    regions: int
    begun_with: int  # regions that were there from a run before
    pages: int  # read in this run


class KeptRegions:
    """Lists of regions in a file: the first line says what they are lists of, each further line is one region.

    A file of anything else (another day, currency or address) is begun anew; a line cut short by a kill is dropped.
    """

    def __init__(self, path: Path, what: Mapping[str, str]) -> None:
        self.path = path
        self.what = dict(what)
        self.lists: dict[str, Items] = self._load()
        self._write()

    def _load(self) -> dict[str, Items]:
        lists: dict[str, Items] = {}
        try:
            with self.path.open(encoding="utf-8") as lines:
                if json.loads(next(lines, "null")) != self.what:
                    return {}
                for line in lines:
                    entry = json.loads(line)
                    lists[entry["region"]] = entry["items"]
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            pass
        return lists

    def _write(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        new = self.path.with_suffix(".new")
        with new.open("w", encoding="utf-8") as file:
            file.writelines([_line(self.what), *(_entry(region, items) for region, items in self.lists.items())])
            file.flush()
            os.fsync(file.fileno())
        new.replace(self.path)

    def add(self, region: str, items: Items) -> None:
        """Keep the list of a region; when this returns it is on disk."""
        self.lists[region] = [{name: item[name] for name in FIELDS if name in item} for item in items]
        with self.path.open("a", encoding="utf-8") as file:
            file.write(_entry(region, self.lists[region]))
            file.flush()
            os.fsync(file.fileno())

    def drop(self, regions: Iterable[str]) -> None:
        """Forget regions, so that the next run reads them again."""
        for region in regions:
            self.lists.pop(region, None)
        self._write()

    def forget(self) -> None:
        """Remove the file."""
        self.path.unlink(missing_ok=True)


def _line(entry: Mapping[str, Any]) -> str:
    return json.dumps(entry) + "\n"


def _entry(region: str, items: Items) -> str:
    return _line({"region": region, "items": items})


def pause(stop: Event) -> Callable[[float], None]:
    """A way to wait that ends with Stopped as soon as `stop` is set."""

    def wait(seconds: float) -> None:
        if stop.wait(seconds):
            raise Stopped

    return wait


def fetch_regions(
    client: RetailClient,
    regions: Collection[str],
    currency: str,
    kept: KeptRegions,
    report: Callable[[Progress], None],
    stop: Event,
) -> dict[str, str]:
    """Read what `kept` has not, and keep it; answers the regions that could not be read, each with its reason.

    `report` is called from this thread after each region and from others after each page. Raises Unreachable when
    nothing can be reached at all. After three regions that failed only what is being read is read to its end.
    """
    pages, lock, begun_with = [0], Lock(), sum(region in kept.lists for region in regions)
    failed: dict[str, str] = {}

    def tell(region: str = "", items: int = 0, more_pages: int = 0) -> None:
        with lock:
            pages[0] += more_pages
            done = sum(region in kept.lists for region in regions)
            report(
                Progress(
                    region=region,
                    items=items,
                    regions_done=done,
                    regions=len(regions),
                    begun_with=begun_with,
                    pages=pages[0],
                )
            )

    def read(region: str) -> Items:
        if stop.is_set():
            raise Stopped
        try:
            return client.region_items(region, currency, lambda: tell(more_pages=1))
        except RetailError as error:
            with lock:
                failed[region] = str(error)
                if len(failed) >= FAILED_AT_MOST:
                    stop.set()
            raise

    with ThreadPoolExecutor(PARALLEL) as pool:
        futures = {pool.submit(read, region): region for region in regions if region not in kept.lists}
        try:
            for future in as_completed(futures):
                region = futures[future]
                try:
                    items = future.result()
                except Unreachable:
                    raise
                except (RetailError, Stopped):
                    continue
                else:
                    kept.add(region, items)
                    tell(region, len(items))
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)
    return failed
