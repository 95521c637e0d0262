"""Which files an app takes, and a case's files as the app wants them named. Pure."""

import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import JsonValue

from ragjudge.dify.wire import count_of, list_of, mapping_of, text_of
from ragjudge.language import Text

_MEGABYTE = 1 << 20
_EXTENSIONS: Mapping[str, str] = {
    "image": "jpg jpeg png gif webp svg",
    "audio": "mp3 m4a wav amr mpga",
    "video": "mp4 mov mpeg webm",
    "document": "txt md mdx markdown pdf html htm xlsx xls vtt properties doc docx csv eml msg pptx ppt xml epub json",
}
_KINDS = {kind: frozenset(names.split()) for kind, names in _EXTENSIONS.items()}
"""Which extensions Dify takes for which kind of file."""


@dataclass(frozen=True, slots=True)
class FileRules:
    """What the app, or one variable of its form, takes. Sizes in MiB by kind of file; 0: the server did not say."""

    enabled: bool = False
    kinds: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    ways: tuple[str, ...] = ()
    most: int = 0
    megabytes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Attachment:
    """One file of a case: a local path, or an address that the server fetches itself."""

    written: str

    @property
    def is_remote(self) -> bool:
        return self.written[:8].lower().startswith(("http://", "https://"))

    @property
    def extension(self) -> str:
        path = urlsplit(self.written).path if self.is_remote else self.written
        return Path(path).suffix.lower().lstrip(".")

    def kind(self, rules: FileRules) -> str:
        """Dify's word for what the file is; `custom` for an extension that only this app takes.

        An address need not tell: what stands there is taken for what the app wants first.
        """
        for kind, extensions in _KINDS.items():
            if self.extension in extensions and (kind in rules.kinds or not rules.kinds):
                return kind
        tells = bool(self.extension) or not self.is_remote
        if "custom" in rules.kinds and tells:
            return "custom"
        if self.is_remote and not any(self.extension in extensions for extensions in _KINDS.values()):
            return next(iter(rules.kinds), "document")
        return next((kind for kind, extensions in _KINDS.items() if self.extension in extensions), "document")

    def reference(self, rules: FileRules, upload_id: str | None) -> dict[str, JsonValue]:
        """How a request names the file."""
        if upload_id is None:
            return {"type": self.kind(rules), "transfer_method": "remote_url", "url": self.written}
        return {"type": self.kind(rules), "transfer_method": "local_file", "upload_file_id": upload_id}


def media_type(name: str) -> str:
    return mimetypes.guess_type(name)[0] or "application/octet-stream"


def read_rules(upload: object, limits: object) -> FileRules:
    """From `/parameters`: `file_upload` and `system_parameters`."""
    data, sizes = mapping_of(upload), mapping_of(limits)
    image = mapping_of(data.get("image"))
    kinds = _names(data.get("allowed_file_types")) or (("image",) if image.get("enabled") is True else ())
    return FileRules(
        enabled=data.get("enabled") is True or image.get("enabled") is True,
        kinds=kinds,
        extensions=tuple(name.lower().lstrip(".") for name in _names(data.get("allowed_file_extensions"))),
        ways=_names(data.get("allowed_file_upload_methods")) or _names(image.get("transfer_methods")),
        most=count_of(data.get("number_limits")) or count_of(image.get("number_limits")),
        megabytes=_megabytes(sizes),
    )


def read_variable_rules(field_data: Mapping[str, object], limits: object) -> FileRules:
    """From one `file` or `file-list` variable of the form."""
    return FileRules(
        enabled=True,
        kinds=_names(field_data.get("allowed_file_types")),
        extensions=tuple(
            name.lower().lstrip(".") for name in _names(field_data.get("allowed_file_extensions"))
        ),
        ways=_names(field_data.get("allowed_file_upload_methods")),
        most=count_of(field_data.get("max_length")),
        megabytes=_megabytes(mapping_of(limits)),
    )


def misfit_of(files: tuple[Attachment, ...], rules: FileRules, sizes: Mapping[str, int]) -> Text | None:
    """What the app would refuse about these files. `sizes`: bytes by path, of the local ones."""
    if not rules.enabled:
        return Text("the app takes no files.", "このアプリはファイルを受け付けません。")
    count = len(files)
    if rules.most and count > rules.most:
        return Text(
            f"{count} files; the app takes {rules.most}.",
            f"ファイルが{count}個あります(上限{rules.most}個)。",
        )
    for file in files:
        if (found := _misfit(file, rules, sizes.get(file.written))) is not None:
            return found
    return None


def _misfit(file: Attachment, rules: FileRules, size: int | None) -> Text | None:
    name, kind = file.written[-80:], file.kind(rules)
    if rules.kinds and kind not in rules.kinds:
        return _not_allowed(name, rules.kinds)
    unknown = file.is_remote and not file.extension
    if kind == "custom" and rules.extensions and not unknown and file.extension not in rules.extensions:
        return _not_allowed(name, rules.extensions)
    way = "remote_url" if file.is_remote else "local_file"
    if rules.ways and way not in rules.ways:
        return Text(
            f"file “{name}”: the app takes no {way}.",
            f"ファイル「{name}」: このアプリは {way} を受け付けません。",
        )
    most = rules.megabytes.get(kind, 0)
    if size is not None and most and size > most * _MEGABYTE:
        return Text(
            f"file “{name}” has {size / _MEGABYTE:.1f} MiB; the server takes {most}.",
            f"ファイル「{name}」は{size / _MEGABYTE:.1f}MiBです(上限{most}MiB)。",
        )
    return None


def _not_allowed(name: str, allowed: tuple[str, ...]) -> Text:
    listed = ", ".join(allowed)
    return Text(
        f"file “{name}” is not allowed; allowed: {listed}.",
        f"ファイル「{name}」は使えません。使える種類: {listed}。",
    )


def _megabytes(sizes: Mapping[str, object]) -> dict[str, int]:
    document = count_of(sizes.get("file_size_limit"))
    return {
        "image": count_of(sizes.get("image_file_size_limit")),
        "video": count_of(sizes.get("video_file_size_limit")),
        "audio": count_of(sizes.get("audio_file_size_limit")),
        "document": document,
        "custom": document,
    }


def _names(value: object) -> tuple[str, ...]:
    return tuple(name for item in list_of(value) if (name := text_of(item)))
