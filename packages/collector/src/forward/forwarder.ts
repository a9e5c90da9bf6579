/** Posts hits to the service. Fire and forget: the visit has been answered, so nothing waits for the post. */
import type { Forwarding } from '../settings/index.ts';
import { adviceFor } from './advice.ts';
import type { LogObject } from './log-object.ts';

export interface Forwarder {
  /** One post, and one more after a transient failure. Never rejects; within 15 s, because the platform ends background work after 30. */
  forward(hit: LogObject, to: Forwarding): Promise<void>;
}

export interface ForwarderDeps {
  readonly fetch: typeof fetch;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** In [0, 1). */
  readonly random: () => number;
  readonly log: (sentence: string) => void;
}

const POST_LIMIT_MS = 5_000;
const RETRY_AFTER_MIN_S = 2;
const RETRY_AFTER_MAX_S = 5;
/** What a restart or a full spool looks like from outside; everything else would fail again. */
const TRANSIENT: ReadonlySet<number> = new Set([502, 503]);

interface Outcome {
  /** null: no answer. */
  readonly status: number | null;
  readonly retryAfter: string | null;
}

export function createForwarder(deps: ForwarderDeps): Forwarder {
  return {
    async forward(hit, to) {
      const body = JSON.stringify([hit]);
      let outcome = await post(deps.fetch, body, to);
      if (outcome.status === null || TRANSIENT.has(outcome.status)) {
        await deps.sleep(pauseBefore(outcome.retryAfter, deps.random));
        // The same body: hits that share a ray_id are one, so a post that did arrive is not counted twice.
        outcome = await post(deps.fetch, body, to);
      }
      const advice = adviceFor(outcome.status);
      if (advice !== null) deps.log(advice);
    },
  };
}

async function post(send: typeof fetch, body: string, to: Forwarding): Promise<Outcome> {
  try {
    const response = await send(to.ingestUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': to.apiKey },
      body,
      // Never followed: the key would go wherever the answer says.
      redirect: 'manual',
      signal: AbortSignal.timeout(POST_LIMIT_MS),
    });
    // A body left unread holds one of the six connections that a request may have.
    await response.body?.cancel();
    return { status: response.status, retryAfter: response.headers.get('Retry-After') };
  } catch {
    return { status: null, retryAfter: null };
  }
}

/** Spread over three seconds, so that not all collectors return to a recovering service at once; its own Retry-After counts within that range. */
function pauseBefore(retryAfter: string | null, random: () => number): number {
  const wish = retryAfter === null ? Number.NaN : Number(retryAfter);
  if (wish >= RETRY_AFTER_MIN_S && wish <= RETRY_AFTER_MAX_S) return wish * 1_000;
  return (RETRY_AFTER_MIN_S + random() * (RETRY_AFTER_MAX_S - RETRY_AFTER_MIN_S)) * 1_000;
}
