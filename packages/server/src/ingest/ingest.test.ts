import { expect, it } from 'vitest';
import { startIngest } from './testing/harness.ts';

it('mounts both endpoints at the paths that collectors and log push jobs are configured with', async () => {
  const ingest = await startIngest();
  await ingest.close();
  expect([...ingest.endpoints.keys()]).toEqual(
    expect.arrayContaining(['/v1/logs/edge_worker', '/v1/logs/edge_logpush']),
  );
});
