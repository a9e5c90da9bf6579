/**
 * What `ghostlight doctor` finds at the provider: everything that a sign-in needs and that shows without a person. Only what discovery and the
 * key set say is read; the client's ID and secret, and its redirect URI, prove themselves at the first sign-in.
 */
import type { Clock, OidcSettings } from '../../common/index.ts';
import { type OutboundResponse, type Send, SendError } from '../../outbound/index.ts';
import { CLOCK_TOLERANCE_S, MAX_ANSWER_BYTES, TIMEOUT_MS } from './provider.ts';

export interface ProviderFinding {
  readonly level: 'good' | 'note' | 'bad';
  readonly text: string;
}

interface Document {
  readonly url: string;
  readonly members: Readonly<Record<string, unknown>>;
  /** Of the provider's clock before ours, seconds; null: its answer has no date. */
  readonly ahead: number | null;
}

/** What openid-client can check: signatures with the provider's own keys. */
const ALGORITHMS = /^(?:(?:RS|PS|ES)(?:256|384|512)|EdDSA|Ed25519|ML-DSA-(?:44|65|87))$/;
const SECRET_WAYS = ['client_secret_post', 'client_secret_basic'];
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

const bad = (text: string): ProviderFinding => ({ level: 'bad', text });
const note = (text: string): ProviderFinding => ({ level: 'note', text });

/** Asks twice, each time for at most eight seconds. */
export async function examineProvider(
  settings: OidcSettings,
  deps: { readonly send: Send; readonly clock: Clock },
): Promise<readonly ProviderFinding[]> {
  const discovery = await read(discoveryUrl(settings.issuer), deps);
  if (typeof discovery === 'string')
    return [bad(`Sign-in at ${settings.issuer} can’t work: ${discovery}. Check OIDC_ISSUER.`)];
  const keys = discovery.members['jwks_uri'];
  const found = [
    ...issuerFindings(settings, discovery),
    ...endpointFindings(settings, discovery),
    ...ableFindings(settings, discovery),
    ...(typeof keys === 'string' && isSafe(keys, settings.issuer) ? keyFindings(await read(keys, deps)) : []),
    ...clockFindings(discovery),
  ];
  return found.some(({ level }) => level === 'bad')
    ? found
    : [{ level: 'good', text: `${settings.issuer} answers as sign-in needs it.` }, ...found];
}

/** As the library makes it of the issuer, whose slash at the end is part of it. */
function discoveryUrl(issuer: string): string {
  const url = new URL(issuer);
  url.pathname = `${url.pathname}/.well-known/openid-configuration`.replace('//', '/');
  return url.href;
}

/** @returns a document, or what is wrong */
async function read(
  url: string,
  { send, clock }: { readonly send: Send; readonly clock: Clock },
): Promise<Document | string> {
  let answer: OutboundResponse;
  try {
    answer = await send(
      { method: 'GET', url, headers: { Accept: 'application/json' }, body: null },
      { timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES, guarded: false, plainOnLoopback: true },
    );
  } catch (error) {
    if (error instanceof SendError) return `${url} is not reached (${error.word})`;
    throw error;
  }
  if (answer.status >= 300 && answer.status < 400)
    return `${url} redirects to ${answer.headers['location'] ?? 'nowhere'}, which is not followed`;
  if (answer.status !== 200) return `${url} returns ${answer.status}`;
  const members = objectOf(answer.body);
  if (members === null) return `${url} answers without a JSON object`;
  const date = Date.parse(answer.headers['date'] ?? '');
  return { url, members, ahead: Number.isNaN(date) ? null : (date - clock()) / 1_000 };
}

function objectOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
}

function issuerFindings({ issuer }: OidcSettings, { members }: Document): ProviderFinding[] {
  const said = members['issuer'];
  if (said === issuer) return [];
  return [
    bad(
      `The provider names itself ${JSON.stringify(said)}, and OIDC_ISSUER is ${JSON.stringify(issuer)}: every sign-in is refused until both are the same, to the slash.`,
    ),
  ];
}

