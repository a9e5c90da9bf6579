import { KEY_DIRECTORY_PATH, type SignatureAgent } from '@ghostlight/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Edge, startEdge } from '../testing/edge.ts';
import { createInternet, type Site } from '../testing/internet.ts';
import {
  createSigner,
  directoryOf,
  listedAgent,
  type Outcome,
  type RequestData,
  SIGNATURE_ENTRY,
  type Signer,
  type Verdicts,
  verifyIn,
} from './testing.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const MINUTE = 60_000;
const HOUR = 3600_000;
const UNKNOWN = { outcome: 'unverified', reason: 'the key is not known' };
const PATTERN = directoryOf('*.agents.example');

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

/** Each test has a host of its own, so that no two share a copy. */
const host = () => `t${test}.agents.example`;
const own = () => ({ agent: `"https://${host()}"` });
const listed = (...keys: readonly Signer[]): SignatureAgent[] => [
  listedAgent(directoryOf(host()), ...keys.map(({ key }) => key)),
];
const customers: readonly SignatureAgent[] = [
  { engine: 'example', bot_name: 'Example Agent', intent: 'on_demand', url_pattern: PATTERN, keys: [] },
];
const asked = (name = host()) => internet.requestsTo(name).filter(({ path }) => path === KEY_DIRECTORY_PATH);
const keys =
  (...held: readonly Signer[]): Site =>
  () =>
    Response.json({ keys: held.map(({ key }) => key) });

interface Order {
  readonly agents: readonly SignatureAgent[];
  readonly now?: number;
  readonly isolate?: string;
  readonly visits?: number;
}

const verifyAll = (request: RequestData, order: Order): Promise<Verdicts> =>
  verifyIn(edge, { now: NOW, ...order, request, isolate: `${test} ${order.isolate ?? 'a'}` });
const verify = async (request: RequestData, order: Order): Promise<Outcome | undefined> =>
  (await verifyAll(request, order)).outcomes[0];

