"""The shared entity layer: every door reads and writes through it, inside `view.view`.

`reading.get`, `reading.describe`, `listing.list_records`, `writing.create`, `writing.update`, `writing.delete`,
`history.undo` and `history.redo` are what doors call; all raise the errors of `errors`.
"""
