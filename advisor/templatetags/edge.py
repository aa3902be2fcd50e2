"""How plans for edge devices look: outcomes, holders of a GPU, bases of statements, in words."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from advisor.engine.citations import Citation, cite
from advisor.templatetags.figures import UNKNOWN, change, figure

register = template.Library()

OUTCOMES = {"succeeds": ("good", "works"), "fails": ("bad", "fails"), "unknown": ("doubt", "unknown")}
EDGES = {"succeeds": "", "fails": "no", "unknown": "open"}
LEVELS = {
    "note": ("", "note"),
    "warning": ("warn", "warning"),
    "unknown": ("doubt", "unknown"),
    "error": ("bad", "error"),
}
SLOTS = {"vm": "vm", "k8s": "k8", "free": "free", "unknown": "open"}
BASES = {
    "stated": "stated by a document",
    "derived": "derived: our own conclusion",
    "measured": "measured by a document",
    "general": "general knowledge",
    "open": "open: no document says what happens",
}
CERTAINTIES = {
    "yes": "Stated by documents.",
    "likely": "Likely: it rests on a rule that no document says in words.",
    "no": "Unsure: it holds a question that no document answers.",
}
FITS = {"fits": ("good", "fits"), "does not fit": ("bad", "no"), "unknown": ("doubt", "unknown")}
METHODS = {"vm": "GPU VM", "whole": "whole GPU in Kubernetes", "time": "time sharing", "mps": "MPS"}
HOLDS = {
    "hard": ("good", "kept apart"),
    "soft": ("warn", "limited, can be passed"),
    "absent": ("bad", "not kept apart"),
}
MPS = {
    "on": ("good", "MPS on"),
    "perhaps": ("doubt", "MPS unknown"),
    "off": ("", "MPS does not show"),
}
COUNTS = {0: "no GPU", 1: "1 GPU"}


@register.filter
def outcome_tag(outcome: str, certain: str = "yes") -> SafeString:
    """works, fails or unknown, in its colour; a success that rests on a derived rule says so."""
    colour, word = OUTCOMES[outcome]
    doubt = ", likely" if outcome == "succeeds" and certain == "likely" else ""
    return format_html('<span class="tag {}">{}{}</span>', colour, word, doubt)


@register.filter
def edge_class(outcomes: Any) -> str:
    """The colour of a step's upper edge: that of its worst outcome."""
    found = outcomes.split("+") if isinstance(outcomes, str) else outcomes
    worst = "fails" if "fails" in found else "unknown" if "unknown" in found else "succeeds"
    return EDGES[worst]


@register.filter
def level_tag(level: str) -> SafeString:
    return format_html('<span class="tag {}">{}</span>', *LEVELS.get(level, ("", level)))


@register.filter
def verdict_tag(verdict: str) -> SafeString:
    """fits, no or unknown, in its colour."""
    return format_html('<span class="tag {}">{}</span>', *FITS[verdict])


@register.filter
def method_words(method: str | None) -> str:
    return METHODS[method] if method else "nothing"


@register.filter
def hold_tag(hold: str) -> SafeString:
    """How firmly a way of sharing keeps something apart."""
    return format_html('<span class="tag {}">{}</span>', *HOLDS[hold])


@register.filter
def fits_tag(fits: bool | None) -> SafeString:
    """fits, does not fit or unknown, for memory on a card."""
    colour, words = {True: ("good", "fits"), False: ("bad", "does not fit"), None: ("doubt", "unknown")}[fits]
    return format_html('<span class="tag {}">{}</span>', colour, words)


@register.filter
def width_of(part: float | None, whole: float | None) -> str:
    """The width of a bar of 100 for a part of a whole."""
    return width(part / whole if part is not None and whole else None)


@register.filter
def mps_tag(state: str) -> SafeString:
    return format_html('<span class="tag {}">{}</span>', *MPS[state])


@register.filter
def slot_class(kind: str) -> str:
    return SLOTS[kind]


@register.filter
def basis_words(basis: str) -> str:
    return BASES.get(basis, basis)


@register.filter
def certainty_words(certain: str) -> str:
    return CERTAINTIES[certain]


@register.filter
def gpu_count(value: int | None) -> str:
    """A count of GPUs in words; the word unknown where no document gives it."""
    return UNKNOWN if value is None else COUNTS.get(value, f"{value} GPUs")


@register.filter
def mib(value: float | None) -> str:
    """MiB as nvidia-smi prints them."""
    return UNKNOWN if value is None else f"{figure(value)} MiB"


@register.filter
def width(share: float | None) -> str:
    """The width of a bar of 100 for a share of 0 to 1."""
    return "0" if share is None else f"{100 * min(max(share, 0.0), 1.0):.1f}"


@register.filter
def width_percent(value: float | None) -> str:
    """The width of a bar of 100 for a figure in percent."""
    return width(None if value is None else value / 100)


@register.filter
def change_mib(value: float | None) -> str:
    """A change of memory with its sign."""
    return UNKNOWN if value is None else f"{change(value)} MiB"


@register.filter
def change_points(value: float | None) -> str:
    """A change of a figure in percent, in points."""
    return UNKNOWN if value is None else f"{change(value)} points"


@register.filter
def rows(text: str) -> int:
    """Lines of a text field that shows all of a text, up to 40."""
    return min(text.count("\n") + 2, 40)


@register.filter
def edge_pages(source: str) -> SafeString:
    """The pages of a source, each a link where it has an address; an edge document by its bare name."""
    return format_html_join(", ", "{}", ((_page(page),) for page in cite(source)))


def _page(page: Citation) -> SafeString | str:
    own = page.text.startswith("MicrosoftDocs/azure-docs ") or page.url is None or "/blob/" not in page.url
    name = page.short.removeprefix("azure-stack-edge-").removesuffix(".md") if own else page.text
    return format_html('<a href="{}" rel="external">{}</a>', page.url, name) if page.url else name
