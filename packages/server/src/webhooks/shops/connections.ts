/** Which shop platforms deliver to a property: their secrets, encrypted, and what came of their deliveries. */
import { randomBytes, randomUUID } from 'node:crypto';
import { type Caller, type Clock, isoOf, type Log, ServiceError } from '../../common/index.ts';
import {
  audit,
  auditChange,
  createReadThrough,
  type Database,
  DecryptError,
  hidden,
  type Row,
  rotateRows,
  type SecretCipher,
} from '../../database/index.ts';
import type { Owner } from '../../properties/index.ts';
import { SHOP_NAMES, type ShopName } from './platform.ts';

/** Requests per minute. A shop may change hundreds of orders at once, and WooCommerce never repeats what was refused. */
const USUAL_RATE_LIMIT = 1_000;
export const OVERLAP_SECONDS = { default: 604_800, most: 2_592_000 } as const;
const PING_NOTED_EVERY_MS = 10_000;
const MAX_NOTED = 10_000;

/** What became of a signed delivery. `unusable` is kept in Recent Activity, the others are only counted. */
export const SHOP_RESULTS = ['stored', 'repeated', 'ignored', 'unusable'] as const;
export type ShopResult = (typeof SHOP_RESULTS)[number];

/** As the endpoint needs it. */
export interface Connection {
  readonly id: string;
  /** The current one, and the previous one while it is accepted. */
  readonly secrets: readonly string[];
}

export interface LastDelivery {
  readonly at: number;
  readonly topic: string;
  readonly result: ShopResult;
  readonly detail: string;
}

export interface Connections {
  /** null: not connected. Known means at most 5 s old (1 s for null), and at once after a change made on this node. */
  find(attributionId: string, platform: ShopName): Promise<Connection | null>;
  /** By platform; those that are not connected are missing. */
  list(owner: Owner): Promise<ReadonlyMap<string, Row<'webhook_shops'>>>;
  /**
   * Connects, or replaces the secret.
   * @param secret null: one is made
   * @param overlapSeconds how long the previous secret is accepted too
   * @returns the row, and the secret if it was made
   */
  connect(
    owner: Owner,
    actor: Caller['actor'],
    platform: ShopName,
    secret: string | null,
    overlapSeconds: number,
  ): Promise<{ readonly row: Row<'webhook_shops'>; readonly made: string | null }>;
  /** @param rateLimit deliveries per minute @throws ServiceError `not_found` */
  limit(
    owner: Owner,
    actor: Caller['actor'],
    platform: ShopName,
    rateLimit: number,
  ): Promise<Row<'webhook_shops'>>;
  /** The previous secret ends now. @throws ServiceError `not_found` */
  endPrevious(owner: Owner, actor: Caller['actor'], platform: ShopName): Promise<void>;
  /** @throws ServiceError `not_found` */
  disconnect(owner: Owner, actor: Caller['actor'], platform: ShopName): Promise<void>;
  /** @param trx the transaction of what the delivery said */
  note(trx: Database['kysely'], id: string, last: LastDelivery): Promise<void>;
  /** After the commit of a delivery. */
  tally(platform: ShopName, result: ShopResult): void;
  /** Signed deliveries since the start of this node. */
  counts(): readonly { readonly platform: ShopName; readonly result: ShopResult; readonly count: number }[];
  /** Without waiting; at most every ten seconds. */
  notePing(attributionId: string, platform: ShopName): void;
  rotateSecrets(): Promise<number>;
}

interface Secrets {
  readonly current: string;
  readonly previous: string | null;
}

interface Known {
  readonly id: string;
  readonly secrets: Secrets;
  readonly previousUntil: number | null;
}

const purpose = (id: string): string => `webhook_shop:${id}`;

