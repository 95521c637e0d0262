#!/usr/bin/env bash
# Every call that we make to GitHub, held to GitHub's own description of its REST API: a mock server (Prism) made of it
# answers 422 to a request that the description does not allow. Needs Node.js 18 or newer and npm; never skipped in CI.
set -euo pipefail
cd "$(dirname "$0")/../.."

cannot() {
  echo "prism stage could not run: $1"
  [ "${CI:-}" = true ] && exit 1
  echo "SKIPPED (outside of CI)"
  exit 0
}

if ! command -v npm >/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get -o DPkg::Lock::Timeout=600 update -qq
  DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends nodejs npm >/dev/null
fi
command -v npm >/dev/null || cannot "it needs Node.js and npm"

work=$(mktemp -d)
trap 'rm -rf "$work" || true' EXIT
cp .ci/stages/prism/package.json .ci/stages/prism/package-lock.json "$work/"
(cd "$work" && npm ci --silent --no-audit --no-fund --ignore-scripts) || cannot "its npm packages could not be installed"
make --silent .venv/dev.stamp
.venv/bin/python .ci/stages/prism/cut.py "$work/node_modules/@octokit/openapi/generated/api.github.com.json" "$work/github.json"
.venv/bin/python .ci/stages/prism/drive.py --prism "$work/node_modules/.bin/prism" --description "$work/github.json"
