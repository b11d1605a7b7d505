"""The store's languages, and the table that holds every translated text."""

from django.db import models

from configbox.languages.columns import ByteComparedCharField


class Language(models.Model):
    """A language the store knows. Only active ones are shown, asked for and required; texts of others are kept."""

    tag = ByteComparedCharField(max_length=20, primary_key=True)
    active = models.BooleanField(default=False)
    # The first active language leads: without an order of their own, rows come back in index order.
    position = models.IntegerField(default=0)

    class Meta:
        db_table = "configbox_languages"
        ordering = ["position", "tag"]

    def __str__(self) -> str:
        return str(self.tag)


class Text(models.Model):
    """One text of one record in one language.

    `field` is the number that the property declares (`Translated(number)`), never reused. The composite key
    keeps all texts of one field together, which makes sorting and searching several times faster on MariaDB.
    """

    pk = models.CompositePrimaryKey("field", "record", "language")
    field = models.SmallIntegerField()
    record = models.IntegerField()
    language = ByteComparedCharField(max_length=20)
    text = models.TextField()

    class Meta:
        db_table = "configbox_strings"

    def __str__(self) -> str:
        return f"{self.field}/{self.record}/{self.language}"
