/** Fetches a signed manifest as an agent would and prints whether it can be trusted, and which issuer vouches for it. */
import { Resolver } from 'node:dns/promises';
import {
  issuerOrigin,
  issuerRecord,
  issuerRecordName,
  issuersOfTxt,
  MANIFEST_ERRORS,
  MANIFEST_LIMITS,
  type RefusedManifest,
  type VerifiedManifest,
  verifyManifest,
} from '@ghostlight/core';
import { createDownload, type Download, DownloadError } from '../outbound/index.ts';
import { CommandError } from './command.ts';

const TIMEOUT_MS = 10_000;
const DNS_TIMEOUT_MS = 3_000;
const MAX_JWKS_BYTES = 64 * 1024;
const WELL_KNOWN = '/.well-known/webmcp.json';

type ResolveTxt = (name: string) => Promise<string[][]>;

export interface VerifyRequest {
  /** A host (its well-known address is meant) or an https URL; http on loopback. */
  readonly target: string;
  /** Who the manifest is for, where the URL is not the site's own. */
  readonly host?: string | undefined;
  readonly trust: readonly string[];
  /** Whether the zone's TXT record may name issuers. */
  readonly trustDns: boolean;
  /** Host → other base URL. */
  readonly hosts: ReadonlyMap<string, string>;
  /** Default: the system's name servers. */
  readonly resolveTxt?: ResolveTxt;
}

export interface Verification {
  readonly url: string;
  readonly host: string;
  /** All whose word counted. */
  readonly trusted: readonly string[];
  /** Where the document says that its keys lie: a claim until it is verified. */
  readonly claimed: string | null;
  readonly result: VerifiedManifest | RefusedManifest;
}

/** @throws CommandError when there is nothing to verify */
export async function verify({
  target,
  host,
  trust,
  trustDns,
  hosts,
  resolveTxt = askSystem,
}: VerifyRequest): Promise<Verification> {
  const url = addressOf(target);
  const site = (host ?? url.hostname).toLowerCase();
  for (const origin of trust)
    if (issuerOrigin(origin) === null)
      throw new CommandError(`--trust takes an https origin such as https://app.example, not ${origin}.`);
  const download = createDownload({ hosts, reach: 'any' });
  const document = await read(download, url.href, MANIFEST_LIMITS.bytes);
  const trusted = [...trust, ...(trustDns ? await issuersInDns(site, resolveTxt) : [])];
  const result = await verifyManifest(document, {
    host: site,
    trust: trusted,
    fetchJwks: async (jku) => JSON.parse(await read(download, jku, MAX_JWKS_BYTES)) as unknown,
  });
  return { url: url.href, host: site, trusted, claimed: claimedKeys(document), result };
}

function addressOf(target: string): URL {
  const url = URL.parse(/^https?:\/\//i.test(target) ? target : `https://${target}`);
  if (url === null) throw new CommandError(`${target} is neither a host nor a URL.`);
  if (url.pathname === '/') url.pathname = WELL_KNOWN;
  return url;
}

async function read(download: Download, url: string, maxBytes: number): Promise<string> {
  try {
    const { text } = await download({
      url,
      maxBytes,
      // Only the host itself may answer.
      redirects: 0,
      accept: 'application/json',
      purpose: 'verification of a WebMCP manifest',
      timeoutMs: TIMEOUT_MS,
    });
    return text;
  } catch (error) {
    if (!(error instanceof DownloadError)) throw error;
    throw new CommandError(
      `${url} could not be read: ${WORDS[error.word] ?? error.word.replace('http_', 'HTTP ')}.`,
    );
  }
}

const WORDS: Readonly<Record<string, string>> = {
  not_https: 'only https counts, and http only on this machine',
  redirected: 'it redirects, and agents do not follow',
  timeout: `no answer within ${TIMEOUT_MS / 1_000} s`,
  too_large: 'it is too large for a manifest',
  unreachable: 'no connection could be made',
};

const askSystem: ResolveTxt = (name) => new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 }).resolveTxt(name);

/** The zone's own word. DNS is no proof without DNSSEC: that is why it counts only when asked for. */
async function issuersInDns(host: string, resolveTxt: ResolveTxt): Promise<string[]> {
  const name = issuerRecordName(host);
  let records: string[][];
  try {
    records = await resolveTxt(name);
  } catch (error) {
    const { code } = error as { code?: string };
    throw new CommandError(
      `--trust-dns: ${name} has no TXT record that could be read (${code ?? 'no answer'}).`,
    );
  }
  return issuersOfTxt(records.map((parts) => parts.join('')));
}

/** What the header of the signature says, read without trusting it. */
function claimedKeys(document: string): string | null {
  try {
    const { signature } = JSON.parse(document) as { signature: string };
    const header = JSON.parse(Buffer.from(signature.split('.')[0] ?? '', 'base64url').toString()) as {
      jku: unknown;
    };
    return typeof header.jku === 'string' ? printable(header.jku) : null;
  } catch {
    return null;
  }
}

/** What to tell a person, line by line; of a refusal the last line is the reason. */
export function verificationLines({ url, host, trusted, claimed, result }: Verification): string[] {
  if (!result.ok)
    return [`${url}`, `Refused (${result.error}): ${refusal(result, { host, trusted, claimed })}`];
  const { manifest, issuer, kid } = result;
  return [
    `${url}`,
    `${issuer} vouches for ${manifest.tools.length === 1 ? '1 tool' : `${manifest.tools.length} tools`} on ${host}, with the key ${kid}.`,
    `Issued ${manifest.issued_at}, valid until ${manifest.expires_at}.`,
    ...manifest.tools.map(({ name, page, endpoint, description }) => {
      const places = [
        page === undefined ? [] : `in the page ${page}`,
        endpoint === undefined ? [] : `at the MCP server ${endpoint}`,
      ];
      return printable(`  ${name}  ${places.flat().join(', ')}\n    ${description}`);
    }),
  ];
}

function refusal(
  { error, detail }: RefusedManifest,
  { host, trusted, claimed }: Pick<Verification, 'host' | 'trusted' | 'claimed'>,
): string {
  if (error !== 'untrusted_issuer') return `${MANIFEST_ERRORS[error]} (${printable(detail)})`;
  const issuer = claimed === null ? null : issuerOrigin(claimed);
  const claim =
    claimed === null
      ? 'The signature names no keys.'
      : `The manifest says that its keys are at ${claimed}, but anyone can write that.`;
  if (trusted.length > 0 || issuer === null) return `${claim} ${MANIFEST_ERRORS[error]}`;
  return `${claim} Trust must come from you (--trust ${issuer}) or from the zone: --trust-dns looks for the TXT record ${issuerRecordName(host)} with "${issuerRecord(issuer)}".`;
}

/** Untrusted text must not control the reader's terminal. */
const printable = (text: string): string => text.replaceAll(/[^\P{Cc}\n]/gu, '�');
