/** The SDK, put together: sampler → spans → a bounded queue → OTLP over HTTP. It patches no module and sets nothing global. */
import type { Attributes } from '@opentelemetry/api';
import { getNumberFromEnv } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { within } from '../common/index.ts';
import { watched } from './exporter.ts';
import type { Tracing, TracingOptions } from './ports.ts';
import { createTracer } from './tracer.ts';

/** Spans that wait for the collector; more are dropped. Some 2 KiB each. */
const QUEUE = 2_048;
/** Of one span: what we set ourselves is far below it. */
const LIMITS = { attributeCountLimit: 32, attributeValueLengthLimit: 512, eventCountLimit: 8 } as const;

export function openTracing({ sampler, ratio, fromCallers, version, nodeId, log }: TracingOptions): Tracing {
  const provider = new TracerProvider({
    resource: resourceOf({
      'service.name': 'ghostlight',
      'service.version': version,
      'service.instance.id': nodeId,
    }),
    sampler: samplerOf(sampler, ratio),
    spanLimits: LIMITS,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: watched(new OTLPTraceExporter(), log),
        maxQueueSize: Math.min(QUEUE * 16, getNumberFromEnv('OTEL_BSP_MAX_QUEUE_SIZE') ?? QUEUE),
        ...given('maxExportBatchSize', 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
        ...given('scheduledDelayMillis', 'OTEL_BSP_SCHEDULE_DELAY'),
        ...given('exportTimeoutMillis', 'OTEL_BSP_EXPORT_TIMEOUT'),
      }),
    ],
  });
  return {
    tracer: createTracer(provider.getTracer('ghostlight', version), { fromCallers }),
    stop: (withinMs) => within(withinMs, provider.shutdown()).catch(() => undefined),
  };
}

/** What OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES say comes first. */
function resourceOf(ours: Attributes) {
  const theirs = detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] });
  return defaultResource().merge(resourceFromAttributes(ours)).merge(theirs);
}

function samplerOf(name: string, ratio: number): Sampler {
  const [, parentBased, kind] = /^(parentbased_)?(.+)$/.exec(name) ?? [];
  const root =
    kind === 'always_off'
      ? new AlwaysOffSampler()
      : kind === 'traceidratio'
        ? new TraceIdRatioBasedSampler(ratio)
        : new AlwaysOnSampler();
  return parentBased === undefined ? root : new ParentBasedSampler({ root });
}

function given<Name extends string>(name: Name, variable: string): { [K in Name]?: number } {
  const value = getNumberFromEnv(variable);
  return (value === undefined || value <= 0 ? {} : { [name]: value }) as { [K in Name]?: number };
}
