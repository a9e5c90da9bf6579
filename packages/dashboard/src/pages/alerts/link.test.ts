import { expect, it } from 'vitest';
import { targetOf } from './link.ts';

it('a report is opened with the filters and days of the link', () => {
  expect(targetOf('/bots?bot=A+%26+B&from=2026-11-07&to=2026-11-21')).toEqual({
    to: 'report',
    page: 'bots',
    search: { bot: 'A & B', from: '2026-11-07', to: '2026-11-21' },
  });
  expect(targetOf('/trust?include=spoofed&from=2026-11-07&to=2026-11-21')).toMatchObject({
    page: 'trust',
    search: { include: 'spoofed' },
  });
});

it('a destination is opened as it is; a page of a later version is no link', () => {
  expect(targetOf('/destinations/dst_1')).toEqual({ to: 'destination', destinationId: 'dst_1' });
  expect(targetOf('/policy?from=2026-11-07')).toBeNull();
});
