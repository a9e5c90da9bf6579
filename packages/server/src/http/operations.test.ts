import { HOUR_MS } from '@ghostlight/core/time';
import { OpenAPIHono } from '@hono/zod-openapi';
import { expect, it } from 'vitest';
import { type Operations, operationsRoutes } from './operations.ts';

const none = async () => ({ count: 0, since: null });
const intake = async () => ({
  ...({ state: 'open', path: '/data', freeBytes: 5, totalBytes: 9, reason: null, summary: null } as const),
});
const open = { state: 'open', reason: null, path: '/data', free_bytes: 5, total_bytes: 9 };
const checks = async (operations: Partial<Operations>): Promise<unknown> => {
  const app = new OpenAPIHono().route(
    '/',
    operationsRoutes({
      overdueErasures: none,
      overdueDeletions: async () => 1,
      intake,
      monthsToRecount: async () => null,
      backups: () => null,
      ...operations,
    } as Operations),
  );
  return await (await app.request('/installation/checks')).json();
};

it('lists the rights that the warehouse’s user lacks, and requests of a proxy that is not trusted', async () => {
  const right = { grant: 'SELECT ON db.*', needed: 'always', why: 'reports' } as const;
  expect(
    await checks({ missingRights: async () => [right], untrustedProxy: () => ({ count: 2, lastAt: 0 }) }),
  ).toEqual({
    intake: open,
    missing_rights: [right],
    untrusted_proxy: { count: 2, last_at: '1970-01-01T00:00:00.000Z' },
    overdue_deletions: 1,
    overdue_erasures: null,
    months_to_recount: null,
    backups: null,
  });
});

it('tells since when erasures of visitors are overdue', async () => {
  const untold = { missingRights: async () => [], untrustedProxy: () => null };
  expect(
    await checks({ ...untold, overdueErasures: async () => ({ count: 3, since: 86_400_000 }) }),
  ).toMatchObject({ overdue_erasures: { count: 3, since: '1970-01-02T00:00:00.000Z' } });
});

it('says so where the warehouse could not be asked', async () => {
  const missingRights = async (): Promise<never> => {
    throw new Error('away');
  };
  expect(await checks({ missingRights, untrustedProxy: () => null })).toEqual({
    intake: open,
    missing_rights: null,
    untrusted_proxy: null,
    overdue_deletions: 1,
    overdue_erasures: null,
    months_to_recount: null,
    backups: null,
  });
});

it('says when the last scheduled backup was made, and when one is overdue', async () => {
  const untold = { missingRights: async () => [], untrustedProxy: () => null };
  const told = (lastAt: number | null, error: string | null, now: number) =>
    checks({ ...untold, clock: () => now, backups: () => ({ everyMs: HOUR_MS, lastAt, error }) });
  const last_at = '1970-01-01T00:00:00.000Z';
  const answers = await Promise.all([
    told(0, null, 2 * HOUR_MS),
    told(0, null, 2 * HOUR_MS + 1),
    told(null, null, 5),
    told(null, 'full', 5),
  ]);
  expect(answers).toMatchObject([
    { backups: { every_hours: 1, last_at, overdue: false, error: null } },
    { backups: { every_hours: 1, last_at, overdue: true, error: null } },
    { backups: { every_hours: 1, last_at: null, overdue: false, error: null } },
    { backups: { every_hours: 1, last_at: null, overdue: true, error: 'full' } },
  ]);
});
