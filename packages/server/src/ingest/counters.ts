/** Counts what became of the elements of one request, so that `received = kept + dropped + rejected + duplicate` holds by construction. */
import type { Source } from '@ghostlight/core';
import type { SpanAttributes } from '../common/index.ts';
import {
  type DropReason,
  type ElementError,
  REJECT_REASONS,
  type Rejection,
  type Report,
  SAID_ONCE,
  type Settled,
} from '../sources/index.ts';
import type { QuarantinedInput, SpoolEntry, SpoolReceipt, SpoolRow, UploadReceipt } from '../spool/index.ts';
import { COUNTED } from './others.ts';
import type { Outcome } from './pipeline.ts';
import { quarantineBody } from './quarantine.ts';

/** How many errors a report names. */
const MAX_ERRORS = 20;
/** How many rejected elements of one request are kept for the setup checker: one broken batch must not push out all others. */
const MAX_QUARANTINED = 20;

const NOTHING_NEW: SpoolReceipt = { kept: 0, duplicate: 0 };

/** What a log lacks that carries no visitor's whole address. */
export const ADDRESS_FLAWS = ['no_address', 'anonymized_address', 'proxy_address'] as const;
export type AddressFlaw = (typeof ADDRESS_FLAWS)[number];

const isAddressFlaw = (reason: string): reason is AddressFlaw =>
  (ADDRESS_FLAWS as readonly string[]).includes(reason);

/** Whose request it is, for what goes to quarantine. */
export interface CountersOwner {
  readonly endpoint: Source;
  readonly organizationId: string;
  readonly at: number;
}

/** The counts as plain data, which may travel between threads. */
export interface Tally {
  received: number;
  kept: number;
  /** Kept visits of bots: those that have a verdict. */
  bots: number;
  dropped: number;
  rejected: number;
  /** Rows of numbers beside the hits. */
  rows: number;
  readonly droppedFor: Record<string, number>;
  readonly rejectedFor: Record<string, number>;
  readonly flaws: Record<AddressFlaw, number>;
  /** The user agent of the first element dropped as not AI, for the setup checker. */
  droppedSample: string | undefined;
  readonly errors: ElementError[];
  readonly quarantine: QuarantinedInput[];
}

const nothing = (): Tally => ({
  received: 0,
  kept: 0,
  bots: 0,
  dropped: 0,
  rejected: 0,
  rows: 0,
  droppedFor: {},
  rejectedFor: {},
  flaws: { no_address: 0, anonymized_address: 0, proxy_address: 0 },
  droppedSample: undefined,
  errors: [],
  quarantine: [],
});

export class Counters {
  readonly #owner: CountersOwner;
  readonly tally: Tally;

  /** @param tally what was counted before, by another thread */
  constructor(owner: CountersOwner, tally = nothing()) {
    this.#owner = owner;
    this.tally = tally;
  }

  get received(): number {
    return this.tally.received;
  }

  get rejected(): number {
    return this.tally.rejected;
  }

  /** @param body the element as received, asked for only when it is quarantined */
  count(outcome: Outcome, attributionId: string | null, body: () => string): SpoolRow | null {
    if (outcome.kind === 'rejected') {
      this.reject(outcome, attributionId, body);
      return null;
    }
    if (outcome.kind === 'dropped') {
      this.drop(outcome.reason, 1);
      return null;
    }
    const { tally } = this;
    tally.received += 1;
    tally.kept += 1;
    if (outcome.reason !== '') tally.bots += 1;
    if (isAddressFlaw(outcome.reason)) tally.flaws[outcome.reason] += 1;
    return outcome.row;
  }

  /** Rows that no element became: they say how many others there were. The spool receives and keeps them as elements of their own. */
  countRows(count: number): void {
    this.tally.rows += count;
  }

  drop(reason: DropReason, count: number): void {
    if (count === 0) return;
    const { tally } = this;
    tally.received += count;
    tally.dropped += count;
    tally.droppedFor[reason] = (tally.droppedFor[reason] ?? 0) + count;
  }

  /** @param userAgent of an element dropped as not AI */
  sampleDropped(userAgent: string | undefined): void {
    this.tally.droppedSample ??= userAgent;
  }

  /** Whether no such element has said its user agent yet. */
  get needsSample(): boolean {
    return this.tally.droppedSample === undefined;
  }

  reject({ reason, field }: Rejection, attributionId: string | null, body: () => string): void {
    const { tally } = this;
    const isRepeat = SAID_ONCE.has(reason) && this.rejectedFor(reason) > 0;
    if (tally.errors.length < MAX_ERRORS && !isRepeat) {
      tally.errors.push({ index: tally.received, field, reason, message: REJECT_REASONS[reason] });
    }
    if (tally.quarantine.length < MAX_QUARANTINED && !isRepeat) {
      const { endpoint, organizationId, at } = this.#owner;
      tally.quarantine.push({
        organizationId,
        attributionId,
        endpoint,
        reason,
        field,
        at,
        body: quarantineBody(body()),
      });
    }
    tally.received += 1;
    tally.rejected += 1;
    tally.rejectedFor[reason] = (tally.rejectedFor[reason] ?? 0) + 1;
  }

  /** How many were rejected for this reason. */
  rejectedFor(reason: Rejection['reason']): number {
    return this.tally.rejectedFor[reason] ?? 0;
  }

  /** How many kept visits could not be verified for this reason. */
  flawed(reason: AddressFlaw): number {
    return this.tally.flaws[reason];
  }

  /** How many were dropped for this reason. */
  droppedFor(reason: DropReason): number {
    return this.tally.droppedFor[reason] ?? 0;
  }

  /** For the span of the request, where it has one. */
  attributes(): SpanAttributes {
    const { received, kept, dropped, rejected } = this.tally;
    return {
      'ghostlight.received': received,
      'ghostlight.kept': kept,
      'ghostlight.dropped': dropped,
      'ghostlight.rejected': rejected,
    };
  }

  /** Everything but the rows, in the spool's form. */
  entry(): Omit<SpoolEntry, 'rows'> {
    const { received, rows, droppedFor, rejectedFor, quarantine } = this.tally;
    return {
      endpoint: this.#owner.endpoint,
      received: received + rows,
      dropped: droppedFor,
      rejected: rejectedFor,
      quarantine,
    };
  }

  /** In the words that a source answers by. @param receipt null: the batch was taken before @param objects how many could be read */
  settled(receipt: SpoolReceipt | UploadReceipt | null, objects: number): Settled {
    return {
      received: this.received,
      objects,
      rejected: this.rejected,
      alreadyTaken: receipt === null,
      report: () => this.#report(receipt === null ? NOTHING_NEW : this.#ofElements(receipt)),
    };
  }

  /** Without the rows of numbers. */
  #ofElements(receipt: SpoolReceipt | UploadReceipt): SpoolReceipt {
    const repeated = 'duplicatesOf' in receipt ? (receipt.duplicatesOf.get(COUNTED) ?? 0) : 0;
    return { kept: receipt.kept - (this.tally.rows - repeated), duplicate: receipt.duplicate - repeated };
  }

  #report({ kept, duplicate }: SpoolReceipt): Report {
    const { dropped, rejected, errors } = this.tally;
    return { kept, dropped, duplicate, rejected, errors };
  }
}
