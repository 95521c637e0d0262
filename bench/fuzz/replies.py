"""Fuzz the reading of judge replies: no exception, and never a value that the reply does not state.

    python -m bench.fuzz.replies [--tries 100000] [--seed 1]

Each try makes a true reply for one of the tasks and then damages it in one of three ways:
keeping (fences, prose, reasoning, other spelling): what is read must be the true value or nothing;
destroying (cut, off the scale, missing, contradicting): nothing may be read;
scrambling (characters and pieces moved at random): whatever is read must stand in the text.
"""

import argparse
import json
import random
import re
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from pydantic import BaseModel

from ragjudge.judge.reply import Misunderstood, Understood, read
from ragjudge.judge.verdict_words import NO, YES
from ragjudge.metrics import tasks, verdicts

WORDS = (
    *("承認は不要です。", "5営業日以内", "規程第3条", "The context says so.", "It gives 15 days, not 5."),
    *("NaN", "null", "true", "はい", "いいえ", "0.8", "80%", "★"),
    *(
        "𠮟る",
        "é",
        "{0}",
        "[1]",
        "'single'",
        "“smart”",
        '"quoted"',
        "```",
        '{"useful": true}',
        "</think>",
        "\\",
        "/",
        "、",
        "\n",
        "\t",
    ),
)


@dataclass(frozen=True)
class Reply:
    schema: type[BaseModel]
    value: dict
    check: Callable | None = None


class Damaged(NamedTuple):
    """A damaged reply, and what its judge was given to read."""

    written: str
    material: str = ""


def text(rng: random.Random) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 8)))


def true_reply(rng: random.Random) -> Reply:
    kind = rng.randrange(6)
    if kind == 0:
        return Reply(tasks.Usefulness, {"reason": text(rng), "useful": rng.random() < 0.5})
    if kind == 1:
        comments = {name: text(rng) for name in list(tasks.Grade.model_fields)[:-1]}
        return Reply(tasks.Grade, {**comments, "score": rng.randint(1, 5)})
    if kind == 2:
        return Reply(tasks.Statements, {"statements": [text(rng) + "x" for _ in range(rng.randint(1, 5))]})
    if kind == 3:
        return Reply(
            tasks.GeneratedQuestion, {"question": text(rng) + "?", "non_committal": rng.random() < 0.5}
        )
    if kind == 4:
        return Reply(
            tasks.Preference, {"reason": text(rng), "better": rng.choice(["first", "second", "tie"])}
        )
    count = rng.randint(1, 6)
    value = [{"index": n, "reason": text(rng), "supported": rng.random() < 0.5} for n in range(1, count + 1)]
    return Reply(tasks.Support, {"verdicts": value}, verdicts.support(count))


def dumped(value: object, rng: random.Random) -> str:
    return json.dumps(value, ensure_ascii=rng.random() < 0.3, indent=rng.choice([None, None, 2]))


# Keeping: the reply still says the same.


def fence(reply: Reply, rng: random.Random) -> str:
    before = rng.choice(["", "Here it is:\n"])
    tag, end = rng.choice(["json", "", "JSON"]), rng.choice(["```", ""])
    return f"{before}```{tag}\n{dumped(reply.value, rng)}\n{end}"


def prose(reply: Reply, rng: random.Random) -> str:
    before = rng.choice(["My verdict is ", "評価結果: ", "Statement [1] says so.\n"])
    after = rng.choice(["", " Done.", "\n以上です。"])
    return f"{before}{dumped(reply.value, rng)}{after}"


def quoted_first(reply: Reply, rng: random.Random) -> str:
    """The judge quotes an object of the same form from the answer, then gives its own."""
    return f"The answer contains {dumped(true_of(reply.schema, rng).value, rng)}, which I ignore. {dumped(reply.value, rng)}"


def quoted_last(reply: Reply, rng: random.Random) -> str:
    """As before, with the quotation at the end, or hidden behind a tag."""
    quotation = dumped(true_of(reply.schema, rng).value, rng)
    between = rng.choice(["\n\nIgnored: ", "\n", "\n```json\n", " It wrote <think></think>"])
    return f"{dumped(reply.value, rng)}{between}{quotation}"


def quoted_from_material(reply: Reply, rng: random.Random) -> Damaged:
    """The same, where the material is known to hold the quotation."""
    quotation = dumped(true_of(reply.schema, rng).value, rng)
    own = dumped(reply.value, rng)
    written = rng.choice([f"It says {quotation}. {own}", f"{own}\n\nIgnored: {quotation}"])
    return Damaged(written, f"{text(rng)} {{ {quotation} [")


