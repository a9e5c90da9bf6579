/** Channels: where messages go. Addresses and secrets are encrypted as one value; a signing secret is shown once, when it is created. */
import { randomBytes } from 'node:crypto';
import { type Caller, type Clock, ServiceError } from '../common/index.ts';
import {
  audit,
  auditChange,
  type Database,
  DecryptError,
  hidden,
  lockOrganization,
  type Row,
  type SecretCipher,
} from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import { type ChannelAddress, type ChannelType, shownTarget } from './channel-address.ts';
import { changedAddress, newAddress } from './channel-entry.ts';
import { encryptAddress, openAddress } from './channel-secrets.ts';
import type { Kind } from './kinds.ts';
import { type LastMessage, lastMessages } from './last-messages.ts';

/** Each is a message per alert. */
const MAX_CHANNELS = 20;

export type ChannelRow = Row<'alert_channels'>;

export interface NewChannel {
  readonly type: ChannelType;
  readonly name: string;
  /** Email address or URL. */
  readonly target: string;
  /** Of all properties of the organization. */
  readonly everywhere: boolean;
  /** null: it gets the alerts of all rules, as by default. */
  readonly kinds?: readonly Kind[] | null | undefined;
}

export interface ChannelChanges {
  readonly name?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly target?: string | undefined;
  readonly rotateSecret?: boolean | undefined;
  readonly kinds?: readonly Kind[] | null | undefined;
}

/** A channel as it may be shown. */
export interface ShownChannel {
  readonly row: Omit<ChannelRow, 'sealed'>;
  /** null: it was encrypted with a key that no longer exists; it has to be entered again. */
  readonly target: string | null;
}

export interface ListedChannel extends ShownChannel {
  /** null: none was tried yet. Tests are no messages. */
  readonly last: LastMessage | null;
}

export interface Channels {
  /** Of the property and of its whole organization, oldest first; at most 40. */
  list(owner: Owner): Promise<ListedChannel[]>;
  /** @returns the signing secret too, where one was made. @throws ServiceError `invalid`, `conflict` beyond 20 */
  create(
    owner: Owner,
    actor: Caller['actor'],
    channel: NewChannel,
  ): Promise<ShownChannel & { readonly secret: string | null }>;
  /** @throws ServiceError `not_found`, `invalid` */
  update(
    owner: Owner,
    actor: Caller['actor'],
    id: string,
    changes: ChannelChanges,
  ): Promise<ShownChannel & { readonly secret: string | null }>;
  /** What waits for it is not sent any more. @throws ServiceError `not_found` */
  delete(owner: Owner, actor: Caller['actor'], id: string): Promise<void>;
  /** @throws ServiceError `not_found` */
  get(owner: Owner, id: string): Promise<ChannelRow>;
}

/** As the audit log shows it. */
const loggedOf = ({ name, enabled, kinds }: ChannelRow) => ({
  ...{ name, enabled: enabled === 1, kinds: kinds ?? 'all' },
});

/** The target of a webhook may hold a key, and that of an email is a person's: the log only says that they were replaced. */
const hiddenOf = (address: ChannelAddress | null): Record<string, unknown> => {
  if (address === null) return {};
  if (address.type === 'email') return { target: hidden(address.to) };
  return {
    target: hidden(address.url),
    ...(address.type === 'webhook' ? { secret: hidden(address.secret) } : {}),
  };
};

const textOf = (kinds: readonly Kind[] | null): string | null =>
  kinds === null ? null : JSON.stringify(kinds);

