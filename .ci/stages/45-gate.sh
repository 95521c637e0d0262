#!/usr/bin/env bash
# The gate on a simulated app and judge (unchanged, and two answers broken), twenty writers of one baseline at once,
# writers killed half-way, a comparison of 10,000 cases, and a team's week on a real repository.
set -euo pipefail
cd "$(dirname "$0")/../.."

make --silent .venv/dev.stamp
.venv/bin/python -m bench.gate.simulate --runs 60
.venv/bin/python -m bench.gate.stores
.venv/bin/python -m bench.gate.compare_many
.venv/bin/python -m bench.gate.walk
