import { expect, it } from 'vitest';
import { countClosedDays } from './closed-days.ts';

/** Answers as the service would where the property's day is `today`, and keeps what is asked. */
function standIn(today: string, partial: readonly string[]) {
  const counted: unknown[] = [];
  return {
    counted,
    service: {
      adminToken: 'a token',
      fetch: async (request: Request) => {
        if (request.method === 'GET') {
          const from = new URL(request.url).searchParams.get('from') ?? '';
          const days = partial.filter((day) => day >= from);
          return Response.json({ partial_days: days, period: { from, to: today } });
        }
        counted.push(((await request.json()) as { date?: string }).date ?? 'the rest');
        return Response.json({});
      },
    },
  };
}

it.each([
  ['New York, where it is still the 20th', '2026-11-21T02:00:00Z', '2026-11-20', ['2026-11-19']],
  [
    ...['Auckland, where it is the 21st already', '2026-11-20T23:30:00Z', '2026-11-21'],
    ['2026-11-20', '2026-11-19'],
  ],
] as const)('counts the days that are over in %s', async (_, time, today, closed) => {
  const { counted, service } = standIn(today, ['2026-08-01', '2026-11-19', '2026-11-20', '2026-11-21']);
  await countClosedDays(service, 'a property', Date.parse(time), new AbortController().signal);
  expect(counted).toEqual([...closed, 'the rest']);
});
