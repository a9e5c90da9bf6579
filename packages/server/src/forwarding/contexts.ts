/** What a delivery is made of, gathered when its turn comes: the conversion opened, the visit that brought it, what was agreed to. */
import type { Touch } from '@ghostlight/core';
import { MINUTE_MS } from '@ghostlight/core/time';
import type { Clock, Log } from '../common/index.ts';
import { type Database, DecryptError, type SecretCipher } from '../database/index.ts';
import {
  type ConsentFacts,
  countryCode,
  type ForwardedConversion,
  type MatchContext,
  type Original,
} from '../destinations/index.ts';
import {
  type ConsentDefault,
  type ConversionRow,
  isForgotten,
  type OpenedConversion,
  openConversion,
} from '../webhooks/index.ts';
import { publicAddress } from './client-address.ts';
import { consentFacts, NOTHING_SAID, type Said } from './consent.ts';
import type { Contexts, DeliveryRow, Loaded } from './delivery/ports.ts';
import { originalOf } from './original.ts';

/** Data stored with a touch, as sessions return it. */
export interface Visit {
  /** `sealed`: no key of this node opens it. */
  readonly client: { readonly ip: string; readonly userAgent: string } | 'sealed' | null;
  readonly firstSeen: number | null;
  readonly consent: Said;
  readonly region: string | null;
}

/** Sessions, as forwarding sees them. */
export interface Visits {
  /** By touch id; one that is forgotten is left out. */
  visitsOf(
    db: Database['kysely'],
    attributionId: string,
    touches: readonly { readonly visitorId: string; readonly touchId: string }[],
  ): Promise<ReadonlyMap<string, Visit>>;
}

export interface ContextsDeps {
  readonly database: Database;
  readonly cipher: SecretCipher;
  readonly visits: Visits;
  readonly clock: Clock;
  readonly log: Log;
}

export function createContexts(deps: ContextsDeps): Contexts {
  const { reader } = deps.database;

  const conversionsOf = async (
    organizationId: string,
    ids: readonly (string | null)[],
  ): Promise<ReadonlyMap<string, ConversionRow>> => {
    const wanted = [...new Set(ids.filter((id) => id !== null))];
    if (wanted.length === 0) return new Map();
    const rows = await reader
      .selectFrom('conversions')
      .selectAll()
      .where('id', 'in', wanted)
      .where('organization_id', '=', organizationId)
      .execute();
    return new Map(rows.map((row) => [row.id, row]));
  };

  return {
    async load(rows) {
      const loaded = new Map<string, Loaded>();
      // Of one destination, so of one property.
      const [{ organization_id: organizationId, attribution_id: attributionId } = NOBODY] = rows;
      const conversions = await conversionsOf(
        organizationId,
        rows.map(({ conversion_row }) => conversion_row),
      );
      const purchases = await conversionsOf(
        organizationId,
        [...conversions.values()].map(({ purchase_row }) => purchase_row),
      );
      const winners = new Map(
        [...conversions.values()].map((row) => {
          const purchase = purchases.get(row.purchase_row ?? '');
          return [row.id, winnerOf(row, purchase)] as const;
        }),
      );
      const visits = await deps.visits.visitsOf(
        reader,
        attributionId,
        [...winners.values()].flatMap(({ touch, visitorId }) =>
          touch === null || visitorId === null ? [] : [{ touchId: touch.id, visitorId }],
        ),
      );
      const silence = await consentDefaultOf(deps.database, organizationId, attributionId);

      const gather = async (delivery: DeliveryRow): Promise<Loaded> => {
        const row = conversions.get(delivery.conversion_row);
        if (row === undefined) return { skip: 'data_expired' };
        const { touch, visitorId } = winners.get(row.id) ?? { touch: null, visitorId: null };
        // Matched by a touch that is there no more: the visitor is erased.
        if (touch === null && row.channel !== 'direct') return { skip: 'erased' };
        if (isForgotten(row))
          return { skip: touch === null && visitorId === null ? 'erased' : 'data_expired' };
        const opened = openedOf(deps.cipher, row);
        const visit = touch === null ? UNSEEN : visits.get(touch.id);
        const isClientAwaited =
          visit?.client === 'sealed' && deps.clock() - delivery.created_at < CLIENT_AWAITED_MS;
        if (opened === null || isClientAwaited) return { sealed: row.occurred_at };
        const purchase = purchases.get(row.purchase_row ?? '');
        const original =
          row.topic === 'refund' && purchase !== undefined
            ? await originalOf(reader, delivery, purchase, deps.clock())
            : null;
        if (original !== null && 'wait' in original) return original;
        const country = countryCode(opened.user?.address?.country ?? null) ?? visit?.region ?? null;
        const consent = consentFacts(
          [opened.consent ?? NOTHING_SAID, visit?.consent ?? NOTHING_SAID],
          silence,
          country,
        );
        return {
          conversion: forwarded(row, opened),
          context: contextOf(row, touch, visitorId, visit, consent, original),
        };
      };
      for (const row of rows) loaded.set(row.id, await gather(row));
      const sealed = [...loaded.values()].filter((one) => 'sealed' in one).length;
      if (sealed > 0)
        deps.log.warn(
          { deliveries: sealed },
          'no SECRET_KEY of this node opens the data of these deliveries; another node may',
        );
      return loaded;
    },
  };
}