def reasoning(reply: Reply, rng: random.Random) -> str:
    draft = dumped(true_of(reply.schema, rng).value, rng)
    opening, closing = rng.choice([("<think>", "</think>"), ("", "</think>"), ("<thinking>", "</thinking>")])
    return f"{opening}hmm {rng.choice(['{', '', '}{'])} {draft}{closing}\n{dumped(reply.value, rng)}"


def other_spelling(reply: Reply, rng: random.Random) -> str:
    """Booleans as words, numbers as strings, keys in capitals."""

    def spelled(value: object) -> object:
        if isinstance(value, bool):
            return rng.choice(["Yes", "はい", "TRUE", 1] if value else ["No.", "いいえ", "false", 0])
        if isinstance(value, int):
            return rng.choice([str(value), float(value), chr(0xFF10 + value)])
        if isinstance(value, dict):
            return {
                rng.choice([key, key.upper(), key.title()]): spelled(inner) for key, inner in value.items()
            }
        return [spelled(inner) for inner in value] if isinstance(value, list) else value

    return dumped(spelled(reply.value), rng)


def loose_syntax(reply: Reply, rng: random.Random) -> str:
    written = json.dumps(reply.value, ensure_ascii=False)
    how = rng.randrange(4)
    if how == 0:
        return re.sub(r"([}\]])$", r",\1", written)
    if how == 1:
        return written.replace("\\n", "\n").replace("\\t", "\t")
    if how == 2:
        return repr(reply.value)
    return re.sub(r'^\{"(\w+)":', r"{\1:", written)


def wrapped(reply: Reply, rng: random.Random) -> str:
    return dumped({rng.choice(["result", "verdict", "output"]): reply.value}, rng)


# Destroying: the reply no longer says a whole verdict.


def cut(reply: Reply, rng: random.Random) -> str:
    written = dumped(reply.value, rng).rstrip()
    return rng.choice(["", "```json\n", "<think>ok</think>"]) + written[: rng.randrange(len(written))]


def never_ending(reply: Reply, rng: random.Random) -> str:
    return f"<think>{dumped(reply.value, rng)}"


def without_a_key(reply: Reply, rng: random.Random) -> str:
    value = json.loads(json.dumps(reply.value))
    target = value["verdicts"][-1] if "verdicts" in value else value
    del target[rng.choice(list(target))]
    return dumped(value, rng)


def off_the_scale(reply: Reply, rng: random.Random) -> str:
    odd = rng.choice(
        [
            0,
            6,
            8,
            -1,
            0.8,
            4.5,
            "80%",
            "4/5",
            "five",
            None,
            [4],
            {"a": 1},
            float("nan"),
            float("inf"),
            "perhaps",
            "0.9",
            "1.5",
            "1,000",
            "はい、とは言えません",
            "いいえ、役に立ちます",
            "yes, it is not",
            "",
        ]
    )
    value = json.loads(json.dumps(reply.value))
    for key in ("score", "useful", "non_committal", "better", "statements"):
        if key in value:
            value[key] = 7 if odd == 0 and key != "score" else odd
    if "verdicts" in value:
        value["verdicts"][0]["supported"] = 7 if odd == 0 else odd
    return dumped(value, rng)


def contradicting(reply: Reply, rng: random.Random) -> str:
    """One key twice, or one verdict twice."""
    if "verdicts" in reply.value:
        first = reply.value["verdicts"][0]
        return dumped(
            {"verdicts": [*reply.value["verdicts"], {**first, "supported": not first["supported"]}]}, rng
        )
    written = json.dumps(reply.value, ensure_ascii=False)
    key = rng.choice(list(reply.value))
    return written[:-1] + f', "{key}": {json.dumps(other(reply.value[key]))}}}'


def other(value: object) -> object:
    if isinstance(value, bool):
        return not value
    return value % 5 + 1 if isinstance(value, int) else "another"


# Scrambling: nobody knows what it says.


def scramble(reply: Reply, rng: random.Random) -> str:
    pieces = list(dumped(reply.value, rng))
    for _ in range(rng.randint(1, 8)):
        at, action = rng.randrange(len(pieces)), rng.randrange(4)
        if action == 0:
            pieces[at] = ""
        elif action == 1:
            pieces[at] += rng.choice([*'{}[]",:\\`\n ', "```", "</think>", "true", "9"])
        elif action == 2:
            other_at = rng.randrange(len(pieces))
            pieces[at], pieces[other_at] = pieces[other_at], pieces[at]
        else:
            pieces[at:at] = pieces[at : at + rng.randint(1, 30)]
    return "".join(pieces)


