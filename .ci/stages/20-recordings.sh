#!/usr/bin/env bash
# Every recorded exchange of two real Dify servers, against the connector and the demo server.
# The recordings are not part of this repository: RAGJUDGE_SHARED names the folder that holds dify-recordings.
set -euo pipefail
cd "$(dirname "$0")/../.."

shared=${RAGJUDGE_SHARED:-../shared}
if [ ! -d "$shared/dify-recordings" ]; then
  echo "SKIPPED: no recordings at $shared/dify-recordings (set RAGJUDGE_SHARED)"
  exit 0
fi
make --silent .venv/dev.stamp
RAGJUDGE_RECORDINGS=$(realpath "$shared/dify-recordings") .venv/bin/python -m pytest -m recordings -n auto
