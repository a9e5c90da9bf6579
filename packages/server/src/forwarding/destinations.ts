/** Destinations: connect, list, change, pause, delete. Credentials go in and never come out. */
import { randomBytes } from 'node:crypto';
import { type Caller, type Clock, ServiceError } from '../common/index.ts';
import { audit, auditChange, changesOf, type Database, lockOrganization } from '../database/index.ts';
import type { AnyDestination, EventMapping, Platform } from '../destinations/index.ts';
import type { Owner } from '../properties/index.ts';
import { checkEntered } from './checking.ts';
import {
  actionsOf,
  changedColumns,
  type DestinationChanges,
  loggedCredentials,
  loggedOf,
  merged,
} from './destination-changes.ts';
import { isEncryptedMember, shownConfig, takenApart } from './encrypted-urls.ts';
import type { DestinationRow, Vault } from './vault.ts';

/** Each of them is a row in the transaction of every matched conversion. */
const MAX_PER_PROPERTY = 50;

export interface NewDestination {
  readonly platform: Platform;
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly credentials: Readonly<Record<string, string | null>>;
  readonly events: EventMapping;
}

/** A destination as it may be shown. */
export interface ShownDestination {
  readonly row: Omit<DestinationRow, 'credentials'>;
  /** Names of the credentials that are set. */
  readonly credentials: readonly string[];
}

export interface Destinations {
  /** @throws ServiceError `invalid` with every place, `conflict` beyond 50 */
  create(owner: Owner, actor: Caller['actor'], destination: NewDestination): Promise<ShownDestination>;
  /** Oldest first; at most 50. */
  list(owner: Owner): Promise<ShownDestination[]>;
  /** @throws ServiceError `not_found` */
  get(owner: Owner, id: string): Promise<ShownDestination>;
  /** The row for sending. @throws ServiceError `not_found` */
  row(owner: Owner, id: string): Promise<DestinationRow>;
  /**
   * New credentials or a new config end an alarm: they are what it asked for.
   * @throws ServiceError `not_found`, `invalid`; `unavailable` where encrypted members have to stay and this node can't decrypt them
   */
  update(
    owner: Owner,
    actor: Caller['actor'],
    id: string,
    changes: DestinationChanges,
  ): Promise<ShownDestination>;
  /** Its history stays. @throws ServiceError `not_found` */
  delete(owner: Owner, actor: Caller['actor'], id: string): Promise<void>;
}

export interface DestinationsDeps {
  readonly database: Database;
  readonly platforms: readonly AnyDestination[];
  readonly vault: Vault;
  /** The loop ends what waits. */
  readonly onDelete: () => void;
  readonly clock: Clock;
}

