"""How a store adds parts of its own: the hooks, and where they are looked for."""
