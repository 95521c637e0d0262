"""Does `ragjudge check` name the cases whose passage an app no longer finds? Measured on JSQuAD, on this machine.

    python bench/jsquad/run.py jsquad-valid-v1.3.json [--questions 200] [--seed 1] [--degradation threshold]

Builds a suite and a corpus of all paragraphs, serves them by `ragjudge demo --serve`, makes a baseline, checks the
unchanged app twice (must pass) and the degraded app once (must fail). The truth is the demo server's own retrieval
log: the gold paragraph was retrieved for the baseline and is not any more. `--degradation off` changes nothing in
the third run, which must then pass. Exit 0 where all of it holds.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import material

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
DEGRADATIONS = {
    "off": ("", ""),
    "threshold": ("score_threshold: null", "score_threshold: 0.3"),
    "query": ("        - sys\n        - query\n", "        - start\n        - Category\n"),
    "top_k": ("top_k: 4", "top_k: 1"),
    "documents": ("", ""),
}
"""Each one change. In the DSL: passages must be nearer; the wrong variable is searched for; fewer passages.

`documents` leaves the DSL alone and takes every fifth paragraph out of the knowledge base.
"""
CONFIG = """\
suite: suite.json
app: {{base_url: "{url}", inputs: {{Category: "${{category}}"}}}}
judge: {{provider: offline}}
gate: {{case_tolerance: {{context_recall: 0.5}}}}
"""
"""The offline judge, the default gate, and single cases gated by context recall too: that is what is tested here."""
PRECISION, RECALL = 0.9, 0.8


@dataclass(frozen=True)
class Called:
    """One call of the command line: its exit code, its wall time, where its files are."""

    exit_code: int
    seconds: float
    out: Path


@dataclass(frozen=True)
class Bench:
    """The working folder and the command line in it."""

    work: Path
    environ: dict

    def call(self, *command, out):
        """`ragjudge …` with this bench's settings; output goes to the terminal's stderr when it fails unforeseen."""
        started = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "ragjudge", *command, "--out", out, "--quiet", "--language", "en"],
            cwd=self.work,
            env=self.environ,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode not in (0, 1):
            sys.stderr.write(done.stdout + done.stderr)
            raise SystemExit(f"ragjudge {' '.join(command)} ended with {done.returncode}")
        return Called(done.returncode, time.perf_counter() - started, self.work / out)

    @contextmanager
    def served(self, dsl, corpus="corpus"):
        """The demo app in a process of its own; yields its root address and points the settings at it."""
        command = [sys.executable, "-m", "ragjudge", "demo", "--serve", "--language", "en"]
        command += ["--dsl", str(dsl), "--corpus", str(self.work / corpus)]
        process = subprocess.Popen(
            command, cwd=self.work, env=self.environ, stdout=subprocess.PIPE, text=True
        )
        try:
            root = next(line.split()[-1] for line in process.stdout if "URL:" in line).removesuffix("/v1")
            config = CONFIG.format(url=f"{root}/v1")
            (self.work / "ragjudge.yml").write_text(config, encoding="utf-8")
            yield root
        finally:
            process.terminate()
            process.wait()
            process.stdout.close()


def main():
    args = arguments()
    work = args.out or Path(tempfile.mkdtemp(prefix="jsquad-"))
    questions = build(args, work)
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "DIFY_API_KEY": "app-demo"}
    bench = Bench(work, environ)
    with bench.served(HERE / "app.yml") as root:
        made = bench.call("baseline", "update", out="baseline")
        unchanged = [bench.call("check", out=f"unchanged-{n}") for n in (1, 2)]
        before = gold_found(root, questions)
    print(
        f"baseline: exit {made.exit_code}, {made.seconds:.1f} s; gold paragraph retrieved for {len(before)}"
    )
    for number, run in enumerate(unchanged, start=1):
        print(f"unchanged, run {number}: exit {run.exit_code}, {run.seconds:.1f} s (must be 0)")
    holds = [run.exit_code == 0 for run in unchanged]
    for degradation in args.degradation:
        corpus = "corpus-fewer" if degradation == "documents" else "corpus"
        with bench.served(degraded(degradation, work), corpus) as root:
            third = bench.call("check", out=f"third-{degradation}")
            after = gold_found(root, questions)
        holds.append(judged(degradation, third, lost=before - after))
    print("holds" if all(holds) else "DOES NOT HOLD")
    return 0 if all(holds) else 1


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--degradation", choices=DEGRADATIONS, nargs="+", default=["documents", "query", "off"]
    )
    parser.add_argument(
        "--out", type=Path, help="keep the working files here (default: a new temporary folder)"
    )
    return parser.parse_args()


def build(args, work):
    """Write suite and corpus; no two questions read the same, so that the log can tell them apart."""
    paragraphs, everything = material.read(args.file)
    questions = material.sample(everything, args.questions, args.seed)
    assert len({q.question for q in questions}) == len(questions), "two questions have the same text"
    material.write_corpus(paragraphs, work / "corpus")
    material.write_corpus([p for n, p in enumerate(paragraphs) if n % 5], work / "corpus-fewer")
    material.write_suite(questions, work / "suite.json")
    (work / "ragjudge-baseline.json").unlink(missing_ok=True)
    print(f"{len(questions)} questions (seed {args.seed}), {len(paragraphs)} paragraphs; files in {work}")
    return questions


def degraded(degradation, work):
    """The app's DSL with one change, as a file."""
    old, new = DEGRADATIONS[degradation]
    good = (HERE / "app.yml").read_text(encoding="utf-8")
    assert old in good, f"{old!r} is not in app.yml"
    changed = work / "app-third.yml"
    changed.write_text(good.replace(old, new), encoding="utf-8")
    return changed


def gold_found(root, questions):
    """Ids of the questions whose gold paragraph was retrieved each time they were asked, by the server's own log."""
    with urllib.request.urlopen(f"{root}/demo/retrievals") as reply:
        entries = json.load(reply)["retrievals"]
    found = {}
    for entry in entries:
        found.setdefault(entry["question"], []).append(entry["keys"])
    return {
        q.id for q in questions if q.question in found and all(q.gold in keys for keys in found[q.question])
    }


def named_by(third):
    """The cases that the report calls regressed or suspect: read from the headings of its detail tables."""
    report = (third.out / "report.md").read_text(encoding="utf-8")
    return set(re.findall(r"^\| (\S+) \| (?:❌ regressed|❓ suspect): ", report, re.MULTILINE))


def judged(degradation, third, *, lost):
    """Print what one degraded check named against what was really lost, and whether that is good enough."""
    named = named_by(third)
    right = named & lost
    precision = len(right) / len(named) if named else 1.0
    recall = len(right) / len(lost) if lost else 1.0
    print(f"degradation {degradation!r}: exit {third.exit_code}, {third.seconds:.1f} s")
    print(f"  gold paragraph no longer retrieved: {len(lost)}; named: {len(named)}; both: {len(right)}")
    print(f"  precision {precision:.3f} (at least {PRECISION}), recall {recall:.3f} (at least {RECALL})")
    if named - lost:
        print(f"  named, but not lost: {', '.join(sorted(named - lost))}")
    if lost - named:
        print(f"  lost, but not named: {', '.join(sorted(lost - named))}")
    if degradation == "off":
        return third.exit_code == 0 and not named
    return third.exit_code == 1 and precision >= PRECISION and recall >= RECALL


if __name__ == "__main__":
    sys.exit(main())
