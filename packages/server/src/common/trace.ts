/**
 * Traces, in the words that rooms need. Without a collector nothing of this does anything: `untraced` runs the work, and there is no span to
 * be part of. `tracing/` makes the real ones.
 */
import { currentRequest, inRequest } from './request-context.ts';
import type { Span, SpanAttributes, SpanWork } from './span.ts';

/** What a caller sends to say which trace its request belongs to (W3C Trace Context). */
export interface TraceHeaders {
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
}

export interface Tracer {
  /** @param caller null: a trace of its own */
  begin(work: SpanWork, caller: TraceHeaders | null): Span;
}

/** Runs work and records how long it took: as a part of what is traced at the moment, or as a trace of its own. */
export type Trace = <Result>(work: SpanWork, run: () => Promise<Result>) => Promise<Result>;

export const untraced: Trace = (_, run) => run();

/** @param tracer null: nothing is traced */
export function traceWith(tracer: Tracer | null): Trace {
  if (tracer === null) return untraced;
  return (work, run) => inSpan(currentRequest()?.span?.begin(work) ?? tracer.begin(work, null), run);
}

/** Records the work where something is traced at the moment, and runs it in any case. */
export const asPart: Trace = (work, run) => {
  const span = currentRequest()?.span;
  return span === undefined ? run() : inSpan(span.begin(work), run);
};

/** Says more about what is traced at the moment. @param attributes called only where something is */
export function annotate(attributes: () => SpanAttributes): void {
  const span = currentRequest()?.span;
  if (span !== undefined) span.set(attributes());
}

async function inSpan<Result>(span: Span, run: () => Promise<Result>): Promise<Result> {
  try {
    return await inRequest({ ...currentRequest(), span }, run);
  } catch (error) {
    span.fail(kindOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** A message may hold what was asked for; a code or a class does not. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'thrown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}
