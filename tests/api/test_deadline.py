"""A request that takes too long: answered before its process would be killed, and nothing of it is kept."""

import time

import pytest
from django.contrib.auth.models import Group
from django.db import connections

from cbx_api import entity_views
from configbox.access.grants import Grant
from tests.api.rest_door import RestDoor, error

SAID = (
    "This request did not end within 0.5 seconds and was stopped. What it had not completed was rolled back. "
    "Read the records concerned before you try again. Ask for less at once."
)


@pytest.mark.django_db(transaction=True)
def test_it_is_told_and_rolled_back(monkeypatch, settings, transactional_db):
    door = RestDoor(Grant.everything())
    settings.HTTP_TIMEOUT = 1

    def slow(*args, **kwargs):
        from django.db import transaction

        with transaction.atomic():
            Group.objects.create(name="half done")
            time.sleep(30)

    monkeypatch.setattr(entity_views.writing, "create", slow)
    answer = error(door.send("POST", "page", {}), 503)
    assert answer["message"] == SAID
    assert answer["code"] == "unavailable"
    assert list(Group.objects.all()) == []
    assert connections["default"].in_atomic_block is False


@pytest.mark.django_db
def test_the_timer_is_off_after_an_answer(settings):
    settings.HTTP_TIMEOUT = 1
    door = RestDoor(Grant.everything())
    door.get("")
    time.sleep(0.7)
    door.get("")
