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

export class ArrayReading {
  readonly #source: ArraySource;
  readonly #key: IngestKey;
  readonly #elements: readonly unknown[];
  readonly #decoded: readonly Decoded[];

  /** @param now epoch milliseconds @throws ServiceError `malformed_body` */
  constructor(source: ArraySource, text: string, key: IngestKey, now: number) {
    this.#source = source;
    this.#key = key;
    this.#elements = parseElements(text);
    this.#decoded = this.#elements.map((element) => source.decode(element, now));
  }

  /** Every attribution id that counts for an element, the key's default among them. */
  get ids(): ReadonlySet<string> {
    const ids = new Set<string>();
    for (const item of this.#decoded) {
      if (isRejection(item) || isPassed(item)) continue;
      const id = item.hit.attributionId ?? this.#key.attributionId;
      if (id !== null) ids.add(id);
    }
    return ids;
  }

  judged(context: IngestContext): ArrayRead {
    const { organizationId } = this.#key;
    const endpoint = this.#source.about.name;
    const counters = new Counters({ endpoint, organizationId, at: context.receivedAt });
    const rows: SpoolRow[] = [];
    for (const [index, item] of this.#decoded.entries()) {
      const received = (): string => textOf(this.#elements[index]);
      if (isRejection(item)) {
        counters.reject(item, null, received);
        continue;
      }
      if (isPassed(item)) {
        counters.drop(item.drop, 1);
        continue;
      }
      const outcome = runPipeline(item, context);
      const row = counters.count(outcome, this.#ownId(item.hit.attributionId, context), received);
      if (row !== null) rows.push(row);
      else if (outcome.kind === 'dropped') counters.sampleDropped(item.hit.userAgent);
    }
    return { tally: counters.tally, rows };
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
