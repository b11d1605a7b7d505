"""The protocol: JSON-RPC messages in and out, in both eras of MCP. Knows no transport and no web framework."""