export function createDestinations(deps: DestinationsDeps): Destinations {
  const { database, vault, clock } = deps;
  const platformOf = (name: string): AnyDestination => {
    const platform = deps.platforms.find((candidate) => candidate.platform === name);
    if (platform !== undefined) return platform;
    throw new ServiceError('invalid', 'There is no such platform; list the platforms.', {
      errors: [{ pointer: '/platform', message: 'Is not a platform of this version.' }],
    });
  };
  const shown = (row: DestinationRow): ShownDestination => {
    const { credentials: _sealed, ...rest } = row;
    const sealing = deps.platforms.find(({ platform }) => platform === row.platform) ?? {};
    const config = JSON.stringify(shownConfig(sealing, JSON.parse(row.config) as Record<string, unknown>));
    const set = Object.keys(vault.standing(row) ?? {}).filter((name) => !isEncryptedMember(name));
    return { row: { ...rest, config }, credentials: set.sort() };
  };
  const found = (row: DestinationRow | undefined): DestinationRow => {
    if (row !== undefined) return row;
    throw new ServiceError('not_found', 'There is no such destination; list them to find its ID.');
  };
  const read = async (owner: Owner, id: string): Promise<DestinationRow> =>
    found(await standing(database.reader, owner).where('id', '=', id.toLowerCase()).executeTakeFirst());
  /** Held: the loop writes alarms and renewed tokens into the same row. */
  const held = async (trx: Database['kysely'], owner: Owner, id: string): Promise<DestinationRow> =>
    found(
      await standing(trx, owner)
        .where('id', '=', id.toLowerCase())
        .$call(database.adapter.forUpdate)
        .executeTakeFirst(),
    );

  return {
    async create(owner, actor, { platform, name, ...entered }) {
      const checked = checkEntered(platformOf(platform), {
        ...entered,
        credentials: merged({}, entered.credentials),
      });
      const { column, sealed } = takenApart(platformOf(platform), checked.config ?? {});
      const at = clock();
      const id = `dst_${randomBytes(16).toString('hex')}`;
      const { organizationId } = owner;
      const row = await database.kysely.transaction().execute(async (trx) => {
        await lockOrganization(trx, organizationId);
        const { count } = await trx
          .selectFrom('destinations')
          .select(({ fn }) => fn.countAll<number | string>().as('count'))
          .where('attribution_id', '=', owner.id)
          .where('organization_id', '=', organizationId)
          .where('deleted_at', 'is', null)
          .executeTakeFirstOrThrow();
        if (Number(count) >= MAX_PER_PROPERTY)
          throw new ServiceError(
            'conflict',
            `A property can have at most ${MAX_PER_PROPERTY} destinations; delete one first.`,
          );
        const inserted = await trx
          .insertInto('destinations')
          .values({
            id,
            organization_id: organizationId,
            attribution_id: owner.id,
            platform,
            name,
            config: JSON.stringify(column),
            credentials: vault.seal(id, { ...checked.credentials, ...sealed }),
            credentials_at: at,
            events: JSON.stringify(checked.events ?? {}),
            paused: 0,
            alarm: null,
            not_before: null,
            failures: 0,
            revision: 1,
            created_at: at,
            updated_at: at,
            deleted_at: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        const entry = { at, actor, action: 'destination.created', subject: id, organizationId };
        await audit(trx, { ...entry, changes: changesOf({}, loggedOf(platformOf(platform), inserted, {})) });
        return inserted;
      });
      return shown(row);
    },
    async list(owner) {
      const rows = await standing(database.reader, owner)
        .orderBy('created_at')
        .orderBy('id')
        .limit(MAX_PER_PROPERTY)
        .execute();
      return rows.map(shown);
    },
    get: async (owner, id) => shown(await read(owner, id)),
    row: read,
    async update(owner, actor, id, changes) {
      const at = clock();
      const { organizationId } = owner;
      const row = await database.kysely.transaction().execute(async (trx) => {
        const before = await held(trx, owner, id);
        const columns = changedColumns(vault, platformOf(before.platform), before, changes, at);
        const after = await trx
          .updateTable('destinations')
          .set(columns)
          .where('id', '=', before.id)
          .where('organization_id', '=', organizationId)
          .returningAll()
          .executeTakeFirstOrThrow();
        const entry = { at, actor, subject: before.id, organizationId };
        const logged = (one: DestinationRow) =>
          loggedOf(platformOf(before.platform), one, vault.standing(one) ?? {});
        for (const action of actionsOf(changes, before)) {
          if (action === 'destination.updated')
            await auditChange(trx, { ...entry, action, before: logged(before), after: logged(after) });
          else if (action === 'destination.credentials_changed')
            await auditChange(trx, {
              ...{ ...entry, action },
              before: loggedCredentials(vault.standing(before) ?? {}),
              after: loggedCredentials(vault.standing(after) ?? {}),
            });
          else await audit(trx, { ...entry, action });
        }
        return after;
      });
      return shown(row);
    },
    async delete(owner, actor, id) {
      const at = clock();
      const { organizationId } = owner;
      await database.kysely.transaction().execute(async (trx) => {
        const before = await held(trx, owner, id);
        await trx
          .updateTable('destinations')
          // What opened the platform's door is of no use any more.
          .set({ deleted_at: at, updated_at: at, credentials: '', alarm: null })
          .where('id', '=', before.id)
          .where('organization_id', '=', organizationId)
          .execute();
        await audit(trx, { at, actor, action: 'destination.deleted', subject: before.id, organizationId });
      });
      deps.onDelete();
    },
  };
}

/** The property's destinations that are not deleted: the one way to select any for people. */
function standing(db: Database['kysely'], { id, organizationId }: Owner) {
  return db
    .selectFrom('destinations')
    .selectAll()
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null);
}
