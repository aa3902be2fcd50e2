"""Calendar entries as iCalendar text (RFC 5545): folding, escaping and line ends are those of the icalendar package."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, time, timedelta

from icalendar import Calendar, Event, vText

from advisor.engine.calendar import CalendarEntry

PRODUCT = "-//N-series advisor//Retirements//EN"
#: How often a calendar program should ask again; ledgers change by the week.
REFRESH = timedelta(days=1)


def to_ics(name: str, entries: Iterable[CalendarEntry], known_on: date, link: Callable[[str], str]) -> bytes:
    """All-day entries that take no time. DTSTAMP is the day of the catalogue, so that equal facts give equal bytes.

    `link` gives the address of the page of a size.
    """
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("name", vText(name))
    calendar.add("x-wr-calname", vText(name))
    calendar.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "P1D")
    stamp = datetime.combine(known_on, time(), UTC)
    for entry in entries:
        event = Event()
        event.add("uid", entry.uid)
        event.add("dtstamp", stamp)
        event.add("dtstart", entry.on)
        event.add("dtend", entry.on + timedelta(days=1))
        event.add("summary", entry.title)
        event.add("description", entry.text)
        event.add("url", link(entry.about))
        event.add("transp", "TRANSPARENT")
        calendar.add_component(event)
    return bytes(calendar.to_ical())
