import { type SourceSample, searchOf } from '../testing/sample.ts';

export const sample: SourceSample = {
  print: (visits) => ({
    body: JSON.stringify(
      visits.map((visit) => ({
        timestamp: visit.at,
        method: visit.method,
        host: visit.host,
        path: visit.path + searchOf(visit.query),
        status_code: visit.status,
        ip: visit.ip,
        user_agent: visit.userAgent,
        referer: visit.referrer,
        bytes_sent: visit.bytes,
        request_id: visit.requestId,
      })),
    ),
    headers: { 'Content-Type': 'application/json' },
  }),
};
