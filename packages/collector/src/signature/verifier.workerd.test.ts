import type { SignatureAgent } from '@ghostlight/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import v1 from '../../vectors/web-bot-auth-architecture-v1.json' with { type: 'json' };
import v2 from '../../vectors/web-bot-auth-architecture-v2.json' with { type: 'json' };
import { type Edge, startEdge } from '../testing/edge.ts';
import { createInternet } from '../testing/internet.ts';
import {
  combined,
  createSigner,
  directoryOf,
  listedAgent,
  type Outcome,
  type RequestData,
  SIGNATURE_ENTRY,
  type Signing,
  type Verdicts,
  verifyIn,
} from './testing.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const MINUTE = 60_000;
const HOST = 'agent.example';
const DIRECTORY = directoryOf(HOST);

const internet = createInternet();
const signer = await createSigner(NOW);
const other = await createSigner(NOW);
let edge: Edge;
let test = 0;
beforeAll(async () => {
  edge = await startEdge({ entry: SIGNATURE_ENTRY, internet });
});
afterAll(() => edge.close());
beforeEach(() => {
  test++;
});

interface Order {
  readonly agents?: readonly SignatureAgent[];
  readonly now?: number;
  readonly rules?: object;
}

const verifyAll = (request: RequestData, order: Order = {}): Promise<Verdicts> =>
  verifyIn(edge, {
    now: NOW,
    agents: [listedAgent(DIRECTORY, signer.key)],
    ...order,
    request,
    isolate: String(test),
  });
const verify = async (request: RequestData, order: Order = {}): Promise<Outcome | undefined> =>
  (await verifyAll(request, order)).outcomes[0];

const withInput = (request: RequestData, change: (input: string) => string): RequestData => ({
  ...request,
  headers: { ...request.headers, 'signature-input': change(request.headers['signature-input'] ?? '') },
});

const VERIFIED = { outcome: 'verified', identity: DIRECTORY, agent: { bot_name: 'Example Agent' } };

it.each(['jwks_uri', 'cimd'] as const)(
  'an agent that is listed by %s signs with the keys of the list',
  async (type) => {
    const url = 'https://agent.example/keys.json';
    const agents = [{ ...listedAgent(url, signer.key), type }];
    const request = await signer.sign({
      agent: `g="${url}";type=${type}`,
      components: ['@authority', 'signature-agent;key=g'],
    });
    const { outcomes } = await verifyIn(edge, { request, agents, now: NOW, isolate: type });
    expect(outcomes).toMatchObject([{ outcome: 'verified', identity: url }]);
  },
);

