"""GitHub's description of its REST API, cut to the calls that we make: 1,100 operations are slow to serve.

python cut.py DESCRIPTION.json CUT.json
"""

import json
import sys
from pathlib import Path

CALLS = (
    "GET /repos/{owner}/{repo}",
    "GET /repos/{owner}/{repo}/pulls",
    "GET /repos/{owner}/{repo}/pulls/{pull_number}",
    "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
    "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
    "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}",
    "DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}",
    "GET /repos/{owner}/{repo}/issues/comments/{comment_id}",
    "POST /repos/{owner}/{repo}/check-runs",
    "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
    "GET /repos/{owner}/{repo}/contents/{path}",
    "GET /repos/{owner}/{repo}/git/ref/{ref}",
    "POST /repos/{owner}/{repo}/git/refs",
    "PATCH /repos/{owner}/{repo}/git/refs/{ref}",
    "POST /repos/{owner}/{repo}/git/blobs",
    "POST /repos/{owner}/{repo}/git/trees",
    "POST /repos/{owner}/{repo}/git/commits",
    "GET /repos/{owner}/{repo}/git/commits/{commit_sha}",
    "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls",
    "GET /repos/{owner}/{repo}/actions/runs",
    "GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts",
    "GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}",
)


def cut(description: dict) -> dict:
    """The same document with these operations only, every reference still inside it."""
    paths: dict = {}
    for call in CALLS:
        method, path = call.split(" ")
        paths.setdefault(path, {"parameters": description["paths"][path].get("parameters", [])})
        paths[path][method.lower()] = description["paths"][path][method.lower()]
    kept = {
        key: value for key, value in description.items() if key not in ("paths", "x-webhooks", "components")
    }
    return {**kept, "paths": paths, "components": _reachable(paths, description["components"])}


def _reachable(paths: dict, components: dict) -> dict:
    """What the paths refer to, directly or through others."""
    found: dict = {}
    todo = list(_references(paths))
    while todo:
        kind, name = todo.pop()
        if name not in found.setdefault(kind, {}):
            found[kind][name] = components[kind][name]
            todo += _references(components[kind][name])
    return found


def _references(value: object) -> list[tuple[str, str]]:
    if isinstance(value, dict):
        reference = value.get("$ref")
        own = (
            [tuple(reference.split("/")[2:4])]
            if isinstance(reference, str) and reference.startswith("#/components/")
            else []
        )
        return own + [found for inner in value.values() for found in _references(inner)]
    if isinstance(value, list):
        return [found for inner in value for found in _references(inner)]
    return []


if __name__ == "__main__":
    whole = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    Path(sys.argv[2]).write_text(json.dumps(cut(whole)), "utf-8")
