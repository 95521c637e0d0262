#!/usr/bin/env bash
# The action as GitHub runs it: the Dockerfile is built, a real workflow runner (act) runs the examples' workflows with
# it, against the demo app, a scripted judge and a GitHub API on loopback. No Docker engine: podman stands in for it.
# Installs what it needs on Debian 12 or newer as root; elsewhere it is skipped with a reason, but never in CI.
set -euo pipefail
cd "$(dirname "$0")/../.."

cannot() {
  echo "container stage could not run: $1"
  [ "${CI:-}" = true ] && exit 1
  echo "SKIPPED (outside of CI)"
  exit 0
}

[ "$(id -u)" = 0 ] || cannot "it must be root to make containers here"
command -v apt-get >/dev/null || cannot "it needs Debian's packages podman, buildah, runc and debootstrap"

have() { for tool in "$@"; do command -v "$tool" >/dev/null || return 1; done; }
if ! have podman buildah runc debootstrap; then
  apt-get -o DPkg::Lock::Timeout=600 update -qq
  DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends \
    podman buildah runc debootstrap ca-certificates git >/dev/null || cannot "its packages could not be installed"
fi

work=$(mktemp -d)
# What is left behind says nothing about the action: clearing up never decides the stage.
clean_up() {
  set +e
  podman rm --all --force >/dev/null 2>&1
  if [ -n "${service:-}" ]; then kill "$service"; wait "$service"; fi 2>/dev/null
  # podman leaves a watcher behind for each command that the runner sent into a container.
  for watcher in $(pgrep -x conmon); do
    if tr '\0' ' ' <"/proc/$watcher/cmdline" 2>/dev/null | grep -q -F "$work/"; then kill "$watcher" 2>/dev/null; fi
  done
  # A mount goes a moment after its last user.
  for _ in 1 2 3 4 5; do
    awk -v under="$work/" 'index($2, under) == 1 {print $2}' /proc/mounts | sort -r | xargs -r umount --lazy
    rm -rf "$work" 2>/dev/null && return
    sleep 1
  done
  echo "left behind: $work"
}
trap clean_up EXIT
# Kept between runs: making the stand-in for the base image takes a minute.
cache=${RAGJUDGE_STAGE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ragjudge-stages}
mkdir -p "$cache"

python3 -m venv "$work/act"
"$work/act/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/container.txt
make --silent .venv/dev.stamp

# podman inside a container or sandbox: no network namespace of its own, limits that it may set, one cgroup manager.
cat >"$work/containers.conf" <<EOF
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
netns = "host"
[engine]
cgroup_manager = "cgroupfs"
runtime = "runc"
EOF
store() {
  printf '[storage]\ndriver = "%s"\nrunroot = "%s"\ngraphroot = "%s"\n' "$1" "$work/run" "$work/graph" >"$work/storage.conf"
}
export CONTAINERS_CONF="$work/containers.conf" CONTAINERS_STORAGE_CONF="$work/storage.conf"
store overlay
podman info >/dev/null 2>&1 || { rm -rf "$work/run" "$work/graph"; store vfs; }

# The image hub may be out of reach: Debian's own Python stands in under the name that the Dockerfile uses. It trusts
# what this machine trusts, so that a registry behind a company's proxy can be reached while building.
base=docker.io/library/python:3.13-slim
if [ ! -s "$cache/base.tar" ]; then
  debootstrap --variant=minbase --include=python3,python3-venv,python3-pip,ca-certificates,git trixie "$work/base" \
    >"$work/debootstrap.log" 2>&1 || { tail -5 "$work/debootstrap.log"; cannot "the base image could not be made"; }
  rm -rf "$work/base/var/cache/apt/archives" "$work/base/var/lib/apt/lists" "$work/base/etc/ssl/certs/ca-certificates.crt"
  tar -C "$work/base" -cf "$cache/base.tar.part" .
  mv "$cache/base.tar.part" "$cache/base.tar"
  rm -rf "$work/base"
fi
mkdir -p "$work/trust/etc/ssl/certs"
cp -L /etc/ssl/certs/ca-certificates.crt "$work/trust/etc/ssl/certs/"
cp "$cache/base.tar" "$work/base.tar"
tar -rf "$work/base.tar" -C "$work/trust" ./etc/ssl/certs/ca-certificates.crt
podman import --quiet "$work/base.tar" "$base" >/dev/null
rm "$work/base.tar"

podman system service -t 0 "unix://$work/podman.sock" >"$work/podman.log" 2>&1 &
service=$!
for _ in $(seq 50); do [ -S "$work/podman.sock" ] && break; sleep 0.1; done
[ -S "$work/podman.sock" ] || { cat "$work/podman.log"; cannot "podman's service does not start"; }

DOCKER_HOST="unix://$work/podman.sock" .venv/bin/python .ci/stages/container/drive.py \
  --act "$work/act/bin/act" --work "$work/team" --base "$base"
