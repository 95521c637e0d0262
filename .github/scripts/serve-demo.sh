#!/usr/bin/env bash
# Starts the demo app on the runner and forwards to it from Docker's bridge, where a container action can reach it.
set -euo pipefail
make .venv/run.stamp
nohup .venv/bin/python -m ragjudge demo --serve --port 8710 >demo.log 2>&1 &
nohup .venv/bin/python .github/scripts/forward.py 172.17.0.1 8711 8710 >forward.log 2>&1 &
for _ in $(seq 50); do
  if curl --silent --fail --header 'Authorization: Bearer app-demo' http://172.17.0.1:8711/v1/info; then exit 0; fi
  sleep 0.2
done
cat demo.log forward.log
exit 1
