/** Sharing: the room with its stores, the reports that it shows, and the mail that it sends. */
import type { Caller, Clock, Log } from '../common/index.ts';
import type { Config } from '../config.ts';
import { createMailer } from '../outbound/index.ts';
import type { Properties } from '../properties/index.ts';
import { createReportReader, type Reports } from '../reports/index.ts';
import { createSharing, type Sharing } from '../sharing/index.ts';
import type { Stores } from './stores.ts';

export interface SharingWiring {
  readonly properties: Properties;
  readonly reports: Reports;
  /** All nodes have the same: what this room signs is derived from it. */
  readonly adminToken: string;
  readonly appBaseUrl: () => string;
  readonly clock: Clock;
  readonly log: Log;
}

export function openSharing(
  config: Config,
  { database, warehouse }: Pick<Stores, 'database' | 'warehouse'>,
  { properties, reports, adminToken, appBaseUrl, clock, log }: SharingWiring,
): Sharing {
  return createSharing({
    ...{ database, properties, appBaseUrl, clock },
    readReport: createReportReader(reports, properties),
    async onBehalfOf({ scope, actor }: Caller, run) {
      const results: Awaited<ReturnType<typeof run>>[] = [];
      await warehouse.onBehalfOf(
        { organization: scope.kind === 'organization' ? scope.id : '', caller: actor },
        async () => void results.push(await run()),
      );
      return results[0] as Awaited<ReturnType<typeof run>>;
    },
    mailer: config.mail === null ? null : createMailer(config.mail),
    secret: adminToken,
    log: log.child({ room: 'sharing' }),
  });
}
