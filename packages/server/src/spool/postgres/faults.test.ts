/** What goes wrong between a spool and its server, and between two nodes. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestDatabases, type TestDatabase, type TestDatabases } from '../../database/testing.ts';
import { SpoolOpenError, SpoolWriteError } from '../errors.ts';
import { digestOf } from '../pack.ts';
import type { CounterDelta } from '../port.ts';
import type { Spool } from '../spool.ts';
import { entry, nodeOptions, RecordingSink, row, silent } from '../testing.ts';
import type { Batch } from '../types.ts';
import { Connection } from './connection.ts';
import { durabilityBy } from './durability.ts';
import { afterLoss, type Transaction } from './lane.ts';
import { rowsLeftBehind } from './left-behind.ts';
import { openPostgresSpool, placeOf } from './open.ts';
import { tablesOf } from './schema.ts';
import { foldGone } from './session.ts';
import { type Network, startProxy } from './testing-proxy.ts';
import { SLICES, tidy } from './upkeep.ts';

const fast = { gatherMs: 1, backoffMs: { first: 5, longest: 20 } };
const many = (count: number, key: string | null = null) =>
  Array.from({ length: count }, (_, n) => row(n, { dedupKey: key === null ? null : `${key}${n}` }));
const tallyOf = (received: number) => {
  const { rows: _rows, ...rest } = entry([], { endpoint: 'edge_logpush', received });
  return rest;
};

let databases: TestDatabases;
let database: TestDatabase;
let url: string;
const spools: Spool[] = [];
const proxies: Network[] = [];

beforeAll(async () => {
  databases = await openTestDatabases();
});
afterAll(() => databases.close());
beforeEach(async () => {
  const server = databases.backends.find(({ name }) => name === 'postgres');
  database = (await server?.fresh({ empty: true })) as TestDatabase;
  url = database.url ?? '';
});
afterEach(async () => {
  for (const proxy of proxies) proxy.release();
  await Promise.all(spools.splice(0).map((spool) => spool.close()));
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
  await database.remove();
});

async function node(name: string, options: Partial<Parameters<typeof openPostgresSpool>[0]> = {}) {
  const spool = await openPostgresSpool({ ...nodeOptions(url, name), ...options });
  spools.push(spool);
  return spool;
}
/** A node behind a network of its own. */
async function behindProxy(name: string, options: Parameters<typeof node>[1] = {}) {
  const proxy = await startProxy(url);
  proxies.push(proxy);
  return { proxy, spool: await node(name, { url: proxy.url, ...options }) };
}
async function query(text: string): Promise<pg.QueryResult> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}
const untilAccepting = (spool: Spool) =>
  vi.waitFor(() => expect(spool.accepting()).toBe(true), { timeout: 10_000, interval: 20 });
async function shipAll(spool: Spool, sink: RecordingSink): Promise<void> {
  const shipper = spool.startShipper(sink, fast);
  expect(await shipper.drain(20_000)).toBe(true);
  await shipper.stop();
}
const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);

