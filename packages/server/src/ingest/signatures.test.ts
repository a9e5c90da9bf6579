/** Signed requests that a log tells of. The signer is the collector's own test signer; so are the vectors of what is wrong with a signature. */
import type { SignatureAgent } from '@ghostlight/core';
import { compileLists, embeddedLists, type LoggedSignature, type ObservedHit } from '@ghostlight/core';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSigner, directoryOf, type Signing } from '../../../collector/src/signature/testing.ts';
import { observedHit } from '../../../core/vectors/run.ts';
import { createCheckAccounts } from './check-budget.ts';
import type { KeyDirectories } from './ports.ts';
import { createSignatureChecks } from './signatures.ts';
import { CHROME, type Harness, NOW, ORGANIZATION, startIngest } from './testing/harness.ts';

const AT = NOW - 3_600_000;
const BOT = 'Bytespider';
const DIRECTORY = directoryOf('agent.example');
const signer = await createSigner(AT);
const stranger = await createSigner(AT);
const agent = (keys: readonly (typeof signer)[]): SignatureAgent => ({
  engine: 'bytedance',
  bot_name: BOT,
  intent: 'training',
  url: DIRECTORY,
  keys: keys.map(({ key }) => key),
});
const AGENT = agent([signer]);

/** What a request of the signer's looks like in a line. */
interface Line {
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly scheme: string;
  readonly user_agent: string;
  readonly timestamp: number;
  readonly signature: string;
  readonly signature_input: string;
  readonly signature_agent: string;
}

async function lineOf(
  signing: Signing & { readonly by?: typeof signer } = {},
  changes: Partial<Line> = {},
): Promise<Line> {
  const { by = signer, ...rest } = signing;
  const { method, url, headers } = await by.sign(rest);
  const { host, pathname, search } = new URL(url);
  return {
    ...{ host, method, path: pathname + search, scheme: 'https', user_agent: `${BOT}/1.0`, timestamp: AT },
    signature: headers['signature'] ?? '',
    signature_input: headers['signature-input'] ?? '',
    signature_agent: headers['signature-agent'] ?? '',
    ...changes,
  };
}

