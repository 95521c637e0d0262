"""Every way in which a server may write a key back."""

import base64
import html
import json
import random
import re
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragjudge.redaction import REDACTED, Redactor, forms

KEY = "p@ss/wo+rd&x=1 2'\"\\é"
PLAIN = "sk-proj-aB_cD-0123"


def lower(text):
    return "".join(f"%{part[:2].lower()}{part[2:]}" if i else part for i, part in enumerate(text.split("%")))


WAYS = {
    "plain": str,
    "quote": lambda k: quote(k, safe=""),
    "quote that keeps /": quote,
    "encodeURI": lambda k: quote(k, safe=";,/?:@&=+$-_.!~*'()#"),
    "encodeURIComponent": lambda k: quote(k, safe="-_.!~*'()"),
    "lower-case hex": lambda k: lower(quote(k, safe="")),
    "form": quote_plus,
    "twice": lambda k: quote(quote(k)),
    "three times": lambda k: quote(lower(quote(quote(k, safe=""))), safe=""),
    "json": lambda k: json.dumps(k)[1:-1],
    "json as it is": lambda k: json.dumps(k, ensure_ascii=False)[1:-1],
    "json with \\/": lambda k: json.dumps(k)[1:-1].replace("/", "\\/"),
    "json in json": lambda k: json.dumps(json.dumps(k)[1:-1])[1:-1],
    "json in json with \\/": lambda k: json.dumps(json.dumps(k)[1:-1].replace("/", "\\/"))[1:-1],
    "json for html": lambda k: json.dumps(k)[1:-1].replace("&", "\\u0026").replace("'", "\\u0027"),
    "all of json": lambda k: "".join(f"\\u{ord(c):04X}" for c in k),
    "all percent": lambda k: "".join(f"%{b:02x}" for b in k.encode()),
    "html": html.escape,
    "html by number": lambda k: html.escape(k).replace("&#x27;", "&#39;").replace("&quot;", "&#34;"),
    "html twice": lambda k: html.escape(html.escape(k)),
    "all of html": lambda k: "".join(f"&#x{ord(c):X};" for c in k),
    "url in html": lambda k: html.escape(quote(k, safe="/&'")),
    "html in json": lambda k: json.dumps(html.escape(k))[1:-1],
    "base64": lambda k: base64.b64encode(k.encode()).decode(),
    "base64 in a url": lambda k: quote(base64.b64encode(k.encode() * 3), safe=""),
}


@pytest.mark.parametrize("key", [KEY, PLAIN])
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_key_is_found_in_each_form(way, key):
    """Nothing of it is left, and nothing around it is touched."""
    redact = Redactor(["another-Key", key])

    told = redact(f"denied: {way(key)}.")

    assert told.startswith("denied: ")
    assert told.endswith(".")
    assert re.fullmatch(r"[A-Za-z0-9=%]{0,4}(\*{3}[A-Za-z0-9=%]{0,6}){1,3}", told[8:-1])
    assert redact.finds(f"denied: {way(key)}")


@pytest.mark.parametrize(
    "way",
    ["plain", "quote", "quote that keeps /", "encodeURI", "lower-case hex", "json", "json with \\/", "html"],
)
def test_a_runner_is_told_the_usual_forms(way):
    """It can mask fixed texts only."""
    assert WAYS[way](KEY) in forms(KEY)


def test_a_simple_key_has_few_forms():
    """Each is one more line of log and one more look at every line."""
    assert len(forms("app-0123456789abcdef")) < 16


ESCAPES = (
    str,
    lambda c: quote(c, safe=""),
    lambda c: lower(quote(c, safe="")),
    lambda c: quote(quote(c, safe=""), safe=""),
    lambda c: json.dumps(c)[1:-1],
    lambda c: json.dumps(json.dumps(c)[1:-1])[1:-1],
    html.escape,
    lambda c: f"&#{ord(c)};",
    lambda c: f"&amp;#x{ord(c):x};",
)
CHARACTERS = st.characters(codec="utf-8", exclude_characters="\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")


@given(st.text(CHARACTERS, min_size=3, max_size=30), st.randoms(use_true_random=False))
def test_any_mixture_of_escapes_is_found(tail, dice: random.Random):
    """Each character of the key in a form of its own, but for a part that no escape touches."""
    key = f"Ab12cd{tail}"
    told = "Ab12cd" + "".join(c if c.isalnum() and c.isascii() else dice.choice(ESCAPES)(c) for c in tail)

    assert REDACTED in Redactor([key])(told)
    assert "Ab12cd" not in Redactor([key])(told)


@given(st.text(max_size=200))
def test_other_text_is_left_as_it_is(text):
    """No secret, no change."""
    assert Redactor([KEY + "-and-more"])(text) == text


@pytest.mark.parametrize("key", ["\\" * 40, "/" * 40, "a" + "\\/" * 20, "\n" * 9 + "abcdef"])
def test_no_text_keeps_it_busy(key):
    """Backslashes in a key and in the text: linear all the same."""
    text = "\\" * 20_000 + "/" * 20_000

    Redactor([key])(text)


def test_json_stays_json():
    """A stored file is redacted as text."""
    stored = json.dumps({"a": KEY, "b": ["\\" + KEY, KEY + "\\", "/" + KEY]}, ensure_ascii=True)

    assert KEY not in json.dumps(json.loads(Redactor([KEY])(stored)))
