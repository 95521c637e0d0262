"""Who graded, and by which rules: scores with different fingerprints are not comparable."""

from pydantic import BaseModel, ConfigDict


class JudgeIdentity(BaseModel):
    """`parameters` holds what was really sent (temperature, seed…), after any fallback."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    provider: str
    model: str
    parameters: dict[str, str] = {}


class EmbedderIdentity(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    provider: str
    model: str


class Fingerprint(BaseModel):
    """Everything that can change a score other than the app and the suite."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    judge: JudgeIdentity
    embedder: EmbedderIdentity
    metrics: dict[str, str]
    """Metric name → version (bumped whenever its behaviour changes) plus a digest of its prompts."""
    language: str
    mode: str = "standard"

    def differences(self, other: "Fingerprint", metric: str) -> tuple[str, ...]:
        """The names of what differs for one metric; empty where its scores may be compared."""
        found = []
        if self.judge != other.judge:
            found.append("judge")
        if metric == "answer_relevancy" and self.embedder != other.embedder:
            found.append("embedder")
        if self.metrics.get(metric) != other.metrics.get(metric):
            found.append("metric_version")
        if self.language != other.language:
            found.append("language")
        if self.mode != other.mode:
            found.append("mode")
        return tuple(found)
