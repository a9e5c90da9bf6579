/** What the editor holds, unpublished: kept as it is, right or wrong. */

import type { Caller, Clock } from '../common/index.ts';
import { audit, type Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import { holdProperty, remove } from './current.ts';
import type { Declaration } from './tools.ts';

export const MAX_DRAFT_BYTES = 256 * 1024;

export interface Draft extends Declaration {
  /** Epoch milliseconds. */
  readonly updatedAt: number;
}

export interface Drafts {
  get(owner: Owner): Promise<Draft | null>;
  /** @param declaration at most `MAX_DRAFT_BYTES` as JSON */
  save(owner: Owner, actor: Caller['actor'], declaration: Declaration): Promise<void>;
  /** Without effect where there is none. */
  discard(owner: Owner, actor: Caller['actor']): Promise<void>;
}

export function createDrafts(database: Database, { clock }: { clock: Clock }): Drafts {
  const find = (db: Database['kysely'], { id, organizationId }: Owner) =>
    db
      .selectFrom('webmcp_drafts')
      .select(['body', 'updated_at'])
      .where('attribution_id', '=', id)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();

  return {
    async get(owner) {
      const row = await find(database.reader, owner);
      return row === undefined
        ? null
        : { ...(JSON.parse(row.body) as Declaration), updatedAt: row.updated_at };
    },
    async save(owner, actor, { hosts, tools }) {
      const at = clock();
      const row = { body: JSON.stringify({ hosts, tools }), updated_at: at, updated_by: actor };
      const { id, organizationId } = owner;
      await database.kysely.transaction().execute(async (trx) => {
        await holdProperty(trx, owner, database.adapter);
        const standing = await find(trx, owner);
        await trx
          .insertInto('webmcp_drafts')
          .values({ attribution_id: id, organization_id: organizationId, ...row })
          .onConflict((conflict) => conflict.column('attribution_id').doUpdateSet(row))
          .execute();
        // The editor saves at every pause: one row for a draft, not one for a keystroke.
        if (standing === undefined)
          await audit(trx, { at, actor, action: 'webmcp.draft_begun', subject: id, organizationId });
      });
    },
    async discard(owner, actor) {
      const { id, organizationId } = owner;
      await database.kysely.transaction().execute(async (trx) => {
        await holdProperty(trx, owner, database.adapter);
        if ((await find(trx, owner)) === undefined) return;
        await remove(trx, 'webmcp_drafts', owner);
        await audit(trx, {
          at: clock(),
          actor,
          action: 'webmcp.draft_discarded',
          subject: id,
          organizationId,
        });
      });
    },
  };
}
