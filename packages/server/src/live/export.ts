/** The export as pieces of text: one page of the warehouse at a time, read only when the client has taken the last one. */
import type { StoredHit } from '@ghostlight/core';
import { csvLine, type FileFormat } from '../common/index.ts';
import type { ExportedEvent } from '../warehouse/index.ts';
import { eventItem, exportItem } from './item.ts';

export const EXPORT_FIELDS = [
  ...['id', 'at', 'received_at', 'class', 'bot_name', 'vendor', 'intent', 'verified', 'verified_by'],
  ...['verdict_reason', 'ranges_as_of'],
  ...[
    'method',
    'host',
    'path',
    'status',
    'country',
    'user_agent',
    'referrer_engine',
    'source',
    'event_name',
    'sdk_bot',
  ],
  ...[
    'query_params',
    'referrer',
    'asn',
    'bytes',
    'weight',
    'sample_rate',
    'worker_version',
    'ray_id',
    'waf_action',
  ],
] as const;

/** Rows that become one chunk: some tens of kilobytes. */
const CHUNK_ROWS = 200;

export const EVENT_FIELDS = [
  ...['id', 'at', 'received_at', 'event_name', 'sdk_bot', 'bot_name', 'vendor', 'intent', 'host', 'path'],
  ...['referrer', 'user_agent', 'language', 'timezone', 'value', 'currency', 'lib', 'lib_version'],
  'query_params',
] as const;

export const hitLines = (
  pages: AsyncGenerator<readonly StoredHit[]>,
  format: FileFormat,
): AsyncGenerator<string> => linesOf(pages, exportItem, EXPORT_FIELDS, format);

export const eventLines = (
  pages: AsyncGenerator<readonly ExportedEvent[]>,
  format: FileFormat,
): AsyncGenerator<string> => linesOf(pages, eventItem, EVENT_FIELDS, format);

async function* linesOf<Row>(
  pages: AsyncGenerator<readonly Row[]>,
  itemOf: (row: Row) => object,
  fields: readonly string[],
  format: FileFormat,
): AsyncGenerator<string> {
  const line =
    format === 'csv'
      ? (row: Row) => {
          const item = itemOf(row) as Readonly<Record<string, unknown>>;
          return csvLine(fields.map((field) => item[field]));
        }
      : (row: Row) => `${JSON.stringify(itemOf(row))}\n`;
  if (format === 'csv') yield csvLine(fields);
  for await (const page of pages)
    for (let from = 0; from < page.length; from += CHUNK_ROWS)
      yield page
        .slice(from, from + CHUNK_ROWS)
        .map(line)
        .join('');
}
