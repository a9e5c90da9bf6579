#!/bin/sh
# sh deploy/helm/render.sh: prints the chart as Kubernetes gets it, in every form that it supports, and checks what it must refuse.
set -eu
chart=$(dirname "$0")/ghostlight
stores='secrets.DATABASE_URL=postgres://a:b@postgres/ghostlight,secrets.CLICKHOUSE_URL=http://a:b@clickhouse:8123/ghostlight'
secrets='secrets.SECRET_KEY=0123456789abcdef0123456789abcdef,secrets.ADMIN_TOKEN=0123456789abcdef'
helm lint --strict "$chart" >&2
render() { helm template "$@" one "$chart"; echo ---; }
render
render --set ingress.enabled=true,ingress.host=ghostlight.shop.example,metrics.serviceMonitor.enabled=true,metrics.prometheusRule.enabled=true
render --set "replicas=3,$stores,$secrets"
render --set 'replicas=2,existingSecret.name=mine,existingSecret.keys={DATABASE_URL,CLICKHOUSE_URL,ADMIN_TOKEN,SECRET_KEY,METRICS_TOKEN}' \
  --set metrics.serviceMonitor.enabled=true

refused() {
  sentence=$1
  shift
  if said=$(helm template "$@" one "$chart" 2>&1 > /dev/null); then echo "Not refused: $*" >&2; exit 1; fi
  case $said in *"$sentence"*) ;; *) echo "Refused in other words ($*): $said" >&2; exit 1 ;; esac
}
refused 'More than one replica needs PostgreSQL and ClickHouse' --set replicas=2
refused 'More than one replica needs PostgreSQL and ClickHouse' --set "replicas=2,secrets.CLICKHOUSE_URL=http://clickhouse:8123"
refused 'With DATABASE_URL, ADMIN_TOKEN and SECRET_KEY must be set too' --set "replicas=2,$stores"
refused 'existingSecret.keys is set' --set 'existingSecret.keys={DATABASE_URL}'
refused 'The chart sets PORT' --set-string settings.PORT=8080
refused 'ADMIN_TOKEN is in settings and among the secrets' --set-string 'settings.ADMIN_TOKEN=a,secrets.ADMIN_TOKEN=b'
refused 'ingress.enabled needs ingress.host' --set ingress.enabled=true
refused 'metrics.serviceMonitor needs metrics.enabled' --set metrics.enabled=false,metrics.serviceMonitor.enabled=true
