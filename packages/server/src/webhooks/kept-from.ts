/**
 * From which day on all conversions of a property are kept. They are deleted by the day on which they arrived, and reports count them by
 * their own: of a day before, those that arrived late may be left.
 */
import { type Clock, daysOf, firstKeptDay, type RetentionLimits } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import type { Property } from '../properties/index.ts';

export type Kept = Pick<Property, 'id' | 'organizationId' | 'timeZone' | 'zoneSince' | 'retention'>;

/** By the rule of now, whether or not its job has run, and by earlier ones: what they deleted stays deleted. */
export async function keptFrom(
  database: Database,
  property: Kept,
  { retention, clock }: { readonly retention: RetentionLimits; readonly clock: Clock },
): Promise<number> {
  const days = daysOf(property);
  const rules = property.retention ?? {};
  const byRule = firstKeptDay(days, clock(), { limits: retention, rules, name: 'conversions' });
  const run = await database.reader
    .selectFrom('retention_runs')
    .select('cut_at')
    .where('attribution_id', '=', property.id)
    .where('organization_id', '=', property.organizationId)
    .where('class', '=', 'conversions')
    .executeTakeFirst();
  if (run === undefined) return byRule;
  // The beginning of a day, in the zone of then.
  const cutAt = Number(run.cut_at);
  const day = days.dayAt(cutAt);
  return Math.max(byRule, days.startOf(day) < cutAt ? day + 1 : day);
}
