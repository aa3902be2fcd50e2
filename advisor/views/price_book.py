"""Price books: which there are, how old, what their checks found, and what each changed."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from advisor import store, store_books


@require_safe
def price_books(request: HttpRequest) -> HttpResponse:
    """Every book in a table, and one of them in full: the one asked for by name, else the one in use."""
    books = store_books.list_books()
    asked = request.GET.get("book", "")
    in_use = next((book for book in books if book.in_use), None)
    context = {
        "section": "sources",
        "books": books,
        "in_use": in_use,
        "shown": next((book for book in books if book.name == asked), in_use),
        "currency": store.DEFAULT_CURRENCY,
        "books_kept": store_books.BOOKS_KEPT,
    }
    return render(request, "advisor/price_book/page.html", context)
