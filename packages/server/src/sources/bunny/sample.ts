import { type SourceSample, searchOf } from '../testing/sample.ts';

export const sample: SourceSample = {
  lacks: ['method'],
  print: (visits) => ({
    body: visits
      .map((visit) =>
        [
          ...['HIT', visit.status, visit.at, visit.bytes, 390, visit.ip || '-', visit.referrer || '-'],
          ...[`https://${visit.host}${visit.path}${searchOf(visit.query)}`, 'WA', visit.userAgent],
          ...[visit.requestId, 'DE'],
        ].join('|'),
      )
      .map((text, index) =>
        index % 2 === 0 ? text : `<134>1 2026-03-01T12:00:00Z host bunny - - [meta] \ufeff${text}`,
      )
      .map((text) => `${text}\n`)
      .join(''),
    headers: { 'Content-Type': 'text/plain' },
  }),
};