describe('a signature', () => {
  it.each<[string, Signing]>([
    ['with a string for its agent', {}],
    [
      'over more of the request, without alg',
      {
        components: ['@authority', '@method', '@path', 'signature-agent'],
        parameters: { alg: undefined, nonce: 'bm9uY2U' },
      },
    ],
    ['over the target URI', { components: ['@target-uri', 'signature-agent'] }],
    [
      'with an origin in a dictionary',
      {
        agent: 'g="https://agent.example";type=directory, h="https://other.example"',
        components: ['@authority', 'signature-agent;key=g'],
      },
    ],
    ['on a request with a field that is not ASCII', { headers: { accept: '*/*' } }],
  ])('%s is verified', async (_, signing) => {
    const request = await signer.sign(signing);
    const { named, outcomes } = await verifyAll({
      ...request,
      headers: { ...request.headers, 'cf-ipcity': 'K\u00f6ln' },
    });
    expect(outcomes).toMatchObject([VERIFIED]);
    expect(named).toBe(true);
  });

  it.each<[string, Signing, string, string]>([
    [
      'expired',
      { parameters: { created: NOW / 1000 - 7200, expires: NOW / 1000 - 1 } },
      'invalid',
      'expired',
    ],
    ['not yet valid', { parameters: { created: NOW / 1000 + 61 } }, 'invalid', 'not yet valid'],
    [
      'that ends before it begins',
      { parameters: { expires: NOW / 1000 } },
      'invalid',
      'expires before it was created',
    ],
    [
      'valid for more than a day',
      { parameters: { expires: NOW / 1000 + 86_401 } },
      'unverified',
      'valid for too long',
    ],
    ['of another tag', { parameters: { tag: 'agent-browser-auth' } }, 'absent', 'another tag'],
    ['without a tag', { parameters: { tag: undefined } }, 'absent', 'another tag'],
    ['without created', { parameters: { created: undefined } }, 'invalid', 'no created'],
    ['without expires', { parameters: { expires: undefined } }, 'invalid', 'no expires'],
    ['without keyid', { parameters: { keyid: undefined } }, 'invalid', 'no keyid'],
    [
      'that says RSA',
      { parameters: { alg: 'rsa-pss-sha512' } },
      'unverified',
      'an algorithm other than ed25519',
    ],
    ['that covers nothing', { components: [] }, 'invalid', 'covers no site'],
    [
      'that covers no site',
      { components: ['@method', '@path', 'signature-agent'] },
      'invalid',
      'covers no site',
    ],
    [
      'that does not cover its agent',
      { components: ['@authority'] },
      'invalid',
      'does not cover Signature-Agent',
    ],
    [
      'that says key set where the list says directory',
      {
        agent: `g="${DIRECTORY}";type=jwks_uri`,
        components: ['@authority', 'signature-agent;key=g'],
      },
      'unverified',
      'the agent is not listed',
    ],
    [
      'of an agent of an unknown type',
      { agent: 'g="https://agent.example";type=did', components: ['@authority', 'signature-agent;key=g'] },
      'unverified',
      'Signature-Agent is of an unknown type',
    ],
    ['that names no agent', { agent: null, components: ['@authority'] }, 'unverified', 'names no agent'],
    [
      'of a dictionary signed whole',
      { agent: 'g="https://agent.example"' },
      'unverified',
      'Signature-Agent is malformed',
    ],
    [
      'of an agent on plain http',
      { agent: '"http://agent.example"' },
      'unverified',
      'Signature-Agent is no plain https URL',
    ],
    [
      'of an agent on another port',
      { agent: '"https://agent.example:8443"' },
      'unverified',
      'Signature-Agent is no plain https URL',
    ],
    [
      'of an agent with credentials',
      { agent: '"https://a:b@agent.example"' },
      'unverified',
      'Signature-Agent is no plain https URL',
    ],
    [
      'of an agent that is not listed',
      { agent: '"https://evil.example"' },
      'unverified',
      'the agent is not listed',
    ],
    [
      'of another path than the listed',
      { agent: '"https://agent.example/keys"' },
      'unverified',
      'the agent is not listed',
    ],
  ])('%s is not', async (_, signing, outcome, reason) => {
    expect(await verify(await signer.sign(signing))).toEqual({ outcome, reason });
    expect(internet.requestsTo('evil.example')).toEqual([]);
  });

  it.each<[string, (good: RequestData) => RequestData]>([
    ['on another host', (good) => ({ ...good, url: good.url.replace('shop.example', 'victim.example') })],
    [
      'under another agent',
      (good) => ({ ...good, headers: { ...good.headers, 'signature-agent': `"${DIRECTORY}"` } }),
    ],
    [
      'with its end put off',
      (good) => withInput(good, (input) => input.replace(/expires=\d+/, `expires=${NOW / 1000 + 7200}`)),
    ],
    [
      'with other bytes',
      (good) => ({ ...good, headers: { ...good.headers, signature: `sig1=:${btoa('x'.repeat(64))}:` } }),
    ],
  ])('that is replayed %s is proved wrong', async (_, change) => {
    const good = await signer.sign();
    expect(await verify(good)).toMatchObject(VERIFIED);
    expect(await verify(change(good))).toEqual({ outcome: 'invalid', reason: 'VerificationFailed' });
  });

  it('of another key under the name of the listed one is proved wrong', async () => {
    const forged = await other.sign({ parameters: { keyid: signer.key.kid } });
    expect(await verify(forged)).toEqual({ outcome: 'invalid', reason: 'VerificationFailed' });
  });

  it("of a vendor's key under another vendor's name is not verified", async () => {
    internet.on(HOST, () => Response.json({ keys: [other.key] }));
    const agents = [listedAgent(DIRECTORY, other.key), listedAgent('https://second.example', signer.key)];
    expect(await verify(await signer.sign(), { agents })).toEqual({
      outcome: 'unverified',
      reason: 'the key is not known',
    });
  });

  it('on plain http counts as none, as does a request without one', async () => {
    const request = await signer.sign({ url: 'http://shop.example/' });
    expect(await verifyAll(request)).toMatchObject({
      named: false,
      outcomes: [{ outcome: 'absent', reason: 'not https' }],
    });
    const plain = { ...request, url: 'https://shop.example/', headers: {} };
    expect(await verifyAll(plain)).toMatchObject({
      named: false,
      outcomes: [{ outcome: 'absent', reason: 'no signature' }],
    });
  });

  it('is found beside one that is wrong, whichever comes first', async () => {
    const good = await signer.sign({ label: 'good' });
    const bad = await other.sign({ label: 'bad', parameters: { keyid: signer.key.kid } });
    const foreign = await other.sign({ label: 'tap', parameters: { tag: 'agent-browser-auth' } });
    expect(await verify(combined(bad, foreign, good))).toMatchObject(VERIFIED);
    expect(await verify(combined(good, bad))).toMatchObject(VERIFIED);
    expect(await verify(combined(bad, foreign))).toMatchObject({ outcome: 'invalid' });
  });

  it('among more than four is not looked for', async () => {
    const many = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((label) => signer.sign({ label })));
    const [first, ...rest] = many;
    if (first === undefined) throw new Error('nothing was signed');
    expect(await verify(combined(first, ...rest))).toEqual({
      outcome: 'unverified',
      reason: 'more than 4 signatures',
    });
    expect(await verify(combined(first, ...rest.slice(1)))).toMatchObject(VERIFIED);
  });
});

