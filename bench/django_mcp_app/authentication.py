"""Checks bearer tokens as the store does, for the REST framework."""

from django.contrib.auth.models import User
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from configbox.access.bearer import bearer_of
from configbox.access.tokens import Bearer, TokenRefused


class StoreTokens(BaseAuthentication):
    """`request.auth` is the bearer; the user, which the library wants to see, is never saved."""

    def authenticate(self, request: Request) -> tuple[User, Bearer]:
        try:
            bearer = bearer_of(request.META)
        except TokenRefused as refused:
            raise AuthenticationFailed(refused.message) from None
        return User(username=bearer.label), bearer
