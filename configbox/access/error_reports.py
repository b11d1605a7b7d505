"""Which variables an error report may show."""

from django.http import HttpRequest
from django.views.debug import SafeExceptionReporterFilter


class TokenHidingFilter(SafeExceptionReporterFilter):
    """Hides the variables that hold a token on every error page, with DEBUG too."""

    def is_active(self, request: HttpRequest | None) -> bool:
        """Say yes: pages made with DEBUG are copied into reports and chats as well."""
        return True
