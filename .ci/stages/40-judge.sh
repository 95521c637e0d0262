#!/usr/bin/env bash
# The judge: 100,000 damaged replies (no exception, no invented value), and how far the judge without a model can be
# trusted, on people's labels. JGLUE is not part of this repository: RAGJUDGE_SHARED names the folder with data/jglue;
# without it the English pairs are measured alone.
set -euo pipefail
cd "$(dirname "$0")/../.."

make --silent .venv/dev.stamp
.venv/bin/python -m bench.fuzz.replies --tries 100000
data=${RAGJUDGE_SHARED:-../shared}/data/jglue
if [ -d "$data" ]; then
  .venv/bin/python -m bench.offline.measure --jglue "$data"
else
  .venv/bin/python -m bench.offline.measure
fi
