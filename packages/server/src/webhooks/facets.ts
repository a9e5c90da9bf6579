/** What the list of conversions and the report on them are narrowed by: both count the same ones. */
import type { Topic } from '@ghostlight/core';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

export interface ConversionFacets {
  readonly topic?: Topic | undefined;
  readonly matched?: boolean | undefined;
  /** As recorded, whatever model divides the credit. */
  readonly channel?: string | undefined;
  readonly campaign?: string | undefined;
  /** As recorded, whole. */
  readonly source?: string | undefined;
  /** One of these. */
  readonly sources?: readonly string[] | undefined;
  /** The beginning of a conversion id; or an id, or a visitor id, in full. */
  readonly q?: string | undefined;
  /** A path whole, percent-encoded: a visit of its journey began there. Pages that the visitor passed later are not kept with it. */
  readonly landing_path?: string | undefined;
  /** Of that page; left out: on any host. */
  readonly landing_host?: string | undefined;
}

const column = (name: string) => sql.ref(`conversions.${name}`);

/** A condition on the table `conversions`, under that name. */
export function passing({
  topic,
  matched,
  channel,
  campaign,
  source,
  sources,
  q,
  landing_path: path,
  landing_host: host,
}: ConversionFacets): RawBuilder<SqlBool> {
  const wanted = [
    topic === undefined ? null : sql`${column('topic')} = ${topic}`,
    matched === undefined ? null : sql`${column('session_matched')} = ${matched ? 1 : 0}`,
    channel === undefined ? null : sql`${column('channel')} = ${channel}`,
    campaign === undefined ? null : sql`${column('campaign')} = ${campaign}`,
    source === undefined ? null : sql`${column('source')} = ${source}`,
    sources === undefined ? null : amongSources(sources),
    q === undefined ? null : called(q),
    path === undefined && host === undefined ? null : landedOn(path, host),
  ].filter((one) => one !== null);
  return wanted.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`(${sql.join(wanted, sql` and `)})`;
}

const amongSources = (sources: readonly string[]): RawBuilder<unknown> =>
  sources.length === 0 ? sql`1 = 0` : sql`${column('source')} in (${sql.join(sources)})`;

/** Not LIKE: the text is only text. Not a range: a database may sort by language. */
function called(q: string): RawBuilder<unknown> {
  const beginning = sql`substr(${column('conversion_id')}, 1, ${[...q].length}) = ${q}`;
  return sql`(${beginning} or ${column('id')} = ${q} or ${column('visitor_id')} = ${q})`;
}

/**
 * Looks for the member `landing` in the text of the touches, as `JSON.stringify` writes it. A quote within a value has a backslash before
 * it, so no value can look like the member. `replace` is the one function for that which both databases have.
 */
function landedOn(path: string | undefined, host: string | undefined): RawBuilder<unknown> {
  const written =
    path === undefined
      ? `"landing":{"host":${JSON.stringify(host?.toLowerCase())},`
      : `${host === undefined ? '' : `"landing":{"host":${JSON.stringify(host.toLowerCase())}`},"path":${JSON.stringify(path)}}`;
  return sql`replace(${column('touches')}, ${written}, '') <> ${column('touches')}`;
}
