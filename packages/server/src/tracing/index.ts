/** Traces to an OpenTelemetry collector. Its libraries are read when this is called, and by nothing else. */
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

export async function startTracing(options: TracingOptions): Promise<Tracing> {
  // `.env` may hold some of them, and the libraries know the process's own alone.
  for (const [name, value] of Object.entries(options.variables)) process.env[name] ??= value;
  const { openTracing } = await import('./open.ts');
  return openTracing(options);
}
