"""The tools an assistant may call: one value per tool, gathered by `registry`."""
