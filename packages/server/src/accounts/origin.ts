/** Keeps other sites from making a signed-in browser change things (cross-site request forgery). */
import { ServiceError } from '../common/index.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A browser says where a request comes from (`Origin`) and can't be made to lie. What changes something must come from one of our own
 * origins or from the host that was called, and be JSON, which a form of another site can't send. DELETE carries no body and is never
 * sent across sites without being asked for first.
 * @param originRequired false where no cookie is used yet: a command line signs in without an Origin
 * @throws ServiceError `forbidden`
 */
export function assertSameOrigin(
  request: Request,
  origins: readonly string[],
  { originRequired = true }: { originRequired?: boolean } = {},
): void {
  if (SAFE_METHODS.has(request.method)) return;
  const origin = request.headers.get('origin');
  const missing = origin === null && !originRequired;
  if (!missing && !isOwn(origin, request.headers.get('host'), origins)) {
    throw new ServiceError(
      'forbidden',
      'This change does not come from the dashboard (Origin); call the API with a bearer token, or set APP_BASE_URL to the address you use.',
    );
  }
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json' && (request.method !== 'DELETE' || type !== undefined)) {
    throw new ServiceError('forbidden', 'With a session cookie, send Content-Type: application/json.');
  }
}

function isOwn(origin: string | null, host: string | null, origins: readonly string[]): boolean {
  if (origin === null || !URL.canParse(origin)) return false;
  const url = new URL(origin);
  return origins.includes(url.origin) || (host !== null && url.host === host.toLowerCase());
}