describe('a signed request in a log', () => {
  let ingest: Harness;
  beforeAll(async () => {
    ingest = await startIngest({ agents: [AGENT] });
  });
  afterAll(() => ingest.close());
  beforeEach(() => {
    ingest.spool.entries.length = 0;
  });

  const verdict = async (line: object): Promise<string> => {
    const { status, text } = await ingest.post('custom', JSON.stringify({ ...line, n: Math.random() }));
    expect(status, text).toBeLessThan(300);
    const hit = ingest.spool.hits.at(-1);
    return hit === undefined ? 'not kept' : `${hit.verified} ${hit.verified_by} ${hit.verdict_reason}`;
  };
  const VERIFIED = 'true signature log_signature';

  it.each<[string, Signing]>([
    ['over the site alone', {}],
    [
      'over all that a line can tell',
      {
        components: ['@authority', '@method', '@path', '@query', '@target-uri', '@scheme', 'signature-agent'],
        url: 'https://www.shop.example/a%20b/%C3%A9?x=%2F&y=1+2',
        method: 'POST',
        parameters: { nonce: 'bm9uY2U', alg: undefined },
      },
    ],
    [
      'of an agent in a dictionary',
      {
        agent: 'a="https://other.example", g="https://agent.example";type=directory',
        components: ['@authority', 'signature-agent;key=g'],
      },
    ],
    ['of a host with a port', { url: 'https://shop.example:8443/' }],
  ])('is verified %s', async (_, signing) => {
    expect(await verdict(await lineOf(signing))).toBe(VERIFIED);
    expect(ingest.spool.hits.at(-1)).toMatchObject({ bot_name: BOT, signature_agent: DIRECTORY });
    expect(JSON.stringify(ingest.spool.entries)).not.toContain('sig1=');
  });

  it('tells an agent behind the user agent of a browser, and says nothing of one that is not verified', async () => {
    expect(await verdict(await lineOf({}, { user_agent: CHROME }))).toBe(VERIFIED);
    ingest.spool.entries.length = 0;
    expect(await verdict(await lineOf({ by: stranger }, { user_agent: CHROME }))).toBe('not kept');
    expect(ingest.spool.sum('dropped')).toEqual({ not_ai: 1 });
  });

  const seconds = AT / 1_000;
  it.each<[string, string, Parameters<typeof lineOf>]>([
    ['expired', 'signature_expired', [{ parameters: { created: seconds - 7_200, expires: seconds - 61 } }]],
    [
      'not yet valid',
      'signature_expired',
      [{ parameters: { created: seconds + 61, expires: seconds + 99 } }],
    ],
    ['valid for more than a day', 'signature_invalid', [{ parameters: { expires: seconds + 86_401 } }]],
    ['over no site', 'signature_invalid', [{ components: ['@method', 'signature-agent'] }]],
    ['over no agent', 'signature_invalid', [{ components: ['@authority'] }]],
    [
      'for another path',
      'signature_invalid',
      [{ components: ['@authority', '@path', 'signature-agent'] }, { path: '/other' }],
    ],
    [
      'for another method',
      'signature_invalid',
      [{ components: ['@authority', '@method', 'signature-agent'] }, { method: 'POST' }],
    ],
    [
      'for another site, sent to this',
      'signature_invalid',
      [{ url: 'https://evil.example/' }, { host: 'shop.example' }],
    ],
    ['for another site, with its name', 'signature_other_host', [{ url: 'https://evil.example/' }]],
    ['for a site that ends alike', 'signature_other_host', [{ url: 'https://eshop.example/' }]],
    ['of another agent', 'signature_agent_unknown', [{ agent: '"https://evil.example"' }]],
    ['with the key of another', 'signature_key_unknown', [{ by: stranger }]],
    [
      'with the name of the key of another',
      'signature_invalid',
      [{ by: stranger, parameters: { keyid: signer.key.kid } }],
    ],
    [
      'over a header that the log lacks',
      'signature_incomplete',
      [{ headers: { accept: '*/*' }, components: ['@authority', 'accept', 'signature-agent'] }],
    ],
    [
      'over a method that the log lacks',
      'signature_incomplete',
      [{ components: ['@authority', '@method', 'signature-agent'] }, { method: '' }],
    ],
    ['over plain http', 'signature_incomplete', [{}, { scheme: 'http' }]],
    ['in a log that does not say by what it came', 'signature_incomplete', [{}, { scheme: '' }]],
  ])('is unknown %s', async (_, reason, line) => {
    expect(await verdict(await lineOf(...line))).toBe(`null  ${reason}`);
    expect(ingest.spool.hits.at(-1)?.signature_agent).toBe('');
  });

  it('is checked at the time of its line, however long ago', async () => {
    const days = 20 * 86_400;
    const parameters = { created: seconds - days, expires: seconds - days + 300 };
    const timestamp = AT - days * 1_000;
    expect(await verdict(await lineOf({ parameters }, { timestamp }))).toBe(VERIFIED);
    expect(await verdict(await lineOf({ parameters }))).toBe('null  signature_expired');
  });

  it('of an agent that does not sign for the bot proves nothing, and leaves the address to decide', async () => {
    expect(await verdict(await lineOf({}, { user_agent: 'DeepSeekBot/1.0' }))).toBe(
      'null  signature_of_another',
    );
    const gptbot = await lineOf({ by: stranger }, { user_agent: 'GPTBot/1.3' });
    expect(await verdict({ ...gptbot, ip: '10.0.0.1' })).toBe('null  proxy_address');
  });

  it('of another scheme is no claim', async () => {
    const tap = await lineOf({ parameters: { tag: 'tap' } });
    expect(await verdict(tap)).toBe('null  no_ranges_published');
  });
});

