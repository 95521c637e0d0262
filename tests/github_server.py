"""A stateful GitHub on loopback: comments over pages, pull requests, contents, refs with compare-and-swap, git data.

It keeps what it is told and answers as GitHub does, troubles included: `fail_next` puts rate limits, 403s, 5xx,
cut lines or slowness in front of the next calls that match. Every call is kept in `calls`.
"""

import base64
import hashlib
import io
import json
import re
import ssl
import sys
import threading
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

BOT = "github-actions[bot]"


@dataclass
class Call:
    method: str
    path: str
    query: dict[str, str]
    body: Any
    headers: dict[str, str]


@dataclass
class Trouble:
    """Answers the next `times` calls that match instead of the real answer."""

    method: str
    path: str
    status: int
    body: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    times: int = 1
    done_first: bool = False
    """The work is done before the trouble, as when a gateway times out."""
    cut: bool = False
    """The connection is closed without an answer."""
    delay_s: float = 0.0


@dataclass
class Pull:
    head_sha: str
    head_ref: str = "feature"
    base_ref: str = "main"
    head_repo: str = "octo/app"
    state: str = "open"
    merged_as: str | None = None
    """The commit of the base branch that the merge made."""


class FakeGitHub:
    """Use as a context manager; `url` is GITHUB_API_URL. `login` is whom the token belongs to."""

    def __init__(
        self,
        repository: str = "octo/app",
        login: str = BOT,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        tls: ssl.SSLContext | None = None,
    ):
        self.repository = repository
        self.login = login
        self.token: str | None = None
        self.private = True
        self.calls: list[Call] = []
        self.comments: dict[int, list[dict[str, Any]]] = {}
        self.pulls: dict[int, Pull] = {}
        self.files: dict[tuple[str, str], bytes] = {}
        """(ref, path) → bytes of the contents API, beside what the git data API stored."""
        self.objects: dict[str, dict[str, Any]] = {}
        self.refs: dict[str, str] = {}
        self.check_runs: list[dict[str, Any]] = []
        self.artifacts: dict[int, list[tuple[dict[str, Any], bytes]]] = {}
        self.workflow_runs: list[dict[str, Any]] = []
        self.main: list[str] = []
        """The default branch's commits, the oldest first, for comparing two of them."""
        """Newest first, as GitHub lists them."""
        self._troubles: list[Trouble] = []
        self._ids = 1000
        self._lock = threading.RLock()
        self._server = ThreadingHTTPServer((host, port), _handler(self))
        self._server.daemon_threads = True
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.url = f"{'https' if tls else 'http'}://{host}:{self._server.server_address[1]}"

    def __enter__(self):
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    # What a test sets up and looks at

    def fail_next(self, method: str, path: str, status: int = 500, **more: Any) -> None:
        self._troubles.append(Trouble(method, path, status, **more))

    def add_comment(self, number: int, body: str, login: str = "someone") -> dict[str, Any]:
        with self._lock:
            self._ids += 1
            comment = {
                "id": self._ids,
                "body": body,
                "user": {"login": login},
                "html_url": f"https://github.example/{self.repository}/pull/{number}#issuecomment-{self._ids}",
            }
            self.comments.setdefault(number, []).append(comment)
            return comment

    def add_artifact(self, run_id: int, name: str, content: bytes | dict[str, bytes]) -> None:
        """A zip of the given files, or the given bytes in place of one."""
        if isinstance(content, dict):
            packed = io.BytesIO()
            with zipfile.ZipFile(packed, "w") as archive:
                for path, data in content.items():
                    archive.writestr(path, data)
            content = packed.getvalue()
        with self._lock:
            self._ids += 1
            described = {"id": self._ids, "name": name, "size_in_bytes": len(content), "expired": False}
            self.artifacts.setdefault(run_id, []).append((described, content))

    def add_run(self, head_sha: str, conclusion: str = "success", event: str = "pull_request") -> int:
        """A finished run of a workflow, newer than all before it; its id."""
        with self._lock:
            self._ids += 1
            run = {"id": self._ids, "head_sha": head_sha, "conclusion": conclusion, "event": event}
            self.workflow_runs.insert(0, run)
            return self._ids

    def bodies(self, number: int, login: str | None = None) -> list[str]:
        return [c["body"] for c in self.comments.get(number, []) if login in (None, c["user"]["login"])]

    def made(self, method: str) -> list[str]:
        return [c.path for c in self.calls if c.method == method]

    # What the API does

    def answer(self, call: Call) -> tuple[int, Any, dict[str, str]]:
        for pattern, action in _ROUTES:
            found = re.fullmatch(pattern, f"{call.method} {call.path}")
            if found:
                with self._lock:
                    return action(self, call, *[unquote(g) for g in found.groups()])
        return _not_found()

    def trouble_for(self, call: Call) -> Trouble | None:
        with self._lock:
            for trouble in self._troubles:
                if trouble.times > 0 and trouble.method == call.method and re.search(trouble.path, call.path):
                    trouble.times -= 1
                    return trouble
        return None

    def _graphql(self, call: Call):
        return 200, {"data": {"viewer": {"login": self.login}}}, {}

    def _pull(self, call: Call, number: str):
        pull = self.pulls.get(int(number))
        return (200, self._described(int(number), pull), {}) if pull else _not_found()

    def _described_repository(self, call: Call):
        return 200, {"full_name": self.repository, "private": self.private, "default_branch": "main"}, {}

    def _list_pulls(self, call: Call):
        wanted_head = call.query.get("head", "")
        wanted_state = call.query.get("state", "open")
        found = [
            self._described(n, p)
            for n, p in self.pulls.items()
            if wanted_state in ("all", p.state)
            and wanted_head in ("", f"{p.head_repo.split('/')[0]}:{p.head_ref}")
        ]
        return self._page(call, found)

    def _described(self, number: int, pull: Pull):
        return {
            "number": number,
            "state": pull.state,
            "head": {"sha": pull.head_sha, "ref": pull.head_ref, "repo": {"full_name": pull.head_repo}},
            "base": {"ref": pull.base_ref, "repo": {"full_name": self.repository}},
            "merge_commit_sha": pull.merged_as,
            "merged_at": "2026-01-02T03:04:05Z" if pull.merged_as else None,
        }

    def _pulls_of_commit(self, call: Call, sha: str):
        return self._page(
            call, [self._described(n, p) for n, p in self.pulls.items() if sha in (p.head_sha, p.merged_as)]
        )

    def _list_runs(self, call: Call):
        wanted = {"head_sha": "head_sha", "event": "event", "status": "conclusion"}
        found = [
            run
            for run in self.workflow_runs
            if all(run[field] == call.query[key] for key, field in wanted.items() if key in call.query)
        ]
        return 200, {"total_count": len(found), "workflow_runs": found}, {}

    def _list_comments(self, call: Call, number: str):
        return self._page(call, self.comments.get(int(number), []))

    def _page(self, call: Call, items: list[Any]):
        size, page = int(call.query.get("per_page", 30)), int(call.query.get("page", 1))
        start = (page - 1) * size
        headers = {}
        if start + size < len(items):
            headers["Link"] = f'<{self.url}{call.path}?per_page={size}&page={page + 1}>; rel="next"'
        return 200, items[start : start + size], headers

    def _create_comment(self, call: Call, number: str):
        if len(call.body["body"]) > 65536:
            return 422, {"message": "Validation Failed: body is too long"}, {}
        return 201, self.add_comment(int(number), call.body["body"], self.login), {}

    def _comment(self, comment_id: str):
        return next((c for cs in self.comments.values() for c in cs if c["id"] == int(comment_id)), None)

    def _get_comment(self, call: Call, comment_id: str):
        comment = self._comment(comment_id)
        return (200, comment, {}) if comment else _not_found()

    def _delete_comment(self, call: Call, comment_id: str):
        for kept in self.comments.values():
            if self._comment(comment_id) in kept:
                kept.remove(self._comment(comment_id))
                return 204, b"", {}
        return _not_found()

    def _edit_comment(self, call: Call, comment_id: str):
        comment = self._comment(comment_id)
        if comment is None:
            return _not_found()
        if len(call.body["body"]) > 65536:
            return 422, {"message": "Validation Failed: body is too long"}, {}
        comment["body"] = call.body["body"]
        return 200, comment, {}

    def _contents(self, call: Call, path: str):
        ref = call.query.get("ref", "main")
        data = self.files.get((ref, path))
        if data is None:
            data = self._blob_at(self.refs.get(f"heads/{ref}", ref), path)
        if data is None:
            return _not_found()
        if "raw" in call.headers.get("accept", ""):
            return 200, data, {"Content-Type": "application/vnd.github.raw+json; charset=utf-8"}
        return 200, {"content": base64.b64encode(data).decode(), "encoding": "base64", "sha": "0" * 40}, {}

    def _blob_at(self, commit: str, path: str) -> bytes | None:
        found = self.objects.get(commit)
        if found is None or "tree" not in found:
            return None
        entries = self.objects[found["tree"]["sha"]]["entries"]
        return self.objects[entries[path]]["data"] if path in entries else None

    def _store(self, kind: str, value: Any) -> str:
        sha = hashlib.sha1(f"{kind} {value!r}".encode()).hexdigest()
        self.objects[sha] = value
        return sha

    def _create_blob(self, call: Call):
        content = call.body["content"]
        data = base64.b64decode(content) if call.body.get("encoding") == "base64" else content.encode()
        return 201, {"sha": self._store("blob", {"data": data})}, {}

    def _get_blob(self, call: Call, sha: str):
        found = self.objects.get(sha)
        if found is None or "data" not in found:
            return _not_found()
        if "raw" in call.headers.get("accept", ""):
            return 200, found["data"], {"Content-Type": "application/vnd.github.raw+json; charset=utf-8"}
        encoded = base64.b64encode(found["data"]).decode()
        return 200, {"sha": sha, "content": encoded, "encoding": "base64", "size": len(found["data"])}, {}

    def _create_tree(self, call: Call):
        base = call.body.get("base_tree")
        entries = dict(self.objects[base]["entries"]) if base else {}
        for entry in call.body["tree"]:
            if entry.get("sha", "") is None:
                entries.pop(entry["path"], None)
                continue
            sha = entry.get("sha") or self._store("blob", {"data": entry["content"].encode()})
            if sha not in self.objects:
                return 422, {"message": f"tree.sha {sha} is not a valid blob"}, {}
            entries[entry["path"]] = sha
        sha = self._store("tree", {"entries": entries})
        return 201, {"sha": sha, "tree": _tree_entries(entries)}, {}

    def _get_tree(self, call: Call, sha: str):
        found = self.objects.get(sha, {})
        if "tree" in found:
            found = self.objects[found["tree"]["sha"]]
        if "entries" not in found:
            given = {path: "0" * 40 for ref, path in self.files if ref == sha}
            if not given:
                return _not_found()
            return 200, {"sha": sha, "tree": _tree_entries(given), "truncated": False}, {}
        return 200, {"sha": sha, "tree": _tree_entries(found["entries"]), "truncated": False}, {}

    def _create_commit(self, call: Call):
        if call.body["tree"] not in self.objects:
            return 422, {"message": "Tree SHA does not exist"}, {}
        commit = {
            "tree": {"sha": call.body["tree"]},
            "message": call.body["message"],
            "parents": [{"sha": p} for p in call.body.get("parents", [])],
        }
        sha = self._store("commit", commit)
        return 201, {"sha": sha, **commit}, {}

    def _get_commit(self, call: Call, sha: str):
        found = self.objects.get(sha)
        return (200, {"sha": sha, **found}, {}) if found and "tree" in found else _not_found()

    def _list_commits(self, call: Call):
        start = call.query.get("sha", "main")
        sha: str | None = self.refs.get(f"heads/{start}", start)
        found = []
        while sha and sha in self.objects:
            commit = self.objects[sha]
            found.append({"sha": sha, "commit": {"message": commit["message"], "tree": commit["tree"]},
                          "parents": commit["parents"]})  # fmt: skip
            sha = commit["parents"][0]["sha"] if commit["parents"] else None
        return self._page(call, found) if found else _not_found()

    def _compare(self, call: Call, base: str, head: str):
        if base not in self.main or head not in self.main:
            return _not_found()
        distance = self.main.index(head) - self.main.index(base)
        status = "identical" if distance == 0 else "ahead" if distance > 0 else "behind"
        return 200, {"status": status, "ahead_by": max(distance, 0), "behind_by": max(-distance, 0)}, {}

    def _get_ref(self, call: Call, ref: str):
        if ref not in self.refs:
            return _not_found()
        return 200, {"ref": f"refs/{ref}", "object": {"type": "commit", "sha": self.refs[ref]}}, {}

    def _create_ref(self, call: Call):
        ref = call.body["ref"].removeprefix("refs/")
        if ref in self.refs:
            return 422, {"message": "Reference already exists"}, {}
        if call.body["sha"] not in self.objects:
            return 422, {"message": "Object does not exist"}, {}
        self.refs[ref] = call.body["sha"]
        return 201, {"ref": f"refs/{ref}", "object": {"type": "commit", "sha": self.refs[ref]}}, {}

    def _move_ref(self, call: Call, ref: str):
        if ref not in self.refs:
            return 422, {"message": "Reference does not exist"}, {}
        if not call.body.get("force") and not self._is_ancestor(self.refs[ref], call.body["sha"]):
            return 422, {"message": "Update is not a fast forward"}, {}
        self.refs[ref] = call.body["sha"]
        return 200, {"ref": f"refs/{ref}", "object": {"type": "commit", "sha": self.refs[ref]}}, {}

    def _is_ancestor(self, ancestor: str, sha: str) -> bool:
        todo = [sha]
        while todo:
            current = todo.pop()
            if current == ancestor:
                return True
            todo += [p["sha"] for p in self.objects.get(current, {}).get("parents", [])]
        return False

    def _create_check_run(self, call: Call):
        if _too_much(call.body):
            return 422, {"message": "Invalid request."}, {}
        self._ids += 1
        run = {"id": self._ids, **call.body}
        self.check_runs.append(run)
        return 201, {**run, "html_url": f"https://github.example/{self.repository}/runs/{self._ids}"}, {}

    def _edit_check_run(self, call: Call, run_id: str):
        run = next((r for r in self.check_runs if r["id"] == int(run_id)), None)
        if run is None:
            return _not_found()
        if _too_much(call.body):
            return 422, {"message": "Invalid request."}, {}
        output = call.body.get("output", {})
        old = run.get("output", {}).get("annotations", [])
        run.update(call.body)
        run["output"] = {**output, "annotations": [*old, *output.get("annotations", [])]}
        return 200, {**run, "html_url": f"https://github.example/{self.repository}/runs/{run_id}"}, {}

    def _list_artifacts(self, call: Call, run_id: str):
        found = [described for described, _ in self.artifacts.get(int(run_id), [])]
        return 200, {"total_count": len(found), "artifacts": found}, {}

    def _artifact_zip(self, call: Call, artifact_id: str):
        for described, _ in (a for found in self.artifacts.values() for a in found):
            if described["id"] == int(artifact_id):
                return 302, {}, {"Location": f"{self.url}/storage/{artifact_id}"}
        return _not_found()

    def _storage(self, call: Call, artifact_id: str):
        """Stands for the storage service: it takes no token."""
        assert "authorization" not in call.headers
        found = (a for kept in self.artifacts.values() for a in kept if a[0]["id"] == int(artifact_id))
        return 200, next(found)[1], {"Content-Type": "application/zip"}


