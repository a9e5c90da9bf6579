/** A visitor who wants to be forgotten: what was sold stays, in sum and by campaign; who it was does not. */
import { createHash } from 'node:crypto';
import { maskPerson } from '@ghostlight/core';
import { sql } from 'kysely';
import type { Database, SecretCipher } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import { forgottenKey } from './conversions.ts';
import { openPersonal } from './opening.ts';

/** Opened at once. */
const PAGE = 500;

export interface Forgotten {
  /** Those that lost what pointed to the visitor. */
  readonly conversions: number;
  /** Requests of Recent Activity that lost what was received. */
  readonly requests: number;
  readonly browserEvents: number;
}

/** Conversions of these visitors, and these conversions. */
export interface Whose {
  readonly visitors: readonly string[];
  readonly conversions: readonly string[];
}

export async function eraseVisitor(
  trx: Database['kysely'],
  { id, organizationId }: Owner,
  { visitors, conversions }: Whose,
): Promise<Forgotten> {
  const theirs = (
    await trx
      .selectFrom('conversions')
      .select('id')
      .where('attribution_id', '=', id)
      .where('organization_id', '=', organizationId)
      .where((eb) => eb.or([eb('visitor_id', 'in', [...visitors, '']), eb('id', 'in', [...conversions, ''])]))
      .execute()
  ).map((row) => row.id);
  const ofThem = [...theirs, ''];
  const requests = await trx
    .updateTable('webhook_requests')
    .set({ received: null, conversion_id: null })
    .where('organization_id', '=', organizationId)
    .where('attribution_id', '=', id)
    .where((eb) =>
      eb.or([
        eb('conversion_row', 'in', ofThem),
        // Repetitions, tests and refused requests name a visitor without a conversion of theirs.
        ...visitors.map((visitor) => names('received', visitor)),
      ]),
    )
    .executeTakeFirst();
  for (const visitor of visitors)
    await trx
      .updateTable('webhook_requests')
      .set({ judgement: null, error: null })
      .where('organization_id', '=', organizationId)
      .where('attribution_id', '=', id)
      .where((eb) => eb.or([names('judgement', visitor), names('error', visitor)]))
      .execute();
  const forgotten = {
    personal: null,
    personal_until: null,
    payload_digest: null,
    winner: null,
    touches: '[]',
  };
  // A refund names no visitor, but carries the touches of its purchase.
  await trx
    .updateTable('conversions')
    .set(forgotten)
    .where('organization_id', '=', organizationId)
    .where('purchase_row', 'in', ofThem)
    .execute();
  const { numUpdatedRows } = await trx
    .updateTable('conversions')
    .set({ ...forgotten, visitor_id: null, match_until: null })
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ofThem)
    .executeTakeFirst();
  await forgetIds(trx, organizationId, ofThem, visitors);
  const { numDeletedRows } = await trx
    .deleteFrom('browser_conversions')
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('visitor_id', 'in', [...visitors, ''])
    .executeTakeFirst();
  return {
    conversions: Number(numUpdatedRows),
    requests: Number(requests.numUpdatedRows),
    browserEvents: Number(numDeletedRows),
  };
}

/** What a sender made of an address or of the visitor's id: the ids of an order or a lead, and other texts of its choice. */
async function forgetIds(
  trx: Database['kysely'],
  organizationId: string,
  theirs: readonly string[],
  visitors: readonly string[],
): Promise<void> {
  const masked = (text: string | null) => text && maskPerson(text, visitors);
  const names = (text: string | null) => masked(text) !== text;
  for (let from = 0; from < theirs.length; from += PAGE) {
    const page = theirs.slice(from, from + PAGE);
    const rows = await trx
      .selectFrom('conversions')
      .select(['id', 'purchase_row', 'conversion_id', 'refund_id', 'idempotency_key', 'attribution_id'])
      .select(['event_name', 'lead_type', 'discount_code', 'products'])
      .where('organization_id', '=', organizationId)
      .where(({ or, eb }) => or([eb('id', 'in', page), eb('purchase_row', 'in', page)]))
      .execute();
    for (const row of rows) {
      const texts = {
        // A purchase and its refunds go on having one.
        conversion_id: names(row.conversion_id) ? (row.purchase_row ?? row.id) : row.conversion_id,
        refund_id: names(row.refund_id) ? row.id : row.refund_id,
        idempotency_key: names(row.idempotency_key)
          ? forgottenKey(row.attribution_id, row.idempotency_key)
          : row.idempotency_key,
        event_name: masked(row.event_name),
        lead_type: masked(row.lead_type),
        discount_code: masked(row.discount_code),
        products: masked(row.products) ?? '[]',
      };
      if (Object.entries(texts).every(([name, text]) => row[name as keyof typeof texts] === text)) continue;
      await trx
        .updateTable('conversions')
        .set(texts)
        .where('id', '=', row.id)
        .where('organization_id', '=', organizationId)
        .execute();
    }
  }
}

/** In either spelling, and as a part of it too: `v1.<id>.<seconds>`. */
function names(column: 'received' | 'judgement' | 'error', visitor: string) {
  const pattern = `%${visitor.toLowerCase().replace(/[%_!]/g, '!$&')}%`;
  return sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '!'`;
}

/**
 * Email addresses are encrypted, so each conversion is decrypted; also those that were sent as a SHA-256 of the address are found.
 * @returns the conversions, and the visitors that they name
 */
export async function findByEmail(
  database: Database,
  cipher: SecretCipher,
  { id, organizationId }: Owner,
  email: string,
): Promise<{ conversions: string[]; visitors: string[] }> {
  const wanted = email.trim().toLowerCase();
  const forms = new Set([wanted, createHash('sha256').update(wanted).digest('hex')]);
  const conversions: string[] = [];
  const visitors = new Set<string>();
  for (let after = ''; ; ) {
    const rows = await database.reader
      .selectFrom('conversions')
      .select(['id', 'personal', 'visitor_id'])
      .where('attribution_id', '=', id)
      .where('organization_id', '=', organizationId)
      .where('personal', 'is not', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    for (const row of rows) {
      if (!strings(opened(cipher, row)).some((text) => forms.has(text.trim().toLowerCase()))) continue;
      conversions.push(row.id);
      if (row.visitor_id !== null) visitors.add(row.visitor_id);
    }
    after = rows.at(-1)?.id ?? '';
    if (rows.length < PAGE) return { conversions, visitors: [...visitors] };
  }
}

/** What can't be opened belongs to a key that is gone: it can't be read by others either. */
function opened(cipher: SecretCipher, row: { id: string; personal: string | null }): unknown {
  try {
    return openPersonal(cipher, row);
  } catch {
    return null;
  }
}

/** Every text in it; what was sent is bounded in depth. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}
