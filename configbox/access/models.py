"""The tokens by which programs and assistants come in over HTTP. Secrets are never stored, only their hashes."""

from django.db import models


class Token(models.Model):
    """One credential: what it opens, until when, and when it was last used.

    `scopes` are separated by blanks; `customer` is the id of the one customer a storefront token acts for.
    """

    id = models.AutoField(primary_key=True)
    name = models.CharField(max_length=60)
    # SHA-256 of the secret, as hex: 256 random bits need no slow hash.
    digest = models.CharField(max_length=64)
    scopes = models.TextField(default="")
    customer = models.IntegerField(null=True)
    created_by = models.CharField(max_length=255)
    created = models.DateTimeField(auto_now_add=True)
    # None: it never expires.
    expires = models.DateTimeField(null=True)
    last_used = models.DateTimeField(null=True)
    revoked = models.DateTimeField(null=True)

    class Meta:
        db_table = "configbox_tokens"
        ordering = ["id"]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        """How logs and changes call its bearer: `token #12 "name"`."""
        return f'token #{self.pk} "{self.name}"'
