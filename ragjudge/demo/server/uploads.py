"""Takes uploaded files: only their names and sizes are kept; no node of this server reads a file."""

from email import message_from_bytes
from email.message import Message
from email.policy import HTTP
from mimetypes import guess_type
from pathlib import PurePosixPath

from ragjudge.demo.corpus import stable_id
from ragjudge.demo.loose import JsonObject
from ragjudge.demo.server.asking import World, now
from ragjudge.demo.server.refusals import invalid, refused
from ragjudge.demo.server.replies import json_reply
from ragjudge.demo.server.wire import Reply, Request

_LARGEST_FILE = 15 * 1024 * 1024


class Uploads:
    """`multipart/form-data` with one part `file` and one part `user`."""

    def __init__(self, world: World) -> None:
        self._world = world

    def upload(self, request: Request, _: str) -> Reply:
        parts = _parts(request)
        user = parts.get("user")
        if user is None:
            raise invalid("Arg user must be provided.")
        sent = parts.get("file")
        name = sent.get_filename() if sent is not None else None
        if sent is None or not name:
            raise refused(400, "no_file_uploaded", "Please upload your file.")
        content = _content(sent)
        if len(content) > _LARGEST_FILE:
            raise refused(413, "file_too_large", "File size exceeded. ")
        return json_reply(
            self._world, self._kept(name, content, _content(user).decode("utf-8", "replace")), status=201
        )

    def _kept(self, name: str, content: bytes, user: str) -> JsonObject:
        file_id = self._world.new_id()
        shown: JsonObject = {
            "id": file_id,
            "name": name,
            "size": len(content),
            "extension": PurePosixPath(name).suffix.removeprefix("."),
            "mime_type": guess_type(name)[0] or "application/octet-stream",
            "created_by": stable_id("user", user),
            "created_at": now(),
            "preview_url": None,
            "source_url": f"http://127.0.0.1/files/{file_id}/file-preview",
        }
        if not self._world.dialect.worker_streams:
            return shown
        newer: JsonObject = dict.fromkeys(("original_url", "user_id", "conversation_id", "file_key"))
        return shown | newer | {"tenant_id": stable_id("tenant", "demo")}


def _parts(request: Request) -> dict[str, Message]:
    """The parts of a form by name; empty where the body is no form."""
    head = f"Content-Type: {request.headers.get('content-type', '')}\r\n\r\n"
    form = message_from_bytes(head.encode("latin-1", "replace") + request.body, policy=HTTP)
    if not form.is_multipart():
        return {}
    named = ((part.get_param("name", header="content-disposition"), part) for part in form.walk())
    return {str(name): part for name, part in named if name and not part.is_multipart()}


def _content(part: Message) -> bytes:
    found = part.get_payload(decode=True)
    return found if isinstance(found, bytes) else b""
