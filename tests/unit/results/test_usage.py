"""What was paid, added up."""

from decimal import Decimal

from ragjudge.results.usage import Usage


def paid(price, currency):
    return Usage(calls=1, prompt_tokens=10, price=Decimal(price), currency=currency)


def test_amounts_of_two_currencies_are_never_added():
    """A flow may ask a model billed in dollars and one billed in renminbi."""
    total = paid("0.50", "USD") + paid("12.00", "RMB") + paid("0.25", "USD")

    assert {"USD": Decimal("0.75"), "RMB": Decimal("12.00")} == total.prices
    assert ("USD", Decimal("0.75"), 3) == (total.currency, total.price, total.calls)


def test_a_price_of_no_currency_stays_apart():
    """It may be any."""
    total = Usage(calls=1) + paid("1", None) + paid("2", "JPY")

    assert {"": Decimal(1), "JPY": Decimal(2)} == total.prices


def test_nothing_paid_has_no_price():
    """Zero would claim to know."""
    assert {} == (Usage(calls=1) + Usage(calls=2)).prices
