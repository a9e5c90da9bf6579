import { ndjson, type SourceSample, searchOf } from '../testing/sample.ts';

export const sample: SourceSample = {
  print: (visits) => ({
    body: ndjson(
      visits.map((visit) => ({
        timestamp: visit.at,
        host: visit.host,
        method: visit.method,
        pathname: visit.path + searchOf(visit.query),
        user_agent: visit.userAgent,
        referer: visit.referrer,
        status: visit.status,
        bytes: visit.bytes,
        ip: visit.ip,
        request_id: visit.requestId,
      })),
    ),
  }),
};
