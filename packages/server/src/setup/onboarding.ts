/**
 * The first steps of a property, from its source to the people who read it. Whether a step is done is read from what the rooms store anyway;
 * only that the list was dismissed is stored for it.
 */
import { DAY_MS } from '@ghostlight/core/time';
import type { Caller, Clock } from '../common/index.ts';
import { audit, type Database } from '../database/index.ts';
import type { Property } from '../properties/index.ts';
import { firstHitAt, hasVerifiedVisit, type Warehouse } from '../warehouse/index.ts';

export const ONBOARDING_STEPS = [
  ...(['source', 'first_visit', 'verification', 'sdk', 'webhook', 'alert_channel', 'invite'] as const),
] as const;
export type OnboardingStep = (typeof ONBOARDING_STEPS)[number];

export interface OnboardingState {
  readonly done: ReadonlySet<OnboardingStep>;
  /** Epoch milliseconds; null: it is shown. */
  readonly dismissedAt: number | null;
}

export interface Onboarding {
  state(property: Property): Promise<OnboardingState>;
  dismiss(property: Property, actor: Caller['actor'], dismissed: boolean): Promise<void>;
}

/** Older visits than these are no sign that verification works now. */
const VERIFIED_WITHIN_MS = 30 * DAY_MS;

export function createOnboarding({
  database,
  warehouse,
  clock,
}: {
  database: Database;
  warehouse: Warehouse;
  clock: Clock;
}): Onboarding {
  const db = database.reader;
  type Done = (property: Property) => Promise<boolean>;

  const steps: Readonly<Record<OnboardingStep, Done>> = {
    async source(property) {
      const { id, organizationId } = property;
      const key = await db
        .selectFrom('ingest_keys')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where((eb) => eb.or([eb('attribution_id', '=', id), eb('attribution_id', 'is', null)]))
        .where('revoked_at', 'is', null)
        .where('last_used_at', 'is not', null)
        .limit(1)
        .executeTakeFirst();
      // That a key was used is stored a while later; its visits say it at once.
      return key !== undefined || (await steps.first_visit(property));
    },
    async first_visit({ id, organizationId }) {
      return (await firstHitAt(warehouse, { organizationId, attributionId: id })) !== null;
    },
    verification: ({ id, organizationId }) =>
      hasVerifiedVisit(warehouse, { organizationId, attributionId: id }, clock() - VERIFIED_WITHIN_MS),
    async sdk({ id, organizationId }) {
      const visitor = await db
        .selectFrom('visitors')
        .select('visitor_id')
        .where('attribution_id', '=', id)
        .where('organization_id', '=', organizationId)
        .limit(1)
        .executeTakeFirst();
      return visitor !== undefined;
    },
    async webhook({ id, organizationId }) {
      const conversion = await db
        .selectFrom('conversions')
        .select('id')
        .where('attribution_id', '=', id)
        .where('organization_id', '=', organizationId)
        .limit(1)
        .executeTakeFirst();
      return conversion !== undefined;
    },
    async alert_channel({ id, organizationId }) {
      const channel = await db
        .selectFrom('alert_channels')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where((eb) => eb.or([eb('attribution_id', '=', id), eb('attribution_id', 'is', null)]))
        .where('deleted_at', 'is', null)
        .where('enabled', '=', 1)
        .limit(1)
        .executeTakeFirst();
      return channel !== undefined;
    },
    async invite({ organizationId }) {
      const [members, invited] = await Promise.all([
        db
          .selectFrom('members')
          .select('created_at')
          .where('organization_id', '=', organizationId)
          .limit(2)
          .execute(),
        db
          .selectFrom('one_time_links')
          .select('email')
          .where('organization_id', '=', organizationId)
          .where('email', 'is not', null)
          .where('expires_at', '>', clock())
          .limit(1)
          .executeTakeFirst(),
      ]);
      if (members.length > 1 || invited !== undefined) return true;
      const [only] = members;
      if (only === undefined) return false;
      // Who invites with the admin token is no member: the only one may be the colleague. A first owner came before any invitation.
      const accepted = await db
        .selectFrom('audit_log')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('action', '=', 'invitation.created')
        .where('at', '<', only.created_at)
        .limit(1)
        .executeTakeFirst();
      return accepted !== undefined;
    },
  };

  return {
    async state(property) {
      const row = await db
        .selectFrom('properties')
        .select('onboarding_dismissed_at')
        .where('id', '=', property.id)
        .where('organization_id', '=', property.organizationId)
        .executeTakeFirst();
      const found = await Promise.all(
        ONBOARDING_STEPS.map(async (step) => ((await steps[step](property)) ? [step] : [])),
      );
      return { done: new Set(found.flat()), dismissedAt: row?.onboarding_dismissed_at ?? null };
    },
    async dismiss({ id, organizationId }, actor, dismissed) {
      const at = clock();
      await database.kysely.transaction().execute(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('properties')
          .set({ onboarding_dismissed_at: dismissed ? at : null })
          .where('id', '=', id)
          .where('organization_id', '=', organizationId)
          .where('deleted_at', 'is', null)
          .where('onboarding_dismissed_at', dismissed ? 'is' : 'is not', null)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return;
        const action = dismissed ? 'onboarding.dismissed' : 'onboarding.shown';
        await audit(trx, { at, actor, action, subject: id, organizationId });
      });
    },
  };
}
