"""Every address of the site. Pages come with the browser part of the product."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
