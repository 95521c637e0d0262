"""A stateful Dify console on loopback, after recordings of 1.9.2 and 1.14.2, with the service API of its apps.

It shares no code with the client. A test may break it: expire sessions, enforce single sign-on, fail or drop calls,
and look on (`on_served`) after each call has taken effect and before its reply is sent.
"""

import base64
import json
import re
import threading
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from email.utils import formatdate

from ragjudge.demo import packaged
from ragjudge.demo.corpus import load_corpus
from ragjudge.demo.definition import read_app
from ragjudge.demo.retrieval import Index
from ragjudge.demo.retrieval_log import RetrievalLog
from ragjudge.demo.server.asking import World
from ragjudge.demo.server.memory import Memory
from ragjudge.demo.server.options import ServerOptions, dialect_of
from ragjudge.demo.server.service import Service
from ragjudge.demo.server.wire import Reply, Request, WebServer
from tests.console_apps import GRAPHS, App, Workspace

EMAIL, PASSWORD = "ci@example.com", "correct horse / 電池"
ADMIN_KEY, WORKSPACE_ID = "admin-key-0123456789", "d8e8dcf2-fb3e-4e37-b4c5-f5cb893e799e"


@dataclass(frozen=True)
class Refused(Exception):
    status: int
    code: str
    message: str


