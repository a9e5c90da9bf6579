/** What a property says about conversions: whether it receives them, how far back a click counts, what silence about consent means. */
import { LOOKBACK_DAYS } from '@ghostlight/core';
import type { Caller, Clock } from '../common/index.ts';
import { auditChange, createReadThrough, type Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';

export const CONSENT_DEFAULTS = ['by_region', 'denied', 'unknown', 'granted'] as const;
/** `by_region`: denied in the EEA, the UK and Switzerland, else unknown. */
export type ConsentDefault = (typeof CONSENT_DEFAULTS)[number];

export interface Settings {
  readonly enabled: boolean;
  readonly lookbackDays: number;
  readonly consentDefault: ConsentDefault;
}

/** A property that receives conversions, as the endpoint needs it. */
export interface Receiver extends Settings {
  readonly attributionId: string;
  readonly organizationId: string;
}

export interface SettingsStore {
  read(owner: Owner): Promise<Settings>;
  update(owner: Owner, actor: Caller['actor'], changes: Partial<Settings>): Promise<Settings>;
  /**
   * The property, or null: unknown, deleted, or receiving not enabled. In any letter case; known means at most 5 s old (1 s for null), and
   * at once after a change made on this node.
   */
  receiver(attributionId: string): Promise<Receiver | null>;
}

const DEFAULTS: Settings = {
  enabled: false,
  lookbackDays: LOOKBACK_DAYS.default,
  consentDefault: 'by_region',
};
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function createSettings(db: Database, { clock }: { clock: Clock }): SettingsStore {
  const receivers = createReadThrough<Receiver>({
    clock,
    load: async (id) => {
      const row = await db.reader
        .selectFrom('webhook_settings')
        .innerJoin('properties', 'properties.id', 'webhook_settings.attribution_id')
        .select(['webhook_settings.organization_id', 'enabled', 'lookback_days', 'consent_default'])
        .where('attribution_id', '=', id)
        .where('enabled', '=', 1)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      return row && { attributionId: id, organizationId: row.organization_id, ...toSettings(row) };
    },
  });

  const read = async (from: Database['kysely'], { id, organizationId }: Owner): Promise<Settings> => {
    const row = await from
      .selectFrom('webhook_settings')
      .select(['enabled', 'lookback_days', 'consent_default'])
      .where('attribution_id', '=', id)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    return row === undefined ? DEFAULTS : toSettings(row);
  };

  return {
    read: (owner) => read(db.reader, owner),
    async update(owner, actor, changes) {
      const { id, organizationId } = owner;
      const at = clock();
      const settings = await db.kysely.transaction().execute(async (trx) => {
        // Another change at the same time waits: it starts from what this one leaves.
        await db.adapter.lockName(trx, `webhook_settings:${id}`);
        const before = await read(trx, owner);
        const after = { ...before, ...changes };
        const row = {
          enabled: after.enabled ? 1 : 0,
          lookback_days: after.lookbackDays,
          consent_default: after.consentDefault,
          updated_at: at,
        };
        await trx
          .insertInto('webhook_settings')
          .values({ attribution_id: id, organization_id: organizationId, ...row })
          .onConflict((conflict) => conflict.column('attribution_id').doUpdateSet(row))
          .execute();
        const action =
          before.enabled === after.enabled
            ? 'webhooks.updated'
            : after.enabled
              ? 'webhooks.enabled'
              : 'webhooks.disabled';
        const entry = { at, actor, action, subject: id, organizationId } as const;
        await auditChange(trx, { ...entry, before: loggedOf(before), after: loggedOf(after) });
        return after;
      });
      receivers.forget(id);
      return settings;
    },
    async receiver(attributionId) {
      const id = attributionId.toLowerCase();
      // Not worth a look-up, nor a place in the cache.
      if (!UUID.test(id)) return null;
      const known = receivers.peek(id);
      return known === undefined ? await receivers.get(id) : known;
    },
  };
}

const loggedOf = ({ enabled, lookbackDays, consentDefault }: Settings) => ({
  enabled,
  lookback_days: lookbackDays,
  consent_default: consentDefault,
});

function toSettings(row: {
  enabled: number;
  lookback_days: number;
  consent_default: ConsentDefault;
}): Settings {
  return {
    enabled: row.enabled === 1,
    lookbackDays: row.lookback_days,
    consentDefault: row.consent_default,
  };
}
