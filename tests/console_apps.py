"""The apps of a loopback Dify workspace: what import, export, publish and delete do to them, after recordings.

No code is shared with the client: ids, hashes, exports and outcomes are computed here on their own.
"""

import base64
import copy
import hashlib
import json
import uuid
from dataclasses import dataclass, field

import yaml

HIDDEN = "[__HIDDEN__]"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
GRAPHS = ("advanced-chat", "workflow")
IDENTITY = ("description", "icon", "icon_background", "icon_type", "mode", "name", "use_icon_as_answer_icon")


class Failed(Exception):
    """An import that ends as `failed`, with the server's words."""


@dataclass
class Workflow:
    id: str
    content: dict
    version: str
    marked_name: str = ""
    marked_comment: str = ""


@dataclass
class App:
    id: str
    owner: str
    created_at: int
    identity: dict
    dependencies: list = field(default_factory=list)
    draft: Workflow | None = None
    versions: list[Workflow] = field(default_factory=list)
    config: dict | None = None
    keys: dict[str, str] = field(default_factory=dict)
    """Key id → token."""

    @property
    def mode(self) -> str:
        return self.identity["mode"]


class Workspace:
    """Apps, knowledge bases and plugins of one tenant on a server of one release."""

    def __init__(self, release: str, datasets: dict[str, str] | None = None) -> None:
        self.release = release
        self.dsl_version = "0.4.0" if release.startswith("1.9") else "0.6.0"
        self.datasets = datasets if datasets is not None else {}
        """Plain id → as this workspace's exports show it."""
        self.plugins = {"langgenius/openai"}
        self.apps: dict[str, App] = {}
        self.now = 1_796_040_000
        self._pending: dict[str, tuple[str, str | None, str]] = {}
        self._needed: dict[str, list] = {}

    def knowledge(self, plain: str) -> str:
        """A knowledge base of this workspace; how an export shows its id."""
        return self.datasets.setdefault(plain, base64.b64encode(plain.encode()[::-1]).decode())

    def import_dsl(self, text: str, over: str | None, owner: str) -> dict:
        """Body of the reply."""
        done = {"id": str(uuid.uuid4()), "status": "failed", "app_id": None, "app_mode": None}
        done |= {"current_dsl_version": self.dsl_version, "imported_dsl_version": "", "error": ""}
        try:
            document = self._parsed(text)
            if over is not None and (over not in self.apps):
                raise Failed("App not found")
            if over is not None and self.apps[over].mode not in GRAPHS:
                raise Failed("Only workflow or advanced chat apps can be overwritten")
        except Failed as failed:
            return done | {"error": str(failed)}
        done["imported_dsl_version"] = version = str(document.get("version") or "0.1.0")
        outcome = self._outcome(version)
        if outcome == "pending":
            self._pending[done["id"]] = (text, over, version)
            return done | {"status": "pending", "app_id": over}
        return self._finished(done | {"status": outcome}, document, over, owner)

    def confirm(self, import_id: str, owner: str) -> dict:
        done = {"id": import_id, "status": "failed", "app_id": None, "app_mode": None}
        done |= {"current_dsl_version": self.dsl_version, "imported_dsl_version": ""}
        if import_id not in self._pending:
            return done | {"error": "Import information expired or does not exist"}
        text, over, version = self._pending.pop(import_id)
        done |= {"error": "", "status": "completed", "imported_dsl_version": version}
        return self._finished(done, yaml.load(text, Loader=_LOADER), over, owner)

    def leaked(self, app_id: str) -> list:
        found = []
        for entry in self._needed.get(app_id, []):
            identifier = entry["value"]["marketplace_plugin_unique_identifier"]
            name, _, rest = identifier.partition(":")
            if name not in self.plugins:
                value = {
                    "marketplace_plugin_unique_identifier": identifier,
                    "version": rest.partition("@")[0],
                }
                found.append({"type": entry["type"], "value": value, "current_identifier": None})
        return found

    def export(self, app: App, *, version: str | None, secrets: bool) -> str:
        document = {"app": app.identity, "kind": "app", "version": self.dsl_version}
        document["dependencies"] = app.dependencies
        if app.mode not in GRAPHS:
            return yaml.dump(document | {"model_config": app.config}, allow_unicode=True, Dumper=_NoAliases)
        chosen = app.draft if version is None else next(v for v in app.versions if v.id == version)
        content = copy.deepcopy(chosen.content)
        for node in content["graph"]["nodes"]:
            if "dataset_ids" in node["data"]:
                ids = node["data"]["dataset_ids"]
                node["data"]["dataset_ids"] = [self.datasets.get(one, one) for one in ids]
        for variable in content["environment_variables"]:
            if variable["value_type"] == "secret" and not secrets:
                variable["value"] = ""
        return yaml.dump(document | {"workflow": content}, allow_unicode=True, Dumper=_NoAliases)

    def publish(self, app: App, name: str, comment: str) -> Workflow:
        self.now += 1
        version = Workflow(
            str(uuid.uuid4()), copy.deepcopy(app.draft.content), f"v{len(app.versions)}", name, comment
        )
        app.versions.insert(0, version)
        return version

    def hash_of(self, workflow: Workflow) -> str:
        covered = {"graph": workflow.content["graph"]}
        if self.release.startswith("1.9"):
            covered["features"] = workflow.content["features"]
        return hashlib.sha256((json.dumps(covered, sort_keys=True) + "None").encode()).hexdigest()

    def workflow_body(self, workflow: Workflow) -> dict:
        account = {"id": str(uuid.uuid5(uuid.NAMESPACE_DNS, "ci")), "name": "ci", "email": "ci@example.com"}
        shown = copy.deepcopy(workflow.content)
        for variable in shown["environment_variables"]:
            if variable["value_type"] == "secret":
                variable["value"] = HIDDEN
        return {
            "id": workflow.id,
            **shown,
            "hash": self.hash_of(workflow),
            "version": workflow.version,
            "marked_name": workflow.marked_name,
            "marked_comment": workflow.marked_comment,
            "created_by": account,
            "created_at": self.now,
            "updated_by": None,
            "updated_at": self.now,
            "tool_published": False,
        }

    @staticmethod
    def _parsed(text: str) -> dict:
        try:
            document = yaml.load(text, Loader=_LOADER)
        except yaml.YAMLError as error:
            raise Failed(f"Invalid YAML format: {error}") from None
        if not isinstance(document, dict):
            raise Failed("Invalid YAML format: content must be a mapping")
        if not document.get("app"):
            raise Failed("Missing app data in YAML content")
        return document

    def _outcome(self, version: str) -> str:
        theirs, ours = ([int(n) for n in v.split(".")] for v in (version, self.dsl_version))
        if theirs > ours or theirs[0] < ours[0]:
            return "pending"
        return "completed-with-warnings" if theirs[1] < ours[1] else "completed"

    def _finished(self, done: dict, document: dict, over: str | None, owner: str) -> dict:
        before = self.apps.get(over) if over else None
        try:
            content = self._content(document, before)
        except KeyError as unknown:
            return done | {"status": "failed", "error": str(unknown), "imported_dsl_version": ""}
        identity = {n: document["app"].get(n) for n in IDENTITY if n in document["app"]}
        app = before or App(str(uuid.uuid4()), owner, self.now, identity)
        app.identity = identity | {"mode": app.mode}
        app.dependencies = self._needed[app.id] = document.get("dependencies") or []
        if content is not None:
            app.draft = Workflow(app.draft.id if app.draft else str(uuid.uuid4()), content, "draft")
        else:
            app.config = document["model_config"]
        self.apps[app.id] = app
        return done | {"app_id": app.id, "app_mode": app.mode}

    def _content(self, document: dict, before: App | None) -> dict | None:
        if "workflow" not in document:
            return None
        content = {"conversation_variables": [], "environment_variables": [], "rag_pipeline_variables": []}
        content |= copy.deepcopy(document["workflow"])
        plain = {shown: one for one, shown in self.datasets.items()}
        for node in content["graph"]["nodes"]:
            if "dataset_ids" in node["data"]:
                ids = [plain.get(one, one) for one in node["data"]["dataset_ids"]]
                node["data"]["dataset_ids"] = [one for one in ids if _is_plain(one)]
        kept = {v["id"]: v["value"] for v in before.draft.content["environment_variables"]} if before else {}
        for variable in content["environment_variables"]:
            if variable["value"] == HIDDEN and variable["value_type"] == "secret":
                variable["value"] = kept[variable["id"]]
        return content


class _NoAliases(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):
    def ignore_aliases(self, data) -> bool:
        return True


def _is_plain(dataset_id: str) -> bool:
    try:
        uuid.UUID(dataset_id)
    except ValueError:
        return False
    return True
