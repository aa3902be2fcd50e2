"""Every address of the site: headers, cookies, and nothing inline or from elsewhere in its HTML."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, reverse

from advisor import urls
from advisor.engine.catalogue import Catalogue
from advisor.models import StoredImport
from tests.pages import Page
from tests.sessions import keep

pytestmark = pytest.mark.django_db

FLEET = "name,size,region,count,hours_per_vm\na,NC6s_v3,westeurope,4,730\nb,NC24ads_A100_v4,westeurope,2,730\n"
NAMED = {p.name: p for p in urls.urlpatterns if isinstance(p, URLPattern) and p.name}
#: Answers that are files to keep, not pages; they carry no page's markup.
FILES = {"report-file", "answer-json", "answer-csv", "template"}
ADDRESSES_OF = ("src", "srcset", "data", "poster", "action", "formaction", "background")


@pytest.fixture
def values(client: Client, catalogue: Catalogue) -> dict[str, Any]:
    """A value for every parameter that an address may have."""
    fleet = keep(client, catalogue, ("fleet.csv", FLEET))
    made = client.post(reverse("make-report", args=[fleet.pk]), {"title": "Report"})
    answer = client.get(reverse("answer-json", args=[fleet.pk])).json()
    return {
        "fleet_id": fleet.pk,
        "import_id": StoredImport.objects.create(
            owner=fleet.owner, name="a.csv", names=["a.csv"], bytes_total=1, beat_at=fleet.made_at
        ).pk,
        "upload_id": fleet.pk,  # of no upload: the page says so
        "place": 0,  # of a file that is kept no longer
        "pool_id": answer["pools"][0]["id"],
        "token": made.headers["Location"].split("/")[2],
        "slug": "retired",
        "name": "Standard_NC6s_v3",
    }


def answers(client: Client, name: str, values: dict[str, Any]) -> list[Any]:
    """What the address answers to GET, and to htmx."""
    wanted = NAMED[name].pattern.converters
    assert set(wanted) <= set(values), f"{name}: say in `values` what its parameters are"
    address = reverse(name, kwargs={key: values[key] for key in wanted})
    return [client.get(address), client.get(address, headers={"HX-Request": "true"}), Client().get(address)]


@pytest.mark.parametrize("part", range(4))
def test_every_answer_is_safe(client: Client, values: dict[str, Any], part: int) -> None:
    """A quarter of all addresses: they share a fleet and a report, which take longer than the addresses."""
    for name in sorted(NAMED)[part::4]:
        for response in answers(client, name, values):
            assert response.status_code in (200, 302, 303, 404, 405, 410, 422), name
            check_headers(response)
            check_cookies(response)
            if response.headers["Content-Type"].startswith("text/html") and name not in FILES:
                check_markup(Page(response.content), styled=False)


def test_the_report_as_a_file_asks_for_nothing(client: Client, values: dict[str, Any]) -> None:
    page = Page(client.get(reverse("report-file", args=[values["token"]])).content)
    check_markup(page, styled=True)
    assert not [tag for tag, _ in page.elements if tag in ("script", "link", "img", "form", "iframe")]


def test_a_page_that_is_not_there_carries_the_headers(client: Client) -> None:
    response = client.get("/nothing/of/the/kind/")
    assert response.status_code == 404
    check_headers(response)
    check_markup(Page(response.content), styled=False)


def check_headers(response: Any) -> None:
    policy = dict(part.strip().split(" ", 1) for part in response.headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["form-action"] == "'self'"
    assert policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert not [word for word in ("unsafe", "http", "*") if word in str(policy)]
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["X-Frame-Options"] == "DENY"
    assert response.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert response.headers["Referrer-Policy"] in ("same-origin", "no-referrer")


def check_cookies(response: Any) -> None:
    """Out of reach of scripts, and not sent with what other sites ask for."""
    for cookie in response.cookies.values():
        assert cookie["httponly"], cookie.key
        assert cookie["samesite"] == "Lax"
        assert not cookie["domain"]


def check_markup(page: Page, *, styled: bool) -> None:
    """No inline script, style or handler; nothing fetched or sent to another site. Links may lead elsewhere."""
    for tag, attributes in page.elements:
        assert styled or tag != "style"
        assert tag != "script" or attributes.get("src"), "a script without a source"
        for name, value in attributes.items():
            assert not name.startswith("on"), f"{name} on {tag}"
            assert name != "style", f"style on {tag}"
            assert name not in ADDRESSES_OF or is_here(value), f"{name}={value} on {tag}"
            if name in ("href", "xlink:href"):
                assert tag == "a" or is_here(value), f"{tag} leads to {value}"
                assert not (value or "").strip().lower().startswith(("javascript:", "data:", "vbscript:"))
                assert is_here(value) or (value or "").startswith("https://"), value
    assert not [text for kind, text in page.inline if kind == "script" and text.strip()]


def is_here(address: str | None) -> bool:
    return not (address or "").startswith(("http:", "https:", "//"))
