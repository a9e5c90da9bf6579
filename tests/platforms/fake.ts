/**
 * What a fake platform is: a pure function of requests with a ledger of what it accepted. `server.ts` puts it on a port and adds what goes wrong in
 * networks. Each is written from the platform's documentation alone and knows nothing of the code that sends to it.
 */

export type Json = Record<string, unknown>;

/** A request as it arrived. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** undefined: it is no JSON. */
  readonly json: unknown;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is, everything else as JSON; absent: no body. */
  readonly body?: unknown;
}

/** One event that was taken. */
export interface Taken {
  /** What the platform knows it by. */
  readonly key: string;
  readonly at: number;
  readonly event: Json;
}

/** What became of every event. Tests read it, and poison keys in it. */
export class Ledger {
  /** One for each key and window. */
  readonly accepted: Taken[] = [];
  /** Repetitions that changed nothing. */
  readonly absorbed: Taken[] = [];
  /** Repetitions that replaced the value of an accepted event. */
  readonly restated: Taken[] = [];
  /** Marked as tests, or to be validated alone. */
  readonly tests: Taken[] = [];
  /** Why something was refused, a sentence each; a sender that knows the documentation leaves it empty. */
  readonly refusals: string[] = [];
  /** Keys that are refused, whatever their events look like. */
  readonly poisoned = new Set<string>();
  readonly #newest = new Map<string, number>();

  /** @param windowMs how long a key is remembered; null: for ever. 0: not at all, every event counts */
  take(key: string, event: Json, at: number, windowMs: number | null): 'accepted' | 'absorbed' {
    const before = this.#newest.get(key);
    const known = before !== undefined && (windowMs === null || at - before < windowMs);
    (known ? this.absorbed : this.accepted).push({ key, at, event });
    if (!known) this.#newest.set(key, at);
    return known ? 'absorbed' : 'accepted';
  }

  /** @returns the keys of what was accepted, sorted */
  keys(): string[] {
    return this.accepted.map(({ key }) => key).sort();
  }

  refuse(reason: string): string {
    this.refusals.push(reason);
    return reason;
  }
}

export interface Fake {
  readonly name: string;
  /** The hosts that it stands for. */
  readonly hosts: readonly string[];
  readonly ledger: Ledger;
  /** What callers have to know; changing one revokes the old. */
  readonly secrets: Record<string, string>;
  answer(call: Call): Reply;
  /** An error in the platform's own form. */
  error(status: number, message: string): Reply;
}

export interface FakeOptions {
  readonly now?: () => number;
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const bearer = (call: Call): string | null =>
  /^Bearer (\S+)$/.exec(call.headers['authorization'] ?? '')?.[1] ?? null;
