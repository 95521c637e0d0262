# The action's image. BASE can name a mirror or a digest: any image with Python 3.11 or newer and CA certificates.
ARG BASE=docker.io/library/python:3.13-slim

FROM ${BASE} AS build
COPY requirements/run.txt /requirements.txt
# An environment without pip, filled from the hash-locked list: wheels only, so no compiler is ever needed.
RUN python3 -m venv --without-pip /opt/ragjudge \
 && python3 -m pip --python /opt/ragjudge/bin/python install --no-cache-dir --disable-pip-version-check \
      --root-user-action=ignore --only-binary=:all: --require-hashes --requirement /requirements.txt \
 && find /opt/ragjudge -type d \( -name tests -o -name test \) -path '*/site-packages/*' -prune -exec rm -rf {} + \
 && find /opt/ragjudge -name '*.pyi' -delete
COPY ragjudge /opt/ragjudge/app/ragjudge
COPY entrypoint.py /opt/ragjudge/app/entrypoint.py
RUN python3 -m compileall -q -j 0 --invalidation-mode unchecked-hash /opt/ragjudge/app

FROM ${BASE}
LABEL org.opencontainers.image.title="ragjudge" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV PYTHONUTF8=1 \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONSAFEPATH=1 \
    PYTHONPATH=/opt/ragjudge/app \
    PATH=/opt/ragjudge/bin:$PATH
COPY --from=build /opt/ragjudge /opt/ragjudge
# GitHub starts container actions as root in the workspace; the entry steps down to the workspace's owner itself.
ENTRYPOINT ["/opt/ragjudge/bin/python", "/opt/ragjudge/app/entrypoint.py"]
