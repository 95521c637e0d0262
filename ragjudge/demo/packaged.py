"""Where the files of the embedded default are. The same files stand in `examples/demo` to be copied and changed."""

from pathlib import Path

DATA = Path(__file__).parent / "data"
CORPUS = DATA / "corpus"
SUITE = DATA / "suite.json"
APP = DATA / "app.yml"
DEGRADED_APP = DATA / "app-degraded.yml"
CONFIG = DATA / "ragjudge.yml"
