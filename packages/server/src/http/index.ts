/** HTTP: the listener and the application that the composition root puts the rooms into. No room comes in here. */
export { addAlertMetrics } from './alert-metrics.ts';
export { type AppOptions, createApp } from './app.ts';
export { clientAddress, requestHost } from './client-address.ts';
export { addEventMetrics } from './event-metrics.ts';
export { addForwardingMetrics, addShopMetrics, addWebhookMetrics } from './forwarding-metrics.ts';
export { createHostGate, type HostGate } from './host-gate.ts';
export { createIdempotency, type Idempotency } from './idempotency.ts';
export { intakeOf } from './intake.ts';
export { createMetrics } from './metrics.ts';
export { admitToMetricsPort } from './metrics-access.ts';
export { operationsRoutes } from './operations.ts';
export { problemResponseFor } from './problem.ts';
export { type HttpServer, startHttpServer } from './server.ts';
export { addDamageMetrics } from './spool-damage.ts';
export { loadStaticFiles } from './static.ts';
export { traceBatches } from './trace-batches.ts';
export { noteUnknownPath } from './unknown-path.ts';
export { createUntrustedProxy, type UntrustedProxy } from './untrusted-proxy.ts';
