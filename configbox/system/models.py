"""What the installation keeps about itself: the changes that were made, and the last id that was given out."""

from django.db import models

from configbox.languages.columns import ByteComparedCharField


class ChangeSet(models.Model):
    """Changes that belong together and are undone together."""

    class State(models.TextChoices):
        OPEN = "open"
        APPLIED = "applied"
        UNDONE = "undone"
        PROPOSED = "proposed"
        MERGED = "merged"
        REJECTED = "rejected"

    id = models.AutoField(primary_key=True)
    # Names the set to its own actor; unguessable, because whoever names an open set adds to it.
    handle = ByteComparedCharField(max_length=80, unique=True)
    title = models.CharField(max_length=255, default="")
    state = models.CharField(max_length=20, choices=State.choices, default=State.OPEN)
    actor = models.CharField(max_length=255)
    door = models.CharField(max_length=40)
    created = models.DateTimeField(auto_now_add=True)
    settled = models.DateTimeField(null=True)
    settled_by = models.CharField(max_length=255, default="")

    class Meta:
        db_table = "configbox_change_sets"

    def __str__(self) -> str:
        return f"change set {self.pk}"


class Change(models.Model):
    """One write to one record: what it held before and what it held after, as JSON of canonical values.

    An update holds only the keys that changed. Sensitive values are never in it; `hidden` names their keys.
    """

    class Operation(models.TextChoices):
        CREATE = "create"
        UPDATE = "update"
        DELETE = "delete"

    id = models.AutoField(primary_key=True)
    change_set = models.ForeignKey(ChangeSet, models.CASCADE, related_name="changes")
    entity = models.CharField(max_length=60)
    record = models.IntegerField()
    title = models.CharField(max_length=255, default="")
    operation = models.CharField(max_length=10, choices=Operation.choices)
    before = models.TextField(default="{}")
    after = models.TextField(default="{}")
    hidden = models.TextField(default="[]")
    rev = models.IntegerField()
    actor = models.CharField(max_length=255)
    door = models.CharField(max_length=40)
    time = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "configbox_changes"
        indexes = [models.Index(fields=["entity", "record"], name="configbox_change_record")]

    def __str__(self) -> str:
        return f"{self.operation} {self.entity} {self.record}"


class Sequence(models.Model):
    """The last id given to a record of an entity.

    A counter inside the transaction, unlike the database's own, leaves no gap when the transaction rolls back, and
    never gives an id twice.
    """

    entity = models.CharField(max_length=60, primary_key=True)
    last = models.IntegerField()

    class Meta:
        db_table = "configbox_sequences"

    def __str__(self) -> str:
        return f"{self.entity}: {self.last}"
