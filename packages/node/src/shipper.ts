/** Collects lines into batches and sends them: 100 visits, or what there is after 10 s. What waits has a bound; what is lost is counted. */

import { COUNTED_KINDS, type CountedTime, MAX_COUNTED } from '@ghostlight/core';
import type { Answered, DebugEvent } from './api.ts';
import { Others } from './others.ts';
import { type Posted, post, type SenderDeps } from './sender.ts';

const MAX_VISITS = 100;
const MAX_BATCH_CHARACTERS = 512 * 1024;
const MAX_WAITING_CHARACTERS = 16 * 1024 * 1024;
const BATCH_MS = 10_000;
/** Numbers alone are in no hurry. */
const NUMBERS_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const FIRST_PAUSE_REFUSED_MS = 30_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

export interface ShipperDeps extends SenderDeps {
  readonly maxQueue: number;
  /** 0 ≤ n < 1 */
  readonly random: () => number;
  readonly say: (sentence: string) => void;
  readonly debug: (event: DebugEvent) => void;
  /** Calls back once; its timer keeps no process alive. @returns what takes it back */
  readonly later: (ms: number, work: () => void) => () => void;
}

/** Sent until it is taken, always the same bytes: the service knows by them what it has. */
interface Batch {
  readonly lines: readonly string[];
  readonly numbers: readonly CountedTime[];
}

export class Shipper {
  readonly #deps: ShipperDeps;
  readonly #others = new Others();
  #lines: string[] = [];
  #characters = 0;
  #batch: Batch | null = null;
  #shipping: Promise<boolean> | null = null;
  #tried: PromiseWithResolvers<void> | null = null;
  #cancel: (() => void) | null = null;
  #dueAt = Number.POSITIVE_INFINITY;
  #failures = 0;
  #backOff = 0;
  problem: string | null = null;
  sent = 0;
  lost = 0;
  lostOthers = 0;
  readonly answered: Answered = { kept: 0, duplicate: 0, dropped: 0, rejected: 0 };

  constructor(deps: ShipperDeps) {
    this.#deps = deps;
  }

  get waiting(): number {
    return this.#lines.length + (this.#batch?.lines.length ?? 0);
  }

  /** Nothing is to be sent, numbers among it. */
  get isIdle(): boolean {
    return this.waiting === 0 && this.#others.size === 0 && this.#batch === null;
  }

