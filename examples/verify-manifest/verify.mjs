// node verify.mjs <site> <trusted issuer>: prints the site's tools, or fails. WebCrypto alone: runs in workers and browsers too.
const [site, issuer] = process.argv.slice(2).map((address) => new URL(address));

async function get(url, headers = {}) {
  const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}

const fromBase64url = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );
const toBase64url = (bytes) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)}}`;
}

async function verify(headers) {
  const { signature, ...body } = await get(`${site.origin}/.well-known/webmcp.json`, headers);
  const [header, , signed] = signature.split('.');
  const { alg, typ, kid, jku, crit } = JSON.parse(new TextDecoder().decode(fromBase64url(header)));
  if (alg !== 'EdDSA' || typ !== 'webmcp-manifest+jws' || crit) throw new Error('no manifest signature');
  if (new URL(jku).origin !== issuer.origin) throw new Error(`untrusted issuer: ${jku}`);
  const { keys } = await get(jku, { 'cache-control': 'no-cache' });
  const { x } = keys.find((key) => key.kid === kid) ?? {};
  if (x === undefined) throw new Error('the key was rotated away');
  const key = await crypto.subtle.importKey('raw', fromBase64url(x), 'Ed25519', false, ['verify']);
  const input = `${header}.${toBase64url(new TextEncoder().encode(canonical(body)))}`;
  const bytes = new TextEncoder().encode(input);
  const valid = await crypto.subtle.verify('Ed25519', key, fromBase64url(signed), bytes);
  if (!valid) throw new Error('the signature does not match');
  if (!body.hosts.includes(site.hostname)) throw new Error('the manifest is for other hosts');
  if (Date.parse(body.issued_at) > Date.now() + 60_000) throw new Error('issued in the future');
  if (!(Date.parse(body.expires_at) > Date.now())) throw new Error('expired');
  return body.tools;
}

// A copy signed with a key that is gone may lie in a cache on the way: past the cache once, then it is final.
const tools = await verify().catch(() => verify({ 'cache-control': 'no-cache' }));
console.log(JSON.stringify(tools, null, 2));
