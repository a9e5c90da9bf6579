/** A tracer that records its calls. */
import type { Span, SpanWork } from './span.ts';
import type { TraceHeaders, Tracer } from './trace.ts';

export interface RecordedSpan extends Omit<SpanWork, 'name' | 'attributes'> {
  readonly attributes: Record<string, unknown>;
  readonly caller: TraceHeaders | null;
  readonly parts: RecordedSpan[];
  name: string;
  failed?: string;
  ended: boolean;
}

export function recordingTracer(): Tracer & { readonly roots: RecordedSpan[] } {
  const roots: RecordedSpan[] = [];
  const begin = (work: SpanWork, caller: TraceHeaders | null, into: RecordedSpan[]): Span => {
    const span: RecordedSpan = {
      ...work,
      attributes: { ...work.attributes },
      caller,
      parts: [],
      ended: false,
    };
    into.push(span);
    return {
      traceId: 'trace',
      spanId: `${into.length}`,
      set: (attributes) => void Object.assign(span.attributes, attributes),
      rename: (name) => {
        span.name = name;
      },
      fail: (kind) => {
        span.failed = kind;
      },
      end: () => {
        span.ended = true;
      },
      begin: (part) => begin(part, null, span.parts),
    };
  };
  return { roots, begin: (work, caller) => begin(work, caller, roots) };
}
