/**
 * What the bytes of an upload become: rows for the spool, and counts. It knows no connection, no spool and no thread: a small upload is read by
 * the thread that took it, a larger one by a worker.
 */
import { createHash } from 'node:crypto';
import { ServiceError } from '../../common/index.ts';
import type { LinesSource, Reframing, Screens, SourceRequest } from '../../sources/index.ts';
import type { SpoolRow } from '../../spool/index.ts';
import { tooLarge } from '../body/body.ts';
import { Counters, type Tally } from '../counters.ts';
import { Others } from '../others.ts';
import type { IngestLimits } from '../ports.ts';
import { LineBlocks } from '../transports/line-blocks.ts';
import { LineReader, type UploadContext } from '../transports/line-reader.ts';

/** A longer body is never looked at as a whole: no platform's test of a destination is longer. */
const SHORT_BYTES = 1024;

export type ReadingLimits = Pick<
  IngestLimits,
  'uploadBytes' | 'lineBytes' | 'uploadLines' | 'uploadRejected' | 'uploadWorkMs'
>;

/** What was read, as plain data. */
export interface UploadRead {
  readonly tally: Tally;
  /** How many lines were objects, whatever became of them. */
  readonly objects: number;
  /** Hex SHA-256 of the decompressed body; of an envelope, of its lines. */
  readonly digest: string;
  /** The platform tried the destination: nothing counts. */
  readonly isTest: boolean;
}

export class UploadReading {
  readonly #source: LinesSource;
  readonly #limits: ReadingLimits;
  readonly #counters: Counters;
  readonly #reader: LineReader;
  readonly #blocks: LineBlocks;
  readonly #reframing: Reframing | null;
  readonly #isEnvelope: boolean;
  readonly #hash = createHash('sha256');
  readonly #head: Buffer[] = [];
  #bytes = 0;
  #isTest = false;

  /** @throws ServiceError for a request that its source can't read */
  constructor(
    source: LinesSource,
    of: SourceRequest,
    context: UploadContext,
    screens: Screens | null,
    limits: ReadingLimits,
  ) {
    const { key, ownAttributionId, lists, receivedAt } = context;
    const endpoint = source.about.name;
    const form = source.form(of);
    const counts = source.counts?.(of) ?? null;
    const searchEngines = ownAttributionId === null ? null : context.searchEnginesOf(ownAttributionId);
    this.#source = source;
    this.#limits = limits;
    this.#counters = new Counters({ endpoint, organizationId: key.organizationId, at: receivedAt });
    this.#reader = new LineReader(
      form,
      context,
      this.#counters,
      screens?.(lists, searchEngines) ?? null,
      { lineBytes: limits.lineBytes, lines: limits.uploadLines, rejected: limits.uploadRejected },
      counts === null ? null : new Others(endpoint, counts, context),
    );
    this.#blocks = new LineBlocks(this.#reader, limits.lineBytes);
    this.#reframing = form.reframe?.() ?? null;
    this.#isEnvelope = this.#reframing?.takeRejected !== undefined;
  }

  get waitingRows(): number {
    return this.#reader.waitingRows;
  }

  /** Rows made since the last call. */
  takeRows(): SpoolRow[] {
    return this.#reader.takeRows();
  }

  /**
   * Reads a decompressed chunk, in steps between which others may have their turn. The next is not begun before it is done.
   * @throws ServiceError `body_too_large`; as the source does
   */
  *read(chunk: Buffer): Generator<void> {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#limits.uploadBytes) throw tooLarge(this.#limits.uploadBytes);
    if (this.#bytes <= SHORT_BYTES) this.#head.push(Buffer.from(chunk));
    const reframing = this.#reframing;
    const lines = reframing === null ? chunk : reframing.push(chunk);
    this.#hash.update(this.#isEnvelope ? lines : chunk);
    if (reframing !== null) {
      this.#reader.passed(reframing.takePassed());
      this.#refuse();
    }
    yield* this.#blocks.push(lines);
  }

  /** The body has ended. @throws as `read` does */
  end(): void {
    this.#isTest = this.#bytes <= SHORT_BYTES && this.#source.isTest(Buffer.concat(this.#head));
    if (this.#isTest) return;
    this.#reframing?.end?.();
    this.#refuse();
    this.#blocks.end();
    this.#reader.end();
  }

  result(): UploadRead {
    return {
      tally: this.#counters.tally,
      objects: this.#reader.objects,
      digest: this.#hash.digest('hex'),
      isTest: this.#isTest,
    };
  }

  #refuse(): void {
    if (this.#isEnvelope) this.#reader.refused(this.#reframing?.takeRejected?.() ?? []);
  }
}

export function tooMuchWork(): ServiceError {
  return new ServiceError('body_too_large', 'Reading this upload takes too long. Send smaller batches.');
}
