import { type SourceSample, searchOf } from '../testing/sample.ts';

export const sample: SourceSample = {
  print: (visits) => ({
    body: JSON.stringify(
      visits.map((visit, index) => ({
        id: `1573817250172${index}`,
        deploymentId: 'dpl_233NRGRjVZX1caZrXWtz5g1TAksD',
        source: 'static',
        host: visit.host,
        timestamp: visit.at,
        projectId: 'gdufoJxB6b9b1fEqr1jUtFkyavUU',
        level: 'info',
        message: '',
        path: visit.path,
        proxy: {
          timestamp: visit.at,
          method: visit.method,
          host: visit.host,
          path: visit.path + searchOf(visit.query),
          userAgent: [visit.userAgent],
          referer: visit.referrer,
          region: 'sfo1',
          statusCode: visit.status,
          clientIp: visit.ip,
          scheme: 'https',
          responseByteSize: visit.bytes,
          vercelId: visit.requestId,
        },
      })),
    ),
    headers: { 'Content-Type': 'application/json' },
  }),
};
