#!/bin/sh
# npm run deploy:check: what only Docker Compose, Helm and kubeconform can say about the files of this folder. CI runs it.
set -eu
cd "$(dirname "$0")/.."
kubeconform() { docker run --rm --interactive ghcr.io/yannh/kubeconform:v0.7.0 -strict -summary -ignore-missing-schemas; }

DOMAIN=ghostlight.shop.example docker compose config --quiet
if docker compose --env-file /dev/null config --quiet 2> /dev/null; then echo 'compose.yaml starts without DOMAIN.'; exit 1; fi
sh deploy/cluster/secrets.sh > dist-cluster.env
docker compose --env-file dist-cluster.env --file deploy/cluster/compose.yaml --file deploy/cluster/test.yaml config --quiet
rm dist-cluster.env

sh deploy/helm/render.sh | kubeconform
