/** Which kinds of alerts a property wants, their thresholds, and how often messages repeat. */

import { DAY_MS } from '@ghostlight/core/time';
import { type Caller, type Clock, ServiceError } from '../common/index.ts';
import { auditChange, type Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import { FACTS, KINDS, type Kind, REPEAT_HOURS } from './kinds.ts';

export interface RuleSetting {
  readonly kind: Kind;
  readonly enabled: boolean;
  readonly threshold: number;
  /** Epoch ms; null: it sends. */
  readonly mutedUntil: number | null;
}

export interface AlertSettings {
  /** All kinds, in their order. */
  readonly rules: readonly RuleSetting[];
  readonly repeatHours: number;
}

export interface SettingsChanges {
  readonly repeatHours?: number | undefined;
  /** `threshold` null: the default again. */
  readonly rules?:
    | readonly {
        readonly kind: Kind;
        readonly enabled?: boolean | undefined;
        readonly threshold?: number | null | undefined;
        /** Epoch ms; null: it sends again. */
        readonly mutedUntil?: number | null | undefined;
      }[]
    | undefined;
}

export interface Settings {
  read(owner: Owner): Promise<AlertSettings>;
  /** What is left out stays. @throws ServiceError `invalid` with every place */
  change(owner: Owner, actor: Caller['actor'], changes: SettingsChanges): Promise<AlertSettings>;
}

export function createSettings({ database, clock }: { database: Database; clock: Clock }): Settings {
  const read = async (db: Database['kysely'], { id, organizationId }: Owner): Promise<AlertSettings> => {
    const rows = await db
      .selectFrom('alert_rules')
      .select(['kind', 'enabled', 'threshold', 'muted_until'])
      .where('attribution_id', '=', id)
      .where('organization_id', '=', organizationId)
      .execute();
    const settings = await db
      .selectFrom('alert_settings')
      .select('repeat_hours')
      .where('attribution_id', '=', id)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    return {
      repeatHours: settings?.repeat_hours ?? REPEAT_HOURS.default,
      rules: KINDS.map((kind) => {
        const row = rows.find((one) => one.kind === kind);
        return {
          kind,
          enabled: row === undefined || row.enabled === 1,
          threshold: row?.threshold ?? FACTS[kind].default,
          mutedUntil: (row?.muted_until ?? 0) > clock() ? (row?.muted_until ?? null) : null,
        };
      }),
    };
  };

  return {
    read: (owner) => read(database.reader, owner),
    async change(owner, actor, { repeatHours, rules = [] }) {
      check(rules, clock());
      const { id, organizationId } = owner;
      return await database.kysely.transaction().execute(async (trx) => {
        // Another change at the same time waits: it starts from what this one leaves.
        await database.adapter.lockName(trx, `alert_rules:${id}`);
        const before = await read(trx, owner);
        for (const { kind, enabled, threshold, mutedUntil } of rules) {
          // What is left out stays, and a default stays the default of whichever version runs.
          const changed = {
            ...(enabled === undefined ? {} : { enabled: enabled ? 1 : 0 }),
            ...(threshold === undefined ? {} : { threshold }),
            ...(mutedUntil === undefined ? {} : { muted_until: mutedUntil }),
          };
          if (Object.keys(changed).length === 0) continue;
          await trx
            .insertInto('alert_rules')
            .values({
              attribution_id: id,
              organization_id: organizationId,
              kind,
              enabled: 1,
              threshold: null,
              muted_until: null,
              ...changed,
            })
            .onConflict((conflict) => conflict.columns(['attribution_id', 'kind']).doUpdateSet(changed))
            .execute();
        }
        if (repeatHours !== undefined)
          await trx
            .insertInto('alert_settings')
            .values({ attribution_id: id, organization_id: organizationId, repeat_hours: repeatHours })
            .onConflict((conflict) =>
              conflict.column('attribution_id').doUpdateSet({ repeat_hours: repeatHours }),
            )
            .execute();
        const after = await read(trx, owner);
        await auditChange(trx, {
          at: clock(),
          actor,
          action: 'alert_rules.updated',
          subject: id,
          organizationId,
          before: shown(before),
          after: shown(after),
        });
        return after;
      });
    },
  };
}

/** As the audit log shows them. */
const shown = ({ rules, repeatHours }: AlertSettings): Record<string, unknown> => ({
  repeat_hours: repeatHours,
  ...Object.fromEntries(
    rules.flatMap(({ kind, enabled, threshold, mutedUntil }) => [
      [`${kind}.enabled`, enabled],
      [`${kind}.threshold`, threshold],
      [`${kind}.muted_until`, mutedUntil === null ? null : new Date(mutedUntil).toISOString()],
    ]),
  ),
});

/** A rule that is wanted no more is turned off. */
const MOST_MUTED_MS = 31 * DAY_MS;

function check(rules: NonNullable<SettingsChanges['rules']>, now: number): void {
  const errors = rules.flatMap(({ kind, threshold, mutedUntil }, index) => {
    const { min, max, unit } = FACTS[kind];
    if (rules.findIndex((rule) => rule.kind === kind) < index)
      return [{ pointer: `/rules/${index}/kind`, message: 'Appears twice.' }];
    if (typeof mutedUntil === 'number' && (mutedUntil <= now || mutedUntil > now + MOST_MUTED_MS))
      return [{ pointer: `/rules/${index}/muted_until`, message: 'Must be within the next 31 days.' }];
    if (threshold === undefined || threshold === null || (threshold >= min && threshold <= max)) return [];
    return [{ pointer: `/rules/${index}/threshold`, message: `Must be from ${min} to ${max} (${unit}).` }];
  });
  if (errors.length > 0) throw new ServiceError('invalid', 'The rules are invalid.', { errors });
}
