"""Where verdicts and vectors come from, for the cache's keys. Scores of the same judge elsewhere stay comparable."""

from collections.abc import Callable

from ragjudge.judge.address import Address
from ragjudge.results.fingerprint import JudgeIdentity
from ragjudge.settings import EmbeddingSettings, JudgeSettings

Origin = Callable[[JudgeIdentity], str]
"""What tells one judge from another beyond its identity."""


def of_judge(settings: JudgeSettings, *, this_run: str) -> Origin:
    """Its address. A Dify app that does not tell its version may have been edited since: it is new with each run."""
    where = _shown(settings.base_url)

    def origin(judge: JudgeIdentity) -> str:
        told = settings.provider != "dify" or settings.model or "workflow_id" in judge.parameters
        return where if told else f"{where} {this_run}"

    return origin


def of_embedder(settings: EmbeddingSettings, judge: JudgeSettings) -> str:
    return _shown(settings.base_url or judge.base_url)


def _shown(base_url: str | None) -> str:
    """Without a key or a password."""
    return Address(base_url, JudgeSettings().api_key).shown
