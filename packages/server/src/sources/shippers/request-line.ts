/** The first line of a request, which some logs keep whole. */
import type { VisitRecord } from '../fields/record.ts';
import type { JsonLine } from '../json-lines/form.ts';

const REQUEST_LINE = /^([A-Z][A-Z-]{0,15}) (\S+)(?: HTTP\/\d(?:\.\d)?)?$/;

/** Shippers keep the first line of the request whole: `GET /path HTTP/1.1`. */
export function withRequestLine(record: VisitRecord, line: JsonLine): VisitRecord {
  const request = line['request'];
  if (record.target !== undefined || typeof request !== 'string') return record;
  const [, method, target] = REQUEST_LINE.exec(request) ?? [];
  return { ...record, method: record.method ?? method, target };
}
