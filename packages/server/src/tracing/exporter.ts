/** An exporter that says in the log when the collector stops taking traces, and when it takes them again: once each. */
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { type Log, outsideRequests } from '../common/index.ts';

export function watched(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false;
  const note = ({ code, error }: ExportResult): void => {
    const fails = code !== ExportResultCode.SUCCESS;
    if (fails === isFailing) return;
    isFailing = fails;
    if (fails)
      // Its message may name the address, which may hold a password.
      log.warn({ error: wordOf(error) }, 'the trace collector does not answer; traces are lost meanwhile');
    else log.info({}, 'the trace collector answers again');
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        // The timer of an export belongs to the request whose span was the first to wait.
        outsideRequests(() => note(result));
        done(result);
      }),
    forceFlush: async () => await exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

function wordOf(error: (Error & { code?: unknown }) | undefined): string {
  return String(error?.code ?? error?.name ?? 'unknown');
}
