/** What the room needs of the others, in its own words. `composition/` hands in the real ones. */

import type { CompiledLists, Topic } from '@ghostlight/core';
import type { Clock, Log } from '../common/index.ts';
import type { Database, SecretCipher } from '../database/index.ts';
import type { Property, PropertyDirectory } from '../properties/index.ts';
import type { Spool } from '../spool/index.ts';
import type { RowSink, StoredEvent } from '../warehouse/index.ts';
import type { ErasedMark } from './erased-mark.ts';

/** Custom tracking domains. */
export interface TrackingDomains {
  /** Whose custom domain a host is; null for every other host. @param host lower-case, without a port */
  domainOf(host: string): { readonly domain: string; readonly attributionId: string } | null;
}

/** The warehouse, as far as events go. */
export interface EventStore {
  /** @param leaveOut numbers of the lines that are not to be stored any more */
  sink(leaveOut: (batch: { readonly body: Uint8Array }) => Promise<number[]>): RowSink;
  toRow(event: StoredEvent): string;
  /** Removes a visitor's events that arrived up to a moment. @returns how many. @throws when the warehouse is down */
  erase(
    scope: { readonly organizationId: string; readonly attributionIds: readonly string[] },
    mark: ErasedMark,
    until: number,
  ): Promise<number>;
}

/** A visitor as conversions know it. */
export interface VisitorKey {
  readonly attributionId: string;
  readonly visitorId: string;
}

/** A browser event that names a conversion: beside the webhook's, which is the one of record. */
export interface BrowserConversion {
  readonly topic: Topic;
  readonly conversionId: string;
  readonly eventId: string;
  /** Null where the visitor may not be identified. */
  readonly visitorId: string | null;
  readonly sessionId: string | null;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Visitors by their ids, and conversions by theirs, where a conversion names no visitor. */
export interface Erasable {
  readonly visitors: readonly string[];
  readonly conversions: readonly string[];
}

export interface EventLimits {
  /** Events per minute from one address (IPv6: one /64), on this node; as many at once. */
  readonly perAddress: number;
  /** The same for all of a property's events. */
  readonly perProperty: number;
}

export interface SessionsDeps {
  readonly database: Database;
  readonly cipher: SecretCipher;
  readonly properties: Pick<PropertyDirectory, 'ownerOf'>;
  readonly lists: { current(): CompiledLists };
  /** Whether a user agent is not a person's (`isbot`). */
  readonly isBot: (userAgent: string) => boolean;
  /** Accepted events on their way into the database; and their rows on the way into the warehouse. */
  readonly spools: { readonly accepted: Spool; readonly rows: Spool };
  readonly events: EventStore;
  readonly domains: TrackingDomains;
  /** Called after the commit of new touches, and again when their batch is repeated. Late matching depends on it. */
  readonly onVisitors: (seen: readonly VisitorKey[]) => Promise<void>;
  /** In the transaction that records events: a page's own word of a conversion. The first one of a conversion counts. */
  readonly onBrowserConversion: (
    trx: Database['kysely'],
    property: Pick<Property, 'id' | 'organizationId'>,
    conversion: BrowserConversion,
  ) => Promise<void>;
  /** In the transaction that erases a visitor: what other rooms keep of them. */
  readonly onErase: (
    trx: Database['kysely'],
    property: Pick<Property, 'id' | 'organizationId'>,
    whose: Erasable,
  ) => Promise<{ readonly conversions: number; readonly requests: number; readonly deliveries: number }>;
  /** Conversions whose buyer gave this email address, and the visitors they name. */
  readonly findByEmail: (
    property: Pick<Property, 'id' | 'organizationId'>,
    email: string,
  ) => Promise<{ readonly conversions: readonly string[]; readonly visitors: readonly string[] }>;
  /** Numbers of the lines of a batch that are of a deleted property. */
  readonly lateRows: (batch: { readonly body: Uint8Array }) => Promise<number[]>;
  readonly limits: EventLimits;
  /** How long visitors, sessions and touches are kept; days. */
  readonly retentionDays: number;
  /** Whether SECRET_KEY_PREVIOUS is set: the hourly job then re-encrypts. */
  readonly rotating: boolean;
  readonly clock: Clock;
  readonly log: Log;
}
