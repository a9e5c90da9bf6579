/** For tests: agents that sign as an operator would, or as an operator should not, and a Worker that verifies in real workerd. */
import {
  KEY_DIRECTORY_PATH,
  keyThumbprint,
  type SignatureAgent,
  type SignatureAgentKey,
} from '@ghostlight/core';
import { component, createSignature, type SignatureParameters, webcrypto } from 'http-message-sig';

/** A request as JSON carries it into a runtime. */
export interface RequestData {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Signing {
  readonly url?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The Signature-Agent field as sent; null: none. */
  readonly agent?: string | null;
  readonly label?: string;
  /** Names, or `name;key=member`. */
  readonly components?: readonly string[];
  /** Over the usual ones; undefined leaves one out. */
  readonly parameters?: Record<string, string | number | undefined>;
}

export interface Signer {
  readonly key: SignatureAgentKey;
  sign(signing?: Signing): Promise<RequestData>;
}

/** @param now epoch milliseconds at which it signs, for an hour */
export async function createSigner(now: number, kid?: string): Promise<Signer> {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as {
    publicKey: CryptoKey;
    privateKey: CryptoKey;
  };
  const { x = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  const thumbprint = await keyThumbprint(x);
  const keyid = kid ?? thumbprint;
  const created = Math.floor(now / 1000);
  return {
    key: { kty: 'OKP', crv: 'Ed25519', x, kid: keyid },
    async sign({
      url = 'https://shop.example/path?q=1',
      method = 'GET',
      headers = {},
      agent = '"https://agent.example"',
      label = 'sig1',
      components = ['@authority', 'signature-agent'],
      parameters = {},
    } = {}) {
      const fields = { ...headers, ...(agent === null ? {} : { 'signature-agent': agent }) };
      const usual = { created, expires: created + 3600, keyid, alg: 'ed25519', tag: 'web-bot-auth' };
      const { signature, signatureInput } = await createSignature(
        {
          kind: 'request',
          method,
          targetUri: url,
          fields: Object.entries(fields).map(([name, value]) => ({ name, value })),
        },
        {
          label,
          components: components.map((text) => {
            const [name = '', key] = text.split(';key=');
            return component(name, key === undefined ? {} : { key });
          }),
          parameters: { ...usual, ...parameters } as SignatureParameters,
          signer: {
            algorithm: String(parameters['alg'] ?? 'ed25519'),
            sign: webcrypto.signer(pair.privateKey).sign,
          },
        },
      );
      return { method, url, headers: { ...fields, signature, 'signature-input': signatureInput } };
    },
  };
}

/** Several signatures on one request, as a proxy that signs too would leave it. */
export function combined(...requests: readonly [RequestData, ...RequestData[]]): RequestData {
  const join = (name: string): string =>
    requests
      .map(({ headers }) => headers[name] ?? '')
      .filter((value) => value !== '')
      .join(', ');
  const [{ method, url, headers }] = requests;
  return {
    method,
    url,
    headers: { ...headers, signature: join('signature'), 'signature-input': join('signature-input') },
  };
}

/** Verifiers by name in one real isolate: they share nothing but the data centre's cache. */
export const SIGNATURE_ENTRY = `
import { compileLists } from '@ghostlight/core';
import { openEdgeCache } from './platform.ts';
import { createSignatureVerifier, namesListedAgent } from './signature/index.ts';
const isolates = new Map();
let time = 0;
function isolate(name, rules) {
  if (!isolates.has(name)) {
    const log = [];
    const dependencies = { fetch, openCache: openEdgeCache, now: () => time, log: (line) => log.push(line) };
    const own = rules === undefined ? {} : { rules: { ...rules, refusedKeys: new Set(rules.refusedKeys) } };
    isolates.set(name, { log, verifier: createSignatureVerifier({ ...dependencies, ...own }) });
  }
  return isolates.get(name);
}
export default { async fetch(incoming) {
  const order = await incoming.json();
  time = order.now;
  const lists = compileLists({ version: 1, generated_at: '', bot_patterns: [], ai_referrer_domains: [], ai_referrer_apps: [],
    verifiable_engines: [], ip_ranges: [], signature_agents: order.agents });
  const { verifier, log } = isolate(order.isolate, order.rules);
  const request = { ...order.request, headers: new Headers(order.request.headers) };
  const named = namesListedAgent(request, lists);
  const visits = Array.from({ length: order.visits ?? 1 }, () => verifier.verify(request, lists, 'https://shop.example'));
  return Response.json({ named, log, outcomes: await Promise.all(visits) });
} };`;

export interface Outcome {
  readonly outcome: string;
  readonly reason?: string;
  readonly identity?: string;
  readonly agent?: { readonly bot_name: string };
}

export interface Visit {
  readonly request: RequestData;
  readonly agents: readonly SignatureAgent[];
  /** Epoch milliseconds. */
  readonly now: number;
  readonly isolate?: string;
  /** How many at once; 1 where not given. */
  readonly visits?: number;
  /** Over the collector's own, for all visits of an isolate. */
  readonly rules?: object;
}

export interface Verdicts {
  readonly named: boolean;
  readonly log: readonly string[];
  readonly outcomes: readonly Outcome[];
}

/** @param edge a runtime that was started with `SIGNATURE_ENTRY` */
export async function verifyIn(
  edge: { visit(url: string, init: { method: string; body: string }): Promise<{ json(): Promise<unknown> }> },
  visit: Visit,
): Promise<Verdicts> {
  const init = { method: 'POST', body: JSON.stringify({ isolate: '', visits: 1, ...visit }) };
  return (await (await edge.visit('https://shop.example/', init)).json()) as Verdicts;
}

export const directoryOf = (host: string): string => `https://${host}${KEY_DIRECTORY_PATH}`;

/** An agent that the list names with its directory. */
export const listedAgent = (url: string, ...keys: readonly SignatureAgentKey[]): SignatureAgent => ({
  engine: 'example',
  bot_name: 'Example Agent',
  intent: 'on_demand',
  url,
  keys: [...keys],
});
