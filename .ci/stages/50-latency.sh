#!/usr/bin/env bash
# Wall time of whole runs against the latency floor. The figures are for a quiet machine; a shared one gets some slack.
set -euo pipefail
cd "$(dirname "$0")/../.."

make --silent .venv/dev.stamp
.venv/bin/python bench/latency/latency.py --slack 1.25
