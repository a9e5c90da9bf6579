/** Turns the lines of one upload into rows and counts. Pure except for what it is given. */
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

  /**
   * @param lines whole lines, each ended by a line feed
   * @throws ServiceError `body_too_large` for more lines than an upload may have
   */
  block(lines: Buffer): void {
    const text = lines.toString('latin1');
    const screen = this.#screen;
    screen?.begin();
    let dropped = 0;
    for (let start = 0, end = 0; start < text.length; start = end + 1) {
      end = text.indexOf('\n', start);
      this.#count(1);
      if (end === start) continue;
      if (screen?.isOrdinary(text, start, end) === true) {
        if (dropped++ === 0 && this.#counters.needsSample)
          this.#counters.sampleDropped(this.#form.agentIn(text.slice(start, end)));
        continue;
      }
      // In their order, so that errors carry the right line number.
      this.#drop(dropped);
      dropped = 0;
      this.#look(lines, start, end);
    }
    this.#drop(dropped);
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

  overlong(head: Buffer): void {
    this.#count(1);
    this.#reject(LINE_TOO_LONG, head.toString());
  }

  /** After the last line: numbers become rows. */
  end(): void {
    this.#takeCounted(true);
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
      this.#counters.sampleDropped(traces.userAgent);
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
        // An old log has many of them beside its AI visits: that is no fault of a line, so they end as lines without a visit do.
        if (!this.#others.isOutlived(decoded.counted.at, ownAttributionId)) {
          this.#others.record(decoded.counted, ownAttributionId);
          this.#takeCounted(false);
        }
      }
      this.#counters.drop(decoded.drop, 1);
      return;
    }
    const outcome = runPipeline(decoded, this.#context);
    this.#countOther(outcome, decoded.hit);
    const row = this.#counters.count(outcome, ownAttributionId, text);
    if (row !== null) this.#rows.push(row);
    else {
      if (outcome.kind === 'dropped') this.#counters.sampleDropped(decoded.hit.userAgent);
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
