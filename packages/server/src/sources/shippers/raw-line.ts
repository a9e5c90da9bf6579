/** Shippers hand on what they read: a record may be the fields of a visit, or nothing but a server's line. */
import {
  createLineParser,
  isLogFormat,
  isReject,
  LOG_FORMATS,
  type LogRecord,
} from '@ghostlight/core/log-formats';
import { z } from '@hono/zod-openapi';
import { ServiceError } from '../../common/index.ts';
import type { VisitRecord } from '../fields/record.ts';
import type { JsonLine } from '../json-lines/form.ts';
import type { Rejection } from '../reasons.ts';
import type { Passed, SourceRequest } from '../source.ts';
import { visitOf } from '../text-lines/form.ts';
import { withRequestLine } from './request-line.ts';

/** Where a shipper puts the line: Vector, Fluent Bit, OpenTelemetry. */
export const LINE_MEMBERS = ['message', 'log', 'body'] as const;
const NOT_A_VISIT: Passed = { drop: 'not_a_visit' };

export const formatQuery = {
  format: z
    .enum(Object.keys(LOG_FORMATS) as (keyof typeof LOG_FORMATS)[])
    .optional()
    .openapi({ description: 'Of lines that are sent whole; default nginx: combined, or our JSON format' }),
};

/** @throws ServiceError `invalid` for a format that is none */
export function rawLineOr(
  { parameters }: SourceRequest,
  addressOf: (line: LogRecord) => string,
): (record: VisitRecord, line: JsonLine) => VisitRecord | Rejection | Passed {
  const format = parameters.get('format') ?? 'nginx';
  if (!isLogFormat(format))
    throw new ServiceError('invalid', `format is one of ${Object.keys(LOG_FORMATS).join(', ')}.`);
  const fields = parameters.get('fields')?.split(',');
  const parser = createLineParser(format, fields === undefined ? {} : { fields, captures: fields });
  return (record, line) => {
    const whole = withRequestLine(record, line);
    if (whole.target !== undefined) return whole;
    const text = LINE_MEMBERS.map((name) => line[name]).find((value) => typeof value === 'string');
    if (text === undefined) return NOT_A_VISIT;
    const parsed = parser.parseLine(text as string);
    if (parsed === null) return NOT_A_VISIT;
    if (!isReject(parsed)) return visitOf(parsed, addressOf(parsed));
    return parsed.reject === 'not_a_request' ? NOT_A_VISIT : { reason: 'unreadable', field: parsed.reject };
  };
}
