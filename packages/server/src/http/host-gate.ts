/** Route groups by host: a customer's tracking domain shows what their pages and shops need, and nothing else of the service. */
import type { IncomingMessage } from 'node:http';
import { requestHost, type TrustedProxies } from './client-address.ts';

export interface HostGate {
  /** Whether the path (without the query) is served at the host that was asked for. */
  serves(request: IncomingMessage, path: string): boolean;
  /** The only attribution ID that may be used at this host; null: any. */
  boundTo(request: IncomingMessage | undefined): string | null;
}

const ON_TRACKING_DOMAINS = ['/sdk.js', '/api/events'];
const PREFIX_ON_TRACKING_DOMAINS = '/webhooks/';

/** @param domainOf whose tracking domain a host is; answers without waiting */
export function createHostGate(
  domainOf: (host: string) => { readonly attributionId: string } | null,
  trust: TrustedProxies,
): HostGate {
  const domain = (request: IncomingMessage) => domainOf(requestHost(request, trust));
  return {
    serves: (request, path) =>
      ON_TRACKING_DOMAINS.includes(path) ||
      path.startsWith(PREFIX_ON_TRACKING_DOMAINS) ||
      domain(request) === null,
    boundTo: (request) => (request === undefined ? null : (domain(request)?.attributionId ?? null)),
  };
}
