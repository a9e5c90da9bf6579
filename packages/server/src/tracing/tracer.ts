/** Our port to a tracer of OpenTelemetry. Parents are passed by hand, so that no second asynchronous context runs beside ours. */
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  type Tracer as SdkTracer,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { Span, SpanWork, TraceHeaders, Tracer } from '../common/index.ts';

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;
const propagator = new W3CTraceContextPropagator();

/** @param options.fromCallers whether a trace may begin elsewhere */
export function createTracer(tracer: SdkTracer, options: { readonly fromCallers: boolean }): Tracer {
  const begin = ({ name, kind, attributes = {} }: SpanWork, parent: Context): Span => {
    const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, parent);
    return portOf(span, (work) => begin(work, trace.setSpan(ROOT_CONTEXT, span)));
  };
  return {
    begin: (work, caller) =>
      begin(work, caller === null || !options.fromCallers ? ROOT_CONTEXT : contextOf(caller)),
  };
}

function contextOf(headers: TraceHeaders): Context {
  return propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
}

function portOf(span: SdkSpan, begin: Span['begin']): Span {
  const { traceId, spanId } = span.spanContext();
  return {
    traceId,
    spanId,
    begin,
    set: (attributes) => void span.setAttributes(attributes),
    rename: (name) => void span.updateName(name),
    fail(kind) {
      span.setAttribute('error.type', kind);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    end: () => span.end(),
  };
}
