"""Present and past URL labels of every entity that has an address."""

from django.db import models

from configbox.languages.columns import ByteComparedCharField


class UrlLabel(models.Model):
    """One label in one language. Position 0 is the present one, the others redirect to it.

    The key is what makes a label unique: per entity, among records of one scope (a product's pages), per language.
    """

    pk = models.CompositePrimaryKey("entity", "scope", "language", "label")
    entity = ByteComparedCharField(max_length=40)
    scope = models.IntegerField(default=0)
    language = ByteComparedCharField(max_length=20)
    label = ByteComparedCharField(max_length=190)
    record = models.IntegerField()
    position = models.IntegerField()
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "configbox_url_labels"
        indexes = [models.Index(fields=["entity", "record"], name="configbox_url_label_record")]

    def __str__(self) -> str:
        return str(self.label)
