"""What a property says about itself, beside its column."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.functional import Promise

Words = str | Promise

PLATFORMS = ("joomla", "wordpress", "magento2", "standalone")
RUNNING_PLATFORM = "standalone"


@dataclass(frozen=True, kw_only=True)
class Prop:
    """The metadata of one property. From it come the admin form, the JSON Schema, the REST body and the MCP tool.

    `applies_when` maps a property name, or a path through references (`page.product.use_recurring_pricing`), to the
    value it must hold: one value, a list of alternatives, `"*"` for any value that is not empty, `"!x"` for
    anything but x. All entries must hold. A property that does not apply is not required and keeps its value.
    `listing` is its place among the list columns. `parent` marks the reference that owns the record.
    """

    label: Words
    tooltip: Words = ""
    group: Words = ""
    unit: Words = ""
    required: bool = False
    applies_when: Mapping[str, object] = field(default_factory=dict)
    platforms: tuple[str, ...] = ()
    platform_defaults: Mapping[str, object] = field(default_factory=dict)
    sensitive: bool = False
    listing: int | None = None
    filter: bool = False
    search: bool = False
    sortable: bool = False
    readonly: bool = False
    locked_after_store: bool = False
    invisible: bool = False
    parent: bool = False
