/** What tracing is started with, and what it gives. */
import type { Log, Tracer } from '../common/index.ts';

export interface TracingOptions {
  readonly sampler: string;
  readonly ratio: number;
  readonly fromCallers: boolean;
  readonly variables: Readonly<Record<string, string>>;
  readonly version: string;
  /** Of this node, the same after a restart. */
  readonly nodeId: string;
  readonly log: Log;
}

export interface Tracing {
  readonly tracer: Tracer;
  /** Sends what is waiting, for at most that long. Never throws. */
  stop(withinMs: number): Promise<void>;
}
