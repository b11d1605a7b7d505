"""Who runs the store: its address, contacts, bank and legal texts."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext_lazy as _

from configbox.properties.columns import Text
from configbox.properties.entity import Entity
from configbox.properties.files import Image
from configbox.properties.owned import Computed
from configbox.properties.prop import Prop
from configbox.properties.references import Reference
from configbox.properties.translated import Translated

ADDRESS = _("Address")
CONTACT = _("Contact")
BANK = _("Bank")
LEGAL = _("Legal")


class Store(Entity):
    """Who runs the store: address, contacts, bank, legal texts; one record, id 1."""

    shopname = Text(prop=Prop(label=_("Name"), required=True, listing=20))
    shopwebsite = Text(prop=Prop(label=_("Website")))
    shoplogo = Image(max_kb=3000, prop=Prop(label=_("Logo")))
    shopaddress1 = Text(prop=Prop(label=_("Address"), group=ADDRESS))
    shopaddress2 = Text(prop=Prop(label=_("Address, second line"), group=ADDRESS))
    shopzipcode = Text(max_length=20, prop=Prop(label=_("Postal code"), group=ADDRESS))
    shopcity = Text(prop=Prop(label=_("City"), group=ADDRESS))
    country = Reference("store.Country", prop=Prop(label=_("Country"), group=ADDRESS, required=True))
    shopphonesales = Text(prop=Prop(label=_("Phone of sales"), group=CONTACT))
    shopphonesupport = Text(prop=Prop(label=_("Phone of support"), group=CONTACT))
    shopemailsales = Text(
        prop=Prop(label=_("Email of sales"), tooltip=_("Sends the store's mails and receives orders."), group=CONTACT)
    )
    shopemailsupport = Text(prop=Prop(label=_("Email of support"), group=CONTACT))
    shopfax = Text(prop=Prop(label=_("Fax"), group=CONTACT))
    shopbankname = Text(prop=Prop(label=_("Bank"), group=BANK))
    shopbankaccountholder = Text(prop=Prop(label=_("Account holder"), group=BANK))
    shopbankaccount = Text(prop=Prop(label=_("Account number"), group=BANK))
    shopbankcode = Text(prop=Prop(label=_("Bank code"), group=BANK))
    shopbic = Text(prop=Prop(label=_("BIC"), group=BANK))
    shopiban = Text(prop=Prop(label=_("IBAN"), group=BANK))
    shopuid = Text(prop=Prop(label=_("VAT identification number"), group=LEGAL))
    shopcomreg = Text(prop=Prop(label=_("Commercial register"), group=LEGAL))
    shopowner = Text(prop=Prop(label=_("Owner"), group=LEGAL))
    shoplegalvenue = Text(prop=Prop(label=_("Legal venue"), group=LEGAL))
    shopdesc = Translated(38, html=True, prop=Prop(label=_("Description")))
    tac = Translated(33, html=True, prop=Prop(label=_("Terms and conditions"), group=LEGAL))
    refundpolicy = Translated(35, html=True, prop=Prop(label=_("Refund policy"), group=LEGAL))
    shopcountry = Computed("country_names", {"type": ["string", "null"]}, prop=Prop(label=_("Name of the country")))

    class Options:
        name = "store"
        area = "store"
        title = "shopname"
        singleton = True

    class Meta:
        db_table = "configbox_stores"
        verbose_name = _("store")
        verbose_name_plural = _("stores")

    @staticmethod
    def country_names(stores: "Iterable[Store]") -> dict[int, Any]:
        """Return, by store id, the name of its country. One query."""
        from configbox.store.models.country import Country

        stores = list(stores)
        names = dict(
            Country.objects.filter(pk__in=[each.country_id for each in stores]).values_list("pk", "country_name")
        )
        return {each.pk: names.get(each.country_id) for each in stores}
