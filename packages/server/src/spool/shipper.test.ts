/** The shipper when the claim on its batches can't be kept. The rest of it is tested through the spool. */
import { expect, it, vi } from 'vitest';
import type { OutgoingStore } from './port.ts';
import { startShipper } from './shipper.ts';
import { RecordingSink, silent } from './testing.ts';

it('a node that can’t renew its lease claims and ships nothing, says so, and waits longer each time', async () => {
  let claims = 0;
  let renews = false;
  const batch = { id: 'b', month: '202611', rows: 1, attempt: 1, body: Buffer.from('{"n":1}\n') };
  const store = {
    shared: true,
    holds: () => renews,
    takeBatch: async () => (claims++ === 0 ? { batch, doubtful: false } : null),
    finishBatch: async () => undefined,
    checkpoint: async () => undefined,
  } as unknown as OutgoingStore;
  const sink = new RecordingSink();
  const backoffMs = { first: 1, longest: 4 };
  const shipper = startShipper({
    ...{ store, sink, clock: Date.now, log: silent, backoffMs, gatherMs: 1 },
    onRows: () => () => undefined,
  });
  await vi.waitFor(() => expect(shipper.state().failures).toBeGreaterThan(2));
  expect(shipper.state().lastError).toBe('the lease could not be renewed');
  expect([claims, sink.inserts]).toEqual([0, 0]);
  renews = true;
  await vi.waitFor(() => expect(sink.inserts).toBe(1));
  await shipper.stop();
});
