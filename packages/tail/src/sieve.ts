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

  /** @returns the visit, to be sent; null for everything else, which is counted */
  read(line: Buffer | null, parser: LineParser): Visit | null {
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
    if (typeof judged !== 'string') {
      counters.others += 1;
      others.add(parsed.timestamp, parsed.host, judged);
      return null;
    }
    counters.sent += 1;
    return visitOf(parsed, judged, clientAddress(parsed, trusted), parsed.request_id || ids.idOf(line));
  }
}
