"""A key in clear is found by the checks and hidden in the diff, wherever it stands; what only looks like one is neither."""

import json

import pytest

from ragjudge.dsl import told
from ragjudge.dsl.changes import changes
from ragjudge.dsl.findings import Rule
from ragjudge.dsl.lint import lint
from ragjudge.dsl.masking import MASK, gives_a_key, holds_a_key, masked, names_a_key, tells_a_key
from tests.dsl_exports import Data, Edit, data_of, dsl_of, node

HTTP, CODE, LLM = "1700000000008", "1700000000012", "1700000000007"
HEX = "9f8e7d6c5b4a39281706f5e4d3c2b1a0"

SHAPES = {  # what is given → what of it is secret
    "sk-abc123abc123abc123abc123": "abc123abc123",
    "app-abcdefghij1234567890": "abcdefghij1234567890",
    "ghp_abcdefghij1234567890": "abcdefghij1234567890",
    "xoxb-1234567890-abcdef": "1234567890-abcdef",
    "AKIAABCDEFGHIJ234567": "ABCDEFGHIJ234567",
    "sk_live_abcdefgh12345678": "abcdefgh12345678",
    f"https://user:{HEX}@x.example/": HEX,
    "postgres://user:hunter2@db.example/app": "hunter2",
    "redis://:p@ss,w0rd@cache.example:6379": "p@ss,w0rd",
    "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX": "B00000000",
    f"https://x.example/?a=1&api_key={HEX}": HEX,
    f"https://x.example/?subscription-key={HEX}": HEX,
    f"https://x.example/?access_token={HEX}&q=1": HEX,
}
NAMES = [
    *("Authorization", "X-Api-Key", "Ocp-Apim-Subscription-Key", "X-Functions-Key", "access_key", "DeepL-Auth-Key"),
    *("DD-APPLICATION-KEY", "client_secret", "password", "X-Auth-Token", "AccountKey", "passPhrase", "apikey"),
]  # fmt: skip


def body(kind: str, *entries: Data) -> Data:
    return {"body": {"type": kind, "data": list(entries)}}


def _settings(node_id: str, **settings: object) -> Edit:
    return lambda data: node(data, node_id).update(settings)


def _variable(name: str, value: str) -> Edit:
    variable = {"id": name, "name": name, "value_type": "string", "value": value, "selector": ["env", name]}
    return lambda data: data["workflow"]["environment_variables"].append(variable)


PLACES = {
    "header": lambda name, value: _settings(HTTP, headers=f"Accept:text/plain\n{name}:{value}"),
    "spaced header": lambda name, value: _settings(HTTP, headers=f"{name}: {value}\nAccept: text/plain"),
    "param": lambda name, value: _settings(HTTP, params=f"{name}:{value}"),
    "form": lambda name, value: _settings(
        HTTP, **body("form-data", {"id": "1", "key": name, "type": "text", "value": value})
    ),
    "json body": lambda name, value: _settings(
        HTTP, **body("json", {"id": "1", "key": "", "type": "text", "value": f'{{"q": 1, "{name}": "{value}"}}'})
    ),
    "pretty json body": lambda name, value: _settings(
        HTTP, **body("json", {"id": "1", "key": "", "type": "text", "value": f'{{\n  "{name}": "{value}"\n}}'})
    ),
    "text body": lambda name, value: _settings(HTTP, body={"type": "json", "data": f'{{"{name}": "{value}"}}'}),
    "raw body": lambda name, value: _settings(
        HTTP, **body("raw-text", {"id": "1", "key": "", "type": "text", "value": f"{name}={value}"})
    ),
    "variable": _variable,
}  # fmt: skip
FREE = {
    "url": lambda value: _settings(HTTP, url=value if "//" in value else f"https://x.example/{value}"),
    "authorization": lambda value: _settings(
        HTTP, authorization={"type": "api-key", "config": {"type": "bearer", "api_key": value}}
    ),
    "code": lambda value: _settings(CODE, code=f"def main():\n    return {{'x': get('{value}')}}"),
    "prompt": lambda value: _settings(LLM, prompt_template=[{"role": "system", "text": f"鍵は {value} です。"}]),
}  # fmt: skip


def both(edit: Edit, before: Edit | None = None) -> tuple[list[Rule], str]:
    """What the checks find, and all that the diff between the two edited apps says."""
    old, new = data_of("chatflow"), data_of("chatflow")
    edit(new)
    if before is not None:
        before(old)
    then, now = dsl_of(old), dsl_of(new)
    return [f.rule for f in lint(now)], "\n".join(
        f"{line.en}\n{line.ja}" for line in told.lines(changes(then, now))
    )


