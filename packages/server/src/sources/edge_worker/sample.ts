import type { SourceSample } from '../testing/sample.ts';

export const sample: SourceSample = {
  print: (visits) => ({
    body: JSON.stringify(
      visits.map((visit) => ({
        timestamp: visit.at,
        method: visit.method,
        host: visit.host,
        pathname: visit.path,
        query_params: Object.fromEntries(visit.query),
        status: visit.status,
        ip: visit.ip,
        user_agent: visit.userAgent,
        referer: visit.referrer,
        bytes: visit.bytes,
        ray_id: visit.requestId,
      })),
    ),
  }),
};
