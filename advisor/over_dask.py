"""Reading the parts of an export on the workers of a Dask cluster: the only module that knows Dask (docs/adr).

Every part is read by the code that reads it here, and the answers are put together in the order of the parts. Workers
that do not have this program are sent its engine; one that has another version of it is refused, since its figures may
be others. A part whose worker is lost is given to another one by Dask itself.
"""

from __future__ import annotations

import logging
import os
import pickle
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from advisor.engine.catalogue import Catalogue
from advisor.engine.fingerprint import fingerprint, sources
from advisor.engine.readers.export_folder import ReadParts, received
from advisor.engine.readers.export_runs import Part
from advisor.engine.readers.reading import Reading

Client = Any  # Dask has next to no types
LOCAL = "local"
CONNECT_SECONDS = 5
WORKER_SECONDS = 5
_SCHEMES = ("tcp", "tls", "ws", "wss", "inproc")


class NoCluster(Exception):
    """The parts cannot be read over Dask; the message says why and what to do."""


def check_address(address: str) -> str:
    """The address as given; raises ValueError when it is none."""
    scheme, mark, host = address.partition("://")
    if address == LOCAL or (mark and host and scheme in _SCHEMES):
        return address
    raise ValueError(f"{address!r} is neither local nor the address of a scheduler, such as tcp://10.0.0.5:8786")


@contextmanager
def parts_over(
    address: str, catalogue: Catalogue, how: dict[str, Any], *, workers: int | None = None
) -> Iterator[ReadParts]:
    """What reads parts on the cluster at `address`; `local` starts one process per processor of this machine.

    `how` as in `read_file`. Raises NoCluster, and so does what it gives.
    """
    with _connected(address, workers) as client:
        yield lambda parts: _read(client, parts, catalogue, how)


def _library() -> Any:
    try:
        import distributed  # noqa: PLC0415 (costs a second, and few ask for it)
    except ImportError as error:
        raise NoCluster(f"Dask is not installed here ({error}); run `make install`.") from error
    return distributed


@contextmanager
def _connected(address: str, workers: int | None) -> Iterator[Client]:
    library = _library()
    for name in ("distributed", "tornado", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what a person needs to know is said by NoCluster
    with ExitStack() as stack:
        target = stack.enter_context(_local_cluster(workers)) if address == LOCAL else address
        try:
            client = stack.enter_context(library.Client(target, timeout=CONNECT_SECONDS, set_as_default=False))
        except (OSError, TimeoutError, ValueError) as error:
            raise NoCluster(
                f"no Dask scheduler answers at {address} within {CONNECT_SECONDS} s. Start one with `dask scheduler`, "
                "or read on this machine with --dask local."
            ) from error
        try:
            client.wait_for_workers(1, timeout=WORKER_SECONDS)
        except TimeoutError as error:
            raise NoCluster(f"the Dask scheduler at {address} has no worker. Start `dask worker {address}`.") from error
        if address != LOCAL:
            stack.enter_context(_shared_engine(client))
        yield client


@contextmanager
def _local_cluster(workers: int | None) -> Iterator[Any]:
    number = workers or os.cpu_count() or 1
    with (
        tempfile.TemporaryDirectory(prefix="advisor-dask-", ignore_cleanup_errors=True) as scratch,
        _library().LocalCluster(
            n_workers=number,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            local_directory=scratch,
            silence_logs=logging.CRITICAL,
        ) as cluster,
    ):
        yield cluster


@contextmanager
def _shared_engine(client: Client) -> Iterator[None]:
    """Give the engine of this program to workers that lack it; raises NoCluster for one that has another version.

    Workers that join in the meantime are given it too.
    """

    def engine_there() -> str | None:  # within a function: so it is sent as it is, and not by its name
        try:
            from advisor.engine.fingerprint import fingerprint  # noqa: PLC0415
        except ImportError:
            return None
        return fingerprint()

    def forget_sent() -> None:
        import sys  # noqa: PLC0415

        if "advisor-engine" in (getattr(sys.modules.get("advisor"), "__file__", None) or ""):
            sys.path[:] = [place for place in sys.path if "advisor-engine" not in place]
            for name in [name for name in sys.modules if name.partition(".")[0] == "advisor"]:
                del sys.modules[name]

    own = fingerprint()
    found = client.run(engine_there)
    if set(found.values()) == {own}:
        yield
        return
    from distributed.diagnostics.plugin import UploadFile  # noqa: PLC0415

    client.run(forget_sent)
    with tempfile.TemporaryDirectory(prefix="advisor-dask-") as folder:
        client.register_plugin(UploadFile(str(_packed_engine(Path(folder), own))), name=f"advisor-{own}")
    try:
        found = client.run(engine_there)
        others = sorted(worker for worker, version in found.items() if version != own)
        if others:
            raise NoCluster(
                f"{len(others)} of {len(found)} Dask workers have another version of this program "
                f"({', '.join(others[:4])}) and may come to other figures. Update it there; workers without it are "
                "sent it."
            )
        yield
    finally:
        with suppress(Exception):  # the cluster may be gone
            client.unregister_worker_plugin(f"advisor-{own}")


def _packed_engine(folder: Path, version: str) -> Path:
    path = folder / f"advisor-engine-{version[:12]}.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("advisor/__init__.py", b"")
        for name, text in sources():
            archive.writestr(f"advisor/engine/{name}", text)
    return path


def _read(client: Client, parts: Sequence[Part], catalogue: Catalogue, how: dict[str, Any]) -> list[Reading]:
    """The parts as read, in their order. A scheduler needs no program of ours: what it passes on are bytes."""
    from toolz import identity  # noqa: PLC0415 (comes with Dask)

    def read_there(part: bytes, shared: bytes) -> bytes:  # within a function: so it is sent as it is
        import pickle  # noqa: PLC0415

        from advisor.engine.readers.export_folder import read_to_send  # noqa: PLC0415

        return pickle.dumps(read_to_send(pickle.loads(part), *pickle.loads(shared)))  # noqa: S301 (our own)

    shared = client.submit(identity, pickle.dumps((catalogue, how)), pure=False)  # made again if its worker is lost
    tasks = [client.submit(read_there, pickle.dumps(part), shared, pure=False) for part in parts]
    readings = []
    for part, task in zip(parts, tasks, strict=True):
        try:
            readings.append(received(pickle.loads(task.result())))  # noqa: S301 (from workers that were checked)
        except Exception as error:
            if isinstance(error, OSError) and error.errno:
                raise NoCluster(
                    f"{part.path}: a Dask worker cannot read it ({error.strerror}). The folder must lie where "
                    "all workers see it under the same path."
                ) from error
            told = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
            raise NoCluster(f"{part.path}: it was not read over Dask ({told}).") from error
        task.release()
    return readings
