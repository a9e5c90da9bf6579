/** How each source's sender writes visits. A source without a sample fails `ingest/every-source.test.ts`. */
import { sample as custom } from '../custom/sample.ts';
import { sample as edgeLogpush } from '../edge_logpush/sample.ts';
import { sample as edgeWorker } from '../edge_worker/sample.ts';
import type { SourceSample } from './sample.ts';

export const SAMPLES: Readonly<Record<string, SourceSample>> = {
  edge_worker: edgeWorker,
  edge_logpush: edgeLogpush,
  custom,
};
