/** What the list of conversions and the report on them are narrowed by: both count the same ones. */
import type { Topic } from '@ghostlight/core';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

export interface ConversionFacets {
  readonly topic?: Topic | undefined;
  readonly matched?: boolean | undefined;
  /** As recorded, whatever model divides the credit. */
  readonly channel?: string | undefined;
  readonly campaign?: string | undefined;
  /** The beginning of a conversion id; or an id, or a visitor id, in full. */
  readonly q?: string | undefined;
}

const column = (name: string) => sql.ref(`conversions.${name}`);

/** A condition on the table `conversions`, under that name. */
export function passing({ topic, matched, channel, campaign, q }: ConversionFacets): RawBuilder<SqlBool> {
  const wanted = [
    topic === undefined ? null : sql`${column('topic')} = ${topic}`,
    matched === undefined ? null : sql`${column('session_matched')} = ${matched ? 1 : 0}`,
    channel === undefined ? null : sql`${column('channel')} = ${channel}`,
    campaign === undefined ? null : sql`${column('campaign')} = ${campaign}`,
    q === undefined ? null : called(q),
  ].filter((one) => one !== null);
  return wanted.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`(${sql.join(wanted, sql` and `)})`;
}

/** Not LIKE: the text is only text. Not a range: a database may sort by language. */
function called(q: string): RawBuilder<unknown> {
  const beginning = sql`substr(${column('conversion_id')}, 1, ${[...q].length}) = ${q}`;
  return sql`(${beginning} or ${column('id')} = ${q} or ${column('visitor_id')} = ${q})`;
}
