"""How ends, judgements and states look: words for codes, and the sizes of an entry as links."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from advisor.engine.catalogue import Catalogue
from advisor.engine.citations import cite
from advisor.engine.life import EVENT_WORDS, SERVICE_WORDS
from advisor.engine.retirements import names_of, where_of
from advisor.templatetags.catalogue import page_link
from advisor.templatetags.figures import UNKNOWN, day

register = template.Library()

JUDGEMENTS = {"agree": "good", "disagree": "bad", "outdated": "warn", "unknown": "doubt"}
JUDGEMENT_WORDS = {
    "agree": "hold",
    "disagree": "do not",
    "outdated": "are outdated",
    "unknown": "cannot be judged",
}
STATES = {"dead": "bad", "dying": "warn", "current": "good", "unknown": "doubt"}
SIZES_LINKED = 3  # more sizes than this, and they link to the list of their series instead


@register.filter
def event_words(event: str) -> str:
    return EVENT_WORDS[event]


@register.filter
def service_words(service: str) -> str:
    return SERVICE_WORDS[service]


@register.filter
def judgement_words(word: str) -> str:
    """What is said of moves that are judged so."""
    return JUDGEMENT_WORDS[word]


@register.filter
def judgement_tag(word: str) -> SafeString:
    """A judgement as a word in its colour."""
    return format_html('<span class="tag {}">{}</span>', JUDGEMENTS[word], word)


@register.filter
def state_tag(state: str) -> SafeString:
    """The state of a size in a text as a word in its colour."""
    return format_html('<span class="tag {}">{}</span>', STATES[state], state)


@register.filter
def regions_of(regions: Sequence[str], catalogue: Catalogue) -> str:
    """Regions by the names that people know."""
    return where_of(catalogue, regions)


@register.filter
def pages_first(source: str) -> SafeString:
    """The first page of a source."""
    return format_html_join("", "{}", ((page_link(page),) for page in cite(source)[:1]))


@register.filter
def more_than(number: int, shown: int) -> int:
    """How many are left when some are shown."""
    return number - shown


@register.simple_tag
def sizes_of(catalogue: Catalogue, sizes: Sequence[str]) -> SafeString:
    """A few sizes as links; many by the name of their series, or by their short names."""
    if len(sizes) > SIZES_LINKED:
        return format_html("{}", names_of(catalogue, sizes))
    links = ((reverse("size", args=[name]), name.removeprefix("Standard_")) for name in sizes)
    return format_html_join(", ", '<a class="size" href="{}">{}</a>', links)


@register.simple_tag
def dates_of(dates: tuple[date | None, date | None]) -> SafeString:
    """The newest date of Microsoft, and the earliest of any source where that is another."""
    earliest, newest = dates
    if newest is None:
        return format_html("no date of Microsoft, a third party says {}", day(earliest)) if earliest else UNKNOWN
    return format_html("{}" if earliest == newest else "{}, another source says {}", day(newest), day(earliest))
