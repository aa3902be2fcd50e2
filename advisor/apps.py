"""The one Django app of the project."""

from django.apps import AppConfig


class AdvisorConfig(AppConfig):
    name = "advisor"
    verbose_name = "N-series migration advisor"
