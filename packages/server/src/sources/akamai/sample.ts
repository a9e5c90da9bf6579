import { ndjson, type SourceSample, searchOf } from '../testing/sample.ts';

const encoded = (text: string): string => text.replace(/[^!-$&-~]/gu, encodeURIComponent);

export const sample: SourceSample = {
  print: (visits) => ({
    body: ndjson(
      visits.map((visit) => ({
        version: 1,
        streamId: '9024',
        reqId: visit.requestId,
        reqTimeSec: (visit.at / 1_000).toFixed(3),
        cliIP: visit.ip,
        statusCode: String(visit.status),
        reqMethod: visit.method,
        reqHost: visit.host,
        queryStr: searchOf(visit.query).slice(1),
        UA: encoded(visit.userAgent),
        // Fields without a value are left out.
        ...(visit.path === '/' ? {} : { reqPath: visit.path }),
        ...(visit.referrer === '' ? {} : { referer: encoded(visit.referrer) }),
        bytes: String(visit.bytes),
        country: 'US',
        asn: '8075',
      })),
    ),
  }),
};