def garbage(_: Reply, rng: random.Random) -> str:
    marks = [
        "{",
        "}",
        '"',
        ":",
        ",",
        "[",
        "]",
        "```",
        "true",
        '"reason"',
        '"useful"',
        '"score"',
        "4",
        "</think>",
        '{"statements": ["a"]}',
    ]
    return "".join(rng.choice([*marks, text(rng)]) for _ in range(rng.randint(0, 30)))


KEEPING = (
    fence,
    prose,
    quoted_first,
    quoted_last,
    quoted_from_material,
    reasoning,
    other_spelling,
    loose_syntax,
    wrapped,
)
DESTROYING = (cut, never_ending, without_a_key, off_the_scale, contradicting)
SCRAMBLING = (scramble, garbage)


def true_of(schema: type[BaseModel], rng: random.Random) -> Reply:
    while True:
        made = true_reply(rng)
        if made.schema is schema:
            return made


def trimmed(value: object) -> object:
    """The same without white space at the ends of texts, which the syntax repair may drop."""
    if isinstance(value, dict):
        return {key: trimmed(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [trimmed(inner) for inner in value]
    return value.strip() if isinstance(value, str) else value


def unstated(value: object, source: str) -> list[object]:
    """The values that do not stand in the text, by a rule of its own: letters and digits only, or a table's word."""
    if isinstance(value, dict):
        return [bad for inner in value.values() for bad in unstated(inner, source)]
    if isinstance(value, list):
        return [bad for inner in value for bad in unstated(inner, source)]
    said = (YES if value else NO) if isinstance(value, bool) else {str(value)}
    readings = [folded(source, unescape=how) for how in (True, False)]
    return [] if any(folded(word) in reading for word in said for reading in readings) else [value]


def folded(written: str, *, unescape: bool = False) -> str:
    """Letters and digits in one form; a half of a surrogate pair counts for nothing."""
    plain = _ESCAPE.sub(_unescaped, written) if unescape else written
    plain = plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return "".join(char for char in unicodedata.normalize("NFKC", plain).casefold() if char.isalnum())


_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)


def _unescaped(match: re.Match[str]) -> str:
    said = match[1]
    if len(said) == 5:
        return chr(int(said[1:], 16))
    return "" if said in "nrtbf" else said


def verdict(reply: Reply, how: Callable, damaged: Damaged) -> str:
    """What one try came to: `read`, `refused`, or the name of a fault."""
    written, material = damaged
    try:
        got = read(written, reply.schema, reply.check, material=material)
    except Exception as error:  # noqa: BLE001 - any exception is what is looked for
        return f"EXCEPTION {type(error).__name__}"
    if isinstance(got, Misunderstood):
        return "refused"
    assert isinstance(got, Understood)
    value = got.value.model_dump()
    if how in KEEPING and trimmed(value) != trimmed(reply.schema.model_validate(reply.value).model_dump()):
        return "INVENTED (another value)"
    if how in DESTROYING and how is not cut:
        return "INVENTED (from a destroyed reply)"
    if how is cut and value != reply.value:
        return "INVENTED (from a cut reply)"
    return "INVENTED (not stated)" if unstated(value, written) else "read"


def fuzz(tries: int, seed: int) -> Counter[tuple[str, str]]:
    rng = random.Random(seed)
    outcomes: Counter[tuple[str, str]] = Counter()
    for _ in range(tries):
        reply = true_reply(rng)
        how = rng.choice([*KEEPING, *DESTROYING, *SCRAMBLING])
        made = how(reply, rng)
        damaged = made if isinstance(made, Damaged) else Damaged(made)
        outcome = verdict(reply, how, damaged)
        outcomes[how.__name__, outcome] += 1
        if outcome.isupper() or outcome.startswith(("INVENTED", "EXCEPTION")):
            print(
                f"{how.__name__}: {outcome}\n  true {reply.value}\n  text {damaged.written!r}",
                file=sys.stderr,
            )
    return outcomes


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tries", type=int, default=100_000)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    started = time.perf_counter()
    outcomes = fuzz(chosen.tries, chosen.seed)
    for how in (*KEEPING, *DESTROYING, *SCRAMBLING):
        parts = {outcome: n for (name, outcome), n in sorted(outcomes.items()) if name == how.__name__}
        print(f"{how.__name__:21} " + "  ".join(f"{outcome}: {n}" for outcome, n in parts.items()))
    exceptions = sum(n for (_, outcome), n in outcomes.items() if outcome.startswith("EXCEPTION"))
    invented = sum(n for (_, outcome), n in outcomes.items() if outcome.startswith("INVENTED"))
    seconds = time.perf_counter() - started
    print(
        f"replies: {chosen.tries}  exceptions: {exceptions}  invented values: {invented}  ({seconds:.0f} s, seed {chosen.seed})"
    )
    sys.exit(1 if exceptions or invented else 0)


if __name__ == "__main__":
    main()
