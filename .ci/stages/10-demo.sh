#!/usr/bin/env bash
# The README's `make demo`: pass, pass, fail with the right cases named, in under 20 seconds once it is installed.
set -euo pipefail
cd "$(dirname "$0")/../.."

make --silent .venv/run.stamp
begun=$(date +%s%N)
make --silent demo
took=$((($(date +%s%N) - begun) / 1000000))
echo "make demo took $took ms"
[ "$took" -lt 20000 ] || { echo "that is over 20 s"; exit 1; }

best=$(for _ in 1 2 3 4 5; do
  begun=$(date +%s%N); .venv/bin/python -m ragjudge --version >/dev/null; echo $((($(date +%s%N) - begun) / 1000000))
done | sort -n | head -1)
echo "ragjudge --version took $best ms (best of five)"
[ "$best" -lt 150 ] || { echo "that is over 150 ms"; exit 1; }
