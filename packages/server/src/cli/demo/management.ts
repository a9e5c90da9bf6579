/** Calls of the management API, inside this process. */
import type { Service } from '../../service.ts';

/** A service, whether it listens or not. */
export type Managed = Pick<Service, 'fetch' | 'adminToken'>;

/** @param path from `/api/v1` on  @returns the parsed answer  @throws when the service refuses */
export async function call(service: Managed, method: string, path: string, body?: unknown): Promise<unknown> {
  const headers = { Authorization: `Bearer ${service.adminToken}`, 'Content-Type': 'application/json' };
  return await ask(service, `/api/v1${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Any request. @throws when it is not answered with 2xx */
export async function ask(
  { fetch }: Pick<Managed, 'fetch'>,
  path: string,
  init: RequestInit,
): Promise<unknown> {
  const response = await fetch(new Request(`http://demo.internal${path}`, init));
  const text = await response.text();
  if (!response.ok) throw new Error(`${init.method ?? 'GET'} ${path} answered ${response.status}: ${text}`);
  return text === '' ? null : JSON.parse(text);
}
