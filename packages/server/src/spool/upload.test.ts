/** An upload that ends while it is being staged. The rest of it is tested through the spool. */
import { expect, it } from 'vitest';
import type { UploadStore } from './port.ts';
import { row } from './testing.ts';
import { createUpload } from './upload.ts';

it('stages nothing more once it is aborted, also when it was in the midst of its rows', async () => {
  const calls: string[] = [];
  const { promise: staged, resolve } = Promise.withResolvers<void>();
  const store: UploadStore = {
    stage: async () => {
      calls.push('stage');
      await staged;
      return [];
    },
    commit: async () => 'already_taken',
    takenElsewhere: async () => undefined,
    abort: async () => void calls.push('abort'),
  };
  const upload = createUpload({
    ...{ endpoint: 'edge_logpush', id: 1, store, clock: Date.now },
    ...{ checkRoom: () => undefined, onCommitted: () => undefined },
  });
  const staging = upload.stage(Array.from({ length: 2_000 }, (_, n) => row(n)));
  await upload.abort();
  resolve();
  await expect(staging).rejects.toThrow('The upload has ended');
  expect(calls).toEqual(['stage', 'abort']);
});