describe('the check', () => {
  const lists = compileLists({ ...embeddedLists(), signature_agents: [AGENT] });
  const none: KeyDirectories = { held: () => null, all: () => new Map(), want: () => undefined };
  const of = { organizationId: ORGANIZATION, domains: ['shop.example'] };

  async function hitOf(changes: Partial<LoggedSignature> = {}, by = signer): Promise<ObservedHit> {
    const line = await lineOf({
      by,
      components: ['@authority', '@method', '@target-uri', 'signature-agent'],
    });
    return observedHit({
      at: AT,
      host: line.host,
      userAgent: line.user_agent,
      signed: {
        ...{ scheme: 'https', authority: line.host, method: line.method, target: line.path },
        ...{ signature: line.signature, input: line.signature_input, agent: line.signature_agent },
        ...changes,
      },
    });
  }

  it('takes nothing but the request that was signed: not one changed, cut or added character passes', async () => {
    const checks = createSignatureChecks(
      none,
      createCheckAccounts(() => NOW),
    );
    const good = await hitOf();
    const { signed } = good;
    if (signed === null) throw new Error('not signed');
    expect(checks.check(good, of, lists)).toMatchObject({ signatureCheck: 'verified' });
    const part = fc.constantFrom('authority', 'method', 'target', 'signature', 'input', 'agent');
    const character = fc.string({ unit: 'grapheme-ascii', minLength: 0, maxLength: 2 });
    fc.assert(
      fc.property(
        part,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(3),
        character,
        (name, where, cut, put) => {
          const value = signed[name] ?? '';
          const at = Math.floor(where * value.length);
          const changed = value.slice(0, at) + put + value.slice(at + cut);
          const checked = checks.check({ ...good, signed: { ...signed, [name]: changed } }, of, lists);
          if (checked.signatureCheck === 'verified')
            expect(meaning(name, changed)).toBe(meaning(name, value));
          else expect(checked.signatureAgent).toBe('');
        },
      ),
      { numRuns: 1_500 },
    );
  });

  /** Structured fields have spellings that mean the same: blanks, padding of base64, further members. Hosts have capitals and the usual port. */
  const meaning = (name: string, value: string): string => {
    if (name === 'authority') return value.toLowerCase().replace(/:0*443$/, '');
    if (name === 'agent') return value.trim();
    const plain = value.replace(/[\s=]/g, '');
    // A second member of the dictionary, which signs nothing.
    return name === 'input' || name === 'signature' ? plain.replace(/^[a-z*],|,[a-z*]$/g, '') : plain;
  };

  it('never throws, and never verifies garbage', () => {
    const checks = createSignatureChecks(
      none,
      createCheckAccounts(() => NOW),
    );
    const text = fc.string({ unit: 'grapheme-ascii', maxLength: 60 });
    const claim = fc.constantFrom(
      'sig1=("@authority" "signature-agent");created=1;expires=2;keyid="k";tag="web-bot-auth"',
      '"https://agent.example"',
      'sig1=:AA==:',
    );
    const field = fc.oneof(text, claim);
    fc.assert(
      fc.property(
        field,
        field,
        field,
        fc.constantFrom('shop.example', '', 'a b', '[::1'),
        fc.option(text),
        (signature, input, named, authority, target) => {
          const signed = {
            scheme: 'https',
            authority,
            method: 'GET',
            target,
            signature,
            input,
            agent: named,
          } as const;
          const hit = observedHit({ at: AT, userAgent: `${BOT}/1.0`, signed });
          expect(checks.check(hit, of, lists).signatureCheck).not.toBe('verified');
        },
      ),
      { numRuns: 150 },
    );
  });

  it('asks for a key that it lacks and decides without it, and has it for later lines', async () => {
    const wanted: unknown[] = [];
    let keys: ReturnType<KeyDirectories['held']> = null;
    const checks = createSignatureChecks(
      { held: () => keys, want: (url, by) => void wanted.push(url, by) },
      createCheckAccounts(() => NOW),
    );
    const hit = await hitOf({}, stranger);
    expect(checks.check(hit, of, lists).signatureCheck).toBe('signature_key_unknown');
    expect(wanted).toEqual([DIRECTORY, { organizationId: ORGANIZATION, isListed: true }]);
    keys = { keys: [stranger.key], isFresh: true };
    expect(checks.check(hit, of, lists).signatureCheck).toBe('verified');
    // What was read lately speaks alone: a key that is not there any more was withdrawn.
    expect(checks.check(await hitOf(), of, lists).signatureCheck).toBe('signature_key_unknown');
    keys = { keys: [stranger.key], isFresh: false };
    expect(checks.check(await hitOf(), of, lists).signatureCheck).toBe('verified');
  });

  it('has a bound for each organization, which time refills', async () => {
    let now = NOW;
    const checks = createSignatureChecks(
      none,
      createCheckAccounts(() => now, { burst: 3, perSecond: 200 }),
    );
    const { signed, ...rest } = await hitOf();
    const broken = { ...rest, signed: signed && { ...signed, target: '/other' } };
    const words = new Set<unknown>();
    for (let n = 0; n < 3; n++) words.add(checks.check(broken, of, lists).signatureCheck);
    expect([...words]).toEqual(['signature_invalid']);
    expect(checks.check(broken, of, lists).signatureCheck).toBe('signature_unchecked');
    const others = { ...of, organizationId: 'another' };
    expect(checks.check(broken, others, lists).signatureCheck).toBe('signature_invalid');
    now += 5;
    expect(checks.check(broken, of, lists).signatureCheck).toBe('signature_invalid');
    expect(checks.check(broken, of, lists).signatureCheck).toBe('signature_unchecked');
  });
});
