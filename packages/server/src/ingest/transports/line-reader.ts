/** Turns the lines of one upload into rows and counts, a few at a time. Pure except for what it is given: the endpoint owns connection, spool and answer. */
import type { CompiledLists, ObservedHit } from '@ghostlight/core';
import { count, ServiceError } from '../../common/index.ts';
import {
  isPassed,
  isRejection,
  type LineForm,
  type LineScreening,
  type Rejection,
  Unreadable,
} from '../../sources/index.ts';
import type { SpoolRow } from '../../spool/index.ts';
import type { Counters } from '../counters.ts';
import type { Others } from '../others.ts';
import {
  type IngestContext,
  MISSING_ID,
  type Outcome,
  runPipeline,
  UNKNOWN_ID,
  verdictOf,
} from '../pipeline.ts';
import { MAX_QUARANTINED_BODY } from '../quarantine.ts';

const LINE_TOO_LONG: Rejection = { reason: 'line_too_long', field: null };
const CSV: Rejection = { reason: 'csv', field: null };
/** The names of fields, or a value and a comma. */
const LIKE_CSV = /^"?[\w.:-]*"?,/;

const LINE_FEED = 0x0a;
/** Lines that take less than a microsecond each, between two looks at the clock. */
const CHEAP_LINES = 32;

export interface UploadContext extends IngestContext {
  /** The property that the upload's address names, in whatever form it was written: not yet known to be the organization's. */
  readonly attributionId: string | null;
  /** That property, when it is the organization's. */
  readonly ownAttributionId: string | null;
}

export interface ReaderLimits {
  readonly lineBytes: number;
  /** Lines of an upload, empty ones among them. */
  readonly lines: number;
  readonly rejected: number;
}

/** What is still to be read: whole lines, each ended by a line feed, or the head of one that is too long. */
type Piece = { readonly lines: Buffer } | { readonly overlong: Buffer };

export class LineReader {
  readonly #form: LineForm;
  readonly #context: UploadContext;
  readonly #counters: Counters;
  /** Null: every line is parsed. Tests do so too, to show that screening changes nothing. */
  readonly #screen: LineScreening | null;
  readonly #limits: ReaderLimits;
  /** Null: of this log others than AI visits are not counted. */
  readonly #others: Others | null;
  readonly #searchEngines: CompiledLists | null;
  #rows: SpoolRow[] = [];
  #isCsv = false;
  readonly #pieces: Piece[] = [];
  /** The lines that are being read: their bytes, the same as latin1, and how far. */
  #lines: Buffer | null = null;
  #text = '';
  #at = 0;
  #seen = 0;
  /** How many lines were JSON objects, whatever became of them. */
  objects = 0;

  constructor(
    form: LineForm,
    context: UploadContext,
    counters: Counters,
    screen: LineScreening | null,
    limits: ReaderLimits,
    others: Others | null = null,
  ) {
    this.#form = form;
    this.#context = context;
    this.#counters = counters;
    this.#screen = screen;
    this.#limits = limits;
    this.#others = others;
    const { ownAttributionId } = context;
    this.#searchEngines = ownAttributionId === null ? null : context.searchEnginesOf(ownAttributionId);
  }

  /** Rows made since the last call. */
  takeRows(): SpoolRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  get waitingRows(): number {
    return this.#rows.length;
  }

  get hasRead(): boolean {
    return this.#lines === null && this.#pieces.length === 0;
  }

  /** @param lines whole lines, each ended by a line feed; read by `work` */
  block(lines: Buffer): void {
    this.#pieces.push({ lines });
  }

  /** Lines in which nothing stood. @throws ServiceError `body_too_large` */
  passed(lines: number): void {
    this.#count(lines);
  }

  /** Elements that are no lines, and why. @throws ServiceError `body_too_large` */
  refused(elements: readonly { readonly rejection: Rejection; readonly text: string }[]): void {
    this.#count(elements.length);
    for (const { rejection, text } of elements) this.#reject(rejection, text);
  }

  /** After the last line: numbers become rows. */
  end(): void {
    this.#takeCounted(true);
  }

  overlong(head: Buffer): void {
    this.#pieces.push({ overlong: head });
  }

