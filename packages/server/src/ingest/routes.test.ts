import { expect, it } from 'vitest';
import { ingestRoutes } from './routes.ts';

it('mounts both endpoints at the paths that collectors and log push jobs are configured with', () => {
  const edgeWorker = () => undefined;
  const edgeLogpush = () => undefined;
  expect([...ingestRoutes({ edgeWorker, edgeLogpush })]).toEqual([
    ['/v1/logs/edge_worker', edgeWorker],
    ['/v1/logs/edge_logpush', edgeLogpush],
  ]);
});
