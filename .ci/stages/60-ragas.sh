#!/usr/bin/env bash
# Every score of 530 cases beside the real Ragas library's, on the same judge verdicts over loopback.
# Ragas needs 94 packages that ragjudge must not have, so it lives in an environment of its own.
set -euo pipefail
cd "$(dirname "$0")/../.."

environment=.ci-venv-ragas
stamp=$environment/$(sha256sum requirements/ragas.txt | cut -c1-16).stamp
if [ ! -e "$stamp" ]; then
  rm -rf "$environment"
  "${PYTHON:-python3}" -m venv "$environment"
  "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/ragas.txt
  touch "$stamp"
fi
.venv/bin/python bench/ragas/compare.py "$environment/bin/python" ${RAGAS_CASES:-}
