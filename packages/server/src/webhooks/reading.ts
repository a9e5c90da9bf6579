/** Conversions, read back: the list, one with its journey. */
import type { JsonValue, Touch } from '@ghostlight/core';
import { sql } from 'kysely';
import { type Log, ServiceError } from '../common/index.ts';
import {
  type Database,
  DecryptError,
  newestFirst,
  type Page,
  type PageQuery,
  type SecretCipher,
} from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import type { ConversionRow } from './announce.ts';
import { type ConversionFacets, passing } from './facets.ts';
import { maskedEvent, maskedFields } from './masking.ts';
import { openPersonal, readAgain } from './opening.ts';

export interface ConversionFilter extends ConversionFacets {
  /** Epoch milliseconds, inside and outside. */
  readonly from: number;
  readonly to: number;
}

export interface ConversionDetail {
  readonly conversion: ConversionRow;
  readonly touches: readonly Touch[];
  readonly winner: Touch | null;
  /** Masked; null once it is deleted. */
  readonly personal: JsonValue;
  readonly extra: JsonValue;
  readonly linkedBrowserEvent: boolean;
  /** Oldest first; at most 100. */
  readonly refunds: readonly ConversionRow[];
}

export interface ConversionReading {
  /** Newest first. @param after `next` of the page before. @throws ServiceError `invalid` for a cursor that is none */
  list(owner: Owner, filter: ConversionFilter, page: PageQuery): Promise<Page<ConversionRow>>;
  /** @throws ServiceError `not_found` */
  get(owner: Owner, id: string): Promise<ConversionDetail>;
}

const MAX_REFUNDS = 100;

export function createConversionReading(
  database: Database,
  cipher: SecretCipher,
  log: Log,
): ConversionReading {
  const personalOf = ({ id, personal }: ConversionRow): { personal: JsonValue; extra: JsonValue } => {
    const nothing = { personal: null, extra: {} };
    try {
      const opened = openPersonal(cipher, { id, personal });
      if (opened === null) return nothing;
      const masked = JSON.parse(maskedEvent(readAgain({ user_data: opened.user_data })).json);
      return { personal: masked['user_data'] ?? null, extra: JSON.parse(maskedFields(opened.extra).json) };
    } catch (error) {
      if (!(error instanceof DecryptError)) throw error;
      log.warn({ err: error, conversion: id }, 'personal data of a conversion could not be opened');
      return nothing;
    }
  };

  return {
    list: (owner, filter, page) =>
      newestFirst(
        matching(database, owner, filter),
        {
          at: sql<number>`occurred_at`,
          id: sql<string>`id`,
          ties: 'asc',
          idForm: 'cnv_[0-9a-f]{32}',
          lastOf: ({ occurred_at, id }) => ({ at: occurred_at, id }),
        },
        page,
      ),
    async get(owner, id) {
      const conversion = await ofOwner(database, owner).where('id', '=', id).executeTakeFirst();
      if (conversion === undefined)
        throw new ServiceError('not_found', 'There is no such conversion; list them to find its ID.');
      const linked = await database.reader
        .selectFrom('browser_conversions')
        .select('event_id')
        .where('attribution_id', '=', owner.id)
        .where('organization_id', '=', owner.organizationId)
        .where('topic', '=', conversion.topic)
        .where('conversion_id', '=', conversion.conversion_id)
        .executeTakeFirst();
      const refunds = await ofOwner(database, owner)
        .where('purchase_row', '=', conversion.id)
        .where('topic', '=', 'refund')
        .orderBy('occurred_at')
        .limit(MAX_REFUNDS)
        .execute();
      return {
        conversion,
        touches: JSON.parse(conversion.touches) as Touch[],
        winner: conversion.winner === null ? null : (JSON.parse(conversion.winner) as Touch),
        ...personalOf(conversion),
        linkedBrowserEvent: linked !== undefined,
        refunds,
      };
    },
  };
}

function ofOwner(database: Database, { id, organizationId }: Owner) {
  return database.reader
    .selectFrom('conversions')
    .selectAll()
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId);
}

function matching(database: Database, owner: Owner, filter: ConversionFilter) {
  return ofOwner(database, owner)
    .where('occurred_at', '>=', filter.from)
    .where('occurred_at', '<', filter.to)
    .where(passing(filter));
}