it('keys that a thumbprint names need no kid in the list', async () => {
  const agents = [listedAgent(DIRECTORY, { ...signer.key, kid: 'short' })];
  expect(await verify(await signer.sign(), { agents })).toMatchObject(VERIFIED);
  expect(await verify(await signer.sign({ parameters: { keyid: 'short' } }), { agents })).toMatchObject(
    VERIFIED,
  );
});

describe("the drafts' vectors", () => {
  const AGENT = directoryOf('signature-agent.test');
  const lifted = { maxLifetime: Number.MAX_SAFE_INTEGER, clockSkew: 60, refusedKeys: [] };
  const all = [...v1.vectors, ...v2.vectors].filter(({ key }) => key.kty === 'OKP');
  const signed = all.map((vector) => ({
    vector,
    now: vector.created_ms + MINUTE,
    request: {
      method: 'GET',
      url: vector.target_url,
      headers: {
        signature: vector.signature,
        'signature-input': vector.signature_input,
        ...('signature_agent' in vector ? { 'signature-agent': vector.signature_agent } : {}),
      },
    },
    agents: [
      listedAgent(AGENT, {
        kty: 'OKP',
        crv: 'Ed25519',
        x: 'x' in vector.key ? String(vector.key.x) : '',
        kid: 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
      }),
    ],
  }));

  it('are verified where they name an agent, when the published keys and their long life are let pass', async () => {
    const outcomes = [];
    for (const { request, now, agents } of signed)
      outcomes.push(await verify(request, { now, agents, rules: lifted }));
    expect(outcomes).toMatchObject([
      { outcome: 'unverified', reason: 'names no agent' },
      { outcome: 'verified', identity: AGENT },
      { outcome: 'unverified', reason: 'names no agent' },
      { outcome: 'verified', identity: AGENT },
    ]);
  });

  it('fail when anything in them is changed', async () => {
    for (const { request, now, agents } of signed.filter(({ vector }) => 'signature_agent' in vector)) {
      const moved = { ...request, url: 'https://example.org/path/to/resource' };
      expect(await verify(moved, { now, agents, rules: lifted })).toMatchObject({ outcome: 'invalid' });
    }
  });

  it('are refused by our own rules: anyone can sign with their keys', async () => {
    internet.on('signature-agent.test', () =>
      Response.json({ keys: signed.map(({ vector }) => vector.key) }),
    );
    const [, string, , dictionary] = signed;
    if (string === undefined || dictionary === undefined) throw new Error('vectors are missing');
    expect(await verify(string.request, string)).toEqual({
      outcome: 'unverified',
      reason: 'the key is not known',
    });
    expect(await verify(dictionary.request, dictionary)).toEqual({
      outcome: 'unverified',
      reason: 'valid for too long',
    });
  });
});
