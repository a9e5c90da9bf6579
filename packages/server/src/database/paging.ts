/**
 * Lists of rows, newest first, a page at a time. A page's cursor names its last row by time and id, so that rows which are added meanwhile
 * neither repeat one nor hide one.
 */
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { ServiceError } from '../common/index.ts';

export interface PageQuery {
  readonly limit: number;
  /** `next` of the page before; empty or undefined: the first page. */
  readonly after?: string | undefined;
}

export interface Page<Row> {
  readonly items: Row[];
  /** null: this was the last one. */
  readonly next: string | null;
}

export interface NewestFirst<Row> {
  /** Epoch milliseconds, as the statement names them. */
  readonly at: RawBuilder<number>;
  readonly id: RawBuilder<string>;
  /** The order of the ids of one moment. */
  readonly ties: 'asc' | 'desc';
  /** What an id of the list looks like, as the source of a regular expression. */
  readonly idForm: string;
  lastOf(row: Row): Last;
}

interface Last {
  readonly at: number;
  readonly id: string;
}

/** @throws ServiceError `invalid` for a cursor that is none of this list */
export async function newestFirst<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  { at, id, ties, idForm, lastOf }: NewestFirst<Row>,
  { limit, after = '' }: PageQuery,
): Promise<Page<Row>> {
  const last = after === '' ? null : readCursor(after, idForm);
  const beyond = sql.raw(ties === 'asc' ? '>' : '<');
  const rest =
    last === null
      ? query
      : query.where(
          sql<SqlBool>`(${at} < ${last.at} or (${at} = ${last.at} and ${id} ${beyond} ${last.id}))`,
        );
  const rows = (await rest
    .orderBy(at, 'desc')
    .orderBy(id, ties)
    .limit(limit + 1)
    .execute()) as Row[];
  const items = rows.slice(0, limit);
  const end = items.at(-1);
  return { items, next: rows.length > limit && end !== undefined ? cursorOf(lastOf(end)) : null };
}

/** All pages of a list, one after the other, as files are made of. @param signal aborted when nothing more is wanted */
export async function* everyPage<Row, View>(
  page: (after: string | undefined) => Promise<Page<Row>>,
  view: (row: Row) => View,
  signal: AbortSignal,
): AsyncGenerator<View[]> {
  for (let after: string | undefined; !signal.aborted; ) {
    const { items, next } = await page(after);
    if (items.length > 0) yield items.map(view);
    if (next === null) return;
    after = next;
  }
}

const cursorOf = ({ at, id }: Last): string => Buffer.from(`${at}.${id}`).toString('base64url');

function readCursor(text: string, idForm: string): Last {
  const form = new RegExp(`^(\\d{1,16})\\.(${idForm})$`);
  const [, at, id] = form.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (at !== undefined && id !== undefined) return { at: Number(at), id };
  throw new ServiceError('invalid', 'The query has an error.', {
    errors: [{ pointer: '/after', message: 'Must be `next` of the page before.' }],
  });
}