def _not_found():
    return (
        404,
        {"message": "Not Found", "documentation_url": "https://docs.github.com/rest", "status": "404"},
        {},
    )


def _too_much(check_run: dict[str, Any]) -> bool:
    """Fifty annotations per call, 65,535 characters of summary; each annotation with its place."""
    output = check_run.get("output", {})
    notes = output.get("annotations", [])
    placed = all({"path", "start_line", "end_line", "annotation_level", "message"} <= set(n) for n in notes)
    return len(notes) > 50 or len(output.get("summary", "")) > 65535 or not placed


def _tree_entries(entries: dict[str, str]):
    return [{"path": p, "mode": "100644", "type": "blob", "sha": s} for p, s in sorted(entries.items())]


_REPO = r"/repos/[^/]+/[^/]+"
_ROUTES: list[tuple[str, Callable[..., tuple[int, Any, dict[str, str]]]]] = [
    (r"POST /graphql", FakeGitHub._graphql),
    (rf"GET {_REPO}", FakeGitHub._described_repository),
    (rf"GET {_REPO}/pulls", FakeGitHub._list_pulls),
    (rf"GET {_REPO}/pulls/(\d+)", FakeGitHub._pull),
    (rf"GET {_REPO}/issues/(\d+)/comments", FakeGitHub._list_comments),
    (rf"POST {_REPO}/issues/(\d+)/comments", FakeGitHub._create_comment),
    (rf"GET {_REPO}/issues/comments/(\d+)", FakeGitHub._get_comment),
    (rf"PATCH {_REPO}/issues/comments/(\d+)", FakeGitHub._edit_comment),
    (rf"DELETE {_REPO}/issues/comments/(\d+)", FakeGitHub._delete_comment),
    (rf"GET {_REPO}/contents/(.+)", FakeGitHub._contents),
    (rf"GET {_REPO}/commits", FakeGitHub._list_commits),
    (rf"GET {_REPO}/commits/(\w+)/pulls", FakeGitHub._pulls_of_commit),
    (rf"GET {_REPO}/actions/runs", FakeGitHub._list_runs),
    (rf"POST {_REPO}/git/blobs", FakeGitHub._create_blob),
    (rf"GET {_REPO}/git/blobs/(\w+)", FakeGitHub._get_blob),
    (rf"POST {_REPO}/git/trees", FakeGitHub._create_tree),
    (rf"GET {_REPO}/git/trees/(\w+)", FakeGitHub._get_tree),
    (rf"POST {_REPO}/git/commits", FakeGitHub._create_commit),
    (rf"GET {_REPO}/git/commits/(\w+)", FakeGitHub._get_commit),
    (rf"GET {_REPO}/compare/(.+)\.\.\.(.+)", FakeGitHub._compare),
    (rf"GET {_REPO}/git/refs?/(.+)", FakeGitHub._get_ref),
    (rf"POST {_REPO}/git/refs", FakeGitHub._create_ref),
    (rf"PATCH {_REPO}/git/refs/(.+)", FakeGitHub._move_ref),
    (rf"POST {_REPO}/check-runs", FakeGitHub._create_check_run),
    (rf"PATCH {_REPO}/check-runs/(\d+)", FakeGitHub._edit_check_run),
    (rf"GET {_REPO}/actions/runs/(\d+)/artifacts", FakeGitHub._list_artifacts),
    (rf"GET {_REPO}/actions/artifacts/(\d+)/zip", FakeGitHub._artifact_zip),
    (r"GET /storage/(\d+)", FakeGitHub._storage),
]


