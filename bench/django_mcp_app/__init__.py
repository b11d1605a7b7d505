"""A Django app for django-mcp-server, which looks for tools in the module `mcp` of every app."""
