import { ndjson, type SourceSample, searchOf } from '../testing/sample.ts';

export const sample: SourceSample = {
  print: (visits) => ({
    body: ndjson(
      visits.map((visit) => ({
        log_type: 'traffic',
        timestamp: new Date(visit.at).toISOString(),
        url: `https://${visit.host}${visit.path}${searchOf(visit.query)}`,
        method: visit.method,
        status_code: visit.status,
        referrer: visit.referrer,
        client_ip: visit.ip,
        user_agent: visit.userAgent,
        request_id: visit.requestId,
        response_size: visit.bytes,
        site_id: '3970e0fe-8564-4903-9a55-c5f8de49fb8b',
        country: 'US',
        duration: 12,
      })),
    ),
  }),
};
