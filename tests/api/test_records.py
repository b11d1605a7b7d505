"""Records over REST: reading, making, changing and deleting, with everything an answer says beside them."""

from decimal import Decimal

import pytest

from configbox.access.grants import Grant
from configbox.entities import reading
from configbox.entities.view import View
from configbox.system.models import ChangeSet
from tests.api.rest_door import RestDoor, document, error
from tests.entities.dumps import dump
from tests.entities.shop import Shop, texts

pytestmark = pytest.mark.django_db


def test_a_record_is_what_the_pipeline_reads_with_its_revision_as_etag(
    door: RestDoor, shop: Shop, author: View
) -> None:
    response = door.send("GET", f"product/{shop.product}")
    read = reading.get("product", shop.product)
    assert document(response, 200) == {"data": read, "meta": {"language": None}}
    assert response["ETag"] == f'"{read["rev"]}"'
    some = door.send("GET", f"/de/cb-api/v1/product/{shop.product}?fields=sku,baseprice")
    assert document(some, 200) == {
        "data": {"id": shop.product, "rev": read["rev"], "sku": "DOOR", "baseprice": Decimal("841.90")},
        "meta": {"language": "de-DE"},
    }
    assert some["ETag"] == f'"{read["rev"]}"'
    refused = error(door.send("GET", f"product/{shop.product}?fields=prize"), 400)
    assert refused["message"].startswith('This request is not valid. fields names "prize"; the keys of a record are')


def test_an_absent_record_and_an_id_that_is_none(door: RestDoor, shop: Shop) -> None:
    for pk in ("999999", "0", "-1", "2147483648"):
        assert error(door.send("GET", f"product/{pk}"), 404)["message"] == f"No product found with id {pk}."
    for pk in ("x", "1.0", "%EF%BC%91", "9" * 30):
        found = error(door.send("GET", f"product/{pk}"), 400)
        assert found["issues"][0]["field"] == "id"
        assert found["message"].startswith("This request is not valid. id must be the whole number of a product, got")
    unknown = error(door.send("GET", "produkt/1"), 404)["message"]
    assert unknown.startswith('There is no entity "produkt". Did you mean "product"? Valid are answer, calculation,')


def test_a_record_is_made_changed_and_deleted_each_in_a_change_set(door: RestDoor, shop: Shop, author: View) -> None:
    made = door.post("answer", {"question_id": shop.colour, "price": "12.50"} | texts("Green", "Grün"))
    answer = document(made, 201)
    pk = answer["data"]["id"]
    assert answer["data"] == reading.get("answer", pk)
    assert answer["data"]["price"] == Decimal("12.50")
    handle = made["ConfigBox-Change-Set"]
    assert answer["meta"] == {"warnings": [], "language": None, "change_set": handle}
    assert (made["Location"], made["ETag"]) == (f"/cb-api/v1/answer/{pk}", '"1"')

    changed = door.patch(f"answer/{pk}?change_set={handle}", {"price": 13})
    answer = document(changed, 200)
    assert answer["meta"] == {"warnings": [], "language": None, "change_set": handle}
    assert (answer["data"]["price"], answer["data"]["rev"], changed["ETag"]) == (Decimal("13.00"), 2, '"2"')
    assert changed["ConfigBox-Change-Set"] == handle
    assert "Location" not in changed

    same = door.patch(f"/de/cb-api/v1/answer/{pk}", {"price": "13.00"})
    assert document(same, 200)["meta"] == {"warnings": [], "language": "de-DE"}
    assert "ConfigBox-Change-Set" not in same
    assert same["ETag"] == '"2"'

    gone = door.delete(f"answer/{pk}")
    assert (gone.status_code, gone.content) == (204, b"")
    assert "Content-Type" not in gone
    assert gone["ConfigBox-Change-Set"] != handle
    assert error(door.send("GET", f"answer/{pk}"), 404)["message"] == f"No answer found with id {pk}."
    made_sets = ChangeSet.objects.filter(door="rest")
    assert [(each.handle, each.actor) for each in made_sets.order_by("pk")] == [
        (handle, f'token #{door.token.pk} "door"'),
        (gone["ConfigBox-Change-Set"], f'token #{door.token.pk} "door"'),
    ]


