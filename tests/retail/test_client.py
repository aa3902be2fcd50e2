"""The client against a server with the API's faults. Nothing waits: what would be slept is written down."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from advisor.retail_client import RetailClient, RetailError, Unreachable, base_url
from tests.retail import api as faults
from tests.retail.api import Fault, RetailApi, of_region, once, retail_api, status
from tests.retail.items import Item, make_item


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture
def api() -> Iterator[RetailApi]:
    """One short region, and one of 2,500 items, which are 3 pages."""
    with retail_api({"short": items("short", 3), "long": items("long", 2500)}) as server:
        yield server


def items(region: str, number: int) -> list[Item]:
    return [make_item("NC6s_v3", float(n + 1), region) for n in range(number)]


def make_client(api: RetailApi, **options: Any) -> tuple[RetailClient, list[float]]:
    waits: list[float] = []
    return RetailClient(api.url, **({"timeout": 5.0, "wait": waits.append} | options)), waits


def test_a_region_is_one_small_query(api: RetailApi) -> None:
    client, waits = make_client(api)
    assert list(client.region_items("short", "EUR")) == api.lists["short"]
    query = parse_qs(urlsplit(api.requests[0]).query)
    assert query["api-version"] == ["2023-01-01-preview"]
    assert query["currencyCode"] == ["'EUR'"]  # a parameter of its own: inside the filter it finds nothing
    assert query["$filter"] == [
        "serviceName eq 'Virtual Machines' and armRegionName eq 'short' and contains(armSkuName,'Standard_N')"
    ]
    assert not set(query) - {"api-version", "currencyCode", "$filter"}
    assert (len(api.requests), waits) == (1, [])


@pytest.mark.parametrize("end", [None, ""])
def test_a_list_ends_with_null_or_an_empty_link(api: RetailApi, end: str | None) -> None:
    api.end = end
    assert len(make_client(api)[0].region_items("short", "USD")) == 3


def test_pages_of_1000_are_followed_and_read_twice_until_two_readings_agree(api: RetailApi) -> None:
    found = make_client(api)[0].region_items("long", "USD")
    assert list(found) == api.lists["long"]
    assert [skip for _region, skip in api.asked] == [0, 1000, 2000] * 2


def test_the_next_link_is_taken_as_it_is(api: RetailApi) -> None:
    make_client(api)[0].region_items("long", "USD")
    assert api.requests[1].endswith(
        "?api-version=2023-01-01-preview&$filter=armRegionName%20eq%20%27long%27&$skip=1000"
    )


def test_a_link_with_blanks_is_followed(api: RetailApi) -> None:
    blank = f"{api.url}?$filter=armRegionName eq 'short'&$skip=0"
    api.faults = [once(faults.link(blank), 1)]
    assert len(make_client(api)[0].region_items("short", "USD")) == 3


def test_an_empty_list_is_a_normal_answer(api: RetailApi) -> None:
    assert make_client(api)[0].region_items("nowhere", "USD") == ()


@pytest.mark.parametrize(("by", "pages"), [(7, 9), (-7, 6)])
def test_rows_lost_or_repeated_from_the_second_page_on(api: RetailApi, by: int, pages: int) -> None:
    """The first reading has pages from 1000 + `by` and 2000 + `by`. Seven lost rows: the next two readings agree.
    Seven rows twice: they count once, and the next reading agrees."""
    api.faults = [once(faults.shifted(by), 4)]
    assert list(make_client(api)[0].region_items("long", "USD")) == api.lists["long"]
    assert len(api.asked) == pages


def test_a_list_that_never_agrees_is_an_error(api: RetailApi) -> None:
    def moving(handler: faults.Handler) -> bool:
        api.lists["long"] = items("long", 2500 + len(api.asked))
        return False

    api.faults = [moving]
    with pytest.raises(RetailError, match="4 readings of the list did not agree"):
        make_client(api)[0].region_items("long", "USD")


def test_a_list_that_becomes_shorter_meanwhile_is_read_again(api: RetailApi) -> None:
    """A $skip beyond the end is answered 400."""
    api.faults = [once(of_region("long", status(400), skip=2000))]
    assert len(make_client(api)[0].region_items("long", "USD")) == 2500


@pytest.mark.parametrize("code", [400, 401, 403, 404, 407])
def test_another_4xx_is_never_asked_again(api: RetailApi, code: int) -> None:
    api.faults = [status(code)]
    client, waits = make_client(api)
    with pytest.raises(RetailError, match=f"127.0.0.1 answered {code}"):
        client.region_items("short", "USD")
    assert (len(api.asked), waits) == (1, [])


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(status(429), id="429"),
        pytest.param(status(500), id="500"),
        pytest.param(status(503), id="503"),
        pytest.param(faults.hang_up, id="cut connection"),
        pytest.param(faults.cut_in_body, id="cut body"),
        pytest.param(faults.html, id="html"),
        pytest.param(faults.truncated, id="truncated json"),
        pytest.param(faults.answers([]), id="a list"),
        pytest.param(faults.answers({"Items": None}), id="no items"),
        pytest.param(faults.answers({"Items": [1], "Count": 1}), id="items are no objects"),
        pytest.param(faults.answers({"Items": [], "Count": 7}), id="fewer items than counted"),
        pytest.param(faults.answers({"Items": [], "Count": 0, "NextPageLink": 7}), id="a link that is none"),
        pytest.param(faults.answers(b"[" * 100_000), id="deep json"),
        pytest.param(faults.answers(b"\xff\xfe"), id="no text"),
    ],
)
def test_a_fault_that_passes_is_survived(api: RetailApi, fault: Fault) -> None:
    """2 s, then 4 s, each with up to a second more."""
    api.faults = [once(fault, 2)]
    client, waits = make_client(api)
    assert len(client.region_items("short", "USD")) == 3
    assert [int(seconds) for seconds in waits] == [2, 4]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (status(429), "127.0.0.1 answered 429, 6 times"),
        (status(500), "answered 500, 6 times"),
        (faults.hang_up, "the connection to 127.0.0.1 was cut, 6 times"),
        (faults.html, "no JSON, beginning with '<!DOCTYPE"),
    ],
)
def test_a_fault_that_stays_is_an_error_after_six_times(api: RetailApi, fault: Fault, words: str) -> None:
    api.faults = [fault]
    client, waits = make_client(api)
    with pytest.raises(RetailError, match=words):
        client.region_items("short", "USD")
    assert [int(seconds) for seconds in waits] == [2, 4, 8, 16, 32]


def test_a_slow_answer_times_out_and_is_asked_again(api: RetailApi) -> None:
    api.faults = [once(faults.slow(1.0))]
    client, waits = make_client(api, timeout=0.3)
    assert len(client.region_items("short", "USD")) == 3
    assert waits


def test_an_answer_that_drips_does_not_hold_for_ever(api: RetailApi) -> None:
    """Each byte comes within the timeout; a page may take four."""
    api.faults = [once(faults.drip)]
    client, waits = make_client(api, timeout=0.2)
    assert len(client.region_items("short", "USD")) == 3
    assert waits


def test_retry_after_in_seconds_is_kept_to(api: RetailApi) -> None:
    api.faults = [once(status(429, {"Retry-After": "17"}))]
    client, waits = make_client(api)
    client.region_items("short", "USD")
    assert waits == [17.0]


def test_retry_after_as_a_date_is_kept_to(api: RetailApi) -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=100), usegmt=True)
    api.faults = [once(status(503, {"Retry-After": soon}))]
    client, waits = make_client(api)
    client.region_items("short", "USD")
    assert 90 < waits[0] <= 100


@pytest.mark.parametrize("text", ["soon", "-5", "1e9", "Wed, 99 Foo"])
def test_a_retry_after_that_says_nothing_is_as_none(api: RetailApi, text: str) -> None:
    api.faults = [once(status(429, {"Retry-After": text}))]
    client, waits = make_client(api)
    client.region_items("short", "USD")
    assert int(waits[0]) == 2


def test_a_server_that_asks_for_hours_is_left_alone(api: RetailApi) -> None:
    api.faults = [status(429, {"Retry-After": "86400"})]
    with pytest.raises(RetailError, match="asks to wait 86400 s"):
        make_client(api)[0].region_items("short", "USD")


def test_an_endless_list_is_an_error(api: RetailApi) -> None:
    api.faults = [faults.endless]
    with pytest.raises(RetailError, match="does not end after 5 pages"):
        make_client(api, pages_at_most=5)[0].region_items("short", "USD")


def test_a_link_to_its_own_page_is_an_error(api: RetailApi) -> None:
    client, _waits = make_client(api)
    api.faults = [faults.link(client.first_url("short", "USD"))]
    with pytest.raises(RetailError, match="does not end after 1 pages"):
        client.region_items("short", "USD")


@pytest.mark.parametrize(
    "address",
    [
        "http://evil.test/api/retail/prices?$skip=1000",
        "https://127.0.0.1/api/retail/prices",
        "http://127.0.0.1:1/api/retail/prices",
        "http://user@127.0.0.1:{port}/api/retail/prices",
        "http://127.0.0.1:{port}@evil.test/",
        "//evil.test/",
        "/api/retail/prices?$skip=1000",
        "file:///etc/passwd",
        "http://[",
        "http://127.0.0.1:99999999/",
        "javascript:alert(1)",
    ],
)
def test_a_link_to_another_host_is_not_followed(api: RetailApi, address: str) -> None:
    api.faults = [faults.link(address.replace("{port}", str(api.server_address[1])))]
    with pytest.raises(RetailError, match=r"at another address, .* not followed"):
        make_client(api)[0].region_items("short", "USD")
    assert len(api.asked) == 1


def test_a_redirect_is_not_followed(api: RetailApi) -> None:
    with retail_api({"short": items("short", 3)}) as other:
        api.faults = [status(302, {"Location": other.url})]
        with pytest.raises(RetailError, match="answered 302"):
            make_client(api)[0].region_items("short", "USD")
        assert other.asked == []


def test_a_page_without_end_is_not_read(api: RetailApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("advisor.retail_client.PAGE_BYTES", 1000)
    with pytest.raises(RetailError, match="is larger than"):
        make_client(api)[0].region_items("long", "USD")


def test_nothing_there_is_said_at_once() -> None:
    with retail_api() as server:
        url = server.url
    waits: list[float] = []
    with pytest.raises(Unreachable, match=r"127\.0\.0\.1 cannot be reached"):
        RetailClient(url, wait=waits.append).region_items("short", "USD")
    assert waits == []


def test_a_name_that_is_not_found_is_said_at_once() -> None:
    with pytest.raises(Unreachable, match=r"prices\.invalid cannot be reached: its name is not found"):
        RetailClient("https://prices.invalid/api", wait=lambda _: None).region_items("short", "USD")


def test_a_connection_lost_later_is_tried_again(api: RetailApi) -> None:
    client, waits = make_client(api)
    client.region_items("short", "USD")
    api.shutdown()
    api.server_close()
    with pytest.raises(RetailError, match=r"no connection to 127\.0\.0\.1, 6 times") as raised:
        client.region_items("short", "USD")
    assert not isinstance(raised.value, Unreachable)
    assert len(waits) == 5


def test_nan_passes_the_client_and_is_for_the_checks_to_find(api: RetailApi) -> None:
    api.lists["short"][0]["retailPrice"] = float("nan")
    found = make_client(api)[0].region_items("short", "USD")
    assert json.dumps(found[0]["retailPrice"]) == "NaN"


@pytest.mark.parametrize(
    "text", ["prices.azure.com", "ftp://a.test/", "file:///etc/passwd", "http://a.test/?x=1", "http://"]
)
def test_a_base_address_is_http_without_a_query(text: str) -> None:
    with pytest.raises(ValueError, match="is not an http or https address"):
        base_url(text)
