"""The Azure Retail Prices API over HTTP: one region at a time, polite, and never further than the host it was given.

The only module that opens a connection. It uses urllib: what is needed is GET of one host (docs/adr/0012).
"""

from __future__ import annotations

import json
import random
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import SplitResult, quote, urlencode, urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

RETAIL_PRICES_URL = "https://prices.azure.com/api/retail/prices"
#: The version that lists savings plans; field values in its filter are case-sensitive.
API_VERSION = "2023-01-01-preview"
TIMEOUT_SECONDS = 30.0
#: A server that sends a byte now and then never times out: a page may take this many timeouts, and no longer.
PAGE_TIMEOUTS = 4
PAGE_BYTES = 32 * 1024 * 1024
RETRIES = 5
#: A server that asks for more than this is better asked another time.
LONGEST_WAIT_SECONDS = 600.0
#: One region's whole list of virtual machines was 16 pages; its N series fit on one or two.
PAGES_AT_MOST = 100
#: Walks over a list of several pages until two in a row agree.
WALKS = 4
CHUNK_BYTES = 256 * 1024


class RetailError(Exception):
    """The API cannot be read; the message says what was found and what to do."""


class Unreachable(RetailError):
    """Nothing was ever reached: no network, a wrong address, or a proxy or certificate in between."""


class Moved(RetailError):
    """The list changed while it was walked."""


class _Again(Exception):
    """A fault that may pass; `wait` is what the server asks for, in seconds."""

    def __init__(self, what: str, wait: float | None = None) -> None:
        super().__init__(what)
        self.wait = wait


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of items, and the address of the next; "" at the end."""

    items: tuple[Mapping[str, Any], ...]
    next_link: str


class RetailClient:
    """Reads lists from one base address; `wait` sleeps, and may raise to stop a client that waits.

    Safe to use from several threads.
    """

    def __init__(
        self,
        url: str = RETAIL_PRICES_URL,
        *,
        timeout: float = TIMEOUT_SECONDS,
        wait: Callable[[float], None] = time.sleep,
        pages_at_most: int = PAGES_AT_MOST,
    ) -> None:
        self.url = url
        self.timeout = timeout
        self.wait = wait
        self.pages_at_most = pages_at_most
        self.reached = False
        self._host = host_of(urlsplit(url))
        self._opener = make_opener()

    def first_url(self, region: str, currency: str) -> str:
        """The address of the first page: N-series virtual machines of one region, every price type."""
        wanted = (
            f"serviceName eq 'Virtual Machines' and armRegionName eq '{region}' and contains(armSkuName,'Standard_N')"
        )
        query = {"api-version": API_VERSION, "currencyCode": f"'{currency}'", "$filter": wanted}
        return f"{self.url}?" + urlencode(query, quote_via=quote, safe="$'(),")

    def region_items(
        self, region: str, currency: str, on_page: Callable[[], None] = lambda: None
    ) -> tuple[Mapping[str, Any], ...]:
        """All items of a region; `on_page` is called after each page.

        Pages have no fixed order between requests, so that rows slip from one to the next: a list of several pages
        is walked until two walks in a row hold the same items. Raises RetailError when they never do.
        """
        before: frozenset[str] | None = None
        for _walk in range(WALKS):
            try:
                pages = list(self._walk(self.first_url(region, currency), on_page))
            except Moved:
                before = None
                continue
            items = {canonical(item): item for page in pages for item in page.items}
            if len(pages) == 1 or before == items.keys():
                return tuple(items.values())
            before = frozenset(items)
        raise RetailError(f"{WALKS} readings of the list did not agree; prices may be changing: try again in an hour")

    def _walk(self, url: str, on_page: Callable[[], None]) -> Iterator[Page]:
        seen: set[str] = set()
        while url:
            if url in seen or len(seen) >= self.pages_at_most:
                raise RetailError(f"the list does not end after {len(seen)} pages")
            page = self.page(url, follows=bool(seen))
            seen.add(url)
            on_page()
            yield page
            url = page.next_link
            if url and not self._is_ours(url):
                raise RetailError(f"the list goes on at another address, {url[:100]!r}: not followed")

    def _is_ours(self, url: str) -> bool:
        try:
            return host_of(urlsplit(url)) == self._host
        except ValueError:  # what is no address at all
            return False

    def page(self, url: str, *, follows: bool = False) -> Page:
        """One page, asked for up to six times; `follows` says that it is not the first of its list.

        Asked again after 429, 5xx, a timeout, a cut connection and an answer that is no page; after the time that
        the server states, else 2, 4, 8, 16, 32 s and up to one more. Any other status is not.
        """
        fault = _Again("")
        for attempt in range(RETRIES + 1):
            if attempt:
                self.wait(fault.wait if fault.wait is not None else 2.0**attempt + random.random())  # noqa: S311 (spread)
            try:
                return self._page_once(url)
            except _Again as again:
                fault = again
            except HTTPError as error:
                error.close()
                if follows and error.code == 400:  # what a page beyond the end answers
                    raise Moved("the list became shorter while it was read") from error
                raise RetailError(f"{self._host[1]} answered {error.code} ({error.reason})") from error
        raise RetailError(f"{fault}, {RETRIES + 1} times; try again later")

    def _page_once(self, url: str) -> Page:
        host = self._host[1]
        try:
            body = self._read(url)
        except HTTPError as error:
            self.reached = True
            if error.code == 429 or error.code >= 500:
                error.close()
                raise _Again(f"{host} answered {error.code}", asked_wait(error.headers.get("Retry-After"))) from error
            raise
        except URLError as error:
            raise self._not_connected(error) from error
        except TimeoutError as error:
            raise _Again(f"{host} did not answer within {self.timeout:g} s") from error
        except (HTTPException, OSError) as error:
            raise _Again(f"the connection to {host} was cut") from error
        return read_page(body, host)

    def _not_connected(self, error: URLError) -> Exception:
        """No connection was made: not worth another try unless one was made before."""
        host, why = self._host[1], error.reason
        if isinstance(why, ssl.SSLCertVerificationError):
            return Unreachable(f"the certificate of {host} cannot be verified ({why.verify_message})")
        if self.reached or isinstance(why, ConnectionResetError | BrokenPipeError):
            return _Again(f"no connection to {host}")
        if isinstance(why, TimeoutError):
            return Unreachable(f"{host} cannot be reached: no answer within {self.timeout:g} s")
        if isinstance(why, socket.gaierror):
            return Unreachable(f"{host} cannot be reached: its name is not found, there seems to be no network")
        return Unreachable(f"{host} cannot be reached ({why})")

    def _read(self, url: str) -> bytes:
        until = time.monotonic() + PAGE_TIMEOUTS * self.timeout
        headers = {"Accept": "application/json", "User-Agent": "n-series-migration-advisor"}
        # An address with a blank or a letter beyond ASCII is no request line; all else stays as it was given.
        request = Request(quote(url, safe="%:/?#[]@!$&'()*+,;=~"), headers=headers)  # noqa: S310 (scheme checked)
        with self._opener.open(request, timeout=self.timeout) as answer:
            self.reached = True
            promised = -1 if answer.length is None else answer.length
            parts, size = [], 0
            while size != promised and (part := answer.read1(CHUNK_BYTES)):  # what is there; read() waits for it all
                parts.append(part)
                size += len(part)
                if size > PAGE_BYTES:
                    raise RetailError(f"a page of {self._host[1]} is larger than {PAGE_BYTES >> 20} MiB: not read")
                if time.monotonic() > until:
                    raise TimeoutError
            if size < promised:
                raise ConnectionResetError
        return b"".join(parts)


def make_opener() -> OpenerDirector:
    """An opener for http and https that knows proxies and follows no redirect, whatever it leads to."""
    opener = OpenerDirector()
    for handler in (ProxyHandler(), HTTPHandler(), HTTPSHandler(), HTTPDefaultErrorHandler(), HTTPErrorProcessor()):
        opener.add_handler(handler)
    return opener


def base_url(text: str) -> str:
    """`text` as the address of the list; raises ValueError when it is none."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ValueError(f"{text!r} is not an http or https address without a query")
    return text


