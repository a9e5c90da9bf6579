/** The export as pieces of text: one page of the warehouse at a time, read only when the client has taken the last one. */
import type { StoredHit } from '@ghostlight/core';
import { csvLine, type FileFormat } from '../kit/index.ts';
import { exportItem } from './item.ts';

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
  ...['query_params', 'referrer', 'asn', 'bytes', 'weight', 'worker_version', 'ray_id'],
] as const;

/** Rows that become one chunk: some tens of kilobytes. */
const CHUNK_ROWS = 200;

export async function* exportLines(
  pages: AsyncGenerator<readonly StoredHit[]>,
  format: FileFormat,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(EXPORT_FIELDS);
  const line = format === 'csv' ? csvRow : jsonRow;
  for await (const page of pages) {
    for (let from = 0; from < page.length; from += CHUNK_ROWS) {
      yield page
        .slice(from, from + CHUNK_ROWS)
        .map(line)
        .join('');
    }
  }
}

const jsonRow = (hit: StoredHit): string => `${JSON.stringify(exportItem(hit))}\n`;

function csvRow(hit: StoredHit): string {
  const item: Readonly<Record<string, unknown>> = { ...exportItem(hit) };
  return csvLine(EXPORT_FIELDS.map((field) => item[field]));
}