describe('a connection that is lost', () => {
  it('with the answer to a COMMIT: the rows are there, are acknowledged, and are stored once', async () => {
    const { proxy, spool } = await behindProxy('a');
    await spool.append(entry([row('first', { dedupKey: 'first' })]));
    proxy.loseNextCommit();
    expect(await spool.append(entry([row('lost answer', { dedupKey: 'k' })]))).toEqual({
      kept: 1,
      duplicate: 0,
    });
    const sink = new RecordingSink();
    await shipAll(spool, sink);
    expect(sink.stored().sort()).toEqual(['first', 'lost answer']);
    expect(sum(spool.stats().counters.received.values())).toBe(2);
  });

  it('before a COMMIT: nothing is taken, the sender is refused, and its repetition is kept', async () => {
    const { proxy, spool } = await behindProxy('a');
    await spool.append(entry([row('first')]));
    proxy.cutBeforeNextCommit();
    await expect(spool.append(entry([row('again', { dedupKey: 'k' })]))).rejects.toThrow(SpoolWriteError);
    expect(spool.accepting()).toBe(false);
    await untilAccepting(spool);
    expect(await spool.append(entry([row('again', { dedupKey: 'k' })]))).toEqual({ kept: 1, duplicate: 0 });
    const sink = new RecordingSink();
    await shipAll(spool, sink);
    expect(sink.stored().sort()).toEqual(['again', 'first']);
  });

  it('and stays so after a COMMIT was sent: the sender is refused, and its repetition is a duplicate', async () => {
    const { proxy, spool } = await behindProxy('a', { answerMs: { group: 3_000, other: 3_000 } });
    await spool.append(entry([row('first')]));
    proxy.loseNextCommit('hold');
    await expect(spool.append(entry([row('k', { dedupKey: 'k' })]))).rejects.toThrow(SpoolWriteError);
    proxy.cut();
    proxy.release();
    await untilAccepting(spool);
    expect(await spool.append(entry([row('k', { dedupKey: 'k' })]))).toEqual({ kept: 0, duplicate: 1 });
    const sink = new RecordingSink();
    await shipAll(spool, sink);
    expect(sink.stored().sort()).toEqual(['first', 'k']);
    // What the lane's row says was committed counts, though it was never acknowledged.
    expect(sum(spool.stats().counters.received.values())).toBe(3);
  });

  it('again and again under load: what was acknowledged is stored once', async () => {
    const { proxy, spool } = await behindProxy('a');
    const sink = new RecordingSink();
    const shipper = spool.startShipper(sink, fast);
    const acknowledged: string[] = [];
    let running = true;
    const lanes = Array.from({ length: 8 }, async (_, lane) => {
      for (let n = 0; running; n += 1) {
        const id = `${lane}-${n}`;
        // As a sender does: the same hit until it is taken.
        while (running) {
          const answer = await spool.append(entry([row(id, { dedupKey: id })])).catch(() => null);
          if (answer === null) await sleep(20);
          else {
            acknowledged.push(id);
            break;
          }
        }
      }
    });
    for (let round = 0; round < 6; round += 1) {
      const before = acknowledged.length;
      await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 3), {
        timeout: 10_000,
        interval: 5,
      });
      if (round % 2 === 0) proxy.cut();
      // As a server does that is restarted.
      else
        await query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ghostlight spool' AND datname = current_database()",
        );
      await untilAccepting(spool);
    }
    running = false;
    await Promise.all(lanes);
    expect(await shipper.drain(20_000)).toBe(true);
    await shipper.stop();
    const stored = sink.stored();
    expect(new Set(stored).size).toBe(stored.length);
    expect(stored).toEqual(expect.arrayContaining(acknowledged));
    expect(spool.stats().pendingRows).toBe(0);
  });
});

