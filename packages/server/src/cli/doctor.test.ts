import { expect, it } from 'vitest';
import { installationFindings } from './doctor.ts';

it('names each right that is missing, and says what goes on without it', () => {
  const why = 'reports';
  const findings = installationFindings({
    missing_rights: [
      { grant: 'SELECT ON db.*', needed: 'always', why },
      { grant: 'KILL QUERY ON *.*', needed: 'optional', why },
    ],
    untrusted_proxy: { count: 1 },
    overdue_erasures: { count: 2, since: '2026-11-22T08:00:00.000Z' },
    months_to_recount: 3,
  });
  expect(findings.map(({ level }) => level)).toEqual(['bad', 'note', 'note', 'bad', 'note']);
  expect(findings[4]?.text).toContain('Closed days of 3 months');
  expect(findings[0]?.text).toContain('lacks the right SELECT ON db.* (reports)');
  expect(findings[2]?.text).toMatch(/^1 request arrived with X-Forwarded-For/);
  expect(findings[3]?.text).toMatch(/^2 erasures of visitors are not over since 2026-11-22T08:00:00\.000Z/);
});

it('has nothing to say where nothing is missing, or the warehouse could not be asked', () => {
  expect(installationFindings({ missing_rights: [], untrusted_proxy: null, overdue_erasures: null })).toEqual(
    [],
  );
  expect(
    installationFindings({ missing_rights: null, untrusted_proxy: null, overdue_erasures: null }),
  ).toEqual([]);
});