/** A visit without its client is still worth sending, but not before a node with the other key had time to open it. */
const CLIENT_AWAITED_MS = 10 * MINUTE_MS;
/**
 * Of a direct match no touch keeps the visitor's consent on the page. They may have refused there, so that only what the conversion itself
 * says counts as consent.
 */
const UNSEEN: Visit = {
  client: null,
  firstSeen: null,
  consent: { advertising: false, analytics: false, saleOfData: null },
  region: null,
};
const NOBODY = { organization_id: '', attribution_id: '' };

/** A refund names no visitor; it has inherited the touches of its purchase's. */
function winnerOf(
  row: ConversionRow,
  purchase: ConversionRow | undefined,
): { readonly touch: Touch | null; readonly visitorId: string | null } {
  const inherited = row.match_reason === 'inherited';
  return {
    touch: row.winner === null ? null : (JSON.parse(row.winner) as Touch),
    visitorId: (inherited ? purchase?.visitor_id : null) ?? row.visitor_id,
  };
}

/** null: no key of this node opens it. Its country decides which rules of consent hold, so it is not sent without. */
function openedOf(cipher: SecretCipher, row: ConversionRow): OpenedConversion | null {
  try {
    return openConversion(cipher, row);
  } catch (error) {
    if (!(error instanceof DecryptError)) throw error;
    return null;
  }
}

async function consentDefaultOf(
  { reader }: Database,
  organizationId: string,
  attributionId: string,
): Promise<ConsentDefault> {
  const row = await reader
    .selectFrom('webhook_settings')
    .select('consent_default')
    .where('attribution_id', '=', attributionId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row?.consent_default ?? 'by_region';
}

function forwarded(row: ConversionRow, { user, products }: OpenedConversion): ForwardedConversion {
  return {
    id: row.id,
    attributionId: row.attribution_id,
    topic: row.topic as ForwardedConversion['topic'],
    conversionId: row.conversion_id,
    refundId: row.refund_id,
    eventName: row.event_name,
    occurredAt: row.occurred_at,
    receivedAt: row.received_at,
    value: row.value,
    currency: row.currency,
    tax: row.tax,
    shipping: row.shipping,
    discountCode: row.discount_code,
    leadType: row.lead_type,
    products,
    user,
  };
}

function clientOf(visit: Visit | undefined): MatchContext['client'] {
  const client = visit?.client ?? null;
  if (client === null || client === 'sealed') return null;
  return { ip: publicAddress(client.ip), userAgent: client.userAgent };
}

function contextOf(
  row: ConversionRow,
  touch: Touch | null,
  visitorId: string | null,
  visit: Visit | undefined,
  consent: ConsentFacts,
  original: Original | null,
): MatchContext {
  const touches = JSON.parse(row.touches) as Touch[];
  const { host, path } = touch?.landing ?? { host: '', path: '' };
  const referrerHost = touch?.referrerHost ?? '';
  return {
    visitorId,
    firstSeen: visit?.firstSeen ?? null,
    touch,
    // Oldest first, so the newest of a name stands.
    clickIds: Object.fromEntries(
      touches.flatMap(({ clickIds, at }) =>
        Object.entries(clickIds).map(([name, value]) => [name, { value, at }]),
      ),
    ),
    browserIds: Object.fromEntries(touches.flatMap(({ browserIds }) => Object.entries(browserIds))),
    client: clientOf(visit),
    pageUrl: host === '' ? null : `https://${host}${path}`,
    referrer: referrerHost === '' ? null : `https://${referrerHost}/`,
    consent,
    original,
  };
}
