"""Migrate and load the catalogue, so that the first page or command does not have to wait for it."""

from __future__ import annotations

from typing import Any

from advisor import store
from advisor.management.commands._base import EngineCommand


class Command(EngineCommand):
    help = "Create the tables and load the catalogue if either changed; done in a moment when nothing did."

    def handle(self, *args: Any, **options: Any) -> None:
        version = store.catalogue().version
        if options["json"]:
            self.print_json({"catalogue": version})