describe('a server', () => {
  it('that hangs holds no one up for long, and closes intake', async () => {
    const { proxy, spool } = await behindProxy('a', { answerMs: { group: 3_000, other: 3_000 } });
    await spool.append(entry([row(1)]));
    proxy.hold();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => spool.append(entry([row(n)]))),
    );
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(spool.accepting()).toBe(false);
    expect(spool.closure()).toMatchObject({
      store: 'postgres',
      kind: 'disk',
      path: placeOf(proxies[0]?.url ?? ''),
    });
    // Nothing waits for the hanging server any more: the next ones are refused at once.
    await expect(spool.append(entry([row(1)]))).rejects.toThrow(SpoolWriteError);
    proxy.cut();
    proxy.release();
    await untilAccepting(spool);
    await spool.append(entry([row('after')]));
  });

  it('that hangs holds up no close: what had not begun fails', async () => {
    const { proxy, spool } = await behindProxy('a', { answerMs: { group: 3_000, other: 60_000 } });
    await spool.scrub([]);
    proxy.hold();
    const waiting = Array.from({ length: 20 }, () =>
      spool.scrub(['x']).then(
        () => 'done',
        (error: Error) => error.message,
      ),
    );
    const closed = spool.close();
    const [begun, ...queued] = await Promise.all(waiting);
    await closed;
    // It would have waited for a minute.
    expect(begun).toMatch(/Connection terminated/);
    expect(new Set(queued)).toEqual(new Set(['The spool could not write: it is closed']));
  });

  it('that is not there at the start is named without its password', async () => {
    const failed = openPostgresSpool({ ...nodeOptions('postgres://ghost:hunter2@127.0.0.1:9/none') });
    await expect(failed).rejects.toThrow(SpoolOpenError);
    await expect(failed).rejects.toThrow(/127\.0\.0\.1:9\/none/);
    await expect(failed).rejects.toThrow(/^(?!.*hunter2)/);
  });

  it('says at the start whose disk has a row when it is acknowledged', async () => {
    const lines: string[] = [];
    const warn = (_facts: object, message: string) => void lines.push(message);
    // The server of the tests answers before anything is on disk.
    expect((await node('a', { log: { ...silent, warn } })).durability).toBe('memory');
    expect(lines).toEqual([expect.stringContaining('before it is on disk')]);
  });

  it.each([
    [{ commit: 'on', standbys: '', fsync: 'on' }, 'server'],
    [{ commit: 'on', standbys: 'ANY 1 (b, c)', fsync: 'on' }, 'standby'],
    [{ commit: 'remote_apply', standbys: '*', fsync: 'on' }, 'standby'],
    [{ commit: 'local', standbys: '*', fsync: 'on' }, 'server'],
    [{ commit: 'off', standbys: '*', fsync: 'on' }, 'memory'],
    [{ commit: 'on', standbys: '', fsync: 'off' }, 'memory'],
  ])('with the settings %j acknowledges on: %s', (settings, durability) => {
    expect(durabilityBy(settings)).toBe(durability);
  });

  it('that lost its last commits is found out, and the difference is counted', () => {
    const stands = new Map([
      ['kept|edge_worker|ai_bot', 10],
      ['received|edge_worker', 12],
      ['stored', 4],
      ['bytes', 900],
    ]);
    const confirmed = new Map([
      ['kept|edge_worker|ai_bot', 15],
      ['received|edge_worker', 17],
      ['stored', 6],
      ['bytes', 1_300],
    ]);
    const { counters, lostRows, repeatedRows } = afterLoss(stands, confirmed);
    expect(lostRows).toBe(5);
    // Their removal from the spool is undone: another node may ship them under another id.
    expect(repeatedRows).toBe(2);
    expect(Object.fromEntries(counters)).toEqual({
      'kept|edge_worker|ai_bot': 15,
      'received|edge_worker': 17,
      stored: 4,
      bytes: 900,
      lost: 5,
    });
  });

  it('whose lane went back in time is reported once, and goes on', async () => {
    const spool = await node('a');
    await spool.append(entry([row(1)]));
    const { rows } = await query(
      'SELECT session, lane, last, counters FROM spool_hits_lanes WHERE last IS NOT NULL',
    );
    await spool.append(entry([row(2)]));
    await query(`DELETE FROM spool_hits_chunks WHERE number = (SELECT max(number) FROM spool_hits_chunks)`);
    await query(
      `UPDATE spool_hits_lanes SET last = '${rows[0].last}', counters = '${rows[0].counters}' WHERE session = '${rows[0].session}' AND lane = ${rows[0].lane}`,
    );
    await expect(spool.append(entry([row(3)]))).rejects.toThrow(/without its last commits/);
    await untilAccepting(spool);
    await spool.append(entry([row(3)]));
    const sink = new RecordingSink();
    await shipAll(spool, sink);
    expect(sink.stored().sort()).toEqual([1, 3]);
    expect(spool.stats()).toMatchObject({
      pendingRows: 0,
      counters: { lost: 1, stored: 2 },
      damages: [{ lostRows: 1 }],
    });
  });
});

it('a transaction on a connection has no statements of others in it', async () => {
  await query('CREATE TABLE notes (note text)');
  const connection = new Connection({ url, answerMs: 60_000 });
  await Promise.all([
    connection.use(async (client) => {
      await client.query('BEGIN');
      await sleep(50);
      await client.query('ROLLBACK');
    }),
    connection.use((client) => client.query(`INSERT INTO notes VALUES ('kept')`)),
  ]);
  await connection.close();
  expect((await query('SELECT note FROM notes')).rows).toEqual([{ note: 'kept' }]);
});