class ConsoleServer:
    """As a context manager: `url` is the server's root; `workspace` its state."""

    def __init__(self, release: str = "1.14.2") -> None:
        self.release = release
        self.workspace = Workspace(release)
        self.accounts = {EMAIL: PASSWORD}
        self.features: dict[str, object] = {}
        self.show_version = True
        self.shown_time: int | None = None
        """Seconds since 1970 of the Date header; the workspace's own time without."""
        self.on_served: Callable[[str, str, str], Reply | None] = lambda account, method, path: None
        """May give another reply, as a proxy in between would."""
        self.answer_first: Callable[[str, str], Reply | None] = lambda method, path: None
        """A reply in place of the server's own."""
        self.plugins_page = 256
        self.calls: list[tuple[str, str]] = []
        self.tokens: list[str] = []
        self.logins = Counter()
        self._access: dict[str, str] = {}
        self._refresh: dict[str, str] = {}
        self._failures: Counter = Counter()
        self._lock = threading.RLock()
        self._index: Index | None = None
        self._services: dict[tuple[str, str], Service] = {}
        self._web = WebServer(0, self._serve)

    def __enter__(self):
        self._web.start()
        return self

    def __exit__(self, *_) -> None:
        self._web.stop()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._web.port}"

    @property
    def apps(self) -> list[App]:
        return list(self.workspace.apps.values())

    @property
    def living_keys(self) -> list[str]:
        return [token for app in self.apps for token in app.keys.values()]

    def expire_sessions(self, *, refresh: bool = False) -> None:
        self._access.clear()
        if refresh:
            self._refresh.clear()

    def _serve(self, request: Request) -> Reply:
        self.calls.append((request.method, request.path))
        early = self.answer_first(request.method, request.path)
        if early is not None:
            return early
        if request.path.startswith("/v1/"):
            return self._ask(request)
        account = ""
        try:
            with self._lock:
                account, reply = self._console(request)
        except Refused as no:
            reply = _json({"code": no.code, "message": no.message, "status": no.status}, no.status)
        reply = self.on_served(account, request.method, request.path) or reply
        reply.headers = {**reply.headers, "X-Env": "PRODUCTION"}
        if self.show_version:
            reply.headers["X-Version"] = self.release
        reply.headers["Date"] = formatdate(self.shown_time or self.workspace.now, usegmt=True)
        return reply

    def _console(self, request: Request) -> tuple[str, Reply]:
        path = request.path.removeprefix("/console/api")
        if path == "/system-features":
            said = {"sso_enforced_for_signin": False, "enable_email_password_login": True}
            if not self.release.startswith("1.9"):
                said["app_dsl_version"] = self.workspace.dsl_version
            return "", _json(said | self.features)
        if path == "/login":
            return self._login(_body(request))
        if path == "/refresh-token":
            return self._refreshed(request)
        account = self._account(request)
        for method, pattern, handler in self._routes():
            if method == request.method and (found := re.fullmatch(pattern, path)):
                return account, handler(request, account, *found.groups())
        return account, Reply(404, b"<!doctype html><title>404 Not Found</title>", "text/html")

    def _routes(self):
        one = r"/apps/([0-9a-f-]{36})"
        return (
            ("POST", "/logout", lambda *_: _json({"result": "success"})),
            ("GET", "/workspaces", self._workspaces),
            ("GET", "/workspaces/current/plugin/list", self._plugins),
            ("GET", "/apps", self._list),
            ("POST", "/apps/imports", self._import),
            ("POST", r"/apps/imports/([^/]+)/confirm", self._confirm),
            ("GET", r"/apps/imports/([^/]+)/check-dependencies", self._leaked),
            ("GET", one, lambda _r, _a, app: _json(self._detail(self._app(app)))),
            ("DELETE", one, self._delete),
            ("GET", f"{one}/export", self._export),
            ("GET", f"{one}/workflows/draft", self._draft),
            ("GET", f"{one}/workflows/publish", self._published),
            ("POST", f"{one}/workflows/publish", self._publish),
            ("POST", f"{one}/model-config", self._model_config),
            ("GET", f"{one}/api-keys", self._keys),
            ("POST", f"{one}/api-keys", self._new_key),
            ("DELETE", f"{one}/api-keys/([^/]+)", self._delete_key),
            ("GET", r"/datasets/([^/]+)", self._dataset),
        )

    def _login(self, body: dict) -> tuple[str, Reply]:
        email, password = body["email"], body["password"]
        if self._failures[email] >= 5:
            raise Refused(
                429, "email_code_login_limit", "Too many incorrect password attempts. Please try again later."
            )
        if self.release != "1.9.2":
            try:
                password = base64.b64decode(password, validate=True).decode()
            except ValueError:
                raise Refused(401, "authentication_failed", "Invalid encrypted data") from None
        if self.accounts.get(email) != password:
            self._failures[email] += 1
            raise Refused(401, "authentication_failed", "Invalid email or password.")
        self.logins[email] += 1
        return email, self._with_cookies(email)

    def _refreshed(self, request: Request) -> tuple[str, Reply]:
        email = self._refresh.pop(_cookies(request).get("refresh_token", ""), None)
        if email is None:
            raise Refused(401, "unauthorized", "Invalid refresh token")
        return email, self._with_cookies(email)

    def _with_cookies(self, email: str) -> Reply:
        access, refresh, csrf = (f"{kind}.{uuid.uuid4().hex}" for kind in ("jwt", "rt", "csrf"))
        self._access[access] = csrf
        self._access[csrf] = email
        self._refresh[refresh] = email
        reply = _json({"result": "success"})
        # Three spellings of one header name: a mapping holds it once, a browser reads each line.
        reply.headers = {
            "Set-Cookie": f"access_token={access}; Max-Age=3600; HttpOnly; Path=/; SameSite=Lax",
            "set-cookie": f"refresh_token={refresh}; Max-Age=2592000; HttpOnly; Path=/; SameSite=Lax",
            "SET-COOKIE": f"csrf_token={csrf}; Max-Age=3600; Path=/; SameSite=Lax",
        }
        return reply

    def _account(self, request: Request) -> str:
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        if (
            bearer == ADMIN_KEY
            and request.headers.get("x-workspace-id") == WORKSPACE_ID
            and self.release != "1.9.2"
        ):
            return "admin"
        cookies = _cookies(request)
        csrf = request.headers.get("x-csrf-token", "")
        if not csrf or cookies.get("csrf_token") != csrf:
            raise Refused(401, "unauthorized", "CSRF token is missing or invalid.")
        if self._access.get(cookies.get("access_token") or bearer) != csrf:
            raise Refused(401, "unauthorized", "Token has expired.")
        return self._access[csrf]

    def _app(self, app_id: str) -> App:
        if app_id not in self.workspace.apps:
            raise Refused(404, "app_not_found", "App not found.")
        return self.workspace.apps[app_id]

    @staticmethod
    def _workspaces(_request: Request, _account: str) -> Reply:
        other = {"id": str(uuid.uuid4()), "name": "Other", "current": False}
        own = {"id": WORKSPACE_ID, "name": "CI Workspace", "current": True}
        usual = {"plan": "sandbox", "status": "normal", "created_at": 1_796_036_588}
        return _json({"workspaces": [usual | other, usual | own]})

    def _plugins(self, request: Request, _account: str) -> Reply:
        """After Dify's source: whole up to 1.3, in pages with a total later on."""
        listed = [
            {"plugin_id": name, "plugin_unique_identifier": f"{name}:0.1.0@{'0' * 64}"}
            for name in sorted(self.workspace.plugins)
        ]
        page, size = int(request.query.get("page", "1")), int(request.query.get("page_size", "256"))
        size = min(size, self.plugins_page)
        return _json({"plugins": listed[(page - 1) * size : page * size], "total": len(listed)})

    def _list(self, request: Request, _account: str) -> Reply:
        wanted = request.query.get("name", "").lower()
        page, limit = int(request.query.get("page", "1")), int(request.query.get("limit", "20"))
        found = [a for a in self.apps if wanted in a.identity["name"].lower()]
        part = found[(page - 1) * limit : page * limit]
        body = {"page": page, "limit": limit, "total": len(found), "has_more": len(found) > page * limit}
        return _json(body | {"data": [self._detail(app) for app in part]})

    @staticmethod
    def _detail(app: App) -> dict:
        published = {"id": app.versions[0].id} if app.versions else None
        usual = {"icon_type": "emoji", "enable_api": True, "tags": [], "model_config": app.config}
        return usual | app.identity | {"id": app.id, "workflow": published, "created_at": app.created_at}

    def _import(self, request: Request, account: str) -> Reply:
        body = _body(request)
        return _imported(self.workspace.import_dsl(body["yaml_content"], body.get("app_id"), account))

    def _confirm(self, _request: Request, account: str, import_id: str) -> Reply:
        return _imported(self.workspace.confirm(import_id, account))

    def _leaked(self, _request: Request, _account: str, app_id: str) -> Reply:
        return _json({"leaked_dependencies": self.workspace.leaked(app_id)})

    def _delete(self, _request: Request, _account: str, app_id: str) -> Reply:
        del self.workspace.apps[self._app(app_id).id]
        return Reply(204)

    def _export(self, request: Request, _account: str, app_id: str) -> Reply:
        secrets = request.query.get("include_secret") == "true"
        version = request.query.get("workflow_id")
        return _json({"data": self.workspace.export(self._app(app_id), version=version, secrets=secrets)})

    def _draft(self, _request: Request, _account: str, app_id: str) -> Reply:
        draft = self._app(app_id).draft
        if draft is None:
            raise Refused(404, "draft_workflow_not_exist", "Draft workflow need to be initialized.")
        return _json(self.workspace.workflow_body(draft))

    def _published(self, _request: Request, _account: str, app_id: str) -> Reply:
        versions = self._app(app_id).versions
        return _json(self.workspace.workflow_body(versions[0]) if versions else None)

    def _publish(self, request: Request, _account: str, app_id: str) -> Reply:
        body = _body(request)
        name, comment = body.get("marked_name") or "", body.get("marked_comment") or ""
        if len(name) > 20 or len(comment) > 100:
            raise Refused(400, "invalid_param", "Marked name cannot exceed 20 characters")
        self.workspace.publish(self._app(app_id), name, comment)
        return _json({"result": "success", "created_at": self.workspace.now})

    def _model_config(self, request: Request, _account: str, app_id: str) -> Reply:
        self._app(app_id).config = _body(request)
        return _json({"result": "success"})

    def _keys(self, _request: Request, _account: str, app_id: str) -> Reply:
        return _json({"data": [_key(*entry) for entry in self._app(app_id).keys.items()]})

    def _new_key(self, _request: Request, _account: str, app_id: str) -> Reply:
        key_id, token = str(uuid.uuid4()), f"app-{uuid.uuid4().hex[:24]}"
        self._app(app_id).keys[key_id] = token
        self.tokens.append(token)
        return _json(_key(key_id, token), 201)

    def _delete_key(self, _request: Request, _account: str, app_id: str, key_id: str) -> Reply:
        if self._app(app_id).keys.pop(key_id, None) is None:
            raise Refused(404, "not_found", "API key not found")
        return Reply(204)

    def _dataset(self, _request: Request, _account: str, dataset_id: str) -> Reply:
        if dataset_id not in self.workspace.datasets:
            raise Refused(404, "not_found", "Dataset not found.")
        return _json({"id": dataset_id, "name": "Rules"})

    def _ask(self, request: Request) -> Reply:
        """The service API: the app that the key belongs to, as it was published."""
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        app = next((a for a in self.apps if token in a.keys.values()), None)
        if app is None:
            return _json({"code": "unauthorized", "message": "Access token is invalid", "status": 401}, 401)
        reply = self._service(app, token).handle(request)
        return self.on_served(app.owner, request.method, request.path) or reply

    def _service(self, app: App, token: str) -> Service:
        version = app.versions[0].id if app.mode in GRAPHS else json.dumps(app.config)
        with self._lock:
            if (token, version) not in self._services:
                self._services[token, version] = self._new_service(app, token)
            return self._services[token, version]

    def _new_service(self, app: App, token: str) -> Service:
        if self._index is None:
            self._index = Index(load_corpus(packaged.CORPUS))
        version = app.versions[0].id if app.mode in GRAPHS else None
        definition = read_app(self.workspace.export(app, version=version, secrets=True))
        if version is not None:
            definition = replace(definition, workflow_id=version)
        return Service(
            World(
                app=definition,
                index=self._index,
                options=ServerOptions(release=self.release, api_key=token),
                dialect=dialect_of(self.release),
                memory=Memory(),
                log=RetrievalLog(),
                new_id=lambda: str(uuid.uuid4()),
                closing=threading.Event(),
            )
        )


def _json(body: object, status: int = 200) -> Reply:
    return Reply(status, json.dumps(body, ensure_ascii=False).encode())


def _imported(body: dict) -> Reply:
    return _json(body, {"failed": 400, "pending": 202}.get(body["status"], 200))


def _key(key_id: str, token: str) -> dict:
    return {"id": key_id, "type": "app", "token": token, "last_used_at": None, "created_at": 1_796_040_000}


def _body(request: Request) -> dict:
    return json.loads(request.body or b"{}")


def _cookies(request: Request) -> dict[str, str]:
    pairs = (pair.partition("=") for pair in request.headers.get("cookie", "").split("; "))
    return {name: value for name, _, value in pairs if name}