export function createChannels({
  database,
  cipher,
  hasMail,
  clock,
}: {
  database: Database;
  cipher: SecretCipher;
  /** Whether mail can be sent at all. */
  hasMail: boolean;
  clock: Clock;
}): Channels {
  const standing = (row: ChannelRow): ChannelAddress | null => {
    try {
      return openAddress(cipher, row);
    } catch (error) {
      if (error instanceof DecryptError) return null;
      throw error;
    }
  };
  const shown = (row: ChannelRow): ShownChannel => {
    const { sealed: _sealed, ...rest } = row;
    const address = standing(row);
    return { row: rest, target: address === null ? null : shownTarget(address) };
  };
  const get = async (db: Database['kysely'], owner: Owner, id: string): Promise<ChannelRow> => {
    const row = await ofProperty(db, owner).where('id', '=', id.toLowerCase()).executeTakeFirst();
    return row ?? absent();
  };
  return {
    async list(owner) {
      const rows = await ofProperty(database.reader, owner)
        .orderBy('created_at')
        .orderBy('id')
        .limit(2 * MAX_CHANNELS)
        .execute();
      const last = await lastMessages(database.reader, owner, rows);
      return rows.map((row) => ({ ...shown(row), last: last.get(row.id) ?? null }));
    },
    async create(owner, actor, { type, name, target, everywhere, kinds = null }) {
      if (type === 'email' && !hasMail)
        throw new ServiceError('invalid', 'This service sends no mail: set SMTP_URL and MAIL_FROM.', {
          errors: [
            { pointer: '/type', message: 'Needs SMTP_URL and MAIL_FROM in the settings of the service.' },
          ],
        });
      const { address, secret } = newAddress(type, target);
      const at = clock();
      const id = `ach_${randomBytes(16).toString('hex')}`;
      const { organizationId } = owner;
      const attributionId = everywhere ? null : owner.id;
      const row = await database.kysely.transaction().execute(async (trx) => {
        await lockOrganization(trx, organizationId);
        const { count } = await trx
          .selectFrom('alert_channels')
          .select(({ fn }) => fn.countAll<number | string>().as('count'))
          .where('organization_id', '=', organizationId)
          .where('attribution_id', attributionId === null ? 'is' : '=', attributionId)
          .where('deleted_at', 'is', null)
          .executeTakeFirstOrThrow();
        if (Number(count) >= MAX_CHANNELS)
          throw new ServiceError(
            'conflict',
            `There can be at most ${MAX_CHANNELS} channels; delete one first.`,
          );
        const inserted = await trx
          .insertInto('alert_channels')
          .values({
            id,
            organization_id: organizationId,
            attribution_id: attributionId,
            type,
            name,
            sealed: encryptAddress(cipher, id, address),
            enabled: 1,
            kinds: textOf(kinds),
            created_at: at,
            updated_at: at,
            deleted_at: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await audit(trx, { at, actor, action: 'alert_channel.created', subject: id, organizationId });
        return inserted;
      });
      return { ...shown(row), secret };
    },
    async update(owner, actor, id, { name, enabled, target, kinds, rotateSecret = false }) {
      const at = clock();
      const { organizationId } = owner;
      return await database.kysely.transaction().execute(async (trx) => {
        // Another change at the same time waits: it starts from what this one leaves.
        await database.adapter.lockName(trx, `alert_channel:${id.toLowerCase()}`);
        const before = await get(trx, owner, id);
        const readdressed =
          target === undefined && !rotateSecret
            ? null
            : changedAddress(before.type, standing(before), { target, rotateSecret });
        const row = await trx
          .updateTable('alert_channels')
          .set({
            name: name ?? before.name,
            enabled: enabled === undefined ? before.enabled : enabled ? 1 : 0,
            kinds: kinds === undefined ? before.kinds : textOf(kinds),
            sealed:
              readdressed === null ? before.sealed : encryptAddress(cipher, before.id, readdressed.address),
            updated_at: at,
          })
          .where('id', '=', before.id)
          .where('organization_id', '=', organizationId)
          .returningAll()
          .executeTakeFirstOrThrow();
        await auditChange(trx, {
          ...{ at, actor, action: 'alert_channel.updated', subject: row.id, organizationId },
          before: { ...loggedOf(before), ...hiddenOf(standing(before)) },
          after: { ...loggedOf(row), ...hiddenOf(readdressed?.address ?? standing(before)) },
        });
        return { ...shown(row), secret: readdressed?.secret ?? null };
      });
    },
    async delete(owner, actor, id) {
      const at = clock();
      const { organizationId } = owner;
      await database.kysely.transaction().execute(async (trx) => {
        const before = await get(trx, owner, id);
        const { numUpdatedRows } = await trx
          .updateTable('alert_channels')
          // The row stays for the history of what was sent; what opens a door goes.
          .set({ deleted_at: at, updated_at: at, sealed: '' })
          .where('id', '=', before.id)
          .where('organization_id', '=', organizationId)
          .where('deleted_at', 'is', null)
          .executeTakeFirst();
        // Another call was faster: it has the audit row.
        if (numUpdatedRows === 0n) return absent();
        await audit(trx, { at, actor, action: 'alert_channel.deleted', subject: before.id, organizationId });
      });
    },
    get: (owner, id) => get(database.reader, owner, id),
  };
}

function absent(): never {
  throw new ServiceError('not_found', 'There is no such channel; list them to find its ID.');
}

/** Of the property or of its whole organization, and not deleted: the one way to select any for people. */
function ofProperty(db: Database['kysely'], { id, organizationId }: Owner) {
  return db
    .selectFrom('alert_channels')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where(({ or, eb }) => or([eb('attribution_id', '=', id), eb('attribution_id', 'is', null)]))
    .where('deleted_at', 'is', null);
}
