/** Two nodes' spools on one warehouse, as `CLICKHOUSE_URL` makes them; the embedded backend replaces the server, behind the same protocol. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSpool, type Spool } from '../spool/index.ts';
import { hitSink, storedCount, toRow } from '../warehouse/index.ts';
import {
  makeHit,
  newScope,
  openTestWarehouse,
  silent,
  type TestWarehouse,
} from '../warehouse/testing/warehouse.ts';

const directory = mkdtempSync(join(tmpdir(), 'ghostlight-nodes-'));
let place: TestWarehouse;
let nodes: Spool[];

beforeAll(async () => {
  place = await openTestWarehouse();
  nodes = await Promise.all(
    ['one', 'two'].map((name) =>
      openSpool({ directory: join(directory, name), maxBytes: 1e9, clock: Date.now, log: silent }),
    ),
  );
});
afterAll(async () => {
  for (const node of nodes) await node.close();
  await place.close();
  rmSync(directory, { recursive: true, force: true });
});

it('stores a visit once that reached both nodes, and both nodes account for it', async () => {
  const now = Date.now();
  const hit = makeHit(newScope(), { ray_id: '8f1c2d3e4a5b6c7d', at: now, received_at: now });
  const month = new Date(now).toISOString().slice(0, 7).replace('-', '');
  const row = { line: toRow(hit), month, dedupKey: hit.ray_id, label: hit.class };
  for (const node of nodes) {
    const receipt = await node.append({
      endpoint: 'edge_worker',
      received: 1,
      rows: [row],
      dropped: {},
      rejected: {},
      quarantine: [],
    });
    expect(receipt).toEqual({ kept: 1, duplicate: 0 });
    const shipper = node.startShipper(hitSink(place.warehouse, { shared: true }));
    expect(await shipper.drain(20_000)).toBe(true);
    await shipper.stop();
  }
  expect(await storedCount(place.warehouse)).toBe(1);
  expect(nodes.map((node) => node.stats().counters)).toMatchObject([
    { stored: 1, lateDuplicate: 0 },
    { stored: 0, lateDuplicate: 1 },
  ]);
});
