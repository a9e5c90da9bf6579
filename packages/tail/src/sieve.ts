/** A line becomes a visit, a number, or a reason. */
import { clientAddress, isReject, type LineParser, type TrustedProxies } from '@ghostlight/core';
import type { Counters } from './counters.ts';
import type { Judge } from './judge.ts';
import type { LineIds } from './line-ids.ts';
import type { Others } from './others.ts';
import { type Visit, visitOf } from './visit.ts';

export interface SieveParts {
  readonly judge: Judge;
  readonly ids: LineIds;
  readonly others: Others;
  readonly counters: Counters;
  /** Null: the address of a line is the client's. */
  readonly trusted: TrustedProxies | null;
}

export class Sieve {
  readonly #parts: SieveParts;

  constructor(parts: SieveParts) {
    this.#parts = parts;
  }

  /** @param file what tells files apart that are read at the same time @returns the visit, to be sent; null for everything else, which is counted */
  read(line: Buffer | null, parser: LineParser, file: string): Visit | null {
    const { judge, ids, others, counters, trusted } = this.#parts;
    counters.lines += 1;
    if (line === null) {
      counters.reject('too_long');
      return null;
    }
    const parsed = parser.parseLine(line.toString());
    if (parsed === null || (isReject(parsed) && parsed.reject === 'not_a_request')) {
      counters.passed += 1;
      return null;
    }
    if (isReject(parsed)) {
      counters.reject(parsed.reject);
      return null;
    }
    if (parsed.host === '') {
      counters.reject('no_host');
      return null;
    }
    const judged = judge.judge(parsed);
    const isVisit = typeof judged === 'string';
    others.add(file, line, parsed.timestamp, parsed.host, isVisit ? null : judged);
    if (!isVisit) {
      counters.others += 1;
      return null;
    }
    counters.sent += 1;
    return visitOf(parsed, judged, clientAddress(parsed, trusted), parsed.request_id || ids.idOf(line));
  }
}
