"""Who may import whom: the engine and the exports live without Django and without the network."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
#: Modules that open connections, or have one in them.
NETWORK = {"socket", "ssl", "asyncio", "http", "urllib", "ftplib", "smtplib", "requests", "httpx", "urllib3", "aiohttp"}
#: What opens connections, of modules that also hold other things.
CONNECTS = ("urllib.request", "http.client", "ftplib", "smtplib", "requests", "httpx", "urllib3", "aiohttp", "ssl")
#: Rooms further along the flow, which a room must not import.
BACK = {
    "models": ("store", "forms", "views", "management"),
    "loading": ("store", "forms", "views", "management"),
    "store": ("forms", "views", "management"),
    "forms": ("store", "views", "management"),
    "views": ("management",),
    "management": ("views",),
}
BLOCKED = """
import importlib, importlib.abc, sys

class Blocked(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("django", "django_htmx"):
            raise ImportError(f"{name} is out of bounds here")

sys.meta_path.insert(0, Blocked())
for name in sys.argv[1:]:
    importlib.import_module(name)
assert not any(name.partition(".")[0] == "django" for name in sys.modules)
"""


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def modules(*rooms: str) -> list[Path]:
    return sorted(path for room in rooms for path in (ROOT / room).rglob("*.py"))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path) -> frozenset[str]:
    return frozenset(imported(path))


def imported(path: Path) -> Iterator[str]:
    """Full names of what a module imports, wherever in it; `from a import b` imports a.b."""
    package = module_name(path).split(".") if path.name != "__init__.py" else [*module_name(path).split("."), ""]
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            near = package[: len(package) - node.level] if node.level else []
            base = [*near, *([node.module] if node.module else [])]
            yield from (".".join([*base, alias.name]) for alias in node.names)


def outsiders(path: Path, allowed: tuple[str, ...]) -> list[str]:
    """Modules of the project that `path` imports from rooms other than `allowed`."""
    return [
        name
        for name in imports(path)
        if name.partition(".")[0] == "advisor" and not any(f"{name}.".startswith(f"{room}.") for room in allowed)
    ]


def run_blocked(*names: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", BLOCKED, *names]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("room", ["advisor/engine", "advisor/exports"])
def test_a_room_is_imported_where_django_is_blocked(room):
    """All modules in one process; one stray import of a model is enough to break it."""
    names = [module_name(path) for path in modules(room)]
    assert names
    done = run_blocked(*names)
    assert done.returncode == 0, done.stderr


def test_the_block_blocks():
    assert "out of bounds" in run_blocked("advisor.store").stderr


@pytest.mark.parametrize(
    ("room", "allowed"),
    [("advisor/engine", ("advisor.engine",)), ("advisor/exports", ("advisor.engine", "advisor.exports"))],
)
def test_modules_keep_to_their_room_and_off_the_network(room, allowed):
    """One test for a room of hundreds of modules: it names those that do not."""
    network = {module_name(path): {n.partition(".")[0] for n in imports(path)} & NETWORK for path in modules(room)}
    assert network
    assert {name: found for name, found in network.items() if found} == {}
    assert {module_name(path): out for path in modules(room) if (out := outsiders(path, allowed))} == {}


def test_one_module_opens_connections():
    users = {module_name(path) for path in modules("advisor") if any(n.startswith(CONNECTS) for n in imports(path))}
    assert users == {"advisor.retail_client"}


def test_one_module_knows_dask_and_imports_it_when_asked():
    dask = {"dask", "distributed"}
    users = {module_name(path) for path in modules("advisor") if {n.partition(".")[0] for n in imports(path)} & dask}
    assert users == {"advisor.over_dask"}
    at_start = [node for node in parsed(ROOT / "advisor/over_dask.py").body if isinstance(node, ast.Import)]
    assert not {alias.name for node in at_start for alias in node.names} & dask


@pytest.mark.parametrize("room", BACK)
def test_a_room_does_not_call_back(room):
    """A room is a folder, or modules that begin with its name: store.py and store_fleets.py are one."""
    for path in [*modules(f"advisor/{room}"), *(ROOT / "advisor").glob(f"{room}*.py")]:
        found = [name for name in imports(path) if name.startswith(tuple(f"advisor.{back}" for back in BACK[room]))]
        assert found == [], module_name(path)


def test_every_module_says_what_it_is_for():
    found = [path for path in modules("advisor", "tools") if parsed(path).body and "migrations" not in path.parts]
    assert found
    assert [module_name(path) for path in found if not ast.get_docstring(parsed(path))] == []
