/** Turns the lines of one upload into rows and counts, a few at a time. Pure but for what it is handed: the endpoint owns connection, spool and answer. */
import type { CompiledLists } from '@ghostlight/core';
import { ServiceError } from '../shared/index.ts';
import type { SpoolRow } from '../spool/index.ts';
import type { LineScreen } from './line-screen.ts';
import { decodeLine, LINE_FIELDS, tracesOf } from './logpush-line.ts';
import { type Circumstances, process, verdictOf } from './pipeline.ts';
import { MAX_QUARANTINED_BODY } from './quarantine.ts';
import type { Rejection } from './reasons.ts';
import { type SlimFault, type Slimmed, slimLine } from './slim-line.ts';
import type { Tally } from './tally.ts';

const LINE_TOO_LONG: Rejection = { reason: 'line_too_long', field: null };
const NOT_JSON: Rejection = { reason: 'not_json', field: null };
const TOO_MANY_MEMBERS: Rejection = { reason: 'too_many_members', field: null };
const NOT_AN_OBJECT: Rejection = { reason: 'not_an_object', field: null };
const CSV: Rejection = { reason: 'csv', field: null };

const LINE_FEED = 0x0a;
/** Lines that take less than a microsecond each, between two looks at the clock. */
const CHEAP_LINES = 32;
/** A longer line is stripped of what is not read before it is parsed. Ordinary lines have less than 2 KiB. */
const LONG_LINE_BYTES = 16 * 1024;
/** JSON that is no object, as far as it can be told without parsing. */
const OTHER_JSON = /^(?:\[.*\]|"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)$/;
const MAX_OTHER_JSON = 256;

export interface UploadContext extends Circumstances {
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

export class LogpushReader {
  readonly #context: UploadContext;
  readonly #tally: Tally;
  /** Null: every line is parsed. Only tests do so, to show that screening changes nothing. */
  readonly #screen: LineScreen | null;
  readonly #limits: ReaderLimits;
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

  constructor(context: UploadContext, tally: Tally, screen: LineScreen | null, limits: ReaderLimits) {
    this.#context = context;
    this.#tally = tally;
    this.#screen = screen;
    this.#limits = limits;
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
          if (dropped++ === 0) this.#tally.droppedSample ??= userAgentIn(text.slice(start, end));
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
    this.#tally.drop('not_ai', count);
  }

  #count(lines: number): void {
    this.#seen += lines;
    if (this.#seen > this.#limits.lines) throw tooMany(this.#limits.lines, 'lines, empty ones among them');
  }

  #look(lines: Buffer, start: number, end: number): void {
    if (end - start > this.#limits.lineBytes) {
      this.#reject(LINE_TOO_LONG, headOf(lines, start, end));
      return;
    }
    const from = skipBlanks(lines, start, end);
    if (from === end) return;
    // Nothing else can be an object; a line that can't be parsed costs more than one that can.
    if (lines[from] !== OPEN_BRACE || lastOf(lines, end) !== CLOSE_BRACE) {
      this.#unreadable(headOf(lines, start, end), end - start);
      return;
    }
    const line = parse(lines, start, end);
    if (line === 'not_json') this.#unreadable(headOf(lines, start, end), end - start);
    else if (line === 'too_many_members') this.#reject(TOO_MANY_MEMBERS, headOf(lines, start, end));
    else this.#judge(line, () => headOf(lines, start, end));
  }

  #judge(line: Record<string, unknown>, text: () => string): void {
    const { attributionId, ownAttributionId } = this.#context;
    this.objects += 1;
    const traces = tracesOf(line);
    if (traces !== null && verdictOf(traces, this.#context, this.#searchEngines).class === 'dropped') {
      this.#tally.drop('not_ai', 1);
      this.#tally.droppedSample ??= traces.userAgent;
      return;
    }
    const decoded = decodeLine(line, attributionId, this.#context.receivedAt);
    if ('reason' in decoded) {
      this.#reject(decoded, text());
      return;
    }
    const row = this.#tally.count(process(decoded, this.#context), ownAttributionId, text);
    if (row !== null) this.#rows.push(row);
    else this.#checkRejected();
  }

  /** @param head the line's beginning @param length of the whole line */
  #unreadable(head: string, length: number): void {
    const trimmed = head.trim();
    if (length <= MAX_OTHER_JSON && OTHER_JSON.test(trimmed)) {
      this.#reject(NOT_AN_OBJECT, head);
      return;
    }
    // A job set to CSV begins with the names of its fields, or with a value and a comma.
    if (this.#tally.received === 0 && /^"?[\w.:-]*"?,/.test(trimmed)) this.#isCsv = true;
    this.#reject(this.#isCsv ? CSV : NOT_JSON, head);
  }

  #reject(rejection: Rejection, text: string): void {
    this.#tally.reject(rejection, this.#context.ownAttributionId, () => text);
    this.#checkRejected();
  }

  #checkRejected(): void {
    if (this.#tally.rejected > this.#limits.rejected)
      throw tooMany(this.#limits.rejected, 'lines that can’t be taken');
  }
}

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

function parse(lines: Buffer, start: number, end: number): Record<string, unknown> | SlimFault {
  const slim: Slimmed =
    end - start > LONG_LINE_BYTES
      ? slimLine(lines.subarray(start, end), LINE_FIELDS)
      : { text: lines.toString('utf8', start, end) };
  if ('fault' in slim) return slim.fault;
  // Where it failed interests no one, and finding that out takes as long as the rest.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return JSON.parse(slim.text) as Record<string, unknown>;
  } catch {
    return 'not_json';
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** As much of a line as may be shown. */
function headOf(lines: Buffer, start: number, end: number): string {
  return lines.toString('utf8', start, Math.min(end, start + MAX_QUARANTINED_BODY));
}

function skipBlanks(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(bytes[at] as number)) at += 1;
  return at;
}

/** The last byte that is no blank. */
function lastOf(bytes: Buffer, end: number): number | undefined {
  let at = end - 1;
  while (at >= 0 && isBlank(bytes[at] as number)) at -= 1;
  return bytes[at];
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

function tooMany(limit: number, what: string): ServiceError {
  return new ServiceError('body_too_large', `An upload may have ${limit} ${what}. Send smaller batches.`);
}

function userAgentIn(line: string): string | undefined {
  const match = /"ClientRequestUserAgent":"([^"]*)"/.exec(line);
  return match?.[1] === undefined ? undefined : Buffer.from(match[1], 'latin1').toString();
}