@pytest.mark.parametrize("place", [*PLACES, *FREE])
@pytest.mark.parametrize("given", SHAPES)
def test_a_key_known_by_its_shape_is_found_and_hidden_in_every_place(place, given):
    """Under a name that says nothing, too."""
    edit, before = (FREE[place](v) if place in FREE else PLACES[place]("X_NOTE", v) for v in (given, "none"))
    found, said = both(edit, before)

    assert found == [Rule.CREDENTIAL]
    assert SHAPES[given] not in said
    assert ("not shown" if place == "authorization" else MASK) in said


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, HEX) for name in NAMES),
        *((NAMES[0], v) for v in ("hunter2", f"Bearer {HEX}", "Basic aHVudGVyMg==")),
    ],
)
@pytest.mark.parametrize("place", PLACES)
def test_a_key_known_by_its_name_is_found_and_hidden_in_every_place(place, name, value):
    """Whatever its value; a scheme's word before it may be shown."""
    found, said = both(PLACES[place](name, value), PLACES[place](name, "none"))

    assert found == [Rule.CREDENTIAL]
    assert value.split()[-1] not in said


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"Cookie:lang=ja; session={HEX}", HEX),
        ("Cookie: JSESSIONID=hunter2", "hunter2"),
        (f"code:{HEX}", HEX),
        ("Authorization: Token abc123", "abc123"),
        ("Authorization: ApiKey abc123", "abc123"),
        ('Authorization: Digest username="bob", response="hunter2"', "hunter2"),
        ("password:correct horse battery", "battery"),
        ("Authorization:Basic {{#env.STAFF_URL#}}:hunter2", "hunter2"),
        ("Authorization:Bearer hunter2{{#env.STAFF_URL#}}", "hunter2"),
    ],
)
def test_what_a_header_gives_is_hidden_whole_and_found(text, secret):
    """A cookie of a session, schemes of every kind, values with spaces, a clear part beside a reference."""
    name, _, value = text.partition(":")
    assert gives_a_key(name, value)
    assert secret not in masked(text)
    found, said = both(_settings(HTTP, headers=f"Accept:text/plain\n{text}"))
    assert found == [Rule.CREDENTIAL]
    assert secret not in said


@pytest.mark.parametrize(
    "text",
    [
        f"https://x.example/?code={HEX}",
        '{\\"api_key\\": \\"hunter2\\"}',
        "headers['Authorization'] = 'Bearer hunter2'",
        "Server=db;Password=hunter2;",
        '{"password": "a\\"hunter2"}',
    ],
)
def test_a_key_inside_an_address_or_a_body_is_found_and_hidden(text):
    """Escaped, quoted, in a connection's text."""
    assert tells_a_key(text)
    assert "hunter2" not in masked(text)
    assert HEX not in masked(text)


def test_code_that_gives_a_key_its_value_is_found():
    """A value drawn by lot under a key's name; code that reads one from somewhere is sound."""
    assert holds_a_key(f"api_key = '{HEX}'")
    assert not holds_a_key("def main(token: str, password: str):\n    api_key = os.environ['API_KEY']")


@pytest.mark.parametrize(
    ("kind", "edit"),
    [
        ("workflow", lambda data: node(data, "lookup").update(tool_configurations={"api_key": HEX})),
        (
            "workflow",
            lambda data: node(data, "lookup")["tool_parameters"].update(token={"type": "constant", "value": HEX}),
        ),
        ("agent", lambda data: data["model_config"]["agent_mode"]["tools"][1]["tool_parameters"].update(token=HEX)),
        (
            "chatflow",
            lambda data: data["workflow"]["conversation_variables"].append(
                {"name": "api_token", "value_type": "string", "value": HEX}
            ),
        ),
    ],
)  # fmt: skip
def test_a_value_drawn_by_lot_under_the_name_of_a_key_is_found_anywhere(kind, edit):
    """Settings of tools and variables of a conversation, where a plain word says nothing."""
    data = data_of(kind)
    edit(data)

    assert [f.rule for f in lint(dsl_of(data))] == [Rule.CREDENTIAL]
    assert lint(dsl_of(json.loads(json.dumps(data).replace(HEX, "none")))) == ()


