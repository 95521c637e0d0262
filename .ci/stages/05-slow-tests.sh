#!/usr/bin/env bash
# The tests that `make test` leaves out, since they take seconds each: shards, merges, bisects, updates, examples.
set -euo pipefail
cd "$(dirname "$0")/../.."

make --silent test-slow