def _handler(github: FakeGitHub):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, *_):
            pass

        def _serve(self):
            split = urlsplit(self.path)
            length = int(self.headers.get("content-length") or 0)
            raw = self.rfile.read(length)
            call = Call(
                self.command,
                split.path,
                {k: v[0] for k, v in parse_qs(split.query).items()},
                json.loads(raw) if raw else None,
                {k.lower(): v for k, v in self.headers.items()},
            )
            github.calls.append(call)
            stored = call.path.startswith("/storage/")
            if (
                not stored
                and github.token is not None
                and call.headers.get("authorization") != f"Bearer {github.token}"
            ):
                self._reply(401, {"message": "Bad credentials"}, {})
                return
            trouble = github.trouble_for(call)
            if trouble is None:
                self._reply(*github.answer(call))
                return
            time.sleep(trouble.delay_s)
            if trouble.done_first:
                github.answer(call)
            if trouble.cut:
                self.close_connection = True
                return
            self._reply(trouble.status, trouble.body, trouble.headers)

        def _reply(self, status: int, body: Any, headers: dict[str, str]):
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json; charset=utf-8", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    for method in ("GET", "POST", "PATCH", "PUT", "DELETE"):
        setattr(Handler, f"do_{method}", Handler._serve)

    return Handler


def main() -> None:
    """Serves until it is stopped; prints its address, then each call as one JSON line."""
    import argparse

    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--repository", default="octo/app")
    chosen = parser.parse_args()
    with FakeGitHub(chosen.repository, port=chosen.port) as github:
        sys.stdout.write(github.url + "\n")
        sys.stdout.flush()
        threading.Event().wait()


if __name__ == "__main__":
    main()
