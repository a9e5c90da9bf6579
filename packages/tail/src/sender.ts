/** Posts batches until they are taken. The answer decides whether a batch is sent again, and each refusal says what to do. */
import { HOUR_MS, MINUTE_MS } from '@ghostlight/core/time';
import type { ServiceReport } from './counters.ts';
import { Fault, messageOf } from './faults.ts';
import { type HttpAnswer, send } from './http.ts';
import type { KeySource } from './key.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 5 * MINUTE_MS;
/** A service that asks for more is asked again after this. */
const LONGEST_RETRY_AFTER_MS = HOUR_MS;
/** A refusal that a person must end is repeated in the log after so long. */
const REMIND_MS = 15 * MINUTE_MS;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** The command is to end: what is not taken yet is sent after the next start. */
export class Stopped extends Error {
  override name = 'Stopped';
}

/** The batch is larger than the service takes. */
export class TooLarge extends Error {
  override name = 'TooLarge';
}

export interface SenderParts {
  readonly url: string;
  readonly key: KeySource;
  /** Whether refusals are waited out as outages are: a person may end them while the command runs. */
  readonly isPatient: boolean;
  /** How long an outage is waited out; milliseconds. */
  readonly patienceMs: number;
  /** Tells the person. */
  readonly say: (sentence: string) => void;
  readonly stop: AbortSignal;
  readonly now: () => number;
  /** Resolves early when the command is to end. */
  readonly sleep: (ms: number, stop: AbortSignal) => Promise<void>;
  /** 0 to 1. */
  readonly random: () => number;
}

/** Why a batch was not taken. */
interface Trouble {
  readonly sentence: string;
  /** Waiting alone does not end it. */
  readonly isRefusal: boolean;
  readonly retryAfterMs: number | null;
}

export class Sender {
  readonly #parts: SenderParts;
  readonly #grace: AbortSignal;
  #toldAt = Number.NEGATIVE_INFINITY;
  #told = '';

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#grace = graceAfter(parts.stop);
  }

  /**
   * @param body gzip
   * @throws Stopped, TooLarge; Fault where it is refused or the service is down for too long
   */
  async post(body: Buffer): Promise<ServiceReport> {
    const { isPatient, patienceMs, stop, now, sleep, random } = this.#parts;
    const began = now();
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#try(body);
      if ('kept' in outcome) {
        if (this.#told !== '') this.#parts.say('The service takes visits again.');
        this.#told = '';
        return outcome;
      }
      if (stop.aborted) throw new Stopped();
      if (outcome.isRefusal ? !isPatient : now() - began > patienceMs) throw new Fault(outcome.sentence);
      const backOff = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt, 20));
      // Many that wait for one service must not come back at the same moment.
      const wait = Math.max(backOff * (0.5 + random()), outcome.retryAfterMs ?? 0);
      this.#tell(outcome, wait);
      await sleep(wait, stop);
      if (stop.aborted) throw new Stopped();
    }
  }

  async #try(body: Buffer): Promise<ServiceReport | Trouble> {
    const { url, key } = this.#parts;
    let word: string;
    try {
      word = key.read();
    } catch (error) {
      return { sentence: messageOf(error), isRefusal: true, retryAfterMs: null };
    }
    const headers = {
      'X-API-Key': word,
      'Content-Type': 'application/x-ndjson',
      'Content-Encoding': 'gzip',
      'Content-Length': body.length,
    };
    try {
      const answer = await send(url, 'POST', headers, body, MAX_ANSWER_BYTES, this.#grace);
      const report = isSuccess(answer.status) ? reportOf(answer.body) : null;
      if (report !== null) return report;
      if (answer.status === 413) throw new TooLarge();
      return troubleOf(answer, key.where, this.#parts.now());
    } catch (error) {
      if (error instanceof TooLarge) throw error;
      const { code } = error as NodeJS.ErrnoException;
      const why = code === undefined ? messageOf(error) : `${code}`;
      return { sentence: `The service can't be reached (${why}).`, isRefusal: false, retryAfterMs: null };
    }
  }

  /** Once, and again after a while: not at every attempt. */
  #tell({ sentence, isRefusal }: Trouble, waitMs: number): void {
    const now = this.#parts.now();
    if (sentence === this.#told && now - this.#toldAt < REMIND_MS) return;
    this.#told = sentence;
    this.#toldAt = now;
    const kept = isRefusal ? ' Nothing is lost: lines wait in the log, and the position stays.' : '';
    this.#parts.say(`${sentence}${kept} Next attempt in ${Math.max(1, Math.round(waitMs / 1000))} s.`);
  }
}

