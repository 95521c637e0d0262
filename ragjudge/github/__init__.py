"""TELL GitHub: its API, the event that started us, the sticky comment, and the runner's command language.

`api` is the only door to the network, `commands` the only one that speaks to the runner's log and files.
"""
