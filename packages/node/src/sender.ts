/** Posts one batch, and says what came of it in words. */
import type { Answered } from './api.ts';
import { VERSION } from './version.ts';

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_DETAIL = 300;

/** `retry`: waiting ends it. `refused`: a person must end it. `useless`: the same batch fails for ever. `too_large`: half of it may not. */
export type Posted =
  | { readonly outcome: 'taken'; readonly report: Answered }
  | {
      readonly outcome: 'retry' | 'refused' | 'useless' | 'too_large';
      readonly problem: string;
      readonly retryAfterMs: number;
    };

export interface SenderDeps {
  readonly fetch: typeof fetch;
  readonly url: string;
  readonly key: string;
  readonly now: () => number;
}

/** Never rejects. @param body NDJSON */
export async function post({ fetch, url, key, now }: SenderDeps, body: string): Promise<Posted> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-ndjson',
        'X-API-Key': key,
        'User-Agent': `ghostlight-node/${VERSION}`,
      },
      body,
      // Never followed: the key would go wherever the answer says.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const told = await readJson(response);
    const report = response.ok ? reportOf(told) : null;
    if (report !== null) return { outcome: 'taken', report };
    const retryAfterMs = retryAfter(response.headers.get('Retry-After'), now());
    return { ...refusalOf(response.status, told), retryAfterMs };
  } catch {
    return { outcome: 'retry', problem: `The service can't be reached at ${url}.`, retryAfterMs: 0 };
  }
}

/** Of a longer body nothing. */
async function readJson(response: Response): Promise<unknown> {
  if (Number(response.headers.get('Content-Length') ?? 0) > MAX_ANSWER_BYTES) {
    await response.body?.cancel();
    return null;
  }
  const text = await response.text();
  try {
    return text.length > MAX_ANSWER_BYTES ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** The service answers each batch with it. @returns null: something else answers, and nothing was taken */
function reportOf(told: unknown): Answered | null {
  const { kept, duplicate, dropped, rejected } = (told ?? {}) as Record<string, unknown>;
  if (typeof kept !== 'number') return null;
  const figure = (value: unknown): number => (typeof value === 'number' ? value : 0);
  return { kept, duplicate: figure(duplicate), dropped: figure(dropped), rejected: figure(rejected) };
}

function refusalOf(
  status: number,
  told: unknown,
): { outcome: 'retry' | 'refused' | 'useless' | 'too_large'; problem: string } {
  const detail = detailOf(told);
  if (status === 401) {
    const problem = `The service refuses the key (401): it is wrong, expired or revoked. Issue an ingest key and restart with it.${detail}`;
    return { outcome: 'refused', problem };
  }
  if (status === 413) return { outcome: 'too_large', problem: 'The batch is too large (413).' };
  if (status === 400 || status === 422)
    return { outcome: 'useless', problem: `The service can't use a batch (${status}).${detail}` };
  if (status === 408 || status === 429 || status >= 500)
    return { outcome: 'retry', problem: `The service is busy or out of order (${status}).` };
  if (status === 404 || status === 405)
    return {
      outcome: 'refused',
      problem: `No service takes visits at url (${status}). Copy it from the setup page.`,
    };
  if (status >= 200 && status < 300)
    return {
      outcome: 'refused',
      problem: `No service takes visits at url (${status}, but no report). Copy it from the setup page.`,
    };
  if (status >= 300 && status < 400)
    return {
      outcome: 'refused',
      problem: `url redirects (${status}). Set it to the address that it leads to.`,
    };
  return { outcome: 'refused', problem: `The service refuses visits (${status}).${detail}` };
}

function detailOf(told: unknown): string {
  const detail = (told as { detail?: unknown } | null)?.detail;
  return typeof detail === 'string' ? ` It says: ${detail.slice(0, MAX_DETAIL)}` : '';
}

const LONGEST_MS = 3_600_000;

/** Seconds, or a date. @returns milliseconds */
function retryAfter(value: string | null, now: number): number {
  if (value === null) return 0;
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(0, ms), LONGEST_MS);
}
