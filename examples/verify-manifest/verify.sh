#!/usr/bin/env bash
# verify.sh <site> <trusted issuer> [curl options]: prints the site's tools, or fails. Needs curl, jq, openssl 3.
# After a failure run it once more with: -H 'Cache-Control: no-cache'
set -euo pipefail
site=${1%/} issuer=${2%/} host=${1#*://} && host=${host%%[:/]*} && shift 2
work=$(mktemp -d) && trap 'code=$?; rm -rf "$work"; exit $((code != 0))' EXIT
get() { curl -fsSg --max-time 10 --max-filesize 262144 "$@"; }
encode() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
decode() { jq -jn --arg text "$1" '$text | gsub("-"; "+") | gsub("_"; "/") | . + "==="[:(4 - length % 4) % 4]' | openssl base64 -d -A; }

get "$@" "$site/.well-known/webmcp.json" >"$work/manifest"
signature=$(jq -r .signature "$work/manifest")
header=${signature%%.*}
decode "$header" >"$work/header"
jq -e --arg issuer "$issuer/" '.alg == "EdDSA" and .typ == "webmcp-manifest+jws" and (has("crit") | not)
  and (.jku | startswith($issuer))' "$work/header" >/dev/null || { echo 'no manifest signature of a trusted issuer' >&2 && exit 1; }
get -H 'Cache-Control: no-cache' "$(jq -r .jku "$work/header")" >"$work/jwks"
x=$(jq -er --slurpfile header "$work/header" '[.keys[] | select(.kid == $header[0].kid)][0].x' "$work/jwks")
{ printf '\060\052\060\005\006\003\053\145\160\003\041\000' && decode "$x"; } >"$work/key"
{ printf '%s.' "$header" && jq -cSj 'del(.signature)' "$work/manifest" | encode; } >"$work/signed"
decode "${signature##*.}" >"$work/signature"
openssl pkeyutl -verify -pubin -keyform DER -inkey "$work/key" -rawin -in "$work/signed" -sigfile "$work/signature" >&2
jq -e --arg host "$host" 'if any(.hosts[]; . == $host) and .issued_at <= (now + 60 | floor | todate)
  and .expires_at > (now | floor | todate) then .tools else error("for another host or another time") end' "$work/manifest"
