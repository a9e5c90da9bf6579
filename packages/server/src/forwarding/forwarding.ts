/** The room: destinations, the outbox, its delivery, and what people see and do of it. */

import { type Clock, type Days, type Log, type Period, type Trace, untraced } from '../common/index.ts';
import type { Database, SecretCipher } from '../database/index.ts';
import type { AnyDestination } from '../destinations/index.ts';
import type { Send } from '../outbound/index.ts';
import type { Owner } from '../properties/index.ts';
import type { OnConversion } from '../webhooks/index.ts';
import { type Accuracy, forwardingAccuracy } from './accuracy.ts';
import { createContexts, type Visits } from './contexts.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';
import { createDelivery } from './delivery/index.ts';
import { createDestinations, type Destinations } from './destinations.ts';
import { encryptPlainAddresses } from './encrypt-plain.ts';
import { eraseDeliveries } from './erasure.ts';
import { type Health, healthOf } from './health.ts';
import { createOutbox } from './outbox.ts';
import { endPersonalOfOver } from './personal.ts';
import { createReplay, type Replay } from './replay.ts';
import { forgetOld } from './retention.ts';
import { rotateCredentials } from './rotate-secrets.ts';
import { createOutcomes, type ForwardingFigures, forwardingFigures, type Outcomes } from './stats.ts';
import { createTestSend, type Try } from './test-send.ts';
import { createVault } from './vault.ts';

export interface ForwardingOptions {
  readonly database: Database;
  readonly cipher: SecretCipher;
  /** The register. */
  readonly platforms: readonly AnyDestination[];
  readonly visits: Visits;
  readonly send: Send;
  /** This node's own name, the same after a restart. */
  readonly node: string;
  readonly retentionDays: number;
  /** Whether SECRET_KEY_PREVIOUS is set: the hourly job then re-encrypts. */
  readonly rotating: boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** Absent: requests to platforms are not traced. */
  readonly trace?: Trace;
}

/** Functions that take a property trust the caller to have got it for the scope: `properties.get(scope, id)`. */
export interface Forwarding {
  /** In the transaction of a conversion. */
  readonly onConversion: OnConversion;
  readonly platforms: readonly AnyDestination[];
  readonly destinations: Omit<Destinations, 'row'>;
  readonly test: Try;
  health(owner: Owner, destinationIds: readonly string[]): Promise<ReadonlyMap<string, Health>>;
  readonly deliveries: Deliveries;
  readonly replay: Replay;
  /** @param days of the property */
  accuracy(owner: Owner, period: Period, days: Days): Promise<Accuracy>;
  /** In the transaction that erases a visitor, before their conversions lose them. */
  eraseVisitor(
    trx: Database['kysely'],
    owner: Owner,
    whose: { readonly visitors: readonly string[]; readonly conversions: readonly string[] },
  ): Promise<number>;
  figures(): Promise<ForwardingFigures>;
  readonly outcomes: Outcomes['counts'];
  /** The loop: begins, looks now, does everything that is due once, ends. */
  start(): void;
  nudge(): void;
  runOnce(): Promise<number>;
  close(): Promise<void>;
  /** The hourly job; before that of webhooks, which deletes what is over. */
  forgetOld(): Promise<void>;
}

export function createForwarding(options: ForwardingOptions): Forwarding {
  const { database, cipher, platforms, visits, send, clock, log } = options;
  const vault = createVault(cipher, platforms);
  const outcomes = createOutcomes();
  const replay = createReplay({ database, clock });
  const delivery = createDelivery({
    database,
    destinations: vault,
    contexts: createContexts({ database, cipher, visits, clock, log }),
    send,
    node: options.node,
    onOutcome: outcomes.note,
    trace: options.trace ?? untraced,
    clock,
    log,
  });
  const destinations = createDestinations({ database, platforms, vault, onDelete: delivery.nudge, clock });
  const { tokens } = delivery;
  const encryptPlain = async (): Promise<void> => {
    try {
      const sealed = await encryptPlainAddresses(database, platforms, vault);
      if (sealed > 0) log.info({ destinations: sealed }, 'addresses of destinations were encrypted');
    } catch (error) {
      log.warn(
        { err: error },
        'addresses of destinations could not be encrypted; the hourly job tries again',
      );
    }
  };
  let sealing: Promise<void> | null = null;

  return {
    onConversion: createOutbox(clock),
    platforms,
    destinations,
    test: createTestSend({ database, platforms, destinations, vault, tokens, send, clock }),
    health: (owner, ids) => healthOf(database, owner, ids, clock()),
    deliveries: createDeliveries(database),
    replay,
    accuracy: (owner, period, days) => forwardingAccuracy(database, owner, period, days),
    eraseVisitor: (trx, owner, whose) => eraseDeliveries(trx, owner, whose, clock()),
    figures: () => forwardingFigures(database, clock),
    outcomes: outcomes.counts,
    start() {
      sealing ??= encryptPlain();
      delivery.start();
    },
    nudge: delivery.nudge,
    runOnce: delivery.runOnce,
    async close() {
      await Promise.all([sealing, delivery.stop()]);
    },
    async forgetOld() {
      await encryptPlain();
      if (options.rotating) await rotateCredentials(database, cipher);
      await endPersonalOfOver(database, platforms, clock);
      const forgotten = await forgetOld(database, { clock, retentionDays: options.retentionDays });
      if (Object.values(forgotten).some((rows) => rows > 0))
        log.info(forgotten, 'old deliveries, and what was shown of them, were deleted');
    },
  };
}
