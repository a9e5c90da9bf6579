import { ndjson, type SourceSample, searchOf } from '../testing/sample.ts';

export const sample: SourceSample = {
  print: (visits) => ({
    body: ndjson(
      visits.map((visit) => ({
        EdgeStartTimestamp: visit.at,
        ClientRequestMethod: visit.method,
        ClientRequestHost: visit.host,
        ClientRequestURI: visit.path + searchOf(visit.query),
        EdgeResponseStatus: visit.status,
        ClientIP: visit.ip,
        ClientRequestUserAgent: visit.userAgent,
        ClientRequestReferer: visit.referrer,
        EdgeResponseBytes: visit.bytes,
        RayID: visit.requestId,
      })),
    ),
  }),
};
