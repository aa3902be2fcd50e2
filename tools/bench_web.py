"""How long the server takes for a page, in this process and without the network: called by `make bench`.

The answer for thirty pools, uncached, for few machines and for many of the same pools; and the catalogue with a
filter. Each also as a ratio to an empty Django view of the same run.
"""

from __future__ import annotations

import io
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ANSWER_MS, FILTER_MS = 300.0, 100.0
POOLS = 30
MACHINES = (30, 1_000, 10_000)
REPEAT = 5
HEADER = "name,size,region,count,hours_per_month,os,workload,department\n"


def times_of(calls: dict[str, Callable[[], object]], repeat: int) -> dict[str, list[tuple[float, float]]]:
    """Milliseconds by the clock and of the processor, of each call, all in turn; the first does not count."""
    seen: dict[str, list[tuple[float, float]]] = {name: [] for name in calls}
    for call in calls.values():
        call()
    for _ in range(repeat):
        for name, call in calls.items():
            begin, worked = time.perf_counter(), time.process_time()
            call()
            seen[name].append(((time.perf_counter() - begin) * 1000, (time.process_time() - worked) * 1000))
    return seen


def prepare() -> tuple[Any, dict[str, str]]:
    """A client of the site, and the address of each page."""
    sys.path.insert(0, str(ROOT))
    import django  # noqa: PLC0415 (settings come from the environment that is set only now)

    django.setup()
    from django.http import HttpResponse  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415
    from django.urls import path  # noqa: PLC0415

    from advisor import store, urls  # noqa: PLC0415
    from tools.bench import lines  # noqa: PLC0415

    store.ensure_catalogue()
    urls.urlpatterns.append(path("bench/empty/", lambda _request: HttpResponse("")))
    client = Client(headers={"host": "127.0.0.1"})
    pages = {"an empty view": "/bench/empty/"}
    for machines in MACHINES:
        text = HEADER + "\n".join(lines(machines, POOLS)) + "\n"
        upload = io.BytesIO(text.encode())
        upload.name = "fleet.csv"
        answer = client.post("/fleets/", {"file": upload, "end": "1"})
        pages[f"answer, {POOLS} pools, {machines:,} VMs"] = f"{answer.headers['Location']}answer/?as_of=2026-11-30"
    pages["catalogue with a filter"] = "/sizes/?q=A100&status=current"
    return client, pages


def ask(client: Any, address: str) -> None:
    response = client.get(address)
    if response.status_code != 200:
        raise SystemExit(f"{address} answered {response.status_code}")


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="advisor-bench-web-") as folder:
        os.environ |= {"ADVISOR_VAR_DIR": folder, "DJANGO_SETTINGS_MODULE": "advisor.settings"}
        client, pages = prepare()
        calls = {name: (lambda address=address: ask(client, address)) for name, address in pages.items()}
        print(f"server time of pages, median of {REPEAT} (least to most), load {os.getloadavg()[0]:.1f}")
        runs = times_of(calls, REPEAT)
        empty = statistics.median(clock for clock, _ in runs["an empty view"])
        for name, times in runs.items():
            clocks = [clock for clock, _ in times]
            middle, worked = statistics.median(clocks), statistics.median(cpu for _, cpu in times)
            print(f"  {name:<30}{middle:8.1f} ms ({min(clocks):.1f} to {max(clocks):.1f}), processor {worked:.1f} ms")
            target = FILTER_MS if name.startswith("catalogue") else ANSWER_MS if name.startswith("answer") else None
            if target is not None:
                print(f"  {'':<30}{middle / empty:8.0f} x an empty view; target {target:.0f} ms")
        few, many = (
            statistics.median(cpu for _, cpu in runs[f"answer, {POOLS} pools, {n:,} VMs"])
            for n in (MACHINES[0], MACHINES[-1])
        )
        print(f"  processor time of {MACHINES[-1]:,} VMs against {MACHINES[0]}: {many / few:.2f}")


if __name__ == "__main__":
    main()
