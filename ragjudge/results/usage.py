"""What was paid: tokens and money, of the app and of the judge."""

from decimal import Decimal

from pydantic import BaseModel, ConfigDict


class Usage(BaseModel):
    """Token counts as the provider reported them (0 where it reports none) and calls made.

    `price` is in `currency`, only where the provider states one (Dify does, OpenAI-compatible servers do not).
    What was paid in further currencies is in `other_prices`, by currency: amounts of two currencies are never added.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    price: Decimal | None = None
    currency: str | None = None
    other_prices: dict[str, Decimal] | None = None
    unreported: int = 0
    """Answers of which nobody told what they used (fetched after a cut): all figures are at least that."""

    @property
    def prices(self) -> dict[str, Decimal]:
        """Every amount by its currency, which is empty where the provider states none."""
        own = {} if self.price is None else {self.currency or "": self.price}
        return own | (self.other_prices or {})

    @property
    def total_tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: "Usage") -> "Usage":
        prices = self.prices
        for currency, amount in other.prices.items():
            prices[currency] = prices.get(currency, Decimal(0)) + amount
        first = next(iter(prices), None)
        return Usage(
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            price=None if first is None else prices[first],
            currency=first or None,
            unreported=self.unreported + other.unreported,
            other_prices={name: paid for name, paid in prices.items() if name != first} or None,
        )
