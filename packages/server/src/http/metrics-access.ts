/** Who may read the metrics: this machine, a scraper with METRICS_TOKEN, and the admin token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Caller, ServiceError } from '../common/index.ts';
import { isOnThisMachine } from './client-address.ts';

/** @param token METRICS_TOKEN; null: none is set */
export function hasMetricsToken(request: Request, token: string | null): boolean {
  const given = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  return token !== null && given !== undefined && timingSafeEqual(digest(given), digest(token));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * For the public listener.
 * @param incoming undefined: asked inside this process
 * @throws ServiceError `unauthorized`, `forbidden`
 */
export async function admitScraper(
  request: Request,
  incoming: IncomingMessage | undefined,
  token: string | null,
  authenticate: () => Promise<Caller>,
): Promise<void> {
  if (incoming === undefined || isOnThisMachine(incoming) || hasMetricsToken(request, token)) return;
  if ((await authenticate()).kind !== 'root')
    throw new ServiceError('forbidden', 'Metrics are for METRICS_TOKEN, the admin token, or METRICS_PORT.');
}

/** Whether a request is the operator's: its answer may name paths. Other requests are not refused. @param incoming undefined: asked inside this process */
export async function isOperator(
  request: Request,
  incoming: IncomingMessage | undefined,
  token: string | null,
  authenticate: () => Promise<Caller>,
): Promise<boolean> {
  if (!request.headers.has('authorization') && !request.headers.has('cookie'))
    return incoming === undefined || isOnThisMachine(incoming);
  return await admitScraper(request, incoming, token, authenticate).then(
    () => true,
    () => false,
  );
}

/** For the listener at METRICS_PORT: open as long as no token is set. @throws ServiceError `unauthorized` */
export function admitToMetricsPort(request: Request, incoming: IncomingMessage, token: string | null): void {
  if (token === null || isOnThisMachine(incoming) || hasMetricsToken(request, token)) return;
  throw new ServiceError('unauthorized', 'Send METRICS_TOKEN as "Authorization: Bearer …".', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
