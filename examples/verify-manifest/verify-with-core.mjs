// node verify-with-core.mjs <site> [trusted issuer]: prints the site's tools, or why not. Without an issuer the zone's DNS names them.
import { resolveTxt } from 'node:dns/promises';
import { issuerRecordName, issuersOfTxt, verifyManifest } from '@ghostlight/core/manifest';

const site = new URL(process.argv[2]);
const records = process.argv[3] ? [] : await resolveTxt(issuerRecordName(site.hostname));
const trust = process.argv[3] ? [process.argv[3]] : issuersOfTxt(records.map((strings) => strings.join('')));

async function get(url, cacheControl) {
  const headers = { 'cache-control': cacheControl };
  const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response;
}

async function verify(cacheControl) {
  const response = await get(`${site.origin}/.well-known/webmcp.json`, cacheControl);
  const fetchJwks = async (url) => (await get(url, 'no-cache')).json();
  return verifyManifest(await response.text(), { host: site.hostname, trust, fetchJwks });
}

let answer = await verify('max-age=3600');
if (!answer.ok) answer = await verify('no-cache');
console.log(JSON.stringify(answer.ok ? answer.manifest.tools : answer, null, 2));
process.exitCode = answer.ok ? 0 : 1;