  add(line: string): void {
    this.#lines.push(line);
    this.#characters += line.length;
    const { maxQueue, debug } = this.#deps;
    let dropped = 0;
    while (this.#lines.length > maxQueue || this.#characters > MAX_WAITING_CHARACTERS) {
      this.#characters -= this.#lines.shift()?.length ?? 0;
      dropped += 1;
    }
    if (dropped > 0) {
      this.lost += dropped;
      debug({ type: 'dropped', visits: dropped, reason: 'queue_full' });
    }
    if (this.#failures === 0) this.#wakeIn(this.#lines.length >= MAX_VISITS ? 0 : BATCH_MS);
  }

  /** One request that is no AI visit. */
  count(...other: Parameters<Others['add']>): void {
    if (this.#others.size >= MAX_COUNTED) {
      // The service has been away for hours. Numbers that are incomplete would pass for whole ones.
      this.lostOthers += requestsOf(this.#others.take());
    }
    this.#others.add(...other);
    if (this.#failures === 0 && this.#cancel === null) this.#wakeIn(NUMBERS_MS);
  }

  /** When the batch that the newest line goes with was tried. Never rejects. */
  tried(): Promise<void> {
    if (this.waiting === 0) return Promise.resolve();
    this.#tried ??= Promise.withResolvers<void>();
    return this.#tried.promise;
  }

  /** Sends what waits, until nothing does or something fails. Never rejects. */
  async drain(): Promise<void> {
    while (this.#batch !== null || this.#lines.length > 0 || this.#others.size > 0)
      if (!(await this.#ship())) return;
  }

  /** Nothing is sent by itself any more. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#dueAt = Number.POSITIVE_INFINITY;
  }

  #wakeIn(ms: number): void {
    const dueAt = this.#deps.now() + ms;
    if (dueAt >= this.#dueAt || this.#shipping !== null) return;
    this.stop();
    this.#dueAt = dueAt;
    this.#cancel = this.#deps.later(ms, () => {
      this.stop();
      void this.#ship();
    });
  }

  /** @returns whether the batch is gone */
  #ship(): Promise<boolean> {
    this.#shipping ??= this.#shipOne().finally(() => {
      this.#shipping = null;
      if (this.#lines.length === 0 || this.#failures > 0) {
        this.#tried?.resolve();
        this.#tried = null;
      }
      this.#wakeIn(this.#pause());
    });
    return this.#shipping;
  }

  /** Until the next attempt, by what there is to send. */
  #pause(): number {
    if (this.#failures > 0) return this.#backOff;
    if (this.#batch !== null || this.#lines.length >= MAX_VISITS) return 0;
    if (this.#lines.length > 0) return BATCH_MS;
    return this.#others.size > 0 ? NUMBERS_MS : Number.POSITIVE_INFINITY;
  }

  async #shipOne(): Promise<boolean> {
    this.stop();
    this.#batch ??= this.#takeBatch();
    const { lines, numbers } = this.#batch;
    if (lines.length + numbers.length === 0) {
      this.#batch = null;
      return true;
    }
    const posted = await post(this.#deps, bodyOf(this.#batch));
    return this.#settle(posted, this.#batch);
  }

  #takeBatch(): Batch {
    let count = 0;
    let characters = 0;
    for (const { length } of this.#lines) {
      characters += length;
      if (count === MAX_VISITS || (count > 0 && characters > MAX_BATCH_CHARACTERS)) break;
      count += 1;
    }
    const lines = this.#lines.splice(0, count);
    this.#characters -= lines.reduce((sum, { length }) => sum + length, 0);
    return { lines, numbers: this.#others.take() };
  }

  #settle(posted: Posted, batch: Batch): boolean {
    const { say, debug, random } = this.#deps;
    const visits = batch.lines.length;
    if (posted.outcome === 'taken') {
      if (this.problem !== null) say('The service takes visits again.');
      this.problem = null;
      this.#failures = 0;
      this.#batch = null;
      this.sent += visits;
      // Numbers are no visits, and the service counts them as dropped.
      const dropped = Math.max(0, posted.report.dropped - batch.numbers.length);
      const answered: Answered = { ...posted.report, dropped };
      for (const name of NAMES) this.answered[name] += answered[name];
      debug({ type: 'sent', visits, ...answered });
      return true;
    }
    const { outcome, problem, retryAfterMs } = posted;
    if (problem !== this.problem) say(`${problem}${outcome === 'useless' ? '' : ' Visits wait.'}`);
    this.problem = problem;
    if (outcome === 'too_large' && visits > 1) {
      const half = Math.ceil(visits / 2);
      this.#lines.unshift(...batch.lines.slice(half));
      this.#characters += batch.lines.slice(half).reduce((sum, { length }) => sum + length, 0);
      this.#batch = { lines: batch.lines.slice(0, half), numbers: batch.numbers };
      return true;
    }
    if (outcome === 'useless' || outcome === 'too_large') {
      this.#batch = null;
      this.lost += visits;
      this.lostOthers += requestsOf(batch.numbers);
      debug({ type: 'dropped', visits, reason: 'refused' });
      return true;
    }
    const first = outcome === 'refused' ? FIRST_PAUSE_REFUSED_MS : FIRST_PAUSE_MS;
    const pause = Math.min(LONGEST_PAUSE_MS, first * 2 ** Math.min(this.#failures, 20));
    this.#failures += 1;
    // Many that wait for one service must not come back at the same moment.
    this.#backOff = Math.max(pause * (0.5 + random()), retryAfterMs);
    debug({ type: 'failed', problem, retryInMs: this.#backOff });
    return false;
  }
}

const bodyOf = ({ lines, numbers }: Batch): string =>
  `${[...lines, ...numbers.map((counted) => JSON.stringify({ counted }))].join('\n')}\n`;

const requestsOf = (numbers: readonly CountedTime[]): number =>
  numbers.reduce((sum, counted) => sum + COUNTED_KINDS.reduce((own, kind) => own + counted[kind], 0), 0);

const NAMES = ['kept', 'duplicate', 'dropped', 'rejected'] as const;