  /**
   * Reads what was handed in, until it is done (true) or `isDue` (false). It asks before every line that costs something.
   * @throws ServiceError `body_too_large` for more lines than an upload may have
   */
  work(isDue: () => boolean): boolean {
    for (;;) {
      if (this.#lines === null && !this.#open()) return true;
      if (!this.#read(isDue)) return false;
    }
  }

  /** The next lines, if there are any. */
  #open(): boolean {
    for (let piece = this.#pieces.shift(); piece !== undefined; piece = this.#pieces.shift()) {
      if ('lines' in piece) {
        this.#lines = piece.lines;
        this.#text = piece.lines.toString('latin1');
        this.#at = 0;
        this.#screen?.begin();
        return true;
      }
      this.#count(1);
      this.#reject(LINE_TOO_LONG, piece.overlong.toString());
    }
    return false;
  }

  /** @returns whether all of the block was read */
  #read(isDue: () => boolean): boolean {
    const lines = this.#lines as Buffer;
    const text = this.#text;
    const screen = this.#screen;
    let cheap = 0;
    let dropped = 0;
    while (this.#at < text.length) {
      const start = this.#at;
      if (text.charCodeAt(start) === LINE_FEED) {
        this.#at = start + 1;
        this.#count(1);
        cheap += 1;
      } else {
        const end = text.indexOf('\n', start);
        this.#at = end + 1;
        this.#count(1);
        if (screen?.isOrdinary(text, start, end) === true) {
          if (dropped++ === 0) this.#counters.droppedSample ??= this.#form.agentIn(text.slice(start, end));
          cheap += 1;
        } else {
          // In their order, so that errors carry the right line number.
          this.#drop(dropped);
          dropped = 0;
          this.#look(lines, start, end);
          cheap = CHEAP_LINES;
        }
      }
      if (cheap < CHEAP_LINES) continue;
      cheap = 0;
      if (isDue() && this.#at < text.length) {
        this.#drop(dropped);
        return false;
      }
    }
    this.#drop(dropped);
    this.#lines = null;
    this.#text = '';
    return true;
  }

  #drop(count: number): void {
    this.objects += count;
    this.#counters.drop('not_ai', count);
  }

  #count(lines: number): void {
    this.#seen += lines;
    if (this.#seen > this.#limits.lines) throw tooMany(this.#limits.lines, 'lines, including empty ones');
  }

  #look(lines: Buffer, start: number, end: number): void {
    if (end - start > this.#limits.lineBytes) {
      this.#reject(LINE_TOO_LONG, headOf(lines, start, end));
      return;
    }
    const line = this.#form.parse(lines, start, end);
    if (line === null) return;
    if (line instanceof Unreadable) this.#unreadable(line.rejection, headOf(lines, start, end));
    else this.#judge(line, () => headOf(lines, start, end));
  }

  #judge(line: unknown, text: () => string): void {
    const { attributionId, ownAttributionId, receivedAt } = this.#context;
    this.objects += 1;
    const traces = this.#form.traces(line);
    if (traces !== null && verdictOf(traces, this.#context, this.#searchEngines).class === 'dropped') {
      this.#counters.drop('not_ai', 1);
      this.#counters.droppedSample ??= traces.userAgent;
      return;
    }
    const decoded = this.#form.decode(line, attributionId, receivedAt);
    if (isRejection(decoded)) {
      this.#reject(decoded, text());
      return;
    }
    if (isPassed(decoded)) {
      if (decoded.counted !== undefined && this.#others !== null) {
        if (ownAttributionId === null) {
          const isNamed = (attributionId ?? this.#context.key.attributionId) !== null;
          this.#reject(isNamed ? UNKNOWN_ID : MISSING_ID, text());
          return;
        }
        this.#others.record(decoded.counted, ownAttributionId);
        this.#takeCounted(false);
      }
      this.#counters.drop(decoded.drop, 1);
      return;
    }
    const outcome = runPipeline(decoded, this.#context);
    this.#countOther(outcome, decoded.hit);
    const row = this.#counters.count(outcome, ownAttributionId, text);
    if (row !== null) this.#rows.push(row);
    else {
      if (outcome.kind === 'dropped') this.#counters.droppedSample ??= decoded.hit.userAgent;
      this.#checkRejected();
    }
  }

  #countOther(outcome: Outcome, hit: ObservedHit): void {
    const owner = hit.attributionId ?? this.#context.key.attributionId;
    if (this.#others === null || owner === null) return;
    if (outcome.kind === 'kept') this.#others.see(hit, owner);
    else if (outcome.kind === 'dropped' && outcome.reason === 'not_ai') this.#others.add(hit, owner);
    this.#takeCounted(false);
  }

  #takeCounted(isEnd: boolean): void {
    const rows = this.#others?.takeRows(isEnd) ?? [];
    if (rows.length === 0) return;
    this.#counters.countRows(rows.length);
    this.#rows.push(...rows);
  }

  /** @param head the line's beginning */
  #unreadable(rejection: Rejection, head: string): void {
    if (rejection.reason !== 'not_json') {
      this.#reject(rejection, head);
      return;
    }
    // A job set to CSV begins with the names of its fields.
    if (this.#counters.received === 0 && LIKE_CSV.test(head.trim())) this.#isCsv = true;
    this.#reject(this.#isCsv ? CSV : rejection, head);
  }

  #reject(rejection: Rejection, text: string): void {
    this.#counters.reject(rejection, this.#context.ownAttributionId, () => text);
    this.#checkRejected();
  }

  #checkRejected(): void {
    if (this.#counters.rejected > this.#limits.rejected)
      throw tooMany(this.#limits.rejected, 'lines that can’t be taken');
  }
}

/** As much of a line as may be shown. */
function headOf(lines: Buffer, start: number, end: number): string {
  return lines.toString('utf8', start, Math.min(end, start + MAX_QUARANTINED_BODY));
}

function tooMany(limit: number, what: string): ServiceError {
  return new ServiceError(
    'body_too_large',
    `An upload may have at most ${count(limit)} ${what}. Send smaller batches.`,
  );
}
