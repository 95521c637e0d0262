"""What all questions to one app share: the connection, the limiter, and the trouble that ends the run."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from ragjudge.dify.fold import Reading
from ragjudge.dify.knowledge import Knowledge
from ragjudge.dify.limiter import Limiter
from ragjudge.dify.limits import Limits
from ragjudge.dify.profile import Profile
from ragjudge.dify.transport import Transport
from ragjudge.errors import CannotTell, MustChange, RagjudgeError
from ragjudge.ports import Clock


@dataclass(slots=True)
class Line:
    """One app at the other end. After an error that no further question can escape, none is sent any more."""

    transport: Transport
    limiter: Limiter
    limits: Limits
    clock: Clock
    profile: Profile
    reading: Reading
    secret: str
    chance: Callable[[], float] = random.random
    knowledge: Knowledge | None = None
    """Searched apart where an answer shows no passages and the config asks for it."""
    understood: bool = False
    """An answer was found in what the app gave."""
    broken: RagjudgeError | None = None
    abandoned: dict[str, str] = field(default_factory=dict)
    """Conversations of cut streams whose question was asked once more: id → user."""

    def check(self) -> None:
        """Raises what an earlier question met, so that hundreds do not meet it again."""
        if self.broken is not None:
            raise self.broken

    def spoke(self) -> None:
        """The app's model said something: it works. Which output of a workflow is the answer shows only at its end."""
        if self.understood or self.profile.mode != "workflow":
            self.limiter.proven()

    def answered(self) -> None:
        self.understood = True
        self.limiter.proven()

    def met(self, error: RagjudgeError) -> RagjudgeError:
        if isinstance(error, MustChange | CannotTell):
            self.broken = error
        else:
            self.limiter.proven()
        return error

    def abandon(self, conversation_id: str, user: str) -> None:
        if conversation_id:
            self.abandoned[conversation_id] = user
