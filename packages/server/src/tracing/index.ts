/** Traces to an OpenTelemetry collector. Its libraries are read when this is called, and by nothing else. */
import type { Tracing, TracingOptions } from './ports.ts';

export async function startTracing(options: TracingOptions): Promise<Tracing> {
  // `.env` may hold some of them, and the libraries know the process's own alone.
  for (const [name, value] of Object.entries(options.variables)) process.env[name] ??= value;
  const { openTracing } = await import('./open.ts');
  return openTracing(options);
}