function endpointFindings({ issuer }: OidcSettings, { members }: Document): ProviderFinding[] {
  return ENDPOINTS.flatMap((name) => {
    const url = members[name];
    if (typeof url !== 'string') return [bad(`The provider’s discovery document has no ${name}.`)];
    if (isSafe(url, issuer)) return [];
    return [bad(`The provider’s ${name} is ${url}: it must be https.`)];
  });
}

/** Plain http is taken where the issuer has it, which the settings take on this machine alone. */
const isSafe = (url: string, issuer: string): boolean =>
  url.startsWith('https://') || (issuer.startsWith('http:') && url.startsWith('http:'));

/** Lists are what a provider may say; of what is not listed nothing is known. */
function ableFindings(
  { clientSecret, scopes, groups, groupsClaim }: OidcSettings,
  { members }: Document,
): ProviderFinding[] {
  const lacks = (name: string, isEnough: (listed: readonly unknown[]) => boolean): boolean => {
    const listed = members[name];
    return Array.isArray(listed) && !isEnough(listed);
  };
  const missing = scopes
    .split(/\s+/)
    .filter((scope) => lacks('scopes_supported', (all) => all.includes(scope)));
  const [claim = ''] = groupsClaim.split('.');
  return [
    ...(lacks('response_types_supported', (all) => all.includes('code'))
      ? [bad('The provider does not offer the authorization code flow (response type “code”).')]
      : []),
    ...(lacks('code_challenge_methods_supported', (all) => all.includes('S256'))
      ? [bad('The provider does not offer PKCE with S256, which protects the code.')]
      : []),
    ...(lacks('id_token_signing_alg_values_supported', (all) => all.some((one) => ALGORITHMS.test(`${one}`)))
      ? [
          bad(
            'The provider signs ID tokens with none of the algorithms that can be checked by its keys (RS256, PS256, ES256, EdDSA, …).',
          ),
        ]
      : []),
    ...(lacks('token_endpoint_auth_methods_supported', (all) =>
      clientSecret === null ? all.includes('none') : SECRET_WAYS.some((way) => all.includes(way)),
    )
      ? [
          bad(
            clientSecret === null
              ? 'The provider accepts no client without a secret: set OIDC_CLIENT_SECRET.'
              : 'The provider takes OIDC_CLIENT_SECRET neither in the body nor as HTTP Basic (client_secret_post, client_secret_basic).',
          ),
        ]
      : []),
    ...missing.map((scope) =>
      note(`The provider does not list the scope “${scope}” of OIDC_SCOPES: it may refuse sign-ins.`),
    ),
    ...(groups.length > 0 && lacks('claims_supported', (all) => all.includes(claim))
      ? [
          note(
            `The provider does not list the claim “${claim}” of OIDC_GROUPS_CLAIM: if tokens lack it, groups give no access.`,
          ),
        ]
      : []),
  ];
}

function keyFindings(keys: Document | string): ProviderFinding[] {
  if (typeof keys === 'string') return [bad(`The provider’s keys can’t be read: ${keys}.`)];
  const listed = keys.members['keys'];
  const isUsable = (key: { kty?: unknown; use?: unknown } | null): boolean =>
    ['RSA', 'EC', 'OKP', 'AKP'].includes(String(key?.kty)) && (key?.use ?? 'sig') === 'sig';
  if (Array.isArray(listed) && listed.some(isUsable)) return [];
  return [bad(`${keys.url} has no key that checks a signature: ID tokens can’t be checked.`)];
}

/** Whole seconds are what the header has. */
function clockFindings({ ahead }: Document): ProviderFinding[] {
  if (ahead === null || Math.abs(ahead) <= CLOCK_TOLERANCE_S) return [];
  const seconds = Math.round(Math.abs(ahead));
  return [
    bad(
      `The provider’s clock is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} this machine’s: ID tokens are refused from ${CLOCK_TOLERANCE_S} s on. Set both clocks by NTP.`,
    ),
  ];
}