describe('a key directory', () => {
  it('of a listed agent is read when a key is not known, and the same visit is verified', async () => {
    internet.on(host(), keys(signer));
    const { outcomes, log } = await verifyAll(await signer.sign(own()), { agents: listed() });
    expect(outcomes).toMatchObject([{ outcome: 'verified', identity: directoryOf(host()) }]);
    expect(log).toEqual([]);
    await verify(await signer.sign(own()), { agents: listed(), now: NOW + 30 * MINUTE });
    expect(asked()).toHaveLength(1);
    expect(asked()[0]?.headers.has('cookie')).toBe(false);
  });

  it("of a pattern's agent is read when it is first met", async () => {
    internet.on(host(), keys(signer));
    const agents = customers;
    expect(await verify(await signer.sign(own()), { agents })).toMatchObject({
      outcome: 'verified',
      identity: directoryOf(host()),
    });
    const elsewhere = await signer.sign({ agent: '"https://a.b.agents.example"' });
    expect(await verify(elsewhere, { agents })).toEqual({
      outcome: 'unverified',
      reason: 'the agent is not listed',
    });
    expect(internet.requestsTo('a.b.agents.example')).toEqual([]);
  });

  it('that one isolate has read serves the others of its data centre', async () => {
    internet.on(host(), keys(signer));
    await verify(await signer.sign(own()), { agents: listed() });
    const { outcomes } = await verifyAll(await signer.sign(own()), {
      agents: listed(),
      isolate: 'b',
      visits: 10,
    });
    expect(outcomes).toHaveLength(10);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ outcome: 'verified' });
    expect(asked()).toHaveLength(1);
  });

  it('is asked once by a burst, and once in five minutes however many unknown keys come', async () => {
    internet.on(host(), keys(other));
    const request = await signer.sign(own());
    const { outcomes } = await verifyAll(request, { agents: listed(), visits: 10 });
    expect(outcomes).toEqual(new Array(10).fill(UNKNOWN));
    await verify(request, { agents: listed(), isolate: 'b', now: NOW + 4 * MINUTE });
    expect(asked()).toHaveLength(1);
    internet.on(host(), keys(signer));
    expect(await verify(request, { agents: listed(), now: NOW + 6 * MINUTE })).toMatchObject({
      outcome: 'verified',
    });
  });

  it.each<[string, Site]>([
    ['too large', () => Response.json({ keys: [signer.key], padding: 'x'.repeat(64 * 1024) })],
    ['moved', () => Response.redirect('https://evil.example/keys', 302)],
    ['a page', () => new Response('<html>challenge</html>')],
    ['gone', () => new Response(null, { status: 404 })],
    ['not to be reached', () => undefined],
    ['one with too many keys', () => Response.json({ keys: new Array(21).fill(signer.key) })],
  ])('that is %s verifies nothing, and takes nothing away', async (_, bad) => {
    internet.on(host(), bad);
    const unknown = await other.sign(own());
    const { outcomes, log } = await verifyAll(unknown, { agents: listed(signer) });
    expect(outcomes).toEqual([UNKNOWN]);
    expect(log).toHaveLength(1);
    expect(log[0]).toContain(directoryOf(host()));
    expect(internet.requestsTo('evil.example')).toEqual([]);
    const known = await signer.sign(own());
    expect(await verify(known, { agents: listed(signer) })).toMatchObject({
      outcome: 'verified',
    });
    // Read well once, it stays through failures, however old it grows.
    internet.on(host(), keys(other));
    expect(await verify(unknown, { agents: listed(), now: NOW + 6 * MINUTE })).toMatchObject({
      outcome: 'verified',
    });
    internet.on(host(), bad);
    const late = await other.sign({
      ...own(),
      parameters: { created: (NOW + 30 * HOUR) / 1000, expires: (NOW + 31 * HOUR) / 1000 },
    });
    expect(await verify(late, { agents: listed(), now: NOW + 30 * HOUR })).toMatchObject({
      outcome: 'verified',
    });
    expect(asked()).toHaveLength(3);
  });

  it('that hangs is given up, without its name in the log where only a request named it', async () => {
    let release = (): void => {};
    internet.on(
      host(),
      () =>
        new Promise((resolve) => {
          release = () => resolve(undefined);
        }),
    );
    const { outcomes, log } = await verifyAll(await signer.sign(own()), { agents: customers });
    release();
    expect(outcomes).toEqual([UNKNOWN]);
    expect(log).toEqual(["an agent's key directory could not be read (no answer in time)"]);
  });

  it('in which a key was replaced ends the old one, and brings the new one', async () => {
    internet.on(host(), keys(other));
    const agents = listed(signer);
    expect(await verify(await signer.sign(own()), { agents })).toMatchObject({ outcome: 'verified' });
    expect(asked()).toHaveLength(0);
    expect(await verify(await other.sign(own()), { agents })).toMatchObject({ outcome: 'verified' });
    expect(await verify(await signer.sign(own()), { agents })).toEqual(UNKNOWN);
  });

  it('in which another key took over a short name is read again', async () => {
    const first = await createSigner(NOW, 'key-1');
    const second = await createSigner(NOW, 'key-1');
    internet.on(host(), keys(second));
    const agents = listed(first);
    expect(await verify(await first.sign(own()), { agents })).toMatchObject({ outcome: 'verified' });
    expect(await verify(await second.sign(own()), { agents })).toMatchObject({ outcome: 'verified' });
    expect(await verify(await first.sign(own()), { agents })).toMatchObject({ outcome: 'invalid' });
    expect(asked()).toHaveLength(1);
  });

  it('is cached for as long as it says, at most a day', async () => {
    internet.on(host(), () =>
      Response.json({ keys: [signer.key] }, { headers: { 'cache-control': 'max-age=600' } }),
    );
    const at = async (now: number) => {
      const seconds = Math.floor(now / 1000);
      const request = await signer.sign({
        ...own(),
        parameters: { created: seconds, expires: seconds + 60 },
      });
      return verify(request, { agents: customers, now });
    };
    await at(NOW);
    await at(NOW + 9 * MINUTE);
    expect(asked().length).toBe(1);
    internet.on(host(), () =>
      Response.json({ keys: [signer.key] }, { headers: { 'cache-control': 'public, max-age=9999999' } }),
    );
    await at(NOW + 11 * MINUTE);
    expect(asked().length).toBe(2);
    await at(NOW + 24 * HOUR);
    expect(asked().length).toBe(2);
    internet.on(host(), keys(other));
    expect(await at(NOW + 25 * HOUR)).toEqual(UNKNOWN);
    expect(asked().length).toBe(3);
  });

  it("of a pattern's agent does not vouch with the keys of the agent's listed one", async () => {
    internet.on(host(), keys(other));
    const agents = [{ ...listedAgent(directoryOf('main.example'), signer.key), url_pattern: PATTERN }];
    expect(await verify(await signer.sign(own()), { agents })).toEqual(UNKNOWN);
    expect(await verify(await other.sign(own()), { agents })).toMatchObject({ outcome: 'verified' });
  });

  it('is not trusted from the future, and read again', async () => {
    internet.on(host(), keys(other));
    await verify(await signer.sign(own()), { agents: listed() });
    const earlier = NOW - 20 * MINUTE;
    const parameters = { created: earlier / 1000 - 60, expires: NOW / 1000 };
    const request = await signer.sign({ ...own(), parameters });
    await verify(request, { agents: listed(), isolate: 'b', now: earlier });
    expect(asked()).toHaveLength(2);
  });

  it('of invented hosts that a pattern allows: ten are called, and the listed one still is', async () => {
    const invented = Array.from({ length: 12 }, (_, n) => `x${n}.agents.example`);
    for (const name of invented) {
      internet.on(name, keys(other));
      await verify(await signer.sign({ agent: `"https://${name}"` }), { agents: customers });
    }
    expect(invented.filter((name) => asked(name).length > 0)).toHaveLength(10);
    internet.on(host(), keys(signer));
    expect(await verify(await signer.sign(own()), { agents: listed() })).toMatchObject({
      outcome: 'verified',
    });
  });
});
