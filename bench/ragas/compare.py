"""Run Ragas and ragjudge on the same verdicts and compare every score.

Usage: compare.py PYTHON_WITH_RAGAS [PLAIN_CASES]. Fails on a difference over 1e-9 that is not ours by design, on a
deliberate difference that no case shows, and with fewer than 200 scores compared per metric.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from bench.ragas.cases import generated  # noqa: E402
from bench.ragas.server import serve  # noqa: E402

TOLERANCE = 1e-9
METRICS = ("answer_relevancy", "faithfulness", "context_recall", "context_precision")
CONTEXT_METRICS = {"faithfulness", "context_recall", "context_precision"}
REFERENCE_METRICS = {"context_recall", "context_precision"}
VERDICT_LISTS = {"faithfulness", "context_recall"}

DELIBERATE = {
    "exact 1.0": "context precision is exactly 1.0 where every context is useful; Ragas' 1e-10 keeps it below",
    "no claims": "an answer without claims is not applicable; Ragas gives NaN",
    "missing input": "no contexts or no reference is not applicable; Ragas raises ValueError",
    "missing verdicts": "an incomplete set of verdicts is repaired or unscored; Ragas divides by what came",
    "undefined cosine": "a zero vector leaves the case unscored; Ragas gives NaN",
}


def difference(case, metric, ours, theirs, *, mode):
    """The name of a deliberate difference, "" where the scores agree, or None where they must agree and don't."""
    kind = case["kind"]
    if isinstance(ours, float) and isinstance(theirs, float):
        if abs(ours - theirs) > TOLERANCE:
            return None
        perfect = metric == "context_precision" and ours == 1.0 and theirs < 1.0
        return "exact 1.0" if perfect else ""
    no_claims = kind == "claims" and metric == "faithfulness"
    if no_claims and ours == "not applicable: no_claims" and theirs == "nan":
        return "no claims"
    refused = str(theirs).startswith("error: ")
    no_contexts = kind == "contexts" and metric in CONTEXT_METRICS and ours == "not applicable: no_contexts"
    no_reference = (
        kind == "reference" and metric in REFERENCE_METRICS and ours == "not applicable: no_reference"
    )
    if refused and (no_contexts or no_reference):
        return "missing input"
    unusable = ours == "unscored: judge_reply_unusable"
    lists = CONTEXT_METRICS if mode == "economic" else VERDICT_LISTS
    if unusable and kind == "verdicts" and metric in lists and isinstance(theirs, float):
        return "missing verdicts"
    blind = kind == "vectors" and metric == "answer_relevancy"
    if blind and ours == "unscored: embedding_unusable" and theirs == "nan":
        return "undefined cosine"
    return None


def compare(cases, ours, theirs, mode):
    """Print a table; True where all is as it must be."""
    seen = Counter()
    wrong = []
    print(f"\n{mode} mode: largest difference per metric (allowed: {TOLERANCE:g})")
    enough = True
    for metric in METRICS:
        gaps = []
        for case in cases:
            mine, other = ours[case["id"]][metric], theirs[case["id"]][metric]
            named = difference(case, metric, mine, other, mode=mode)
            if named is None:
                wrong.append((case["id"], metric, mine, other))
            elif named:
                seen[named] += 1
            if isinstance(mine, float) and isinstance(other, float):
                gaps.append(abs(mine - other))
        enough = enough and len(gaps) >= 200
        print(f"  {metric:18} {max(gaps, default=0):.2e} over {len(gaps)} scores")
    print("  deliberate differences:")
    for name, why in DELIBERATE.items():
        print(f"    {name:17} {seen[name]:4} scores: {why}")
    for case_id, metric, mine, other in wrong[:20]:
        print(f"  NOT EXPLAINED {case_id} {metric}: ragjudge {mine}, Ragas {other}")
    print(f"  unexplained differences: {len(wrong)}")
    return not wrong and enough and all(seen[name] for name in DELIBERATE)


def run(python, script, *arguments):
    started = time.monotonic()
    environment = {**os.environ, "PYTHONPATH": str(HERE.parents[1]), "RAGAS_DO_NOT_TRACK": "true"}
    done = subprocess.run(
        [python, str(HERE / script), *arguments], capture_output=True, text=True, check=False, env=environment
    )
    if done.returncode:
        sys.exit(f"{script} failed:\n{done.stderr[-4000:]}")
    print(f"{script} {' '.join(arguments[2:])}: {time.monotonic() - started:.0f} s")
    return json.loads(done.stdout)


def main(ragas_python, limit=None):
    cases = [asdict(one) | {"reference": one.reference} for one in generated(limit)]
    server = serve(cases)
    base_url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    print(f"{len(cases)} cases, {len([c for c in cases if c['kind'] == 'plain'])} of them with every verdict")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases.json"
        path.write_text(json.dumps(cases, ensure_ascii=False), encoding="utf-8")
        theirs = run(ragas_python, "theirs.py", str(path), base_url)
        equal = True
        for mode in ("standard", "economic"):
            ours = run(sys.executable, "ours.py", str(path), base_url, mode)
            equal = compare(cases, ours, theirs, mode) and equal
    server.shutdown()
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else None))