def test_the_address_of_a_new_record_has_the_language_of_the_request(door: RestDoor, shop: Shop) -> None:
    made = door.post("/de/cb-api/v1/tax-class/", {"title": "Null", "default_tax_rate": 0})
    pk = document(made, 201)["data"]["id"]
    assert made["Location"] == f"/de/cb-api/v1/tax-class/{pk}"
    assert door.get(made["Location"])["data"]["title"] == "Null"


def test_a_dry_run_answers_and_keeps_nothing(door: RestDoor, shop: Shop) -> None:
    door.get("")
    before = dump()
    for response in (
        door.post("tax-class?dry_run=true", {"title": "Null", "default_tax_rate": 0}),
        door.patch(f"answer/{shop.red}?dry_run=true", {"price": 99}),
        door.delete(f"answer/{shop.red}?dry_run=true"),
    ):
        assert document(response, 200)["meta"] == {"warnings": [], "language": None, "dry_run": True}
        assert not {"Location", "ETag", "ConfigBox-Change-Set"} & set(response.headers)
    assert error(door.patch(f"answer/{shop.red}?dry_run=true", {"price": "x"}), 422)["code"] == "invalid"
    assert error(door.delete(f"product-list/{shop.shown}?dry_run=true"), 409)["code"] == "conflict"
    assert dump() == before
    refused = error(door.patch(f"answer/{shop.red}?dry_run=yes", {"price": 99}), 400)
    assert refused["issues"][0]["message"] == 'dry_run must be one of true, false; got "yes".'
    assert door.patch(f"answer/{shop.red}?dry_run=false", {"price": 99}).status_code == 200


def test_a_change_set_that_cannot_take_more_is_refused(door: RestDoor, shop: Shop) -> None:
    refused = error(door.patch(f"answer/{shop.red}?change_set=abc", {"price": 99}), 400)
    assert refused["message"] == (
        'This request is not valid. change_set "abc" cannot be used: you have no change set with this handle. '
        "A write without change_set opens one and returns its handle. [change_set]"
    )
    other = RestDoor(Grant.everything())
    handle = other.patch(f"answer/{shop.red}", {"price": 5})["ConfigBox-Change-Set"]
    assert door.patch(f"answer/{shop.red}?change_set={handle}", {"price": 6}).status_code == 400
    assert other.patch(f"answer/{shop.red}?change_set={handle}", {"price": 6}).status_code == 200


def test_of_two_changes_that_name_the_same_revision_one_is_refused_with_the_present_values(
    door: RestDoor, shop: Shop, author: View
) -> None:
    etag = door.send("GET", f"answer/{shop.red}")["ETag"]
    first = door.patch(f"answer/{shop.red}", {"price": "11.00"}, if_match=etag)
    second = door.patch(f"answer/{shop.red}", {"price": "12.00"}, if_match=etag)
    assert (first.status_code, first["ETag"]) == (200, '"2"')
    found = error(second, 412)
    assert found["message"] == (
        "This answer changed since it was read: it is at rev 2, not 1. Look at its present values, then repeat the "
        "write with that rev. [rev]"
    )
    assert found["present"] == reading.get("answer", shop.red)
    assert found["present"]["price"] == Decimal("11.00")
    assert error(door.delete(f"answer/{shop.red}", if_match=etag), 412)["present"] == found["present"]
    assert door.patch(f"answer/{shop.red}", {"price": "12.00"}, if_match=first["ETag"]).status_code == 200
    assert door.patch(f"answer/{shop.red}", {"price": "13.00"}, if_match="*").status_code == 200
    assert door.delete(f"answer/{shop.red}", if_match='"4"').status_code == 204
    assert error(door.delete(f"answer/{shop.red}", if_match="*"), 404)["code"] == "not_found"


@pytest.mark.parametrize("etag", ["1", 'W/"1"', '"1", "2"', '""', '"x"', '"-1"', '"' + "9" * 21 + '"', "", '"１"'])
def test_an_etag_that_is_none_is_refused(etag: str, door: RestDoor, shop: Shop) -> None:
    for refused in (
        door.patch(f"answer/{shop.red}", {"price": 1}, if_match=etag),
        door.delete(f"answer/{shop.red}", if_match=etag),
    ):
        [issue] = error(refused, 400)["issues"]
        assert issue["field"] == "If-Match"
        assert issue["message"].startswith('If-Match must be one ETag as it was read, such as "3" in its quotes, or *;')


