/** The room put together: links, their readers and pictures, and mails. */
import type { Caller, Clock, Log } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import type { Mailer } from '../outbound/index.ts';
import type { Properties } from '../properties/index.ts';
import type { ReadReport } from '../reports/index.ts';
import { createShareAccess, type ShareAccess } from './access.ts';
import { createShareLinks, type ShareLinks } from './links.ts';
import { createReportMails, type ReportMails } from './mails/report-mails.ts';
import { createPictures, type MakePicture } from './pictures.ts';

export interface SharingOptions {
  readonly database: Database;
  readonly properties: Pick<Properties, 'get'>;
  readonly readReport: ReadReport;
  /** Counts what is asked of the warehouse to a caller. */
  readonly onBehalfOf: <T>(caller: Caller, run: () => Promise<T>) => Promise<T>;
  readonly mailer: Mailer | null;
  readonly appBaseUrl: () => string;
  /** The same on every node; nothing but what is derived from it leaves this room. */
  readonly secret: string;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Sharing {
  readonly links: ShareLinks;
  readonly access: ShareAccess;
  readonly picture: MakePicture;
  readonly mails: ReportMails;
  close(): Promise<void>;
}

export function createSharing(options: SharingOptions): Sharing {
  const { database, properties, readReport, onBehalfOf, clock, log } = options;
  const links = createShareLinks(database, { clock, log });
  return {
    links,
    access: createShareAccess(links, options),
    picture: createPictures({ readReport, properties, onBehalfOf, clock }),
    mails: createReportMails(options),
    close: links.close,
  };
}
