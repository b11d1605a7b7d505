"""Which languages the store speaks right now. Asked of the database every time: they change at run time."""

from configbox.languages.models import Language


def active_tags() -> list[str]:
    """Return the tags of the active languages, the leading one first. One query."""
    return list(Language.objects.filter(active=True).order_by("position", "tag").values_list("tag", flat=True))
