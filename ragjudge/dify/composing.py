"""A question → the request that the app wants: inputs by its form, files uploaded, the right endpoint."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from ragjudge.dify import words
from ragjudge.dify.attachments import Attachment, FileRules, media_type, misfit_of
from ragjudge.dify.calls import Caller
from ragjudge.dify.form import Misfit
from ragjudge.dify.listening import Request
from ragjudge.dify.profile import Profile
from ragjudge.dify.transport import Upload
from ragjudge.dify.verdicts import failure, judge
from ragjudge.dify.wire import text_of
from ragjudge.errors import AppCouldNotAnswer
from ragjudge.language import Text
from ragjudge.ports import AppQuestion
from ragjudge.results.outcome import Cause


@dataclass(frozen=True, slots=True)
class Composer:
    """`base_dir` is where a case's files are; none outside it is ever read."""

    profile: Profile
    caller: Caller
    base_dir: Path
    workflow_id: str | None = None
    blocking: bool = False
    """Wanted by the config; an agent answers streams only."""

    def misfits(self, question: AppQuestion) -> list[Misfit]:
        """Everything that the app would refuse about this question, found without a call."""
        inputs = self.profile.inputs_for(question)
        found = self.profile.form.misfits(inputs)
        for variable in self.profile.form.file_variables:
            files = _attachments(inputs.get(variable.name))
            found += self._file_misfits(
                files, variable.files, f"“{variable.name}”: ", f"「{variable.name}」: "
            )
        return found + self._file_misfits(_attachments(list(question.files)), self.profile.files, "", "")

    async def compose(self, question: AppQuestion) -> Request:
        """Raises AppCouldNotAnswer where the app would refuse the question; then nothing was sent."""
        if misfits := self.misfits(question):
            raise AppCouldNotAnswer(misfits[0].what, cause=Cause.APP_INPUT_REFUSED, hint=misfits[0].cure)
        profile = self.profile
        inputs = await self._inputs(question)
        body: dict[str, JsonValue] = {
            "inputs": inputs,
            "response_mode": "blocking" if self.blocking and profile.can_block else "streaming",
            "user": question.user,
        }
        if question.files:
            body["files"] = await self._references(
                _attachments(list(question.files)), profile.files, question.user
            )
        if profile.keeps_conversations:
            body |= {
                "query": question.query,
                "conversation_id": question.conversation_id,
                "auto_generate_name": False,
            }
            if self.workflow_id and profile.mode == "advanced-chat":
                body["workflow_id"] = self.workflow_id
        elif profile.mode == "completion" and question.query not in inputs.values():
            body["query"] = question.query
        path = profile.endpoint(self.workflow_id)
        return Request(path, body, question.user, question.conversation_id, question.query)

    async def _inputs(self, question: AppQuestion) -> dict[str, JsonValue]:
        inputs = self.profile.form.fitted(self.profile.inputs_for(question))
        for variable in self.profile.form.file_variables:
            if files := _attachments(inputs.get(variable.name)):
                references = await self._references(files, variable.files, question.user)
                inputs[variable.name] = references if variable.kind == "file-list" else references[0]
        return inputs

    async def _references(self, files: Sequence[Attachment], rules: FileRules, user: str) -> list[JsonValue]:
        return [
            dict(file.reference(rules, None if file.is_remote else await self._uploaded(file, user)))
            for file in files
        ]

    async def _uploaded(self, file: Attachment, user: str) -> str:
        upload = Upload(self.base_dir / file.written, user=user, media_type=media_type(file.written))
        reply = await self.caller.upload(upload)
        if not reply.ok:
            raise judge(reply.refusal()).error
        if not (found := text_of(reply.body.get("id"))):
            raise failure(words.UNREADABLE, AppCouldNotAnswer, said="no id of the uploaded file")
        return found

    def _file_misfits(
        self, files: tuple[Attachment, ...], rules: FileRules, en: str, ja: str
    ) -> list[Misfit]:
        if not files:
            return []
        sizes: dict[str, int] = {}
        for file in files:
            if not file.is_remote:
                size = self._size(file)
                if size is None:
                    name = file.written[-80:]
                    return [
                        Misfit(
                            Text(
                                f"{en}file “{name}” is not there, or not below the suite's folder.",
                                f"{ja}ファイル「{name}」がないか、フォルダの外にあります。",
                            )
                        )
                    ]
                sizes[file.written] = size
        what = misfit_of(files, rules, sizes)
        return [] if what is None else [Misfit(Text(f"{en}{what.en}", f"{ja}{what.ja}"))]

    def _size(self, file: Attachment) -> int | None:
        """Bytes of a local file; None where there is none inside the base folder.

        Git's own files count as outside: a checkout may keep a token in `.git/config`.
        """
        try:
            base = self.base_dir.resolve()
            path = (base / file.written).resolve()
            inside = path.is_relative_to(base) and ".git" not in map(str.lower, path.relative_to(base).parts)
            return path.stat().st_size if inside and path.is_file() else None
        except (OSError, ValueError):
            return None


def _attachments(value: JsonValue) -> tuple[Attachment, ...]:
    """A path or an address, or a list of them. Objects are passed on as they are: the suite speaks Dify itself."""
    items = value if isinstance(value, list) else [value]
    return tuple(Attachment(item.strip()) for item in items if isinstance(item, str) and item.strip())
