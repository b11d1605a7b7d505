"""Language tags (BCP 47) and the flat keys that carry them: tag `de-DE`, key `title_de_DE`."""

import re

TAG = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?")


def flat_key(name: str, tag: str) -> str:
    """Return the API key of one language's text: `flat_key("title", "de-DE")` is `title_de_DE`."""
    return f"{name}_{tag.replace('-', '_')}"