describe('two nodes', () => {
  it('keep a visit once that reached both at the same instant', async () => {
    const [a, b] = [await node('a'), await node('b')];
    const both = await Promise.all(
      [a, b].flatMap((spool) => Array.from({ length: 20 }, () => spool.append(entry(many(5, 'ray'))))),
    );
    expect(sum(both.map(({ kept }) => kept))).toBe(5);
    expect(sum(both.map(({ duplicate }) => duplicate))).toBe(195);
    const sink = new RecordingSink();
    await shipAll(b, sink);
    expect(sink.stored()).toHaveLength(5);
  });

  it('ship one another’s rows, each once, and their counts add up', async () => {
    const [a, b] = [await node('a'), await node('b')];
    const sink = new RecordingSink();
    const shippers = [a, b].map((spool) => spool.startShipper(sink, fast));
    await Promise.all(
      Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? a : b).append(entry([row(n), row(`${n}b`)]))),
    );
    for (const shipper of shippers) expect(await shipper.drain(20_000)).toBe(true);
    await expect.poll(() => sink.stored()).toHaveLength(400);
    for (const shipper of shippers) await shipper.stop();
    expect(new Set(sink.stored()).size).toBe(400);
    await expect.poll(() => [a, b].map((spool) => spool.stats().all.stored)).toEqual([400, 400]);
    expect(a.stats().counters.stored + b.stats().counters.stored).toBe(400);
    expect([a.stats().pendingRows, b.stats().pendingRows]).toEqual([0, 0]);
  });

  it('take one upload once', async () => {
    const [a, b] = [await node('a'), await node('b')];
    const commits = await Promise.all(
      [a, b].map(async (spool) => {
        const upload = spool.openUpload('edge_logpush');
        await upload.stage(many(1_500, 'line'));
        return await upload.commit(tallyOf(1_500), { scope: 'key', hex: 'abc' });
      }),
    );
    expect(commits).toContain('already_taken');
    const sink = new RecordingSink();
    await shipAll(a, sink);
    expect(sink.stored()).toHaveLength(1_500);
  });
});

