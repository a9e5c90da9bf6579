import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createByteBudget, ServiceError } from '../common/index.ts';
import type { LinesSource, SourceRequest } from '../sources/index.ts';
import { DEFAULT_LIMITS, type IngestDeps, type IngestKey } from './ports.ts';
import { createSignedBodies } from './signed-body.ts';

const KIB = 1_024;
const [SHOP, BLOG] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];

function start(secrets: readonly string[] = ['a', 'b']) {
  const fed: number[] = [];
  // Signed means here: its header says the secret.
  const source = {
    about: { name: 'vercel' },
    signsWith: { header: 'x-signature', setting: 'secret' },
    addressed: ({ parameters }: SourceRequest) => parameters.get('p'),
    proof: ({ settings, header }: SourceRequest) => ({
      update: (piece: Buffer) => void fed.push(piece.length),
      isGood: () => header('x-signature') === settings['secret'],
    }),
  } as unknown as LinesSource;
  const keys = secrets.map((secret) => ({ id: secret, settings: { secret } }) as unknown as IngestKey);
  const deps = {
    clock: () => 1_795_000_000_000,
    keys: { signers: async () => keys, noteUse: () => undefined },
    addressOf: ({ headers }: IncomingMessage) => String(headers['x-from']),
  } as unknown as IngestDeps;
  const limits = { ...DEFAULT_LIMITS, signedBodyBytes: 16 * KIB };
  const budget = createByteBudget({ total: 64 * KIB, perProperty: 32 * KIB, perAddress: 20 * KIB });
  const read = createSignedBodies(deps, source, limits, budget);
  /** A post whose body the test writes. */
  const post = (from: string, property = SHOP, signature = 'wrong') => {
    const headers = { 'x-signature': signature, 'x-from': from };
    const request = Object.assign(new PassThrough(), { method: 'POST', headers });
    const outcome = read?.(request as unknown as IncomingMessage, `p=${property}`).then(
      (signed) => (signed === null ? 'unproven' : `${signed.key.id} ${signed.body.length}`),
      (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
    );
    return {
      outcome,
      async write(bytes: number): Promise<void> {
        request.write(Buffer.alloc(bytes));
        await turn();
      },
      end: () => void request.end(),
    };
  };
  return { fed, post };
}

describe('a body whose signature stands for a key', () => {
  it('is hashed for every candidate as it arrives, and is whole when one has signed it', async () => {
    const { fed, post } = start();
    const { outcome, write, end } = post('203.0.113.1', SHOP, 'b');
    await turn();
    await write(4 * KIB);
    expect(fed).toEqual([4 * KIB, 4 * KIB]);
    await write(KIB);
    expect(fed.slice(2)).toEqual([KIB, KIB]);
    end();
    expect(await outcome).toBe(`b ${5 * KIB}`);
  });

  it('counts with every piece: connections that were all open before their bodies came hold no more than the bounds', async () => {
    const { post } = start();
    const posts = Array.from({ length: 200 }, (_, n) => post(`203.0.113.${n}`, n % 2 === 0 ? SHOP : BLOG));
    await turn();
    for (const { write } of posts) await write(4 * KIB);
    for (const { end } of posts) end();
    const outcomes = await Promise.all(posts.map(({ outcome }) => outcome));
    const held = outcomes.filter((outcome) => outcome === 'unproven').length;
    expect(held * 4 * KIB).toBeLessThanOrEqual(64 * KIB);
    expect(held).toBeGreaterThan(8);
    expect(outcomes.filter((outcome) => outcome === 'unavailable')).toHaveLength(200 - held);
    // Nothing is held any more, whichever way each ended.
    const later = post('203.0.113.1', SHOP, 'a');
    await turn();
    await later.write(16 * KIB);
    later.end();
    expect(await later.outcome).toBe(`a ${16 * KIB}`);
  });

  it('slow ones of one address, and slow ones to one property, leave room for the signed ones of others', async () => {
    const { post } = start();
    const one = post('203.0.113.1');
    const more = [post('203.0.113.1'), post('203.0.113.2'), post('203.0.113.3')];
    await turn();
    for (const slow of [one, ...more]) await slow.write(14 * KIB);
    const [ofAddress, , ofProperty] = more;
    expect([await ofAddress?.outcome, await ofProperty?.outcome]).toEqual(['unavailable', 'unavailable']);
    const good = post('203.0.113.4', BLOG, 'a');
    await turn();
    await good.write(14 * KIB);
    good.end();
    expect(await good.outcome).toBe(`a ${14 * KIB}`);
    for (const slow of [one, ...more]) slow.end();
    expect([await one.outcome, await more[1]?.outcome]).toEqual(['unproven', 'unproven']);
  });
});
