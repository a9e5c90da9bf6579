/** The room: who may post conversions, what became of what was posted. */

import { type Clock, createThrottle, type Log, type RetentionLimits } from '../common/index.ts';
import { createGroupCommit, type Database, type SecretCipher } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import { type Activity, createActivity } from './activity.ts';
import type { OnConversion } from './announce.ts';
import { linkBrowserEvent } from './browser-link.ts';
import { type ComparedQuery, type Comparison, comparison } from './compared.ts';
import { createConversionStore } from './conversions.ts';
import { createEngineFilter, type EngineFilter, type EngineOf } from './engine-filter.ts';
import { eraseVisitor, findByEmail } from './erasure.ts';
import { type Kept, keptFrom } from './kept-from.ts';
import { createLateMatch, type LateMatch } from './late-match.ts';
import type { Matching } from './matching.ts';
import { type Bought, type ProductsQuery, productsBought } from './products.ts';
import { createRateLimits } from './rate-limit.ts';
import { type ConversionReading, createConversionReading } from './reading.ts';
import { createReceive, type Receive } from './receive.ts';
import { attributionReport, type Report, type ReportQuery } from './report.ts';
import { forgetOld } from './retention.ts';
import { rotatePersonal } from './rotate-secrets.ts';
import { createSettings, type SettingsStore } from './settings.ts';
import { type Connections, createConnections } from './shops/connections.ts';
import { createShopReceive, type ShopReceive } from './shops/receive.ts';
import { createRedactions, type Erase } from './shops/redactions.ts';
import type { Refusals } from './shops/routes.ts';
import { createWebhookKeys, type WebhookKeys } from './webhook-keys.ts';

export interface WebhooksOptions {
  readonly database: Database;
  readonly cipher: SecretCipher;
  readonly matching: Matching;
  /** What else is written with a conversion, in its transaction. */
  readonly onConversion?: OnConversion;
  /** After the commit of a new conversion; must not throw, nor take time. */
  readonly onStored?: () => void;
  /** By the lists in use. */
  readonly engineOf: EngineOf;
  /** Of the installation; a property may keep conversions for less long. */
  readonly retention: RetentionLimits;
  /** Erases a shop's customer in every room. */
  readonly erase: Erase;
  /** Whether SECRET_KEY_PREVIOUS is set: the hourly job then re-encrypts. */
  readonly rotating: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** Functions that take a property trust the caller to have got it for the scope: `properties.get(scope, id)`. */
export interface Webhooks {
  readonly settings: SettingsStore;
  readonly keys: WebhookKeys;
  readonly activity: Pick<Activity, 'list' | 'get' | 'counts'>;
  readonly conversions: ConversionReading;
  report(owner: Owner, query: ReportQuery): Promise<Report>;
  /** The first day whose conversions are all kept. */
  keptFrom(property: Kept): Promise<number>;
  comparison(owner: Owner, query: ComparedQuery): Promise<Comparison>;
  readonly byEngine: EngineFilter;
  products(owner: Owner, query: ProductsQuery): Promise<Bought>;
  readonly receive: Receive;
  readonly receiveShop: ShopReceive;
  readonly shops: { readonly connections: Connections; readonly refusals: Refusals };
  /** To be called after the commit of new touches. Never throws. */
  readonly onVisitors: LateMatch['onVisitors'];
  readonly linkBrowserEvent: typeof linkBrowserEvent;
  readonly eraseVisitor: typeof eraseVisitor;
  /** See `erasure.ts`. */
  findByEmail(owner: Owner, email: string): ReturnType<typeof findByEmail>;
  /** The job of each minute. */
  sweep(): Promise<void>;
  /** The hourly job. */
  forgetOld(): Promise<void>;
  close(): Promise<void>;
}

export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { database, cipher, matching, onConversion, retention, clock, log } = options;
  const commits = createGroupCommit(database);
  const settings = createSettings(database, { clock });
  const keys = createWebhookKeys(database, { clock, log });
  const activity = createActivity(database, { clock, log });
  const late = createLateMatch({ database, matching, onConversion, clock, log });
  const limitClock = database.adapter.isShared ? null : clock;
  const conversions = createConversionStore({ database, commits, cipher, matching, activity, onConversion });
  const receive = createReceive({
    settings,
    keys,
    limits: createRateLimits(database, { clock: limitClock, commits }),
    throttle: createThrottle(clock),
    activity,
    conversions,
    late,
    onStored: options.onStored,
    writeActivity: (receiver, row) => commits.run((trx) => activity.write(trx, receiver, row)),
    clock,
  });
  const connections = createConnections(database, { cipher, clock, log });
  const redactions = createRedactions(database, { cipher, erase: options.erase, clock, log });
  const receiveShop = createShopReceive({
    ...{ database, settings, connections, redactions, activity, conversions, late, commits, clock },
    limits: createRateLimits(database, { clock: limitClock, commits, table: 'webhook_shops' }),
    onStored: options.onStored,
  });

  return {
    settings,
    keys,
    activity,
    conversions: createConversionReading(database, cipher, log),
    report: (owner, query) => attributionReport(database, owner, query),
    keptFrom: (property) => keptFrom(database, property, { retention, clock }),
    comparison: (owner, query) => comparison(database, owner, query),
    byEngine: createEngineFilter(database, options.engineOf),
    products: (owner, query) => productsBought(database, owner, query),
    receive,
    receiveShop,
    shops: { connections, refusals: activity.refusals },
    onVisitors: late.onVisitors,
    linkBrowserEvent,
    eraseVisitor,
    findByEmail: (owner, email) => findByEmail(database, cipher, owner, email),
    async sweep() {
      await late.sweep();
      await redactions.sweep();
    },
    async forgetOld() {
      await activity.expire();
      if (options.rotating) {
        await rotatePersonal(database, cipher);
        await connections.rotateSecrets();
        await redactions.rotateSecrets();
      }
      const forgotten = await forgetOld(database, { clock, retentionDays: retention.conversions.most });
      if (Object.values(forgotten).some((rows) => rows > 0))
        log.info(forgotten, 'old conversions and personal data were deleted');
    },
    async close() {
      await activity.close();
      await keys.close();
    },
  };
}
