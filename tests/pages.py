"""What a page says and is made of: its words, its tables, its elements."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])


class Page(HTMLParser):
    """An HTML page taken apart: `elements` as (tag, attributes), `text` with single spaces, `tables` by their id."""

    def __init__(self, content: bytes | str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inline: list[tuple[str, str]] = []  # what stands inside script and style elements
        self.rows: dict[str, list[list[str]]] = {}  # rows of table cells by aria-labelledby of their section
        self._words: list[str] = []
        self._open: list[str] = []
        self._section = ""
        self._cell: list[str] | None = None
        self.feed(content.decode() if isinstance(content, bytes) else content)
        self.close()

    @property
    def text(self) -> str:
        return " ".join(" ".join(self._words).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)
        if tag == "section":
            self._section = dict(attrs).get("aria-labelledby") or ""
        elif tag == "tr":
            self.rows.setdefault(self._section, []).append([])
        elif tag in ("td", "th"):
            self._cell = []

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            while self._open.pop() != tag:
                pass
        if tag in ("td", "th") and self._cell is not None:
            self.rows[self._section][-1].append(" ".join(" ".join(self._cell).split()))
            self._cell = None

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] in ("script", "style"):
            self.inline.append((self._open[-1], data))
            return
        self._words.append(data)
        if self._cell is not None:
            self._cell.append(data)