/** A batch on its way may end while the command does. */
const GRACE_MS = 8_000;

function graceAfter(stop: AbortSignal): AbortSignal {
  const grace = new AbortController();
  const begin = (): void => {
    setTimeout(() => grace.abort(), GRACE_MS).unref();
  };
  if (stop.aborted) begin();
  else stop.addEventListener('abort', begin, { once: true });
  return grace.signal;
}

function troubleOf(answer: HttpAnswer, keyPlace: string, now: number): Trouble {
  const { status } = answer;
  const retryAfterMs = retryAfterOf(answer.headers['retry-after'], now);
  if (status === 429 || status === 408 || status >= 500)
    return { sentence: `The service is busy or out of order (${status}).`, isRefusal: false, retryAfterMs };
  return {
    sentence: `${refusalOf(status, keyPlace)}${detailOf(answer.body)}`,
    isRefusal: true,
    retryAfterMs,
  };
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

function refusalOf(status: number, keyPlace: string): string {
  if (status === 401) return `The service refuses the key (401). Put a valid ingest key into ${keyPlace}.`;
  if (status === 403) return `The key may not be used for this (403).`;
  if (status === 404 || status === 405)
    return `No service takes logs at this address (${status}). Check --to: it is the address of Ghostlight, without a path.`;
  if (isSuccess(status))
    return `No service takes logs at this address (${status}, but no report). Check --to: it is the address of Ghostlight, without a path.`;
  if (status >= 300 && status < 400)
    return `The address answers with a redirect (${status}). State the address that it leads to: --to.`;
  return `The service refuses the batch (${status}).`;
}

/** What a problem document says. */
function detailOf(body: string): string {
  try {
    const { detail } = JSON.parse(body) as { detail?: unknown };
    return typeof detail === 'string' ? ` It says: ${detail.slice(0, 300)}` : '';
  } catch {
    return '';
  }
}

/** Seconds, or a date. @returns milliseconds */
export function retryAfterOf(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), LONGEST_RETRY_AFTER_MS);
}

/** The service answers each batch with it. @returns null: something else answers, and nothing was taken */
function reportOf(body: string): ServiceReport | null {
  try {
    const told = (JSON.parse(body) ?? {}) as Record<string, unknown>;
    if (typeof told['kept'] !== 'number') return null;
    const figure = (name: string): number => (typeof told[name] === 'number' ? told[name] : 0);
    return {
      kept: told['kept'],
      dropped: figure('dropped'),
      duplicate: figure('duplicate'),
      rejected: figure('rejected'),
      reasons: reasonsOf(told),
    };
  } catch {
    return null;
  }
}

/** All of them where the service adds them up, else those of the first errors. */
function reasonsOf({ reasons, errors }: Record<string, unknown>): Map<string, number> {
  if (typeof reasons === 'object' && reasons !== null)
    return new Map(
      Object.entries(reasons).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    );
  const counted = new Map<string, number>();
  for (const error of Array.isArray(errors) ? (errors as { reason?: unknown }[]) : [])
    if (typeof error?.reason === 'string') counted.set(error.reason, (counted.get(error.reason) ?? 0) + 1);
  return counted;
}
