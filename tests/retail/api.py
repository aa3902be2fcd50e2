"""A server on this machine that answers like the Azure Retail Prices API, with the faults that were met in it."""

from __future__ import annotations

import json
import re
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

from tests.retail.items import Item

PATH = "/api/retail/prices"
PAGE = 1000
REGION = re.compile(r"armRegionName eq '([^']*)'")
#: Answers a request itself, or returns False and leaves it to the server.
Fault = Callable[["Handler"], bool]


class RetailApi(ThreadingHTTPServer):
    """`lists` are items by region, `faults` are tried in order for each request, `asked` are (region, skip)."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.lists: dict[str, list[Item]] = {}
        self.faults: list[Fault] = []
        self.asked: list[tuple[str, int]] = []
        self.requests: list[str] = []
        self.end: str | None = None  # the NextPageLink of a last page
        self.lock = Lock()
        self.now = 0
        self.most = 0  # requests at once

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}{PATH}"

    def handle_error(self, *_args: Any) -> None:
        """Clients that hang up are part of the tests."""


class Handler(BaseHTTPRequestHandler):
    server: RetailApi
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        query = parse_qs(urlsplit(self.path).query)
        found = REGION.search(query.get("$filter", [""])[0])
        self.region, self.skip = found[1] if found else "", int(query.get("$skip", ["0"])[0])
        self.currency = query.get("currencyCode", ["'USD'"])[0].strip("'")
        self.counted = True
        with self.server.lock:
            self.server.now += 1
            self.server.most = max(self.server.most, self.server.now)
            self.server.asked.append((self.region, self.skip))
            self.server.requests.append(self.path)
            faults = list(self.server.faults)
        try:
            if not any(fault(self) for fault in faults):
                self.answer(self.server.lists.get(self.region, []))
        finally:
            self.leave()

    def leave(self) -> None:
        """Count the request no longer: before its answer is sent, since the client may ask again before this ends."""
        with self.server.lock:
            self.server.now -= self.counted
            self.counted = False

    def answer(self, items: list[Item]) -> None:
        """The page of `items` that was asked for; 400 beyond the end, as the API does."""
        if self.skip and self.skip >= len(items):
            self.send(400, {"Error": {"Code": "BadRequest", "Message": "Invalid OData parameters supplied"}})
            return
        more = self.skip + PAGE < len(items)
        self.send(200, self.page(items[self.skip : self.skip + PAGE], self.link(PAGE) if more else self.server.end))

    def page(self, items: list[Item], link: str | None) -> dict[str, Any]:
        return {
            "BillingCurrency": self.currency,
            "CustomerEntityId": "Default",
            "CustomerEntityType": "Retail",
            "Items": items,
            "NextPageLink": link,
            "Count": len(items),
        }

    def link(self, step: int) -> str:
        """The next address, with the port named and the filter written in its own way, as the API does."""
        wanted = quote(f"armRegionName eq '{self.region}'", safe="")
        return f"{self.server.url}?api-version=2023-01-01-preview&$filter={wanted}&$skip={self.skip + step}"

    def send(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        self.leave()
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_args: Any) -> None:
        """Nothing on the terminal."""


@contextmanager
def retail_api(lists: dict[str, list[Item]] | None = None) -> Iterator[RetailApi]:
    """A running server; it ends with the block."""
    api = RetailApi()
    api.lists = dict(lists or {})
    thread = Thread(target=api.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield api
    finally:
        api.shutdown()
        thread.join()
        api.server_close()


def once(fault: Fault, times: int = 1) -> Fault:
    """The fault on the first `times` requests that it is tried on."""
    left, lock = [times], Lock()

    def tried(handler: Handler) -> bool:
        with lock:
            if not left[0]:
                return False
            left[0] -= 1
        return fault(handler)

    return tried


def of_region(region: str, fault: Fault, skip: int | None = None) -> Fault:
    """The fault for one region, and one page of it where `skip` is given."""
    return lambda handler: handler.region == region and skip in (None, handler.skip) and fault(handler)


def status(code: int, headers: dict[str, str] | None = None, body: Any = None) -> Fault:
    def fault(handler: Handler) -> bool:
        handler.send(code, {"Error": {"Code": str(code), "Message": "no"}} if body is None else body, headers)
        return True

    return fault


def html(handler: Handler) -> bool:
    handler.send(200, b"<!DOCTYPE html><title>Gateway</title>", {"Content-Type": "text/html"})
    return True


def answers(body: Any) -> Fault:
    return status(200, body=body)


def truncated(handler: Handler) -> bool:
    """Half of the JSON, and the connection ends as if that were all."""
    data = json.dumps(handler.page(handler.server.lists.get(handler.region, []), None)).encode()
    handler.send(200, data[: len(data) // 2])
    return True


def cut_in_body(handler: Handler) -> bool:
    """Whole JSON, of which less comes than the header says."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    handler.wfile.write(json.dumps(handler.page([], None)).encode())
    handler.close_connection = True
    return True


def hang_up(handler: Handler) -> bool:
    """The connection is reset before any answer."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.close_connection = True
    handler.connection.close()
    return True


def slow(seconds: float) -> Fault:
    def fault(_handler: Handler) -> bool:
        time.sleep(seconds)
        return False

    return fault


def drip(handler: Handler) -> bool:
    """A byte now and then: each comes in time, and there is no end."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    for _ in range(100):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.05)
    return True


def link(address: str) -> Fault:
    """Every page leads to `address`."""

    def fault(handler: Handler) -> bool:
        items = handler.server.lists.get(handler.region, [])
        handler.send(200, handler.page(items[:PAGE], address))
        return True

    return fault


def endless(handler: Handler) -> bool:
    """Every page has a next one, always another."""
    handler.send(200, handler.page(handler.server.lists.get(handler.region, [])[:1], handler.link(1)))
    return True


def shifted(by: int) -> Fault:
    """The list moved between two pages: from the second on it begins `by` items later (lost) or earlier (repeated)."""

    def fault(handler: Handler) -> bool:
        if handler.skip:
            items = handler.server.lists[handler.region]
            start = handler.skip + by
            more = handler.skip + PAGE < len(items)
            handler.send(200, handler.page(items[start : start + PAGE], handler.link(PAGE) if more else None))
        return bool(handler.skip)

    return fault
