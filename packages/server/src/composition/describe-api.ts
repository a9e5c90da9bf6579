/** The OpenAPI document of the management API without a service: no store is opened, no port taken. */
import type { Config } from '../config.ts';
import { type ApplicationOptions, createApplication, type ServedFiles } from './application.ts';
import type { Rooms } from './rooms.ts';
import type { Stores } from './stores.ts';

/** Every role is on, so that every route is there. @returns what `GET /api/v1/openapi.json` answers */
export async function describeApi(): Promise<unknown> {
  const app = createApplication(
    standIn<Config>(),
    standIn<Stores>(),
    standIn<Rooms>(),
    standIn<ServedFiles>(),
    standIn<ApplicationOptions>({ version: '0.0.0' }),
  );
  return (await app.request('/api/v1/openapi.json')).json();
}

/**
 * Stands for the services that routes are made with. They keep it for requests, of which none comes: every member of it, and what a call of it
 * returns, is another of its kind.
 */
function standIn<T extends object>(known: Partial<T> = {}): T {
  return new Proxy(() => undefined, {
    get(_, name) {
      if (Object.hasOwn(known, name)) return known[name as keyof T];
      // It is no promise, and can't be turned into text.
      return name === 'then' || typeof name === 'symbol' ? undefined : standIn();
    },
    apply: () => standIn(),
  }) as unknown as T;
}
