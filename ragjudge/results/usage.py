"""What was paid: tokens and money, of the app and of the judge."""

from decimal import Decimal

from pydantic import BaseModel, ConfigDict


class Usage(BaseModel):
    """Token counts as the provider reported them (0 where it reports none) and calls made.

    `price` is in `currency`, only where the provider states one (Dify does, OpenAI-compatible servers do not).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    price: Decimal | None = None
    currency: str | None = None

    @property
    def total_tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            price=_sum(self.price, other.price),
            currency=self.currency or other.currency,
        )


def _sum(a: Decimal | None, b: Decimal | None) -> Decimal | None:
    if a is None:
        return b
    return a if b is None else a + b
