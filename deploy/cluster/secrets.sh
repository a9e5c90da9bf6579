#!/bin/sh
# Prints the secrets of deploy/cluster/compose.yaml, new ones each time: sh deploy/cluster/secrets.sh > deploy/cluster/.env
set -eu
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
for name in POSTGRES_PASSWORD CLICKHOUSE_PASSWORD SECRET_KEY ADMIN_TOKEN; do echo "$name=$(random)"; done
