"""Pages for what cannot be answered: designed, saying what to do, and telling nothing."""

from __future__ import annotations

from socket import socketpair

import pytest
from django.test import Client, RequestFactory
from django.views import defaults
from pytest_django.asserts import assertContains

from advisor import middleware
from advisor.middleware import page_then_rest
from advisor.views import error

pytestmark = pytest.mark.django_db


def test_not_found(client: Client):
    response = client.get("/nowhere/")
    assertContains(response, "Nothing is here", status_code=404)
    assertContains(response, 'href="/fleets/"', status_code=404)


def test_something_broke_needs_no_context():
    response = defaults.server_error(RequestFactory().get("/"))
    assert response.status_code == 500
    assert b"Something broke on our side" in response.content


def test_broken_request():
    response = error.bad_request(RequestFactory().get("/"), ValueError("secret detail"))
    assert response.status_code == 400
    assert b"secret detail" not in response.content


def test_no_cookie_is_said():
    response = error.csrf_failure(RequestFactory().post("/"), reason="CSRF cookie not set.")
    assert response.status_code == 403
    assert b"sent no cookie" in response.content


def test_a_sender_that_goes_away_is_no_error():
    class Gone:
        def read(self, size: int) -> bytes:
            raise OSError("connection reset")

    assert list(page_then_rest(b"page", Gone())) == [b"page"]  # type: ignore[arg-type]


def test_a_sender_that_falls_silent_is_let_go(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(middleware, "SILENCE_SECONDS", 0.05)
    ours, theirs = socketpair()  # the other end stays open and sends nothing more, as curl does after a 413
    with ours, theirs:
        theirs.sendall(b"x" * 1000)
        assert list(page_then_rest(b"page", ours.makefile("rb"), ours)) == [b"page"]
        assert ours.gettimeout() is None  # the end of the answer goes out as any other
