#!/usr/bin/env bash
# 200 real Japanese questions over 1,145 paragraphs: unchanged twice (passes), degraded (fails and names the right
# cases by the app's own retrieval log), and the third run unchanged as well (passes).
# The data are not part of this repository: RAGJUDGE_SHARED names the folder that holds data/jglue.
set -euo pipefail
cd "$(dirname "$0")/../.."

shared=${RAGJUDGE_SHARED:-../shared}
data=$shared/data/jglue/jsquad-valid-v1.3.json
if [ ! -f "$data" ]; then
  echo "SKIPPED: no JSQuAD file at $data (set RAGJUDGE_SHARED)"
  exit 0
fi
make --silent .venv/run.stamp
.venv/bin/python bench/jsquad/run.py "$data"
