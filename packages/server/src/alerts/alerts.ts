/** The room put together: rules, channels, the round of looks, the sending. */

import type { Caller, Clock, Log, RetentionLimits } from '../common/index.ts';
import type { Database, SecretCipher } from '../database/index.ts';
import type { Forwarding } from '../forwarding/index.ts';
import type { Mailer, Send } from '../outbound/index.ts';
import type { Owner, Property } from '../properties/index.ts';
import type { Warehouse } from '../warehouse/index.ts';
import { canOpen, rotateChannels } from './channel-secrets.ts';
import { type Channels, createChannels } from './channels.ts';
import { watchedDestinations } from './destinations.ts';
import { createDispatch } from './dispatch.ts';
import { createEvaluate } from './evaluate.ts';
import { type AlertFigures, type AlertWork, alertFigures, createTally } from './figures.ts';
import { createHistory, type ReadHistory } from './history.ts';
import { alertLink } from './link.ts';
import { type AlertPage, type AlertQuery, listAlerts, replyToAlert } from './list.ts';
import { createPost } from './post.ts';
import { forgetOld } from './retention.ts';
import { createRound } from './round.ts';
import { createSettings, type Settings } from './settings.ts';
import { createTestSend, type TryChannel } from './test-send.ts';

export interface AlertsOptions {
  readonly database: Database;
  readonly warehouse: Warehouse;
  readonly cipher: SecretCipher;
  readonly forwarding: Pick<Forwarding, 'accuracy' | 'destinations' | 'health'>;
  /** How long hits are kept: what a rule saw before is not known any more. */
  readonly retention: RetentionLimits;
  readonly send: Send;
  /** null: this service sends no mail. */
  readonly mailer: Mailer | null;
  /** Where the dashboard is; asked only after the start. */
  readonly appBaseUrl: () => string;
  /** Whether SECRET_KEY_PREVIOUS is set: the hourly job then re-encrypts. */
  readonly rotating: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** Functions that take a property trust the caller to have got it for the scope: `properties.get(scope, id)`. */
export interface Alerts {
  list(property: Owner & Pick<Property, 'timeZone'>, query: AlertQuery): Promise<AlertPage>;
  /** Seen, or not. @throws ServiceError `not_found` */
  reply(
    property: Owner & Pick<Property, 'timeZone'>,
    actor: Caller['actor'],
    alert: string,
    acknowledged: boolean,
  ): Promise<AlertPage['items'][number]>;
  readonly settings: Settings;
  /** What each rule's figure was on each of the last 30 days. */
  readonly history: ReadHistory;
  readonly channels: Channels;
  /** Whether an email channel can be made. */
  readonly hasMail: boolean;
  readonly test: TryChannel;
  /** Every five minutes. @param signal ends it between two properties or messages. @returns false: another node is at it */
  look(signal?: AbortSignal): Promise<boolean>;
  /** Every minute, for what failed and what had to wait. @returns how many were sent */
  dispatch(signal?: AbortSignal): Promise<number>;
  /** Of the whole installation, for its metrics. */
  figures(): Promise<AlertFigures>;
  /** What this node has done since its start. */
  work(): AlertWork;
  /** The hourly job. */
  forgetOld(): Promise<void>;
}

export function createAlerts(options: AlertsOptions): Alerts {
  const { database, warehouse, cipher, forwarding, send, mailer, appBaseUrl, clock, log } = options;
  const hasMail = mailer !== null;
  const settings = createSettings({ database, clock });
  const channels = createChannels({ database, cipher, hasMail, clock });
  const tally = createTally();
  const post = createPost({ cipher, mailer, send });
  const dispatch = createDispatch({
    database,
    post,
    canOpen: (channel) => canOpen(cipher, channel),
    appBaseUrl,
    tally,
    clock,
    log,
  });
  const look = createEvaluate({
    database,
    warehouse,
    settings,
    destinations: (owner) => watchedDestinations(forwarding, owner),
    clock,
  });
  return {
    list: (property, query) => listAlerts(database, property, query, clock()),
    async reply(property, actor, id, acknowledged) {
      const now = clock();
      const alert = await replyToAlert(database, property, actor, { alert: id, acknowledged, now });
      return { alert, link: alertLink(alert, property.timeZone, now), sent: [] };
    },
    settings,
    history: createHistory({ database, warehouse, forwarding, retention: options.retention, clock }),
    channels,
    hasMail,
    test: createTestSend({ database, channels, post, appBaseUrl, clock }),
    look: createRound({ database, look, dispatch, tally, clock, log }),
    dispatch,
    figures: () => alertFigures(database),
    work: tally.work,
    async forgetOld() {
      if (options.rotating) await rotateChannels(database, cipher);
      const forgotten = await forgetOld(database, clock);
      if (forgotten > 0) log.info({ forgotten }, 'old alerts were deleted');
    },
  };
}
