/**
 * The provider: discovery, the authorization request, and what comes back (code with PKCE S256; state, nonce, issuer, audience, signature
 * and times are checked by openid-client). Nothing that it sends is kept: no access, refresh or ID token outlives the sign-in.
 *
 * Its hosts are named by the operator, so they may be private addresses: a company's provider often is inside its network. What discovery
 * names (token endpoint, keys) is the issuer's own word, over TLS. Every request is bounded in time and size, and no redirect is followed.
 */
import { HOUR_MS } from '@ghostlight/core/time';
import type { Configuration, ServerMetadata } from 'openid-client';
import type { Clock, OidcSettings } from '../../common/index.ts';
import { type Send, SendError } from '../../outbound/index.ts';
import { OidcError } from './failure.ts';
import { hasGroups, type Identity, readIdentity } from './identity.ts';

type Library = typeof import('openid-client');

export const TIMEOUT_MS = 8_000;
/** Discovery documents have 10 KB, key sets of large providers some more. */
export const MAX_ANSWER_BYTES = 1024 * 1024;
export const CLOCK_TOLERANCE_S = 60;
const DISCOVERED_MS = HOUR_MS;
/** A provider that is down is asked this often, however many people press the button. */
const ASK_AGAIN_MS = 2_000;

/** What must come back, or be shown, at the end: kept in the browser, encrypted. */
export interface Pending {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface IdentityProvider {
  /** @param again asks for an account even of a person who is signed in there. @returns where the browser goes. @throws OidcError `unreachable` */
  begin(redirectUri: string, again: boolean): Promise<{ readonly url: string; readonly pending: Pending }>;
  /** @param answered the address with which the browser came back. @throws OidcError */
  finish(answered: URL, pending: Pending): Promise<Identity>;
}

export function createIdentityProvider(
  settings: OidcSettings,
  { send, clock }: { send: Send; clock: Clock },
): IdentityProvider {
  // Loaded with the first sign-in: a service without a provider has no use for it.
  let loaded: Promise<Library> | undefined;
  const library = (): Promise<Library> => {
    loaded ??= import('openid-client');
    return loaded;
  };
  const fetching = boundedFetch(send);
  let known: { readonly metadata: ServerMetadata; readonly at: number } | undefined;
  let asking: Promise<ServerMetadata> | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;

  const discover = async (): Promise<ServerMetadata> => {
    const client = await library();
    const auth = client.None();
    const found = await client.discovery(new URL(settings.issuer), settings.clientId, undefined, auth, {
      timeout: TIMEOUT_MS / 1_000,
      [client.customFetch]: fetching,
      execute: isPlain(settings.issuer) ? [client.allowInsecureRequests] : [],
    });
    return found.serverMetadata();
  };

  const metadata = async (): Promise<ServerMetadata> => {
    if (known !== undefined && clock() - known.at < DISCOVERED_MS) return known.metadata;
    if (clock() - failedAt < ASK_AGAIN_MS) throw new OidcError('unreachable', 'failed_just_now');
    asking ??= discover().finally(() => {
      asking = undefined;
    });
    try {
      known = { metadata: await asking, at: clock() };
      return known.metadata;
    } catch (error) {
      failedAt = clock();
      // What was true an hour ago is better than no sign-in.
      if (known !== undefined) return known.metadata;
      throw new OidcError('unreachable', reasonOf(error));
    }
  };

  /** A new one for each sign-in: it holds the provider's keys, and one that kept them would not see a rotation for a minute. */
  const configuration = async (client: Library): Promise<Configuration> => {
    const server = await metadata();
    const { clientId, clientSecret } = settings;
    const made = new client.Configuration(
      server,
      clientId,
      { [client.clockTolerance]: CLOCK_TOLERANCE_S },
      authentication(client, clientSecret, server.token_endpoint_auth_methods_supported),
    );
    made[client.customFetch] = fetching;
    made.timeout = TIMEOUT_MS / 1_000;
    // An ID token that came over TLS need not be signed for the protocol; here its signature is checked anyway.
    client.enableNonRepudiationChecks(made);
    if (isPlain(settings.issuer)) client.allowInsecureRequests(made);
    return made;
  };

  return {
    async begin(redirectUri, again) {
      const client = await library();
      const config = await configuration(client);
      const pending = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
        ...(again ? { prompt: 'login' } : {}),
      });
      return { url: url.href, pending };
    },
    async finish(answered, { state, nonce, verifier }) {
      const client = await library();
      const config = await configuration(client);
      try {
        const tokens = await client.authorizationCodeGrant(config, answered, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new OidcError('invalid', 'no_id_token');
        const { userinfo_endpoint: userinfo } = config.serverMetadata();
        const isWhole =
          claims['email'] !== undefined &&
          (settings.groups.length === 0 || hasGroups(claims, settings.groupsClaim));
        const more =
          isWhole || userinfo === undefined
            ? {}
            : await client.fetchUserInfo(config, tokens.access_token, claims.sub);
        return readIdentity(merged(claims, more), settings.groupsClaim);
      } catch (error) {
        if (error instanceof OidcError) throw error;
        if (error instanceof client.AuthorizationResponseError) throw new OidcError('refused', error.error);
        throw new OidcError(isAway(error) ? 'unreachable' : 'invalid', reasonOf(error));
      }
    },
  };
}

