/** What goes with the members of an organization that is deleted. */
import { sql } from 'kysely';
import { type Database, entryOf, TABLE_NAMES } from '../database/index.ts';

/** All members' memberships, sign-ins and tokens; and the accounts of those who belong to no other organization. @returns rows by table */
export async function removeMembers(
  trx: Database['kysely'],
  organizationId: string,
): Promise<Record<string, number>> {
  const alone = await trx
    .selectFrom('members as m')
    .select('m.person_id')
    .where('m.organization_id', '=', organizationId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('members as other')
            .select('other.person_id')
            .whereRef('other.person_id', '=', 'm.person_id')
            .where('other.organization_id', '!=', organizationId),
        ),
      ),
    )
    .execute();
  const found: Record<string, number> = {};
  const count = (table: string, { numAffectedRows }: { numAffectedRows?: bigint | undefined }): void => {
    found[table] = (found[table] ?? 0) + Number(numAffectedRows ?? 0);
  };
  for (const table of [
    'member_properties',
    'members',
    'sign_in_sessions',
    'api_tokens',
    'one_time_links',
  ] as const)
    count(
      table,
      await sql`delete from ${sql.table(table)} where organization_id = ${organizationId}`.execute(trx),
    );
  const people = alone.map(({ person_id: id }) => id);
  if (people.length === 0) return found;
  for (const table of TABLE_NAMES.toReversed()) {
    const { person } = entryOf(table);
    if (person !== undefined)
      count(
        table,
        await sql`delete from ${sql.table(table)} where ${sql.ref(person)} in (${sql.join(people)})`.execute(
          trx,
        ),
      );
  }
  return found;
}
