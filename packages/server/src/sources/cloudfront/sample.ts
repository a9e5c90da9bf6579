import { type SourceSample, searchOf } from '../testing/sample.ts';
import { DEFAULT_FIELDS } from './decode.ts';

const encoded = (text: string): string =>
  text === '' ? '-' : text.replace(/[^!$&'()*+,\-./0-9:;=?@A-Z_a-z]/gu, encodeURIComponent);

export const sample: SourceSample = {
  print: (visits) => ({
    body: JSON.stringify({
      requestId: 'ed4acda5-034f-9f42-bba1-f29aea6d7d8f',
      timestamp: 1_578_090_901_599,
      records: visits.map((visit) => {
        const [, query = ''] = searchOf(visit.query).split('?');
        const line = [
          ...[
            (visit.at / 1_000).toFixed(3),
            visit.ip || '-',
            String(visit.status).padStart(3, '0'),
            visit.bytes,
          ],
          ...[visit.method, 'https', encoded(visit.path), visit.requestId || '-', visit.host],
          ...[encoded(visit.userAgent), encoded(visit.referrer), encoded(query), '-'],
        ].join('\t');
        return { data: Buffer.from(`${line}\n`).toString('base64') };
      }),
    }),
    query: `fields=${DEFAULT_FIELDS.join(',')}`,
    headers: {
      'Content-Type': 'application/json',
      'X-Amz-Firehose-Request-Id': 'ed4acda5-034f-9f42-bba1-f29aea6d7d8f',
    },
  }),
};
