/** The public calls: kept until the tracker has started, and guarded, so that nothing that fails in here reaches the page. */
import type { Ghostlight } from './api.ts';
import { attempt } from './attempt.ts';
import { createTracker } from './tracker.ts';
import { VERSION } from './version.ts';

/** Most calls that are kept. */
const MAX_HELD = 50;

export interface Client extends Ghostlight {
  readonly version: string;
}

/**
 * Touches nothing of the browser before `init`: a server that renders pages may import and call it.
 * @param page what becomes the client: the object that the page holds already
 */
export function createClient(page: object): Client {
  const held: (() => void)[] = [];
  let isStarted = false;
  let announce: (client: Ghostlight) => void;
  const readiness = new Promise<Ghostlight>((resolve) => {
    announce = resolve;
  });
  const tracker = createTracker(() => {
    isStarted = true;
    for (const call of held) call();
    announce(client);
  });

  const client = Object.assign(page, {
    version: VERSION,
    ready(callback?: (ghostlight: Ghostlight) => void) {
      readiness.then((ready) => attempt(() => callback?.(ready)));
      return readiness;
    },
  }) as Client;

  for (const [name, method] of Object.entries(tracker)) {
    const call = (...args: unknown[]): unknown =>
      attempt(() => {
        if (isStarted || /^(init|get)/.test(name)) return method(...args);
        // On a server a call would be kept for ever, and with it what it says of a visitor.
        if (globalThis.document && held.length < MAX_HELD) held.push(() => call(...args));
      });
    (client as unknown as Record<string, unknown>)[name] = call;
  }
  return client;
}