describe('a node that is gone', () => {
  it('leaves its rows and its batch under way to the others, which don’t store the batch twice', async () => {
    const { proxy, spool: gone } = await behindProxy('gone');
    const sink = new RecordingSink();
    sink.loseAnswers = 1;
    await gone.append(entry(many(10)));
    const shipper = gone.startShipper(sink, { ...fast, backoffMs: { first: 60_000, longest: 60_000 } });
    await expect.poll(() => sink.inserts).toBe(1);
    await gone.append(entry([row('waits')]));
    proxy.hold();
    const left = await node('left');
    const other = left.startShipper(sink, fast);
    await vi.waitFor(() => expect(sink.stored()).toHaveLength(11), { timeout: 10_000 });
    await vi.waitFor(() => expect(left.stats().pendingRows).toBe(0), { timeout: 10_000 });
    await other.stop();
    await shipper.stop();
    // The batch was found stored; only the row that waited was inserted.
    expect(sink.inserts).toBe(2);
    expect(left.stats().all.stored).toBe(11);
  });

  it('and comes back repeats the same insert, and can’t end the batch of another', async () => {
    const { proxy, spool: slow } = await behindProxy('slow', { answerMs: { group: 3_000, other: 3_000 } });
    const batches: Batch[] = [];
    let resume: () => void = () => undefined;
    const stalled = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const sink = new RecordingSink();
    await slow.append(entry(many(10)));
    const shipper = slow.startShipper(
      {
        count: (batch) => sink.count(batch),
        async insert(batch) {
          batches.push(batch);
          await stalled;
        },
      },
      fast,
    );
    await expect.poll(() => batches).toHaveLength(1);
    proxy.hold();
    const fresh = await node('fresh');
    const other = fresh.startShipper(
      {
        count: (batch) => sink.count(batch),
        insert(batch) {
          batches.push(batch);
          return sink.insert(batch);
        },
      },
      fast,
    );
    await vi.waitFor(() => expect(fresh.stats().all.stored).toBe(10), { timeout: 10_000 });
    proxy.cut();
    proxy.release();
    resume();
    await untilAccepting(slow);
    await shipper.drain(5_000);
    await shipper.stop();
    await other.stop();
    // Both inserts have one identity, by which the warehouse takes them for one.
    expect(new Set(batches.map(({ id, attempt }) => `${id}:${attempt}`)).size).toBe(1);
    await expect.poll(() => fresh.stats().all).toMatchObject({ stored: 10 });
    expect(slow.stats().counters.stored).toBe(0);
  });

  it('keeps its counters when it starts again, and what it had staged is removed', async () => {
    const first = await node('a');
    await first.append(entry([row(1)], { received: 3, dropped: { not_ai: 2 } }));
    const upload = first.openUpload('edge_logpush');
    await upload.stage(many(600, 'u'));
    const again = await node('a');
    expect(again.stats().counters.received.get('edge_worker')).toBe(3);
    expect((await query('SELECT count(*)::int AS n FROM spool_hits_chunks')).rows).toEqual([{ n: 1 }]);
    // The life before is over: nothing that it began takes effect.
    await expect(upload.commit(tallyOf(600), { scope: 's', hex: 'h' })).rejects.toThrow(SpoolWriteError);
    // If its process is alive nevertheless, it goes on as another node, and neither ends the other.
    await untilAccepting(first);
    await first.append(entry([row(2)]));
    await again.append(entry([row(3)]));
    expect(first.stats().counters.received.get('edge_worker')).toBe(1);
    expect(again.stats().counters.received.get('edge_worker')).toBe(4);
    await expect.poll(() => first.stats().all.received.get('edge_worker')).toBe(5);
    const sink = new RecordingSink();
    await shipAll(again, sink);
    expect(sink.stored().sort()).toEqual([1, 2, 3]);
  });

  it('is counted still: its week is over, its counters are folded', async () => {
    const gone = await node('gone');
    await gone.append(entry([row(1), row(2)]));
    await gone.close();
    spools.splice(spools.indexOf(gone), 1);
    await query(`UPDATE spool_hits_sessions SET alive_until = now() - interval '8 days'`);
    const left = await node('left');
    const client = new pg.Client(url);
    await client.connect();
    for (let time = 0; time < 2; time += 1) await foldGone(client, tablesOf('hits'));
    await client.end();
    expect((await query('SELECT node FROM spool_hits_sessions ORDER BY node')).rows).toEqual([
      { node: '' },
      { node: 'left' },
    ]);
    const sink = new RecordingSink();
    await shipAll(left, sink);
    await expect.poll(() => left.stats().all.received.get('edge_worker')).toBe(2);
    expect(left.stats()).toMatchObject({ pendingRows: 0, all: { stored: 2 } });
  });
});

