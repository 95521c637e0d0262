"""What the app says about itself: info, parameters, meta, site."""

from ragjudge.demo.loose import JsonObject
from ragjudge.demo.server.asking import World
from ragjudge.demo.server.refusals import app_unavailable
from ragjudge.demo.server.replies import json_reply
from ragjudge.demo.server.wire import Reply, Request

_OFF: JsonObject = {"enabled": False}
_LIMITS: JsonObject = {
    "image_file_size_limit": 10,
    "video_file_size_limit": 100,
    "audio_file_size_limit": 50,
    "file_size_limit": 15,
    "workflow_file_upload_limit": 10,
}


class Profile:
    """Read-only pages of one app."""

    def __init__(self, world: World) -> None:
        self._world = world

    def info(self, _request: Request, _: str) -> Reply:
        app = self._world.app
        body: JsonObject = {"name": app.name, "description": app.description, "tags": [], "mode": app.mode}
        return json_reply(self._world, body | {"author_name": "demo"})

    def meta(self, _request: Request, _: str) -> Reply:
        return json_reply(self._world, {"tool_icons": {}})

    def parameters(self, _request: Request, _: str) -> Reply:
        if not self._world.options.published:
            raise app_unavailable()
        features = self._world.app.features
        defaults: JsonObject = {
            "opening_statement": "",
            "suggested_questions": [],
            "suggested_questions_after_answer": _OFF,
            "speech_to_text": _OFF,
            "text_to_speech": {"enabled": False, "language": "", "voice": ""},
            "retriever_resource": _OFF,
            "annotation_reply": _OFF,
            "more_like_this": _OFF,
            "user_input_form": list(self._world.app.form),
            "sensitive_word_avoidance": _OFF,
            "file_upload": {"image": {"enabled": False, "number_limits": 3}},
        }
        body = {name: features.get(name, default) for name, default in defaults.items()}
        return json_reply(self._world, body | {"system_parameters": _LIMITS})

    def site(self, _request: Request, _: str) -> Reply:
        app = self._world.app
        body: JsonObject = {
            "title": app.name,
            "chat_color_theme": None,
            "chat_color_theme_inverted": False,
            "icon_type": "emoji",
            "icon": app.icon,
            "icon_background": app.icon_background,
            "icon_url": None,
            "description": None,
            "copyright": None,
            "privacy_policy": None,
            "custom_disclaimer": "",
            "default_language": "en-US",
            "show_workflow_steps": True,
            "use_icon_as_answer_icon": False,
        }
        return json_reply(self._world, body)