def test_faults_of_fields_are_told_all_at_once_and_nothing_is_stored(door: RestDoor, shop: Shop) -> None:
    door.get("")
    before = dump()
    found = error(
        door.patch(
            f"answer/{shop.red}",
            {"price": "18,50", "sku": "x" * 61, "titel": "x", "title_en_GB": "", "question_id": 999_999, "id": 9,
             "display_while_disabled": "sometimes"},
        ),
        422,
    )  # fmt: skip
    assert {issue["field"]: issue["code"] for issue in found["issues"]} == {
        "price": "invalid_value",
        "sku": "invalid_value",
        "titel": "unknown_field",
        "title_en_GB": "empty_field",
        "question_id": "invalid_reference",
        "id": "locked",
        "display_while_disabled": "invalid_choice",
    }
    locked = error(door.patch(f"calculation/{shop.area}", {"product_id": shop.other_product}), 422)
    assert [issue["code"] for issue in locked["issues"]] == ["locked"]
    twice = error(door.patch(f"currency/{shop.dollar}", {"code": "EUR"}), 422)
    assert [issue["code"] for issue in twice["issues"]] == ["duplicate"]
    assert dump() == before


def test_what_refers_to_a_record_is_named_when_its_delete_is_refused(door: RestDoor, shop: Shop) -> None:
    found = error(door.delete(f"page/{shop.second_page}"), 409)
    assert found["message"] == (
        f'Could not delete page, because it contains questions: question {shop.colour} "Colour", '
        f'question {shop.material} "Material".'
    )
    assert found["issues"] == [
        {"field": "page_id", "code": "not_deletable", "message": f'It contains question {shop.colour} "Colour".'},
        {"field": "page_id", "code": "not_deletable", "message": f'It contains question {shop.material} "Material".'},
    ]
    kept = error(door.delete("currency/1"), 409)
    assert kept["issues"] == [{"field": "id", "code": "not_deletable", "message": kept["message"]}]


def test_what_is_read_can_be_sent_back_whole(door: RestDoor, shop: Shop) -> None:
    for path in (f"product/{shop.product}", f"answer/{shop.red}", "settings/1", f"question/{shop.width}"):
        record = door.get(path)["data"]
        unchanged = door.patch(path, record)
        assert document(unchanged, 200)["data"] == record
        assert "ConfigBox-Change-Set" not in unchanged


@pytest.mark.parametrize(
    "text", ["🚪 Größe", "a\u2028b", "日本語 ‏עברית", 'quotes " and \\ back', "a\r\n\tb", "<b>&amp;</b>"]
)
def test_texts_survive_and_travel_as_one_line_of_ascii(text: str, door: RestDoor, shop: Shop) -> None:
    changed = door.patch(f"answer/{shop.red}", {"title_en_GB": text})
    assert document(changed, 200)["data"]["title_en_GB"] == text
    read = door.send("GET", f"answer/{shop.red}")
    assert document(read, 200)["data"]["title_en_GB"] == text
    assert read.content.isascii()
    assert b"\n" not in read.content
    rows = door.get("answer?language=en-GB&sort=id&limit=1")["data"]
    assert rows[0]["title_en_GB"] == text


def test_numbers_keep_every_digit(door: RestDoor, shop: Shop) -> None:
    for sent, shown in (
        (b"0.1", b"0.10"), (b"12345678901.2345", b"12345678901.2345"), (b'"99999999999.9999"', b"99999999999.9999"),
        (b"1e2", b"100.00"), (b"-0.0001", b"-0.0001"), (b"841.90", b"841.90"),
    ):  # fmt: skip
        changed = door.patch(f"answer/{shop.red}", b'{"price": ' + sent + b"}")
        assert changed.status_code == 200
        assert b'"price": ' + shown + b"," in changed.content
        assert b'"price": ' + shown + b"," in door.send("GET", f"answer/{shop.red}?fields=price,weight").content
    for sent in (b"1234567890123456", b"0.00001", b'"18,50"', b"true"):
        assert error(door.patch(f"answer/{shop.red}", b'{"price": ' + sent + b"}"), 422)["code"] == "invalid"


def test_a_secret_is_written_and_never_read(door: RestDoor, shop: Shop) -> None:
    changed = door.patch("settings/1", {"maxmind_license_key": "very-secret-key"})
    assert changed.status_code == 200
    seen = [changed, door.send("GET", "settings/1"), door.send("GET", "settings"), door.patch("settings/1", {"x": 1})]
    assert [response for response in seen if b"very-secret-key" in response.content] == []
