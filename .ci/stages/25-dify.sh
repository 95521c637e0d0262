#!/usr/bin/env bash
# The connector under trouble, on loopback: faulty servers, a server that takes three questions at a time, and
# 1,000 two-turn cases killed and resumed that leave no conversation behind.
set -euo pipefail
cd "$(dirname "$0")/../.."

make --silent .venv/dev.stamp
.venv/bin/python -m bench.dify.faults
.venv/bin/python -m bench.dify.busy --named
.venv/bin/python -m bench.dify.busy
.venv/bin/python -m bench.dify.cleanup
