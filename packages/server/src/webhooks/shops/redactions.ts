/**
 * Customers that a shop wants forgotten. The platform waits five seconds for an answer and erasing may take longer, so a request is stored
 * with the answer, and done by the job of each minute; that it waits is not lost by a restart.
 */
import { randomUUID } from 'node:crypto';
import type { Clock, Log } from '../../common/index.ts';
import { type Database, DecryptError, rotateRows, type SecretCipher } from '../../database/index.ts';
import type { Owner } from '../../properties/index.ts';
import { findByEmail, type Whose } from '../erasure.ts';
import type { Receiver } from '../settings.ts';
import type { RedactMessage } from './message.ts';
import type { ShopName } from './platform.ts';

/** Requests worked off in one sweep, and conversions of a whole shop in one erasure. */
const AT_ONCE = 500;
const PAGE = 200;
const MAX_PAGES = 50;
const MAX_ORDERS = 1_000;

/** Erases in every room, as `ghostlight visitors erase` does. @param actor in the audit log */
export type Erase = (owner: Owner, actor: string, whose: Whose) => Promise<unknown>;

export interface Redactions {
  /** @param trx the transaction of the delivery */
  ask(
    trx: Database['kysely'],
    receiver: Receiver,
    platform: ShopName,
    customer: RedactMessage['customer'],
  ): Promise<void>;
  /** The job. Never throws; what fails is tried again in the next minute. */
  sweep(): Promise<void>;
  rotateSecrets(): Promise<number>;
}

const purpose = (id: string): string => `webhook_redaction:${id}`;

export function createRedactions(
  database: Database,
  { cipher, erase, clock, log }: { cipher: SecretCipher; erase: Erase; clock: Clock; log: Log },
): Redactions {
  const { reader, kysely } = database;

  const ofShop = (owner: Owner, platform: string) =>
    reader
      .selectFrom('conversions')
      .select('id')
      .where('attribution_id', '=', owner.id)
      .where('organization_id', '=', owner.organizationId)
      .where('shop', '=', platform)
      .where(({ eb, or }) =>
        or([
          eb('personal', 'is not', null),
          eb('visitor_id', 'is not', null),
          eb('winner', 'is not', null),
          eb('payload_digest', 'is not', null),
        ]),
      )
      .limit(PAGE)
      .execute();

  const ordersOf = async (owner: Owner, orderIds: readonly string[]): Promise<Whose> => {
    if (orderIds.length === 0) return { conversions: [], visitors: [] };
    const rows = await reader
      .selectFrom('conversions')
      .select(['id', 'visitor_id'])
      .where('attribution_id', '=', owner.id)
      .where('organization_id', '=', owner.organizationId)
      .where('conversion_id', 'in', orderIds.slice(0, MAX_ORDERS))
      .execute();
    return {
      conversions: rows.map(({ id }) => id),
      visitors: rows.map((row) => row.visitor_id).filter((id) => id !== null),
    };
  };

  /** @returns whether nothing is left to do */
  const work = async (
    owner: Owner,
    platform: string,
    customer: RedactMessage['customer'],
  ): Promise<boolean> => {
    if (customer !== null) {
      const byOrder = await ordersOf(owner, customer.orderIds);
      const byEmail =
        customer.email === null
          ? { conversions: [], visitors: [] }
          : await findByEmail(database, cipher, owner, customer.email);
      const conversions = [...new Set([...byOrder.conversions, ...byEmail.conversions])];
      const visitors = [...new Set([...byOrder.visitors, ...byEmail.visitors])];
      if (conversions.length > 0) await erase(owner, platform, { conversions, visitors });
      return true;
    }
    for (let page = 0; page < MAX_PAGES; page++) {
      const rows = await ofShop(owner, platform);
      if (rows.length === 0) return true;
      await erase(owner, platform, { conversions: rows.map(({ id }) => id), visitors: [] });
    }
    return false;
  };

  return {
    async ask(trx, receiver, platform, customer) {
      const id = randomUUID();
      await trx
        .insertInto('webhook_redactions')
        .values({
          id,
          organization_id: receiver.organizationId,
          attribution_id: receiver.attributionId,
          platform,
          whose: cipher.encrypt(JSON.stringify(customer), purpose(id)),
          received_at: clock(),
        })
        .execute();
    },
    async sweep() {
      const rows = await reader
        .selectFrom('webhook_redactions')
        .selectAll()
        .orderBy('received_at')
        .limit(AT_ONCE)
        .execute();
      for (const row of rows) {
        try {
          const customer = JSON.parse(
            cipher.decrypt(row.whose, purpose(row.id)),
          ) as RedactMessage['customer'];
          const owner = { id: row.attribution_id, organizationId: row.organization_id };
          if (!(await work(owner, row.platform, customer))) continue;
          await kysely
            .deleteFrom('webhook_redactions')
            .where('id', '=', row.id)
            .where('organization_id', '=', row.organization_id)
            .execute();
        } catch (error) {
          const why =
            error instanceof DecryptError
              ? 'no SECRET_KEY of this node decrypts a shop’s request to forget a customer; another node may'
              : 'a shop’s request to forget a customer could not be carried out yet';
          log.warn({ err: error, redaction: row.id, property: row.attribution_id }, why);
        }
      }
    },
    rotateSecrets: () =>
      rotateRows(cipher, {
        page: (after, limit) =>
          reader
            .selectFrom('webhook_redactions')
            .select(['id', 'whose as sealed'])
            .where('id', '>', after)
            .orderBy('id')
            .limit(limit)
            .execute(),
        purposeOf: ({ id }) => purpose(id),
        store: (row, whose) =>
          kysely
            .updateTable('webhook_redactions')
            .set({ whose })
            .where('id', '=', row.id)
            .where('whose', '=', row.sealed)
            .execute(),
      }),
  };
}
