/** What every backend of the spool promises, tried on each: files, and a real PostgreSQL. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Spool } from './spool.ts';
import { entry, RecordingSink, row, type TestPlace, testBackends } from './testing.ts';
import type { Batch, QuarantinedInput } from './types.ts';

const { backends, close } = await testBackends();
afterAll(close);

const fast = { gatherMs: 1, backoffMs: { first: 5, longest: 20 } };
const tallyOf = (received: number) => {
  const { rows: _rows, ...rest } = entry([], { endpoint: 'edge_logpush', received });
  return rest;
};
const many = (count: number, text = '') =>
  Array.from({ length: count }, (_, n) => row(n, { line: JSON.stringify({ n, text }) }));
/** Each compresses to no less than half. */
const noisy = (count: number, characters: number) =>
  Array.from({ length: count }, (_, n) =>
    row(n, { line: JSON.stringify({ n, text: randomBytes(characters / 2).toString('hex') }) }),
  );

describe.each(backends)('in $name', ({ fresh, shared }) => {
  let place: TestPlace;
  let spool: Spool;

  beforeEach(async () => {
    place = await fresh();
    spool = await place.open();
  });
  afterEach(async () => {
    await spool.close();
    await place.dispose();
  });
  const untilAccepting = () =>
    vi.waitFor(() => expect(spool.accepting()).toBe(true), { timeout: 10_000, interval: 20 });

  async function shipAll(sink: RecordingSink): Promise<void> {
    const shipper = spool.startShipper(sink, fast);
    expect(await shipper.drain(10_000)).toBe(true);
    await shipper.stop();
  }
  function law(): void {
    const { counters } = spool.stats();
    const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);
    const deep = (map: ReadonlyMap<string, ReadonlyMap<string, number>>) =>
      sum([...map.values()].flatMap((inner) => [...inner.values()]));
    expect(sum(counters.received.values())).toBe(
      deep(counters.kept) +
        deep(counters.dropped) +
        deep(counters.rejected) +
        sum(counters.duplicate.values()),
    );
  }
  function rejected(n: number, organizationId = 'org'): QuarantinedInput {
    return {
      organizationId,
      attributionId: null,
      endpoint: 'edge_worker',
      reason: 'not_json',
      field: null,
      body: `#${n}`,
      at: Date.now(),
    };
  }

  describe('the spool', () => {
    it('ships what was appended, once, in few batches', async () => {
      const sink = new RecordingSink();
      await Promise.all(Array.from({ length: 500 }, (_, n) => spool.append(entry([row(n)]))));
      await shipAll(sink);
      expect(sink.stored().sort((a, b) => Number(a) - Number(b))).toEqual(
        Array.from({ length: 500 }, (_, n) => n),
      );
      expect(sink.batches.size).toBeLessThan(5);
      expect(spool.stats().pendingRows).toBe(0);
      law();
    });

    it('never mixes months in a batch', async () => {
      const sink = new RecordingSink();
      await spool.append(entry([row(1), row(2, { month: '202610' }), row(3)]));
      await shipAll(sink);
      expect(sink.months.sort()).toEqual(['202610', '202611']);
    });

    it('counts a key once within 48 hours and again after them', async () => {
      await spool.close();
      let now = 1_800_000_000_000;
      spool = await place.open({ clock: () => now });
      const keyed = () => spool.append(entry([row(1, { dedupKey: 'ray' })]));
      expect(await keyed()).toEqual({ kept: 1, duplicate: 0 });
      now += 48 * 3_600_000 - 1;
      expect(await keyed()).toEqual({ kept: 0, duplicate: 1 });
      now += 1;
      expect(await keyed()).toEqual({ kept: 1, duplicate: 0 });
      law();
    });

    it('tells each request of a group its own duplicates', async () => {
      const receipts = await Promise.all([
        spool.append(entry([row(1, { dedupKey: 'a' }), row(2)])),
        spool.append(
          entry([row(3, { dedupKey: 'a' }), row(4, { dedupKey: 'b' }), row(5, { dedupKey: 'b' })]),
        ),
      ]);
      expect(receipts).toEqual([
        { kept: 2, duplicate: 0 },
        { kept: 1, duplicate: 2 },
      ]);
      const sink = new RecordingSink();
      await shipAll(sink);
      expect(sink.stored().sort()).toEqual([1, 2, 4]);
      law();
    });

    it('refuses an entry that does not add up', () => {
      expect(() => spool.append(entry([row(1)], { received: 2 }))).toThrow(RangeError);
    });

    it('keeps its counters and rows over a restart', async () => {
      await spool.append(entry([row(1)], { received: 4, dropped: { not_ai: 2 }, rejected: { missing: 1 } }));
      await spool.close();
      spool = await place.open();
      const { counters, pendingRows } = spool.stats();
      expect(counters.received.get('edge_worker')).toBe(4);
      expect(counters.dropped.get('edge_worker')?.get('not_ai')).toBe(2);
      expect(pendingRows).toBe(1);
      const sink = new RecordingSink();
      await shipAll(sink);
      expect(sink.stored()).toEqual([1]);
    });

    it('asks before it inserts again when an answer was lost', async () => {
      const sink = new RecordingSink();
      sink.loseAnswers = 1;
      await spool.append(entry([row(1), row(2)]));
      await shipAll(sink);
      expect(sink.inserts).toBe(1);
      expect(sink.stored()).toEqual([1, 2]);
      expect(spool.stats().counters.stored).toBe(2);
    });

    it('waits out a warehouse that is down', async () => {
      const sink = new RecordingSink();
      sink.away = true;
      await spool.append(entry([row(1)]));
      const shipper = spool.startShipper(sink, fast);
      await expect.poll(() => shipper.state().failures).toBeGreaterThan(2);
      expect(shipper.state().lastError).toBe('the warehouse is down');
      sink.away = false;
      expect(await shipper.drain(5_000)).toBe(true);
      await shipper.stop();
      expect(sink.stored()).toEqual([1]);
      // The same attempt again where another node may have made it too: then the two are one insert.
      if (shared) expect(new Set(sink.attempts)).toEqual(new Set([1]));
      else expect(sink.attempts.at(-1)).toBeGreaterThan(1);
    });

    it('settles a batch that was under way when the process ended', async () => {
      const sink = new RecordingSink();
      sink.away = true;
      await spool.append(entry([row(1)]));
      const shipper = spool.startShipper(sink, fast);
      await expect.poll(() => sink.inserts).toBe(1);
      await shipper.stop();
      await spool.close();
      spool = await place.open();
      sink.away = false;
      await shipAll(sink);
      expect(sink.stored()).toEqual([1]);
    });

    it('finds the one row that the warehouse refuses and ships all others', async () => {
      const sink = new RecordingSink();
      sink.poison = 'poison';
      const poisoned = row('poison', {
        line: JSON.stringify({
          n: 'poison',
          organization_id: 'org',
          attribution_id: 'id',
          source: 'edge_logpush',
        }),
      });
      await spool.append(entry([...Array.from({ length: 20 }, (_, n) => row(n)), poisoned, row(99)]));
      await shipAll(sink);
      expect(sink.stored()).toHaveLength(21);
      expect(spool.stats().counters).toMatchObject({ stored: 21, unstorable: 1 });
      expect(await spool.uncollectedQuarantine(10)).toMatchObject([
        { organizationId: 'org', attributionId: 'id', endpoint: 'edge_logpush', reason: 'unstorable' },
      ]);
      law();
    });

    it('leaves out what another node has stored, and accounts for it', async () => {
      const sink = new RecordingSink();
      sink.elsewhere = (text) => text.includes('"n":"there"');
      await spool.append(entry([row(1), row('there'), row(3)]));
      await shipAll(sink);
      await spool.append(entry([row('there')]));
      await shipAll(sink);
      expect(sink.stored()).toEqual([1, 3]);
      expect(spool.stats().counters).toMatchObject({ stored: 2, lateDuplicate: 2 });
      expect(spool.stats().pendingRows).toBe(0);
      law();
    });

    it('keeps the newest 1,000 rejected inputs of an organization until they are collected', async () => {
      const many = Array.from({ length: 1_010 }, (_, n) => rejected(n));
      await spool.append(entry([], { received: 1_010, rejected: { not_json: 1_010 }, quarantine: many }));
      await spool.append(
        entry([], { received: 1, rejected: { not_json: 1 }, quarantine: [rejected(1, 'other')] }),
      );
      const kept = await spool.uncollectedQuarantine(2_000);
      expect(kept).toHaveLength(1_001);
      expect(kept[0]?.body).toBe('#10');
      await spool.removeQuarantine(kept.map(({ id }) => id));
      expect(await spool.uncollectedQuarantine(10)).toEqual([]);
    });

    it('closes intake when full and opens it again when there is room', async () => {
      await spool.close();
      spool = await place.open({ maxBytes: 3_000_000 });
      const big = () => entry(noisy(100, 2_000));
      while (spool.accepting()) await spool.append(big());
      expect(spool.stats().bytes).toBeGreaterThan(3_000_000);
      const sink = new RecordingSink();
      await shipAll(sink);
      await spool.append(entry([row('after')]));
      expect(spool.accepting()).toBe(true);
    });

    it('takes many requests that wait at once', async () => {
      await Promise.all(Array.from({ length: 2_000 }, (_, n) => spool.append(entry([row(n)]))));
      expect(spool.stats().pendingRows).toBe(2_000);
    });
  });

  describe('an upload', () => {
    const digest = { scope: 'key', hex: 'abc' };

    it('is invisible to the shipper until it is committed, then takes effect whole', async () => {
      const upload = spool.openUpload('edge_logpush');
      await upload.stage(Array.from({ length: 12_000 }, (_, n) => row(n)));
      const sink = new RecordingSink();
      const shipper = spool.startShipper(sink, fast);
      await sleep(100);
      expect(sink.inserts).toBe(0);
      expect(spool.stats().pendingRows).toBe(0);
      expect(await upload.commit(tallyOf(12_000), digest)).toMatchObject({ kept: 12_000, duplicate: 0 });
      expect(await shipper.drain(10_000)).toBe(true);
      await shipper.stop();
      expect(sink.stored()).toHaveLength(12_000);
      law();
    });

    it('leaves nothing behind when it is aborted, or when the process ends before its commit', async () => {
      const aborted = spool.openUpload('edge_logpush');
      await aborted.stage(Array.from({ length: 6_000 }, (_, n) => row(n, { dedupKey: `a${n}` })));
      await aborted.abort();
      const cut = spool.openUpload('edge_logpush');
      await cut.stage(Array.from({ length: 6_000 }, (_, n) => row(n, { dedupKey: `a${n}` })));
      await spool.close();
      spool = await place.open();
      const again = spool.openUpload('edge_logpush');
      await again.stage(Array.from({ length: 6_000 }, (_, n) => row(n, { dedupKey: `a${n}` })));
      expect(await again.commit(tallyOf(6_000), digest)).toMatchObject({ kept: 6_000, duplicate: 0 });
      const sink = new RecordingSink();
      await shipAll(sink);
      expect(sink.stored()).toHaveLength(6_000);
    });

    it('that was taken before stores nothing and counts its elements as duplicates', async () => {
      const mixed = {
        ...tallyOf(3),
        dropped: { not_ai: 1 },
        rejected: { not_json: 1 },
        quarantine: [rejected(1)],
      };
      for (const expected of [{ kept: 1, duplicate: 0, duplicatesOf: new Map() }, 'already_taken']) {
        const upload = spool.openUpload('edge_logpush');
        await upload.stage([row(1)]);
        expect(await upload.commit(mixed, digest)).toEqual(expected);
      }
      const { counters } = spool.stats();
      expect(counters.received.get('edge_logpush')).toBe(6);
      expect(counters.duplicate.get('edge_logpush')).toBe(3);
      expect(counters.dropped.get('edge_logpush')?.get('not_ai')).toBe(1);
      expect(await spool.uncollectedQuarantine(10)).toHaveLength(1);
      expect(await spool.recordedUploads()).toMatchObject([{ scope: 'key', hex: 'abc' }]);
      law();
      const sink = new RecordingSink();
      await shipAll(sink);
      expect(sink.stored()).toEqual([1]);
    });

    it('that another node took stores nothing and counts its elements as duplicates', async () => {
      const upload = spool.openUpload('edge_logpush');
      await upload.stage(Array.from({ length: 2_000 }, (_, n) => row(n)));
      await upload.takenElsewhere(tallyOf(2_000));
      await upload.abort();
      const { counters, pendingRows } = spool.stats();
      expect(counters.received.get('edge_logpush')).toBe(2_000);
      expect(counters.duplicate.get('edge_logpush')).toBe(2_000);
      expect(pendingRows).toBe(0);
      law();
    });

    it('lets single hits pass between its pieces, however long it is', async () => {
      const upload = spool.openUpload('edge_logpush');
      const pieces = 40;
      let staging = true;
      const staged = (async () => {
        for (let piece = 0; piece < pieces; piece += 1) {
          await upload.stage(Array.from({ length: 1_000 }, (_, n) => row(n, { dedupKey: `${piece}-${n}` })));
        }
        staging = false;
      })();
      let passed = 0;
      while (staging) {
        await spool.append(entry([row(`single${passed}`)]));
        passed += 1;
      }
      await staged;
      // Each waits for at most the piece that is being written and one behind it, never for the upload.
      expect(passed).toBeGreaterThan(pieces / 4);
      await upload.commit(tallyOf(pieces * 1_000), digest);
      law();
    });

    it('gives way to a hit that arrived singly while it was being read', async () => {
      const upload = spool.openUpload('edge_logpush');
      await upload.stage([
        row('u1', { dedupKey: 'x' }),
        row('u2', { dedupKey: 'y' }),
        row('u3', { dedupKey: 'y' }),
        row('u4'),
      ]);
      // Enough to make the piece above be staged.
      await upload.stage(Array.from({ length: 5_000 }, (_, n) => row(n)));
      await spool.append(entry([row('single', { dedupKey: 'x' })]));
      expect(await upload.commit(tallyOf(5_004), digest)).toMatchObject({ kept: 5_002, duplicate: 2 });
      const sink = new RecordingSink();
      await shipAll(sink);
      const stored = sink.stored();
      expect(stored).toContain('single');
      expect(stored).not.toContain('u1');
      expect(stored).toContain('u2');
      expect(stored).not.toContain('u3');
      expect(stored).toContain('u4');
      law();
    });
  });

  describe('the shipper', () => {
    it('passes over a batch that is stored in part, neither doubling nor forgetting it', async () => {
      const sink = new RecordingSink();
      const insert = sink.insert.bind(sink);
      let tornId = '';
      sink.insert = async (batch: Batch) => {
        await insert(batch);
        if (tornId !== '') return;
        tornId = batch.id;
        sink.batches.get(batch.id)?.pop();
        throw new Error('the connection broke');
      };
      await spool.append(entry([row(1), row(2)]));
      const shipper = spool.startShipper(sink, { ...fast, askAgainMs: 300 });
      await expect.poll(() => shipper.state().parked).toBe(1);
      await spool.append(entry([row(3)]));
      await expect.poll(() => sink.stored()).toContain(3);
      expect(await shipper.drain(50)).toBe(false);
      expect(spool.stats()).toMatchObject({ pendingRows: 2, counters: { stored: 1 } });
      sink.batches.get(tornId)?.push(row(2).line);
      expect(await shipper.drain(5_000)).toBe(true);
      await shipper.stop();
      expect(sink.inserts).toBe(2);
      expect(spool.stats().counters.stored).toBe(3);
    });

    it('says that a drain failed when the warehouse is down, and stops in the midst of a long pause', async () => {
      const sink = new RecordingSink();
      sink.away = true;
      await spool.append(entry([row(1)]));
      const shipper = spool.startShipper(sink, {
        gatherMs: 1,
        backoffMs: { first: 60_000, longest: 60_000 },
      });
      await vi.waitFor(
        () => expect(shipper.state()).toMatchObject({ failures: 1, lastError: 'the warehouse is down' }),
        { timeout: 10_000 },
      );
      expect(await shipper.drain(10)).toBe(false);
      expect(shipper.state().backoffMs).toBeGreaterThanOrEqual(30_000);
      await shipper.stop();
      expect(spool.stats().pendingRows).toBe(1);
    });

    it('halves go on after a restart in the midst of a bisection', async () => {
      const sink = new RecordingSink();
      sink.poison = '"n":7,';
      await spool.append(entry(many(64)));
      const first = spool.startShipper(sink, fast);
      await vi.waitFor(() => expect(sink.inserts).toBeGreaterThan(2), { timeout: 10_000 });
      await first.stop();
      await spool.close();
      spool = await place.open();
      const second = spool.startShipper(sink, fast);
      expect(await second.drain(10_000)).toBe(true);
      await second.stop();
      expect(sink.stored()).toHaveLength(63);
      expect(new Set(sink.stored()).size).toBe(63);
      expect(spool.stats()).toMatchObject({ pendingRows: 0, counters: { stored: 63, unstorable: 1 } });
    });
  });

  describe('the cap', () => {
    it('ends an upload that would grow past it, and what it staged makes room', async () => {
      await spool.close();
      spool = await place.open({ maxBytes: 4 * 1024 * 1024 });
      const pieces = Array.from({ length: 10 }, () => noisy(100, 1_000));
      const upload = spool.openUpload('edge_logpush');
      const grow = async () => {
        for (let n = 0; n < 100; n += 1) await upload.stage(pieces[n % pieces.length] ?? []);
      };
      await expect(grow()).rejects.toThrow(/full/);
      expect(spool.stats().bytes).toBeLessThan(8 * 1024 * 1024);
      await upload.abort();
      await spool.append(entry([row(1)]));
      await untilAccepting();
    });
  });

  describe('rows', () => {
    it('that are not one line with an object are refused before anything is written', async () => {
      for (const line of [
        '',
        ' ',
        '\n',
        '{}\n',
        '{"a":\n1}',
        '[]',
        '"{}"',
        '{',
        '{} ',
        `{"x":"${'x'.repeat(1_048_576)}"}`,
      ]) {
        expect(() => spool.append(entry([row(1), row(2, { line })]))).toThrow(TypeError);
        await expect(spool.openUpload('edge_logpush').stage([row(2, { line })])).rejects.toThrow(TypeError);
      }
      expect(spool.stats().counters.received.get('edge_worker') ?? 0).toBe(0);
    });

    it('of any characters come out as they went in, and never an empty line', async () => {
      const text = fc.string({ unit: 'binary', maxLength: 40 });
      await fc.assert(
        fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 20 }), fc.nat(7), async (texts, pad) => {
          const sink = new RecordingSink();
          const values = texts.map((value, n) => ({ n, text: `${'x'.repeat(pad)}💥${value}` }));
          await spool.append(entry(values.map((value) => row(0, { line: JSON.stringify(value) }))));
          const shipper = spool.startShipper(sink, fast);
          expect(await shipper.drain(5_000)).toBe(true);
          await shipper.stop();
          expect([...sink.batches.values()].flat().map((line) => JSON.parse(line))).toEqual(values);
        }),
        { numRuns: 30 },
      );
    });
  });

  describe('over random histories', () => {
    it('what was acknowledged is stored exactly once, and the law holds', async () => {
      const step = fc.oneof(
        {
          weight: 6,
          arbitrary: fc.record({
            do: fc.constant('append' as const),
            keys: fc.array(fc.option(fc.integer({ min: 0, max: 8 })), { maxLength: 4 }),
          }),
        },
        {
          weight: 2,
          arbitrary: fc.record({
            do: fc.constant('upload' as const),
            keys: fc.array(fc.option(fc.integer({ min: 0, max: 8 })), { maxLength: 4 }),
            commit: fc.boolean(),
          }),
        },
        { weight: 2, arbitrary: fc.record({ do: fc.constant('ship' as const), lose: fc.boolean() }) },
        { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
          const here = await fresh();
          let under = await here.open();
          const sink = new RecordingSink();
          const expected: number[] = [];
          const seen = new Set<number>();
          let n = 0;
          let received = 0;
          try {
            for (const action of steps) {
              if (action.do === 'append' || action.do === 'upload') {
                const rows = action.keys.map((key) => ({ key, n: n++ }));
                const spoolRows = rows.map(({ key, n: id }) =>
                  row(id, { dedupKey: key === null ? null : `k${key}` }),
                );
                const effective = action.do === 'append' || action.commit;
                if (action.do === 'append') await under.append(entry(spoolRows));
                else {
                  const upload = under.openUpload('edge_logpush');
                  await upload.stage(spoolRows);
                  const { rows: _rows, ...tally } = entry([], {
                    endpoint: 'edge_logpush',
                    received: rows.length,
                  });
                  if (action.commit) await upload.commit(tally, { scope: 's', hex: String(n) });
                  else await upload.abort();
                }
                if (!effective) continue;
                received += rows.length;
                for (const { key, n: id } of rows) {
                  if (key !== null && seen.has(key)) continue;
                  if (key !== null) seen.add(key);
                  expected.push(id);
                }
              } else if (action.do === 'ship') {
                sink.loseAnswers = action.lose ? 1 : 0;
                const shipper = under.startShipper(sink, fast);
                expect(await shipper.drain(5_000)).toBe(true);
                await shipper.stop();
              } else {
                await under.close();
                under = await here.open();
              }
            }
            const shipper = under.startShipper(sink, fast);
            expect(await shipper.drain(5_000)).toBe(true);
            await shipper.stop();
            expect(sink.stored().sort((a, b) => Number(a) - Number(b))).toEqual(expected);
            const { counters } = under.stats();
            expect([...counters.received.values()].reduce((a, b) => a + b, 0)).toBe(received);
            expect(counters.stored).toBe(expected.length);
          } finally {
            await under.close();
            await here.dispose();
          }
        }),
        { numRuns: 15 },
      );
    });
  });
});