describe('an upload', () => {
  const BLOCKED = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  const untilBlocked = () =>
    vi.waitFor(async () => expect((await query(BLOCKED)).rowCount).toBe(1), {
      timeout: 10_000,
      interval: 10,
    });
  const unheardOf = () =>
    query(`UPDATE spool_hits_sessions SET alive_until = now() - interval '75 seconds' WHERE node = 'a'`);
  /** Another node's, which rolls back unless it commits. */
  async function transaction(run: (client: pg.Client) => Promise<void>) {
    const client = new pg.Client({ connectionString: url, pipeline: true });
    await client.connect();
    try {
      await client.query('BEGIN');
      await run(client);
    } finally {
      await client.end();
    }
  }
  const tidying = async (client: pg.Client) => {
    const tx = {
      query: ({ text }: { text: string }, values: readonly unknown[] = []) => client.query(text, [...values]),
      count: () => undefined,
    } as unknown as Transaction;
    await tidy(tx, tablesOf('hits'), { slice: 0, now: Date.now(), memoryMs: 48 * 3_600_000 });
  };
  async function staged() {
    const spool = await node('a', { leaseMs: 600_000 });
    const upload = spool.openUpload('edge_logpush');
    await upload.stage(many(600, 'u'));
    await unheardOf();
    return { spool, commit: () => upload.commit(tallyOf(600), { scope: 's', hex: 'h' }) };
  }

  it('of a node that was not heard of for a while keeps its rows if they are removed during its commit', async () => {
    const { spool, commit } = await staged();
    await transaction(async (other) => {
      // Holds the commit up between two of its statements.
      const key = Buffer.from(digestOf('u7')).toString('hex');
      await other.query(`INSERT INTO spool_hits_seen VALUES ('${key}', 0)`);
      const committed = commit();
      await untilBlocked();
      await transaction(async (tidier) => {
        await tidying(tidier);
        await tidier.query('COMMIT');
      });
      await other.query('ROLLBACK');
      expect(await committed).toMatchObject({ kept: 600 });
    });
    const sink = new RecordingSink();
    await shipAll(spool, sink);
    expect(sink.stored()).toHaveLength(600);
  });

  it('is refused if its rows are being removed when it commits; single hits are taken', async () => {
    const { spool, commit } = await staged();
    await transaction(async (tidier) => {
      await tidying(tidier);
      const committed = commit();
      committed.catch(() => undefined);
      await untilBlocked();
      await tidier.query('COMMIT');
      await expect(committed).rejects.toThrow(SpoolWriteError);
    });
    expect(spool.accepting()).toBe(true);
  });

  it('of an earlier session is refused, and neither it nor its end closes intake or ends the session', async () => {
    const spool = await node('a');
    const stale = spool.openUpload('edge_logpush');
    await stale.stage(many(600, 'u'));
    await query('DELETE FROM spool_hits_sessions');
    await expect(spool.append(entry([row(1)]))).rejects.toThrow(SpoolWriteError);
    await untilAccepting(spool);
    const sessions = async () => (await query('SELECT id FROM spool_hits_sessions')).rows;
    const before = await sessions();
    const fresh = spool.openUpload('edge_logpush');
    await expect(stale.commit(tallyOf(600), { scope: 's', hex: 'h' })).rejects.toThrow(SpoolWriteError);
    expect(spool.accepting()).toBe(true);
    await stale.abort();
    expect(spool.accepting()).toBe(true);
    await fresh.stage(many(600, 'u'));
    expect(await fresh.commit(tallyOf(600), { scope: 's', hex: 'h' })).toMatchObject({ kept: 600 });
    expect(await sessions()).toEqual(before);
  });
});

it('rows that no node ships any more are found when the setting is changed back', async () => {
  const left = () => rowsLeftBehind(url, 'a');
  expect(await left()).toBe(0);
  const a = await node('a');
  await a.append(entry([row(1), row(2)]));
  // Neither acknowledged nor readable: these hold up no start.
  await a.openUpload('edge_logpush').stage(many(600));
  await a.append(entry([row('damaged')]));
  await query(
    'UPDATE spool_hits_chunks SET damaged = true WHERE number = (SELECT max(number) FROM spool_hits_chunks)',
  );
  // This node's own life before was killed a moment ago.
  expect(await left()).toBe(2);
  const b = await node('b');
  expect(await left()).toBe(0);
  await b.close();
  spools.splice(spools.indexOf(b), 1);
  expect(await left()).toBe(2);
  await shipAll(a, new RecordingSink());
  expect(await left()).toBe(0);
});

