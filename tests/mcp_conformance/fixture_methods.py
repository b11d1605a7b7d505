"""Methods that the product leaves out and the suite asks of legacy servers: log levels and subscriptions."""

from cbx_mcp.protocol.method import Method


def _taken(request, era, session):
    return {}


METHODS = (
    Method("logging/setLevel", _taken, modern=False, capability={"logging": {}}),
    Method("resources/subscribe", _taken, modern=False, capability={"resources": {"subscribe": True}}),
    Method("resources/unsubscribe", _taken, modern=False),
)
