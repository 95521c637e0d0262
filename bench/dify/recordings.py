"""Replay every recorded exchange, whole, cut after each event and split at random; print what was tried.

    RAGJUDGE_RECORDINGS=FOLDER python -m bench.dify.recordings [--splits 20]

Exit 1 if one replay gives another answer, passages, usage or error than the recording, or raises anything untyped.
"""

import argparse
import json
import os
import random
import sys
from collections import Counter
from itertools import pairwise

from ragjudge.dify.ending import Ending
from ragjudge.dify.events import read
from ragjudge.dify.fold import Fold, Reading
from ragjudge.dify.sse import SseDecoder
from tests.integration.dify import test_recordings as recorded


def ended(mode: str, chunks: list[bytes]) -> Ending:
    fold, decoder = Fold(Reading(mode)), SseDecoder()
    for chunk in chunks:
        for event in decoder.feed(chunk):
            fold.feed(read(event))
    return fold.ending()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--splits", type=int, default=20)
    splits = parser.parse_args().splits
    if "RAGJUDGE_RECORDINGS" not in os.environ:
        print("skipped: RAGJUDGE_RECORDINGS does not name the folder of the recordings")
        return 0
    tried: Counter[str] = Counter()
    faults: list[str] = []
    for path in recorded.recordings():
        recording = json.loads(path.read_text("utf-8"))
        version, name, body = recording["dify_version"], recording["name"], recorded.body_of(recording)
        try:
            recorded.check(recording, recorded.replayed(recording, [body]))
            tried[f"{version} replayed over a socket"] += 1
            if "sse" in recording["response"]:
                tried[f"{version} prefixes"] += prefixes(recording, body)
                tried[f"{version} random splits"] += split(recording, body, splits)
                tried[f"{version} splits into single bytes"] += single(recording, body)
        except Exception as fault:  # noqa: BLE001 - whatever it is, it is what this bench looks for
            faults.append(f"{version}/{name}: {type(fault).__name__}: {fault}")
    for what, count in sorted(tried.items()):
        print(f"{count:6} {what}")
    print(f"{len(faults):6} exceptions and differences")
    for fault in faults:
        print(f"  {fault[:300]}")
    return 1 if faults or not tried else 0


def prefixes(recording: dict, body: bytes) -> int:
    """A cut after each line of the stream."""
    ends = [at + 1 for at, byte in enumerate(body) if byte == 10]
    fold, decoder, done = Fold(Reading(recorded.mode_of(recording))), SseDecoder(), 0
    for end in ends:
        for event in decoder.feed(body[done:end]):
            fold.feed(read(event))
        fold.ending()
        done = end
    return len(ends)


def split(recording: dict, body: bytes, times: int) -> int:
    mode, chance = recorded.mode_of(recording), random.Random(recording["name"])
    whole = ended(mode, [body])
    for _ in range(times):
        edges = sorted({0, len(body), *(chance.randrange(len(body) + 1) for _ in range(30))})
        assert whole == ended(mode, [body[a:b] for a, b in pairwise(edges)])
    return times


def single(recording: dict, body: bytes) -> int:
    mode = recorded.mode_of(recording)
    assert ended(mode, [body]) == ended(mode, [body[i : i + 1] for i in range(len(body))])
    return 1


if __name__ == "__main__":
    sys.exit(main())
