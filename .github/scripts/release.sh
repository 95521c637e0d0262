#!/usr/bin/env bash
# Makes the released commit: action.yml runs the image by its digest. Needs TAG (v1.2.3), IMAGE, DIGEST and GH_TOKEN.
# The commit stands on its own beside the branch; nothing is pushed to the default branch.
set -euo pipefail

[[ $TAG =~ ^v[0-9]+\.[0-9]+\.[0-9]+$ ]]
[[ $DIGEST =~ ^sha256:[0-9a-f]{64}$ ]]

sed --in-place "s#^  image: Dockerfile\$#  image: docker://$IMAGE@$DIGEST#" action.yml
grep --quiet "^  image: docker://$IMAGE@$DIGEST\$" action.yml

git config user.name "github-actions[bot]"
git config user.email "41898282+github-actions[bot]@users.noreply.github.com"
git commit --all --message "Release $TAG"
git tag --force --annotate --message "$TAG, image $DIGEST" "$TAG"
git tag --force "${TAG%%.*}"
if [ -n "${DRY_RUN:-}" ]; then exit 0; fi

git -c "http.extraheader=Authorization: Basic $(printf 'x-access-token:%s' "$GH_TOKEN" | base64 --wrap=0)" \
  push --force origin "$TAG" "${TAG%%.*}"
gh release create "$TAG" --verify-tag --generate-notes --notes \
  "Image: \`$IMAGE@$DIGEST\`. Verify it with \`gh attestation verify oci://$IMAGE@$DIGEST --repo $GITHUB_REPOSITORY\`."
