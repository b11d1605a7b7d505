"""The Authorization header: what is read, what is refused, and what a 401 says."""

import pytest
from django.test import RequestFactory

from configbox.access.bearer import bearer_of, challenge
from configbox.access.grants import parse_scopes
from configbox.access.tokens import TokenRefused, mint

pytestmark = pytest.mark.django_db

NOT_VALID = "This token is not valid."


@pytest.fixture
def text():
    return mint("shop", parse_scopes(["catalog:read"]), created_by="test", expires=None)[1]


def changed(text, place=-1):
    other = "A" if text[place] != "A" else "B"
    return text[:place] + other + (text[place + 1 :] if place != -1 else "")


@pytest.mark.parametrize("form", ["Bearer {}", "bearer {}", "BEARER {}", "bEaReR {}", "Bearer   {}", " \tBearer {} \t"])
def test_the_scheme_is_read_in_any_case_and_with_blanks_around(text, form):
    bearer = bearer_of({"HTTP_AUTHORIZATION": form.format(text)})
    assert bearer.label.endswith(' "shop"')
    assert bearer.grant == parse_scopes(["catalog:read"])
    assert bearer.customer is None


@pytest.mark.parametrize(
    "header",
    [
        "",
        " ",
        "Bearer",
        "Bearer ",
        "Bearer{text}",
        "Bearer\t{text}",
        "Bearer\n{text}",
        "Bearer {text}\n",
        "Bearer {text}\x0b",
        "Bearer\xa0{text}",
        "Basic {text}",
        "Token {text}",
        "Bearers {text}",
        "Bearer: {text}",
        "{text}",
        'Bearer "{text}"',
        'Bearer "{text} "',
        "Bearer {text} {text}",
        "Bearer {text}, Bearer {text}",
        "Bearer {text},Bearer {text}",
        "Basic YTpi, Bearer {text}",
        "Bearer token={text}",
        "Bearer {upper}",
        "Bearer {lower}",
        "Bearer {text}=",
        "Bearer {text}A",
        "Bearer {cut}",
        "Bearer {first_changed}",
        "Bearer {last_changed}",
        "Bearer {secret}",
        "Bearer cbx_0{number}_{secret}",
        "Bearer cbx_999999_{secret}",
        "Bearer cbx_0_{secret}",
        "Bearer cbx_-{number}_{secret}",
        "Bearer cbx_9999999999_{secret}",
        "Bearer cbx_99999999999999999999_{secret}",
        "Bearer cbx_{number}_",
        "Bearer cbx_\xb2_{secret}",
        "Bearer \xe9\xff",
        "Bearer " + "A" * 100_000,
    ],
)
def test_everything_else_is_refused_in_the_same_words(text, header):
    _, number, secret = text.split("_", 2)
    values = {
        "text": text,
        "number": number,
        "secret": secret,
        "upper": text.upper(),
        "lower": text.lower(),
        "cut": text[:-1],
        "first_changed": changed(text, text.index(secret)),
        "last_changed": changed(text),
    }
    meta = {"HTTP_AUTHORIZATION": header.format(**values)}
    with pytest.raises(TokenRefused) as refusal:
        bearer_of(meta)
    assert refusal.value.message == str(refusal.value) == NOT_VALID
    assert challenge(meta) == 'Bearer realm="configbox", error="invalid_token"'


def test_without_a_header_the_answer_says_what_to_send(text):
    with pytest.raises(TokenRefused, match=r"^This address needs a token: send the header Authorization: Bearer cbx_"):
        bearer_of({})
    assert challenge({}) == 'Bearer realm="configbox"'


def test_a_token_in_the_address_a_cookie_or_another_header_is_not_read(text):
    request = RequestFactory().get(
        "/", {"token": text, "access_token": text}, headers={"X-Authorization": f"Bearer {text}", "X-Api-Key": text}
    )
    request.COOKIES["token"] = text
    with pytest.raises(TokenRefused, match="A token in the address is not read"):
        bearer_of(request.META)


def test_the_header_of_a_request_arrives(text):
    request = RequestFactory().get("/", headers={"Authorization": f"Bearer {text}"})
    assert bearer_of(request.META).label.endswith(' "shop"')
