/** A line becomes a visit, a number, or a reason. */
import { clientAddress, isReject, type LineParser, type TrustedProxies } from '@ghostlight/core';
import type { Judge } from './judge.ts';
import type { LineIds } from './line-ids.ts';
import type { Others } from './others.ts';
import type { Tally } from './tally.ts';
import { type Visit, visitOf } from './visit.ts';

export interface SieveParts {
  readonly judge: Judge;
  readonly ids: LineIds;
  readonly others: Others;
  readonly tally: Tally;
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
    const { judge, ids, others, tally, trusted } = this.#parts;
    tally.lines += 1;
    if (line === null) {
      tally.reject('too_long');
      return null;
    }
    const parsed = parser.parseLine(line.toString());
    if (parsed === null || (isReject(parsed) && parsed.reject === 'not_a_request')) {
      tally.passed += 1;
      return null;
    }
    if (isReject(parsed)) {
      tally.reject(parsed.reject);
      return null;
    }
    if (parsed.host === '') {
      tally.reject('no_host');
      return null;
    }
    const judged = judge.judge(parsed);
    if (typeof judged !== 'string') {
      tally.others += 1;
      others.add(parsed.timestamp, parsed.host, judged);
      return null;
    }
    tally.sent += 1;
    return visitOf(parsed, judged, clientAddress(parsed, trusted), parsed.request_id || ids.idOf(line));
  }
}