describe('the tables', () => {
  it('of a newer version are refused with a sentence, and left as they are', async () => {
    await (await node('a')).append(entry([row(1)]));
    await query("UPDATE spools SET version = 99 WHERE name = 'hits'");
    await expect(node('b')).rejects.toThrow(/spool "hits" have version 99/);
    expect((await query('SELECT count(*)::int AS n FROM spool_hits_chunks')).rows).toEqual([{ n: 1 }]);
  });

  it('are made once, whichever nodes start at the same time', async () => {
    const nodes = await Promise.all(['a', 'b', 'c'].map((name) => node(name)));
    for (const spool of nodes) await spool.append(entry([row(1)]));
    expect((await query("SELECT version FROM spools WHERE name = 'hits'")).rows).toEqual([{ version: 1 }]);
  });

  it('with a chunk that can’t be unpacked: it is reported and counted, and the others are shipped', async () => {
    const spool = await node('a');
    await spool.append(entry(many(3)));
    await spool.append(entry([row('whole')]));
    await query(
      `UPDATE spool_hits_chunks SET body = set_byte(body, 12, get_byte(body, 12) # 255) WHERE number = (SELECT min(number) FROM spool_hits_chunks)`,
    );
    const sink = new RecordingSink();
    await shipAll(spool, sink);
    expect(sink.stored()).toEqual(['whole']);
    expect(spool.stats()).toMatchObject({
      pendingRows: 0,
      counters: { lost: 3, stored: 1 },
      damages: [{ lostRows: 3, found: [expect.stringContaining('spool_hits_chunks')] }],
    });
  });

  it('with such a chunk in a batch that the warehouse has already: its rows are stored, and not lost', async () => {
    const spool = await node('a');
    await spool.append(entry(many(3)));
    await spool.append(entry([row('whole')]));
    const sink = Object.assign(new RecordingSink(), {
      distinct: async ({ id }: { id: string }) => new Set(sink.batches.get(id)).size,
      missing: async () => [],
    });
    const insert = sink.insert.bind(sink);
    sink.insert = async (batch) => {
      await insert(batch);
      await query(
        `UPDATE spool_hits_chunks SET body = set_byte(body, 12, get_byte(body, 12) # 255) WHERE number = (SELECT min(number) FROM spool_hits_chunks)`,
      );
      throw new Error('the connection broke');
    };
    await shipAll(spool, sink);
    expect(sink.inserts).toBe(1);
    expect(spool.stats()).toMatchObject({
      pendingRows: 0,
      counters: { lost: 0, stored: 4 },
      damages: [{ lostRows: 3 }],
    });
  });

  it('forget every key that is old enough when its slice is tidied, and no other', async () => {
    const now = 1_800_000_000_000;
    const nodes = [
      await node('old', { clock: () => now - 48 * 3_600_000 }),
      await node('young', { clock: () => now - 48 * 3_600_000 + 1 }),
    ];
    for (const [index, spool] of nodes.entries()) await spool.append(entry(many(30, `${index}-`)));
    const t = tablesOf('hits');
    const client = new pg.Client({ connectionString: url, pipeline: true });
    await client.connect();
    const deltas: CounterDelta[] = [];
    const tx = {
      query: ({ text }: { text: string }, values: readonly unknown[] = []) => client.query(text, [...values]),
      count: (counted: readonly CounterDelta[]) => void deltas.push(...counted),
    } as Transaction;
    await client.query(
      `INSERT INTO spool_hits_seen VALUES ('${'0'.repeat(32)}', 0), ('${'f'.repeat(32)}', 0)`,
    );
    const { rows } = await client.query<{ key: string }>('SELECT key FROM spool_hits_seen');
    // The slices without a key would take long and find nothing.
    const slices = new Set(
      rows.map(({ key }) => Math.floor((parseInt(key.slice(0, 4), 16) / 0x10000) * SLICES)),
    );
    for (const slice of slices) await tidy(tx, t, { slice, now, memoryMs: 48 * 3_600_000 });
    await client.end();
    expect((await query('SELECT count(*)::int AS n FROM spool_hits_seen')).rows).toEqual([{ n: 30 }]);
    expect(sum(deltas.filter(([name]) => name === 'keys').map(([, delta]) => delta))).toBe(-32);
  });

  it('count what they hold: an emptied spool is as small as it was', async () => {
    const spool = await node('a');
    const before = spool.stats().bytes;
    await spool.append(entry(many(2_000)));
    const upload = spool.openUpload('edge_logpush');
    await upload.stage(many(1_000));
    await upload.abort();
    expect(spool.stats().bytes).toBeGreaterThan(before);
    await shipAll(spool, new RecordingSink());
    expect(spool.stats().bytes).toBe(before);
  });
});