function authentication(client: Library, secret: string | null, supported: readonly string[] | undefined) {
  if (secret === null) return client.None();
  // Without a list, the protocol means HTTP Basic. Providers read a secret in the body alike, and one in the header not always.
  return supported?.includes('client_secret_post') === true
    ? client.ClientSecretPost(secret)
    : client.ClientSecretBasic(secret);
}

/** What is signed comes before what is not. An address is verified where the one who says so says this address. */
function merged(claims: Claims, more: Claims): Claims {
  const { email, email_verified: verified } = claims;
  const saysAlso = email !== undefined && verified === undefined && more['email'] !== email;
  const { email_verified: _, ...others } = more;
  return { ...(saysAlso ? others : more), ...claims };
}

type Claims = Readonly<Record<string, unknown>>;

/** The settings take plain http on loopback alone. */
const isPlain = (issuer: string): boolean => issuer.startsWith('http:');

/** `fetch` as the library calls it, by the one way that requests leave. */
function boundedFetch(send: Send) {
  return async (
    url: string,
    {
      method,
      headers,
      body,
      signal,
    }: { method: string; headers: Record<string, string>; body?: unknown; signal?: AbortSignal },
  ): Promise<Response> => {
    const answer = await send(
      {
        method: method === 'POST' ? 'POST' : 'GET',
        url,
        headers,
        body: body === undefined || body === null ? null : String(body),
      },
      {
        ...{ timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES, guarded: false, plainOnLoopback: true },
        ...(signal === undefined ? {} : { signal }),
      },
    );
    const { 'content-encoding': _, ...kept } = answer.headers;
    const isEmpty = [101, 204, 205, 304].includes(answer.status);
    return new Response(isEmpty ? null : answer.body, { status: answer.status, headers: kept });
  };
}

const isAway = (error: unknown): boolean => chain(error).some((one) => one instanceof SendError);

/** Codes and words alone: messages and causes of the library hold claims and answers. */
function reasonOf(error: unknown): string {
  const words = chain(error).flatMap((one) => {
    if (one instanceof SendError) return [one.word];
    const { code, error: said } = one as { code?: unknown; error?: unknown };
    return [code, said].filter(
      (word): word is string => typeof word === 'string' && /^[\w.-]{1,64}$/.test(word),
    );
  });
  return words.join(' ') || (error instanceof Error ? error.name : 'unknown');
}

function chain(error: unknown): unknown[] {
  const all: unknown[] = [];
  for (let one = error; one instanceof Error && all.length < 5; one = one.cause) all.push(one);
  return all;
}
