"""What visitors leave here: fleets and reports. Each has a secret of its own; an id is not a permission."""

from __future__ import annotations

import uuid

from django.db import models


class StoredFleet(models.Model):
    """One fleet as read, with what its maker said of it. The upload itself is not kept.

    `owner` is the sha256 of a secret that only the maker's browser session holds.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.CharField(max_length=64, db_index=True)
    name = models.CharField(max_length=200)
    made_at = models.DateTimeField(auto_now_add=True)
    readings = models.JSONField()  # packed readings, see engine.readers.packing
    refused = models.JSONField(default=list)  # rows as written, for correction in place
    settings = models.JSONField(default=dict)  # switches: strategy, price model, horizon, region, hours
    profiles = models.JSONField(default=dict)  # pool id: what was said of the pool
    prices = models.JSONField(default=dict)  # which prices it is answered with, see store_prices
    held = models.JSONField(default=list)  # reservations and savings plans its owner holds, see store_held

    class Meta:
        ordering = ("-made_at",)

    def __str__(self) -> str:
        return str(self.id)


class StoredPriceSheet(models.Model):
    """The price sheet of a fleet's owner as read; the file itself is not kept. It goes with the fleet.

    `prices` may be long, so `head` has all that a page shows.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    fleet = models.OneToOneField(StoredFleet, on_delete=models.CASCADE, related_name="price_sheet")
    made_at = models.DateTimeField(auto_now_add=True)
    head = models.JSONField()  # counts and problems, see engine.sheets.sheet_json
    prices = models.JSONField()  # rows of key, price and day

    def __str__(self) -> str:
        return str(self.id)


class StoredUpload(models.Model):
    """A table that was read, kept for a while so that its columns can be matched by hand; see store_uploads.

    The file lies on disk under the id. `reason` says why it could not be used as it is; empty for one that is used.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.CharField(max_length=64)
    name = models.CharField(max_length=200)
    made_at = models.DateTimeField(auto_now_add=True, db_index=True)
    size = models.PositiveBigIntegerField()  # bytes
    reason = models.TextField(blank=True)

    def __str__(self) -> str:
        return str(self.id)


class StoredMapping(models.Model):
    """How somebody matched the columns of a table, for the next one of the same shape; see engine.readers.mapping."""

    owner = models.CharField(max_length=64)
    shape = models.CharField(max_length=64)
    made_at = models.DateTimeField(auto_now=True)
    mapping = models.JSONField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("owner", "shape"), name="one_mapping_of_a_shape"),)

    def __str__(self) -> str:
        return self.shape[:8]


class StoredImport(models.Model):
    """Large files that a worker reads outside of any request; they lie in a folder of the same id until then.

    The lease: while `state` is reading, `worker` alone may write here, and only as long as `beat_at` is fresh.
    `owner` as in StoredFleet. The fleet that is made of the files has the id of the import, so that it is made once.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        READING = "reading"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.CharField(max_length=64, db_index=True)
    name = models.CharField(max_length=200)
    names = models.JSONField()  # of the files, in the order in which they lie in the folder: 0, 1, 2, ...
    made_at = models.DateTimeField(auto_now_add=True, db_index=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING, db_index=True)
    task = models.UUIDField(null=True)  # of the queue, which is to read it
    worker = models.CharField(max_length=64, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    beat_at = models.DateTimeField()  # the last sign of life of whoever has to do with it
    started_at = models.DateTimeField(null=True)
    bytes_total = models.PositiveBigIntegerField()
    bytes_done = models.PositiveBigIntegerField(default=0)
    rows_done = models.PositiveBigIntegerField(default=0)
    part = models.PositiveIntegerField(default=1)  # of a file that holds several
    again = models.BooleanField(default=False)  # a file is being read once more, and `bytes_total` counts it twice
    upload = models.UUIDField(null=True)  # a lone file that now waits for its columns, instead of a fleet
    # Of a kept file (`upload`) that is read once more: its columns as matched by hand, and the fleet that has it.
    matched = models.JSONField(null=True)
    fleet = models.UUIDField(null=True)
    refused = models.JSONField(default=list)  # file and message of each file, where none was of use

    class Meta:
        ordering = ("-made_at",)

    def __str__(self) -> str:
        return str(self.id)


class StoredWorker(models.Model):
    """A process that reads imports, and when it was last alive."""

    name = models.CharField(max_length=64, primary_key=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class StoredReport(models.Model):
    """An advice frozen for sharing, as the JSON of the contract: it stays as it is when the catalogue changes.

    `token` is the sha256 of the secret in its link; `owner` as in StoredFleet, to revoke it.
    """

    token = models.CharField(max_length=64, primary_key=True)
    owner = models.CharField(max_length=64, db_index=True)
    title = models.CharField(max_length=200)
    made_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    fleet = models.ForeignKey(StoredFleet, null=True, on_delete=models.SET_NULL, related_name="reports")
    advice = models.JSONField()
    with_names = models.BooleanField(default=False)

    class Meta:
        ordering = ("-made_at",)

    def __str__(self) -> str:
        return self.title


class StoredCalendar(models.Model):
    """A secret link at which a calendar program reads the ends of a fleet's machines; it goes with the fleet.

    `token` is the sha256 of the secret in its link; `owner` as in StoredFleet, to take it back.
    """

    token = models.CharField(max_length=64, primary_key=True)
    owner = models.CharField(max_length=64)
    fleet = models.ForeignKey(StoredFleet, on_delete=models.CASCADE, related_name="calendars")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-made_at",)

    def __str__(self) -> str:
        return self.token[:8]