# fmt: off
HARMLESS = [
    _settings(HTTP, headers="Authorization:Basic {{#env.STAFF_API_KEY#}}"),
    _settings(HTTP, headers="Authorization:Token {{#env.STAFF_API_KEY#}}"),
    _settings(HTTP, headers="Authorization: ApiKey {{#env.STAFF_API_KEY#}}"),
    _settings(HTTP, headers="Authorization:DeepL-Auth-Key {{#env.STAFF_API_KEY#}}"),
    _settings(HTTP, headers="authorization:bearer {{#env.STAFF_API_KEY#}}"),
    _settings(HTTP, headers="Authorization:Bearer{{#env.STAFF_API_KEY#}}"),
    _settings(HTTP, headers='Authorization:Token token="{{#env.STAFF_API_KEY#}}"'),
    _settings(HTTP, headers="Authorization:Basic bob@x.example/token:{{#env.STAFF_API_KEY#}}"),
    _settings(HTTP, headers="Authorization:{{#env.STAFF_URL#}}:{{#env.STAFF_API_KEY#}}"),
    _settings(HTTP, headers="X-Api-Key:\nAccept:text/plain"),
    _settings(HTTP, headers="X-Api-Key:{{#env.STAFF_API_KEY#}}\nX-Token-Count:5\nAuthor:bob"),
    _settings(HTTP, headers="Cookie:session={{#env.STAFF_API_KEY#}}; lang=ja"),
    _settings(HTTP, headers="Cookie:lang=ja; theme=dark"),
    _settings(HTTP, headers="Idempotency-Key:2bb56e12-46e6-4a5c-a8af-e338ecbf1acf\nCache-Key:questions"),
    _settings(HTTP, headers="X-Api-Key:YOUR_API_KEY"),
    _settings(HTTP, params="token_type:access\ntoken_limit:5\nmax_tokens:10\nmax_token:10\npage_token:abc"),
    _settings(HTTP, params="grant_type:password\nresponse_type:token\npassword_policy:strict"),
    _settings(HTTP, params="primary_key:17\nkeyword:給与\nsort_key:name\ncode:1234\nkey:product-2024-summer-sale-01"),
    _settings(HTTP, url="https://x.example:8080/a@b?token={{#env.STAFF_API_KEY#}}&token_type=access"),
    _settings(HTTP, url="https://{{#env.STAFF_URL#}}:{{#env.STAFF_API_KEY#}}@x.example/"),
    _settings(HTTP, authorization={"type": "api-key", "config": {"type": "basic", "api_key": "user:{{#env.STAFF_API_KEY#}}"}}),
    _settings(HTTP, authorization={"type": "no-auth", "config": {"type": "basic", "api_key": ""}}),
    _settings(HTTP, **body("json", {"key": "", "type": "text", "value": '{"api_key": "{{#env.STAFF_API_KEY#}}", "max_tokens": 300, "token": null, "password": ""}'})),
    _settings(HTTP, **body("json", {"key": "", "type": "text", "value": '{"token": {{#env.STAFF_API_KEY#}}, "properties": {"password": {"type": "string"}}}'})),
    _settings(HTTP, **body("json", {"key": "", "type": "text", "value": '{"content": "Enter your password: it must be long. トークン token: 未設定"}'})),
    _settings(HTTP, **body("form-data", {"key": "password", "type": "text", "value": "{{#sys.query#}}"})),
    _settings(LLM, prompt_template=[{"role": "system", "text": "Password: ask IT. token=abc のように書く。https://x.example:8080、連絡はa@b.example"}]),
    _settings(CODE, code="def main(token: str):\n    password = ask()\n    return {'token': token}"),
    _variable("PASSWORD_RESET_URL", "https://x.example/reset"),
    _variable("TOKEN_LIMIT", "4096"),
    _variable("API_URL", "https://x.example:8080/api"),
]
# fmt: on


@pytest.mark.parametrize("edit", HARMLESS)
def test_a_look_alike_is_no_credential(edit):
    """References with a scheme or a user's name, counts of tokens, keys of tables, prose about passwords."""
    assert both(edit)[0] == []


@pytest.mark.parametrize("name", ["token_type", "token_limit", "max_token", "page_token", "primary_key", "routing_key",
                                  "sort_key", "keyboard", "PASSWORD_RESET_URL", "author", "secret_name", "hotkey"])  # fmt: skip
def test_a_name_that_only_sounds_like_a_key_is_none(name):
    """What counts tokens, or says something about a key."""
    assert not names_a_key(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_of_a_key_is_one(name):
    """In every way of writing."""
    assert names_a_key(name)
