"""The addresses of the REST API, each with and without a slash at its end, and those of health."""

from django.urls import re_path

from cbx_api.api_view import NoSuchAddress
from cbx_api.entity_views import CollectionView, RecordView, SchemaView
from cbx_api.health import healthz, readyz
from cbx_api.openapi_view import OpenApiView
from cbx_api.page import docs
from cbx_api.root import RootView
from configbox.languages.paths import API_ROOT

ENTITY = API_ROOT + r"(?P<entity>[^/]+)"

urlpatterns = [
    re_path(r"^healthz/?$", healthz, name="healthz"),
    re_path(r"^readyz/?$", readyz, name="readyz"),
    re_path(API_ROOT.removesuffix("/") + r"/?$", RootView.as_view(), name="rest-root"),
    re_path(API_ROOT + r"openapi\.json/?$", OpenApiView.as_view(), name="rest-openapi"),
    re_path(API_ROOT + r"docs/?$", docs, name="rest-docs"),
    re_path(ENTITY + r"/schema/?$", SchemaView.as_view(), name="rest-schema"),
    re_path(ENTITY + r"/?$", CollectionView.as_view(), name="rest-collection"),
    re_path(ENTITY + r"/(?P<id>[^/]+)/?$", RecordView.as_view(), name="rest-record"),
    re_path(API_ROOT, NoSuchAddress.as_view()),
]