def host_of(parts: SplitResult) -> tuple[str, str, int | None, str | None]:
    """Scheme, host, port (that of the scheme if none is named) and user: what two addresses must share."""
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    return parts.scheme, parts.hostname or "", port, parts.username


def read_page(body: bytes, host: str) -> Page:
    """The page of an answer; raises _Again when it is none, as an answer cut short or a proxy's page of HTML."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        start = body[:40].decode("utf-8", "replace")
        raise _Again(f"{host} answered what is no JSON, beginning with {start!r}") from None
    items = answer.get("Items") if isinstance(answer, dict) else None
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise _Again(f"{host} answered without a list of items")
    if answer.get("Count", len(items)) != len(items):
        raise _Again(f"{host} answered {len(items)} items and said {answer['Count']}")
    link = answer.get("NextPageLink") or ""
    if not isinstance(link, str):
        raise _Again(f"{host} answered a next page that is no address")
    return Page(items=tuple(items), next_link=link)


def canonical(item: Mapping[str, Any]) -> str:
    """An item as text: equal for equal items."""
    return json.dumps(item, sort_keys=True)


def asked_wait(text: str | None) -> float | None:
    """Seconds that a Retry-After asks for, in either of its forms; None where it says nothing that can be read.

    Raises RetailError when that is too long to wait.
    """
    if not text:
        return None
    try:
        seconds = float(text) if text.strip().isdecimal() else _until(text)
    except (ValueError, OverflowError):
        return None
    if seconds > LONGEST_WAIT_SECONDS:
        raise RetailError(f"the server asks to wait {seconds:.0f} s: try again then")
    return max(seconds, 0.0)


def _until(text: str) -> float:
    moment = parsedate_to_datetime(text)
    return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - datetime.now(UTC)).total_seconds()
