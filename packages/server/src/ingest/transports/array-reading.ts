/**
 * What a body that is an array becomes: rows for the spool, and counts. It knows no connection, no spool and no thread: a small body is read by
 * the thread that took it, a larger one by a worker.
 */
import { type ArraySource, type Decoded, isPassed, isRejection } from '../../sources/index.ts';
import type { SpoolRow } from '../../spool/index.ts';
import { Counters, type Tally } from '../counters.ts';
import { type IngestContext, runPipeline } from '../pipeline.ts';
import type { IngestKey } from '../ports.ts';
import { parseElements } from './elements.ts';

/** What was read, as plain data. */
export interface ArrayRead {
  readonly tally: Tally;
  readonly rows: SpoolRow[];
}

/** Elements are decoded in groups, and each group is classified before the next is decoded, and then not held any longer. */
export class ArrayReading {
  readonly #source: ArraySource;
  readonly #key: IngestKey;
  readonly #now: number;
  /** Those that were classified are gone. */
  readonly #elements: unknown[];
  readonly #counters: Counters;
  readonly #rows: SpoolRow[] = [];
  /** Where the group begins that is decoded next, or was decoded and is not classified yet. */
  #next = 0;
  #decoded: readonly Decoded[] = [];

  /** @param now epoch milliseconds @throws ServiceError `malformed_body` */
  constructor(source: ArraySource, text: string, key: IngestKey, now: number) {
    this.#source = source;
    this.#key = key;
    this.#now = now;
    this.#elements = parseElements(text);
    const { organizationId } = key;
    this.#counters = new Counters({ endpoint: source.about.name, organizationId, at: now });
  }

  /** Whether all are classified. */
  get isDone(): boolean {
    return this.#next === this.#elements.length;
  }

  /**
   * Decodes the next elements: at most so many.
   * @returns every attribution id that counts for one of them, the key's default among them
   */
  decode(most = Number.POSITIVE_INFINITY): ReadonlySet<string> {
    const group = this.#elements.slice(this.#next, this.#next + most);
    this.#decoded = group.map((element) => this.#source.decode(element, this.#now));
    const ids = new Set<string>();
    for (const item of this.#decoded) {
      if (isRejection(item) || isPassed(item)) continue;
      const id = item.hit.attributionId ?? this.#key.attributionId;
      if (id !== null) ids.add(id);
    }
    return ids;
  }

  /** Classifies what was decoded. */
  classify(context: IngestContext): void {
    for (const item of this.#decoded) {
      this.#classify(item, this.#elements[this.#next], context);
      this.#elements[this.#next] = undefined;
      this.#next += 1;
    }
    this.#decoded = [];
  }

  result(): ArrayRead {
    return { tally: this.#counters.tally, rows: this.#rows };
  }

  #classify(item: Decoded, element: unknown, context: IngestContext): void {
    const received = (): string => textOf(element);
    const counters = this.#counters;
    if (isRejection(item)) {
      counters.reject(item, null, received);
      return;
    }
    if (isPassed(item)) {
      counters.drop(item.drop, 1);
      return;
    }
    const outcome = runPipeline(item, context);
    const row = counters.count(outcome, this.#ownId(item.hit.attributionId, context), received);
    if (row !== null) this.#rows.push(row);
    else if (outcome.kind === 'dropped') counters.sampleDropped(item.hit.userAgent);
  }

  /** The property for the setup checker: only one that is the organization's. */
  #ownId(id: string | null, { owners }: IngestContext): string | null {
    const named = id ?? this.#key.attributionId;
    return named !== null && owners.get(named) === this.#key.organizationId ? named : null;
  }
}

/** The element as text. `JSON.stringify` fails on values nested ten thousand deep, which `JSON.parse` takes. */
function textOf(element: unknown): string {
  try {
    return JSON.stringify(element) ?? '';
  } catch {
    return '[nested too deeply to show]';
  }
}
