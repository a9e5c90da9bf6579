import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hitSink } from './index.ts';
import {
  makeBatch,
  makeHit,
  NOON,
  newScope,
  openTestWarehouse,
  type TestWarehouse,
} from './testing/warehouse.ts';

let place: TestWarehouse;
beforeAll(async () => {
  place = await openTestWarehouse({ clock: () => NOON });
});
afterAll(() => place.close());

it('names the lines whose ray another node has stored, and no others', async () => {
  const sink = hitSink(place.warehouse, { shared: true });
  const scope = newScope();
  const seen = makeHit(scope, { id: randomUUID(), ray_id: '8f1c2d3e4a5b6c7d' });
  await sink.insert(makeBatch([seen]));
  const batch = makeBatch([
    makeHit(scope),
    { ...seen, source: 'edge_logpush' },
    makeHit(scope, { ray_id: 'aaaaaaaaaaaaaaaa' }),
    { ...seen, attribution_id: randomUUID() },
  ]);
  expect(await sink.duplicates?.(batch)).toEqual([1]);
});

it('does not take a batch for its own duplicate', async () => {
  const sink = hitSink(place.warehouse, { shared: true });
  const batch = makeBatch([makeHit(newScope(), { ray_id: 'bbbbbbbbbbbbbbbb' })]);
  await sink.insert(batch);
  expect(await sink.duplicates?.(batch)).toEqual([]);
});

it('forgets after 48 hours', async () => {
  const sink = hitSink(place.warehouse, { shared: true });
  const hit = makeHit(newScope(), { ray_id: 'cccccccccccccccc', received_at: NOON - 48 * 3_600_000 });
  await sink.insert(makeBatch([hit]));
  expect(await sink.duplicates?.(makeBatch([hit]))).toEqual([]);
});

it('asks nothing on one node', async () => {
  const seen = makeHit(newScope(), { id: randomUUID(), ray_id: 'dddddddddddddddd' });
  await hitSink(place.warehouse).insert(makeBatch([seen]));
  expect(await hitSink(place.warehouse).duplicates?.(makeBatch([seen]))).toEqual([]);
});

it('knows an imported visit as long as hits are kept, also on one node, whichever source it came by first', async () => {
  const sink = hitSink(place.warehouse);
  const scope = newScope();
  const received_at = NOON - 90 * 86_400_000;
  const past = (ray: number) =>
    makeHit(scope, {
      id: randomUUID(),
      ray_id: `import-${ray}`,
      at: received_at + ray * 60_000,
      received_at,
    });
  const followed = { ...past(1), source: 'tail' };
  const imported = { ...past(2), source: 'import' };
  await sink.insert(makeBatch([followed, imported]));
  const again = makeBatch([
    { ...past(3), source: 'import' },
    { ...imported, received_at: NOON },
    makeHit(scope),
    { ...followed, source: 'import', received_at: NOON },
    { ...followed, received_at: NOON },
  ]);
  // The last line is of a source whose redeliveries come within two days.
  expect(await sink.duplicates?.(again)).toEqual([1, 3]);
});
