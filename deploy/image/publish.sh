#!/bin/sh
# sh deploy/image/publish.sh IMAGE VERSION: joins the images of both processors (digests in dist/digests, already pushed) under the
# version's tags, signs the result without a key of ours (cosign, by the identity of the workflow), and attaches the SBOM.
set -eu
image=$1
version=$2
for digest in dist/digests/*; do set -- "$@" "$image@sha256:$(basename "$digest")"; done
shift 2
docker buildx imagetools create --tag "$image:$version" --tag "$image:${version%.*}" "$@"
digest=$(docker buildx imagetools inspect "$image:$version" --format '{{.Manifest.Digest}}')
cosign sign --yes --recursive "$image@$digest"
cosign attest --yes --type cyclonedx --predicate dist/sbom/image.cdx.json "$image@$digest"
echo "$image@$digest"
