/** Turns the blocks of one upload into rows and counts. Pure but for what it is handed: the endpoint owns connection, spool and answer. */
import { classify } from '@ghostlight/core';
import type { SpoolRow } from '../spool/index.ts';
import type { LineScreen } from './line-screen.ts';
import { decodeLine, tracesOf } from './logpush-line.ts';
import { type Circumstances, process } from './pipeline.ts';
import { MAX_QUARANTINED_BODY } from './quarantine.ts';
import type { Rejection } from './reasons.ts';
import type { Tally } from './tally.ts';

const LINE_TOO_LONG: Rejection = { reason: 'line_too_long', field: null };
const NOT_JSON: Rejection = { reason: 'not_json', field: null };
const NOT_AN_OBJECT: Rejection = { reason: 'not_an_object', field: null };
const CSV: Rejection = { reason: 'csv', field: null };

export interface UploadContext extends Circumstances {
  /** The property that the upload's address names, in whatever form it was written: not yet known to be the organization's. */
  readonly attributionId: string | null;
  /** That property, when it is the organization's. */
  readonly ownAttributionId: string | null;
}

export class LogpushReader {
  readonly #context: UploadContext;
  readonly #tally: Tally;
  /** Null: every line is parsed. Only tests do so, to show that screening changes nothing. */
  readonly #screen: LineScreen | null;
  readonly #lineBytes: number;
  #rows: SpoolRow[] = [];
  #isCsv = false;

  constructor(context: UploadContext, tally: Tally, screen: LineScreen | null, lineBytes: number) {
    this.#context = context;
    this.#tally = tally;
    this.#screen = screen;
    this.#lineBytes = lineBytes;
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

  /** @param lines whole lines, each ended by a line feed */
  block(lines: Buffer): void {
    const text = lines.toString('latin1');
    if (this.#screen === null) {
      this.#lookAtAll(lines, text);
      return;
    }
    let counted = 0;
    const dropUpTo = (dropped: number): void => {
      this.#tally.drop('not_ai', dropped - counted);
      counted = dropped;
    };
    const dropped = this.#screen.screen(text, (start, end, droppedBefore) => {
      // In their order, so that errors carry the right line number.
      dropUpTo(droppedBefore);
      this.#look(lines, start, end);
    });
    dropUpTo(dropped);
    if (dropped === 0) return;
    const { firstDropped } = this.#screen;
    this.#tally.droppedSample ??= userAgentIn(text.slice(firstDropped, text.indexOf('\n', firstDropped)));
  }

  overlong(head: Buffer): void {
    this.#reject(LINE_TOO_LONG, head.toString());
  }

  #lookAtAll(lines: Buffer, text: string): void {
    for (let start = 0; start < text.length; ) {
      const end = text.indexOf('\n', start);
      this.#look(lines, start, end);
      start = end + 1;
    }
  }

  #look(lines: Buffer, start: number, end: number): void {
    if (end - start > this.#lineBytes) {
      this.overlong(lines.subarray(start, Math.min(end, start + MAX_QUARANTINED_BODY)));
      return;
    }
    const text = lines.toString('utf8', start, end);
    let line: unknown;
    try {
      line = JSON.parse(text);
    } catch {
      this.#unreadable(text);
      return;
    }
    if (typeof line !== 'object' || line === null || Array.isArray(line)) this.#reject(NOT_AN_OBJECT, text);
    else this.#judge(line as Record<string, unknown>, text);
  }

  #judge(line: Record<string, unknown>, text: string): void {
    const { attributionId, ownAttributionId, lists, isBot } = this.#context;
    const traces = tracesOf(line);
    if (traces !== null && classify(traces, lists, isBot).class === 'dropped') {
      this.#tally.drop('not_ai', 1);
      this.#tally.droppedSample ??= traces.userAgent;
      return;
    }
    const decoded = decodeLine(line, attributionId, this.#context.receivedAt);
    if ('reason' in decoded) {
      this.#reject(decoded, text);
      return;
    }
    const row = this.#tally.count(process(decoded, this.#context), ownAttributionId, () => text);
    if (row !== null) this.#rows.push(row);
  }

  #unreadable(text: string): void {
    const trimmed = text.trim();
    if (trimmed === '') return;
    // A job set to CSV begins with the names of its fields, or with a value and a comma.
    if (this.#tally.received === 0 && /^"?[\w.:-]*"?,/.test(trimmed)) this.#isCsv = true;
    this.#reject(this.#isCsv ? CSV : NOT_JSON, text);
  }

  #reject(rejection: Rejection, text: string): void {
    this.#tally.reject(rejection, this.#context.ownAttributionId, () => text);
  }
}

function userAgentIn(line: string): string | undefined {
  const match = /"ClientRequestUserAgent":"([^"]*)"/.exec(line);
  return match?.[1] === undefined ? undefined : Buffer.from(match[1], 'latin1').toString();
}
