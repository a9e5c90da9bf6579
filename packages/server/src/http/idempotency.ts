/**
 * Changes that are made once, however often they are sent: a caller that got no answer sends the same change again under the same
 * `Idempotency-Key` and gets the answer of the first. The row is written before the change, so that two at the same instant are one; a
 * node that dies between the change and its answer leaves a row without one, and the caller is asked to look before the change is repeated.
 */
import { createHash } from 'node:crypto';
import { DAY_MS } from '@ghostlight/core/time';
import type { Context } from 'hono';
import { type Caller, type Clock, limitsOf, ServiceError } from '../common/index.ts';
import { type Database, DecryptError, type SecretCipher } from '../database/index.ts';

export interface Idempotency {
  /** Runs a change, or answers what it answered. @param run sets `c.res` */
  once(c: Context, caller: Caller, run: () => Promise<void>): Promise<void>;
  /** The hourly job: rows older than a day. @returns how many */
  expire(): Promise<number>;
}

const IDEMPOTENCY_HEADER = 'Idempotency-Key';
/** Says that the answer is the one of an earlier request. */
const REPLAYED_HEADER = 'Idempotency-Replayed';

const KEEP_MS = DAY_MS;
const KEY = /^[A-Za-z0-9_-]{8,128}$/;
/** A change takes less: afterwards its node is thought to have died. Longer than the time limit of any request. */
const RUNNING_MS = 60_000;
/** Of one caller in a day. */
const MAX_ROWS = 10_000;
/** A longer answer is not kept: the repeat is asked to look. Answers of changes have a few kilobytes. */
const MAX_ANSWER = 64 * 1024;
const EXPIRE_CHUNK = 5_000;
/** Answers that say nothing about the change: it was not made, and may be made by the next request. */
const PASSING = new Set([401, 403, 408, 429]);

export function createIdempotency(
  { kysely, reader }: Pick<Database, 'kysely' | 'reader'>,
  { cipher, clock }: { cipher: SecretCipher; clock: Clock },
): Idempotency {
  const forget = async (id: string) => {
    await kysely.deleteFrom('repeatable_requests').where('id', '=', id).execute();
  };

  return {
    async once(c, caller, run) {
      const key = c.req.header(IDEMPOTENCY_HEADER);
      if (key === undefined || c.req.method === 'GET' || c.req.method === 'HEAD') return await run();
      if (!KEY.test(key))
        throw new ServiceError(
          'invalid',
          `The header ${IDEMPOTENCY_HEADER} takes 8 to 128 letters, digits, “_” and “-”, such as a UUID.`,
        );
      const id = digest(ownerOf(caller), key);
      const fingerprint = digest(c.req.method, c.req.url, await c.req.text());
      const owner = await kysely
        .selectFrom('repeatable_requests')
        .select(({ fn }) => fn.countAll<number>().as('rows'))
        .where('actor', '=', caller.actor)
        .executeTakeFirstOrThrow();
      if (Number(owner.rows) >= MAX_ROWS)
        throw new ServiceError(
          'rate_limited',
          `At most ${MAX_ROWS} changes a day can have an ${IDEMPOTENCY_HEADER}.`,
        );
      const result = await kysely
        .insertInto('repeatable_requests')
        .values({
          ...{ id, fingerprint, status: null, answer: null, actor: caller.actor, at: clock() },
          organization_id: caller.scope.kind === 'organization' ? caller.scope.id : null,
          attribution_id: propertyIn(c.req.path),
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirst();
      if (Number(result.numInsertedOrUpdatedRows ?? 0n) === 0) {
        c.res = await earlier(id, fingerprint);
        return;
      }
      await run();
      const { status } = c.res;
      if (status >= 500 || PASSING.has(status)) return await forget(id);
      const text = await c.res.clone().text();
      const type = c.res.headers.get('Content-Type') ?? '';
      const answer =
        text.length > MAX_ANSWER ? null : cipher.encrypt(JSON.stringify([type, text]), purposeOf(id));
      await kysely.updateTable('repeatable_requests').set({ status, answer }).where('id', '=', id).execute();
    },
    async expire() {
      const { numDeletedRows } = await kysely
        .deleteFrom('repeatable_requests')
        .where('id', 'in', (query) =>
          query
            .selectFrom('repeatable_requests')
            .select('id')
            .where('at', '<', clock() - KEEP_MS)
            .limit(EXPIRE_CHUNK),
        )
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };

  /** @throws ServiceError `invalid` for another change under the same key, `conflict` while it runs, or when its outcome is unknown */
  async function earlier(id: string, fingerprint: string): Promise<Response> {
    const row = await reader
      .selectFrom('repeatable_requests')
      .select(['fingerprint', 'status', 'answer', 'at'])
      .where('id', '=', id)
      .executeTakeFirst();
    // It failed this instant, so nothing was changed; the next attempt runs.
    if (row === undefined) throw busy();
    if (row.fingerprint !== fingerprint)
      throw new ServiceError(
        'invalid',
        `This ${IDEMPOTENCY_HEADER} belongs to another request; take a new one.`,
      );
    if (row.status === null && clock() - row.at < RUNNING_MS) throw busy();
    const kept = row.status === null ? null : opened(id, row.answer);
    if (row.status === null || kept === null)
      throw new ServiceError(
        'conflict',
        'An earlier attempt may have made this change; its outcome is unknown. Check before you send it again.',
      );
    const [type, text] = kept;
    const isEmpty = row.status === 204 || row.status === 304;
    return new Response(isEmpty ? null : text, {
      status: row.status,
      headers: { ...(type === '' ? {} : { 'Content-Type': type }), [REPLAYED_HEADER]: 'true' },
    });
  }

  function opened(id: string, answer: string | null): [type: string, text: string] | null {
    if (answer === null) return null;
    try {
      return JSON.parse(cipher.decrypt(answer, purposeOf(id))) as [string, string];
    } catch (error) {
      if (error instanceof DecryptError) return null;
      throw error;
    }
  }
}

const busy = () =>
  new ServiceError(
    'conflict',
    'An earlier attempt of this change is still running; send it again in a moment.',
    {
      headers: { 'Retry-After': '2' },
    },
  );

const purposeOf = (id: string): string => `answer:${id}`;

/** Rights may change between two attempts: then it is another request. */
function ownerOf({ actor, role, scope }: Caller): string {
  const limits = limitsOf(scope);
  return JSON.stringify([
    actor,
    role,
    scope.kind === 'organization' ? scope.id : '',
    limits === null ? '' : [...limits],
  ]);
}

/** Which property a request concerns, for its deletion; null: none, or the path names something that is no ID. */
function propertyIn(path: string): string | null {
  return /^\/api\/v1\/properties\/([0-9a-f-]{36})(?:\/|$)/i.exec(path)?.[1]?.toLowerCase() ?? null;
}

function digest(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:${part}`);
  return hash.digest('hex');
}