export function createConnections(
  db: Database,
  { cipher, clock, log }: { cipher: SecretCipher; clock: Clock; log: Log },
): Connections {
  const known = createReadThrough<Known>({
    clock,
    load: async (key) => {
      const [attributionId = '', platform = ''] = key.split('/');
      const row = await db.reader
        .selectFrom('webhook_shops')
        .select(['id', 'secrets', 'previous_until'])
        .where('attribution_id', '=', attributionId)
        .where('platform', '=', platform)
        .executeTakeFirst();
      const secrets = row === undefined ? null : opened(row);
      return row === undefined || secrets === null
        ? undefined
        : { id: row.id, secrets, previousUntil: row.previous_until };
    },
  });
  const pinged = new Map<string, number>();
  const counts = SHOP_NAMES.flatMap((platform) =>
    SHOP_RESULTS.map((result) => ({ platform, result, count: 0 })),
  );

  /** Encrypted for a key that is gone, it signs nothing: the owner has to enter it again. */
  const opened = ({ id, secrets }: Pick<Row<'webhook_shops'>, 'id' | 'secrets'>): Secrets | null => {
    try {
      return JSON.parse(cipher.decrypt(secrets, purpose(id))) as Secrets;
    } catch (error) {
      if (!(error instanceof DecryptError)) throw error;
      log.warn({ err: error, shop: id }, 'the secret of a shop could not be decrypted');
      return null;
    }
  };

  const ofOwner = (queries: Database['kysely'], { id, organizationId }: Owner) =>
    queries
      .selectFrom('webhook_shops')
      .selectAll()
      .where('attribution_id', '=', id)
      .where('organization_id', '=', organizationId);

  const own = async (
    trx: Database['kysely'],
    owner: Owner,
    platform: ShopName,
  ): Promise<Row<'webhook_shops'>> => {
    const row = await ofOwner(trx, owner).where('platform', '=', platform).executeTakeFirst();
    if (row === undefined) throw new ServiceError('not_found', 'This shop platform is not connected.');
    return row;
  };

  /** Until the transaction ends, no other change of this connection. */
  const alone = (trx: Database['kysely'], owner: Owner, platform: string): Promise<void> =>
    db.adapter.lockName(trx, `webhook_shop:${owner.id}:${platform}`);

  const note = async (
    trx: Database['kysely'],
    owner: Owner,
    actor: Caller['actor'],
    what: 'connected' | 'previous_secret_ended' | 'disconnected',
    platform: string,
  ) => {
    await audit(trx, { ...entryOf(owner, actor, platform), action: `webhook_shop.${what}` as const });
  };
  const entryOf = ({ id, organizationId }: Owner, actor: Caller['actor'], platform: string) => ({
    ...{ at: clock(), actor, subject: `${id}/${platform}`, organizationId },
  });

  return {
    async find(attributionId, platform) {
      const key = `${attributionId}/${platform}`;
      const found = known.peek(key);
      const connection = found === undefined ? await known.get(key) : found;
      if (connection === null) return null;
      const { id, secrets, previousUntil } = connection;
      const isBoth = secrets.previous !== null && previousUntil !== null && previousUntil > clock();
      return { id, secrets: isBoth ? [secrets.current, secrets.previous] : [secrets.current] };
    },
    async list(owner) {
      const rows = await ofOwner(db.reader, owner).execute();
      return new Map(rows.map((row) => [row.platform, row]));
    },
    async connect(owner, actor, platform, secret, overlapSeconds) {
      const made = secret === null ? randomBytes(32).toString('hex') : null;
      const current = secret ?? made ?? '';
      const at = clock();
      const row = await db.kysely.transaction().execute(async (trx) => {
        await alone(trx, owner, platform);
        const before = await ofOwner(trx, owner).where('platform', '=', platform).executeTakeFirst();
        const id = before?.id ?? randomUUID();
        const replaced = before === undefined ? null : (opened(before)?.current ?? null);
        const isOverlapping = replaced !== null && replaced !== current && overlapSeconds > 0;
        const changed = {
          secrets: cipher.encrypt(
            JSON.stringify({ current, previous: isOverlapping ? replaced : null }),
            purpose(id),
          ),
          previous_until: isOverlapping ? at + overlapSeconds * 1_000 : null,
          changed_at: at,
        };
        const after = await trx
          .insertInto('webhook_shops')
          .values({
            ...{ id, organization_id: owner.organizationId, attribution_id: owner.id, platform },
            ...{ rate_limit: USUAL_RATE_LIMIT, arrival_us: 0, created_at: at },
            ...{ stored: 0, repeated: 0, ignored: 0, unusable: 0 },
            ...changed,
          })
          .onConflict((conflict) => conflict.columns(['attribution_id', 'platform']).doUpdateSet(changed))
          .returningAll()
          .executeTakeFirstOrThrow();
        if (before === undefined) await note(trx, owner, actor, 'connected', platform);
        else
          await auditChange(trx, {
            ...{ ...entryOf(owner, actor, platform), action: 'webhook_shop.secret_changed' },
            before: { secret: hidden(replaced ?? '') },
            after: { secret: hidden(current), previous_works_until: isoOf(changed.previous_until) },
          });
        return after;
      });
      known.forget(`${owner.id}/${platform}`);
      return { row, made };
    },
    limit: (owner, actor, platform, rateLimit) =>
      db.kysely.transaction().execute(async (trx) => {
        const { id, rate_limit } = await own(trx, owner, platform);
        const row = await trx
          .updateTable('webhook_shops')
          .set({ rate_limit: rateLimit })
          .where('id', '=', id)
          .where('organization_id', '=', owner.organizationId)
          .returningAll()
          .executeTakeFirstOrThrow();
        await auditChange(trx, {
          ...{ ...entryOf(owner, actor, platform), action: 'webhook_shop.limited' },
          ...{ before: { rate_limit }, after: { rate_limit: rateLimit } },
        });
        return row;
      }),
    async endPrevious(owner, actor, platform) {
      await db.kysely.transaction().execute(async (trx) => {
        await alone(trx, owner, platform);
        const { id, ...row } = await own(trx, owner, platform);
        const secrets = opened({ id, ...row });
        if (secrets === null || row.previous_until === null) return;
        await trx
          .updateTable('webhook_shops')
          .set({
            secrets: cipher.encrypt(
              JSON.stringify({ current: secrets.current, previous: null }),
              purpose(id),
            ),
            previous_until: null,
          })
          .where('id', '=', id)
          .where('organization_id', '=', owner.organizationId)
          .execute();
        await note(trx, owner, actor, 'previous_secret_ended', platform);
      });
      known.forget(`${owner.id}/${platform}`);
    },
    async disconnect(owner, actor, platform) {
      await db.kysely.transaction().execute(async (trx) => {
        const { id } = await own(trx, owner, platform);
        await trx
          .deleteFrom('webhook_shops')
          .where('id', '=', id)
          .where('organization_id', '=', owner.organizationId)
          .execute();
        await note(trx, owner, actor, 'disconnected', platform);
      });
      known.forget(`${owner.id}/${platform}`);
    },
    async note(trx, id, { at, topic, result, detail }) {
      await trx
        .updateTable('webhook_shops')
        .set((eb) => ({
          ...{ last_at: at, last_topic: topic, last_result: result, last_detail: detail },
          [result]: eb(result, '+', 1),
        }))
        .where('id', '=', id)
        .execute();
    },
    tally(platform, result) {
      const one = counts.find((count) => count.platform === platform && count.result === result);
      if (one !== undefined) one.count += 1;
    },
    counts: () => counts,
    notePing(attributionId, platform) {
      const key = `${attributionId}/${platform}`;
      const at = clock();
      if (at - (pinged.get(key) ?? 0) < PING_NOTED_EVERY_MS) return;
      if (pinged.size >= MAX_NOTED) pinged.clear();
      pinged.set(key, at);
      db.kysely
        .updateTable('webhook_shops')
        .set({ pinged_at: at })
        .where('attribution_id', '=', attributionId)
        .where('platform', '=', platform)
        .execute()
        .catch((error: unknown) =>
          log.warn({ err: error }, 'the test of a shop’s webhook could not be noted'),
        );
    },
    rotateSecrets: () =>
      rotateRows(cipher, {
        page: (after, limit) =>
          db.reader
            .selectFrom('webhook_shops')
            .select(['id', 'secrets as sealed'])
            .where('id', '>', after)
            .orderBy('id')
            .limit(limit)
            .execute(),
        purposeOf: ({ id }) => purpose(id),
        store: (row, secrets) =>
          db.kysely
            .updateTable('webhook_shops')
            .set({ secrets })
            .where('id', '=', row.id)
            .where('secrets', '=', row.sealed)
            .execute(),
      }),
  };
}
