/** Every log source, in the order in which they are offered. A new one is a folder and a line here. */
import { custom } from './custom/index.ts';
import { edgeLogpush } from './edge_logpush/index.ts';
import { edgeWorker } from './edge_worker/index.ts';
import type { LogSource } from './source.ts';

export const SOURCES: readonly LogSource[] = [edgeWorker, edgeLogpush, custom];
