import { ndjson, type SourceSample, searchOf } from '../testing/sample.ts';

export const sample: SourceSample = {
  print: (visits) => ({
    body: ndjson(
      visits.map((visit) => ({
        timestamp: String(visit.at),
        client_ip: visit.ip,
        host: visit.host,
        url: visit.path + searchOf(visit.query),
        method: visit.method,
        status: visit.status,
        bytes: visit.bytes,
        referer: visit.referrer,
        user_agent: visit.userAgent,
        country: 'US',
        asn: '8075',
        request_id: visit.requestId,
      })),
    ),
    headers: { 'Content-Type': 'application/x-ndjson' },
  }),
};
