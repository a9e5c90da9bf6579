"""python3 verify.py <site> <trusted issuer>: prints the site's tools, or fails. Needs the package cryptography."""
import base64, json, sys, time, urllib.parse, urllib.request
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

site, issuer = (urllib.parse.urlsplit(address) for address in sys.argv[1:3])


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):  # an open redirect of the issuer must not lend its name to other keys
        return None


def get(url, headers={}):
    request = urllib.request.Request(url, headers=headers)
    with urllib.request.build_opener(NoRedirect).open(request, timeout=10) as response:
        return json.loads(response.read(256 * 1024))


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def verify(headers={}):
    body = get(f"{site.scheme}://{site.netloc}/.well-known/webmcp.json", headers)
    header, _, signature = body.pop("signature").split(".")
    claims = json.loads(decode(header))
    if (claims["alg"], claims["typ"], "crit" in claims) != ("EdDSA", "webmcp-manifest+jws", False):
        raise ValueError("no manifest signature")
    jku = urllib.parse.urlsplit(claims["jku"])
    if (jku.scheme, jku.netloc) != (issuer.scheme, issuer.netloc):
        raise ValueError("untrusted issuer")
    keys = get(claims["jku"], {"Cache-Control": "no-cache"})["keys"]
    x = next(key["x"] for key in keys if key["kid"] == claims["kid"])  # StopIteration: rotated away
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    signed = header.encode() + b"." + base64.urlsafe_b64encode(canonical).rstrip(b"=")
    Ed25519PublicKey.from_public_bytes(decode(x)).verify(decode(signature), signed)
    now, soon = (time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + skew)) for skew in (0, 60))
    if site.hostname not in body["hosts"] or body["issued_at"] > soon or body["expires_at"] <= now:
        raise ValueError("for another host or another time")
    return body["tools"]


try:
    tools = verify()
except Exception:  # a copy signed with a key that is gone may lie in a cache: past the cache once, then it is final
    tools = verify({"Cache-Control": "no-cache"})
print(json.dumps(tools, indent=2))
