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

it('is not asked where no other node writes', () => {
  expect(hitSink(place.warehouse).duplicates).toBeUndefined();
});
