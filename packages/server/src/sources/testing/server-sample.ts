/** Visits as servers print them, by the printers of core's own tests. */
import type { LogRecord } from '@ghostlight/core/log-formats';
import { type SampleVisit, type SourceSample, searchOf } from './sample.ts';

export const recordOf = (visit: SampleVisit): LogRecord => ({
  ...{
    timestamp: visit.at,
    host: visit.host,
    method: visit.method,
    status: visit.status,
    bytes: visit.bytes,
  },
  pathname: visit.path + searchOf(visit.query),
  ...{ user_agent: visit.userAgent, referer: visit.referrer, ip: visit.ip, request_id: visit.requestId },
  ...{ forwarded_for: '', country: '', asn: 0, scheme: 'https', accept: '' },
  ...{ signature: '', signature_input: '', signature_agent: '' },
});

export function serverSample(
  print: (record: LogRecord) => string,
  {
    lacks = [],
    query = '',
    header = '',
  }: { lacks?: SourceSample['lacks']; query?: string; header?: string } = {},
): SourceSample {
  return {
    ...(lacks === undefined ? {} : { lacks }),
    print: (visits) => ({
      body: header + visits.map((visit) => `${print(recordOf(visit))}\n`).join(''),
      ...(query === '' ? {} : { query }),
    }),
  };
}
