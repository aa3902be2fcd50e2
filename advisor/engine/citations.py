"""Where a fact was read: the text of a source taken apart into its pages, each with a short name and an address."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

_URL = re.compile(r"https?://\S+")
_GITHUB = re.compile(r"^(?:github\.com/|github:)(?P<repo>[\w.-]+/[\w.-]+)(?P<rest>/(?:issues|pull)/\d+)?$")
_FILE = re.compile(r"^(?P<repo>[\w.-]+/[\w.-]+)(?:@(?P<commit>[0-9a-f]{7,40}))? (?P<path>[\w./-]+\.\w+)(?= |$)")
_REPO = re.compile(r"^(?P<repo>[\w.-]+/[\w.-]+)@(?P<commit>[0-9a-f]{7,40})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """One page of a source: its full text, a short name for tables, its public address where it has one."""

    text: str
    short: str
    url: str | None


@lru_cache(maxsize=4096)
def cite(source: str) -> tuple[Citation, ...]:
    """The pages that a source text names, in its order; they are divided by "; "."""
    return tuple(_citation(part.strip()) for part in source.split("; ") if part.strip())


def cite_all(sources: Iterable[str]) -> tuple[Citation, ...]:
    """The pages of all sources, each once, in the order in which they come first."""
    return tuple({page.text: page for source in sources for page in cite(source)}.values())


def _citation(text: str) -> Citation:
    if found := _URL.search(text):
        url = found.group().rstrip(").,")
        return Citation(text=text, short=url.split("//", 1)[1].split("/", 1)[0], url=url)
    if found := _GITHUB.match(text.split(" ", 1)[0]):
        repo, rest = found["repo"], found["rest"] or ""
        number = rest.rsplit("/", 1)[-1]
        short = f"{repo}#{number}" if number else repo
        return Citation(text=text, short=short, url=f"https://github.com/{repo}{rest}")
    if found := _FILE.match(text):
        address = f"https://github.com/{found['repo']}/blob/{found['commit'] or 'HEAD'}/{found['path']}"
        name = found["path"].rsplit("/", 1)[-1]
        short = f"{found['repo'].split('/')[1]}: {name}" if found["commit"] else name
        return Citation(text=text, short=short, url=address)
    if found := _REPO.match(text):
        address = f"https://github.com/{found['repo']}/tree/{found['commit']}"
        return Citation(text=text, short=found["repo"], url=address)
    return Citation(text=text, short=text, url=None)


def publisher_of(page: Citation) -> str:
    """Who publishes a page: its repository, its host, else its text."""
    if page.url is None:
        return page.text
    parts = page.url.split("/")
    return "/".join(parts[3:5]) if parts[2] == "github.com" else parts[2]
