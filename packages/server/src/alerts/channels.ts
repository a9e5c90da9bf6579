/** Channels: who is told. Addresses and secrets are sealed as one; a signing secret is shown once, when it is made. */
import { randomBytes } from 'node:crypto';
import { audit, type Database, type Row, SealError, type Sealer } from '../database/index.ts';
import { type Caller, type Clock, ServiceError } from '../kit/index.ts';
import { type ChannelAddress, type ChannelType, mistakeIn, shownTarget } from './channel-address.ts';
import { openAddress, sealAddress } from './channel-seal.ts';
import type { Owner } from './owner.ts';

/** Each is a message per alert. */
const MAX_CHANNELS = 20;

export type ChannelRow = Row<'alert_channels'>;

export interface NewChannel {
  readonly type: ChannelType;
  readonly name: string;
  /** E-mail address or URL. */
  readonly target: string;
  /** Of all properties of the organization. */
  readonly everywhere: boolean;
}

export interface ChannelChanges {
  readonly name?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly target?: string | undefined;
  readonly rotateSecret?: boolean | undefined;
}

/** A channel as it may be shown. */
export interface ShownChannel {
  readonly row: Omit<ChannelRow, 'sealed'>;
  /** null: it was sealed under a key that is gone; it has to be entered anew. */
  readonly target: string | null;
}

export interface Channels {
  /** Of the property and of its whole organization, oldest first; at most 40. */
  list(owner: Owner): Promise<ShownChannel[]>;
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

/** A new secret of the form that Standard Webhooks names: `whsec_` and 32 random bytes in base64. */
const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

export function createChannels({
  database,
  sealer,
  hasMail,
  clock,
}: {
  database: Database;
  sealer: Sealer;
  /** Whether mail can be sent at all. */
  hasMail: boolean;
  clock: Clock;
}): Channels {
  const seal = (id: string, address: ChannelAddress): string => sealAddress(sealer, id, address);
  const standing = (row: ChannelRow): ChannelAddress | null => {
    try {
      return openAddress(sealer, row);
    } catch (error) {
      if (error instanceof SealError) return null;
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
    if (row !== undefined) return row;
    throw new ServiceError('not_found', 'There is no such channel; list them to find its id.');
  };
  const checked = (type: ChannelType, entered: string): string => {
    const target = entered.trim();
    const mistake = mistakeIn(type, target);
    if (mistake !== null)
      throw new ServiceError('invalid', 'The channel has an error.', { errors: [mistake] });
    return target;
  };
  const addressOf = (type: ChannelType, target: string, secret: string): ChannelAddress =>
    type === 'email'
      ? { type, to: target }
      : type === 'slack'
        ? { type, url: target }
        : { type, url: target, secret };

  /** @returns the secret too where another one was made */
  const newAddress = (
    type: ChannelType,
    old: ChannelAddress | null,
    target: string | undefined,
    rotateSecret: boolean,
  ): { address: ChannelAddress; secret: string | null } => {
    if (rotateSecret && type !== 'webhook')
      throw new ServiceError('invalid', 'Only a webhook has a signing secret.', {
        errors: [{ pointer: '/rotate_secret', message: 'Only a webhook has a signing secret.' }],
      });
    const oldTarget = old === null ? null : old.type === 'email' ? old.to : old.url;
    const goesTo = target === undefined ? oldTarget : checked(type, target);
    if (goesTo === null)
      throw new ServiceError('invalid', 'Its address can’t be opened any more; enter it anew.', {
        errors: [{ pointer: '/target', message: 'Is needed again.' }],
      });
    const kept = old?.type === 'webhook' && !rotateSecret ? old.secret : null;
    const secret = kept ?? newSecret();
    return {
      address: addressOf(type, goesTo, secret),
      secret: type === 'webhook' && kept === null ? secret : null,
    };
  };

  return {
    async list(owner) {
      const rows = await ofProperty(database.reader, owner)
        .orderBy('created_at')
        .orderBy('id')
        .limit(2 * MAX_CHANNELS)
        .execute();
      return rows.map(shown);
    },
    async create(owner, actor, { type, name, target, everywhere }) {
      if (type === 'email' && !hasMail)
        throw new ServiceError('invalid', 'This service sends no mail: set SMTP_URL and MAIL_FROM.', {
          errors: [
            { pointer: '/type', message: 'Needs SMTP_URL and MAIL_FROM in the settings of the service.' },
          ],
        });
      const address = addressOf(type, checked(type, target), newSecret());
      const at = clock();
      const id = `ach_${randomBytes(16).toString('hex')}`;
      const { organizationId } = owner;
      const attributionId = everywhere ? null : owner.id;
      const row = await database.kysely.transaction().execute(async (trx) => {
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
            `There are ${MAX_CHANNELS} channels; delete one that is not needed.`,
          );
        const inserted = await trx
          .insertInto('alert_channels')
          .values({
            id,
            organization_id: organizationId,
            attribution_id: attributionId,
            type,
            name,
            sealed: seal(id, address),
            enabled: 1,
            created_at: at,
            updated_at: at,
            deleted_at: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await audit(trx, { at, actor, action: 'alert_channel.created', subject: id, organizationId });
        return inserted;
      });
      return { ...shown(row), secret: address.type === 'webhook' ? address.secret : null };
    },
    async update(owner, actor, id, { name, enabled, target, rotateSecret = false }) {
      const at = clock();
      const { organizationId } = owner;
      return await database.kysely.transaction().execute(async (trx) => {
        const before = await get(trx, owner, id);
        const readdressed =
          target === undefined && !rotateSecret
            ? null
            : newAddress(before.type, standing(before), target, rotateSecret);
        const row = await trx
          .updateTable('alert_channels')
          .set({
            name: name ?? before.name,
            enabled: enabled === undefined ? before.enabled : enabled ? 1 : 0,
            sealed: readdressed === null ? before.sealed : seal(before.id, readdressed.address),
            updated_at: at,
          })
          .where('id', '=', before.id)
          .where('organization_id', '=', organizationId)
          .returningAll()
          .executeTakeFirstOrThrow();
        await audit(trx, { at, actor, action: 'alert_channel.updated', subject: row.id, organizationId });
        return { ...shown(row), secret: readdressed?.secret ?? null };
      });
    },
    async delete(owner, actor, id) {
      const at = clock();
      const { organizationId } = owner;
      await database.kysely.transaction().execute(async (trx) => {
        const before = await get(trx, owner, id);
        await trx
          .updateTable('alert_channels')
          // The row stays for the history of what was sent; what opens a door goes.
          .set({ deleted_at: at, updated_at: at, sealed: '' })
          .where('id', '=', before.id)
          .where('organization_id', '=', organizationId)
          .execute();
        await audit(trx, { at, actor, action: 'alert_channel.deleted', subject: before.id, organizationId });
      });
    },
    get: (owner, id) => get(database.reader, owner, id),
  };
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
