import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { startTestProvider } from '../accounts/oidc/testing.ts';
import { readConfig } from '../config.ts';
import { doctor, installationFindings } from './doctor.ts';

it('names each right that is missing, and says what goes on without it', () => {
  const why = 'reports';
  const findings = installationFindings({
    missing_rights: [
      { grant: 'SELECT ON db.*', needed: 'always', why },
      { grant: 'KILL QUERY ON *.*', needed: 'optional', why },
    ],
    untrusted_proxy: { count: 1 },
    overdue_erasures: { count: 2, since: '2026-11-22T08:00:00.000Z' },
    overdue_deletions: 1,
    months_to_recount: 3,
  });
  expect(findings.map(({ level }) => level)).toEqual(['bad', 'note', 'note', 'bad', 'bad', 'note']);
  expect(findings[4]?.text).toMatch(/^1 deletion of a property is not over/);
  expect(findings[5]?.text).toContain('Closed days of 3 months');
  expect(findings[0]?.text).toContain('lacks the right SELECT ON db.* (reports)');
  expect(findings[2]?.text).toMatch(/^1 request arrived with X-Forwarded-For/);
  expect(findings[3]?.text).toMatch(/^2 erasures of visitors are not over since 2026-11-22T08:00:00\.000Z/);
});

it('says when the newest backup was made, and why there is none since', () => {
  const nothing = { missing_rights: [], untrusted_proxy: null, overdue_erasures: null };
  const made = { every_hours: 24, last_at: '2026-11-22T03:00:00.000Z', overdue: false, error: null };
  expect(installationFindings({ ...nothing, backups: made })).toEqual([
    { level: 'good', text: 'The newest backup is from 2026-11-22T03:00:00.000Z; one is made every 24 h.' },
  ]);
  expect(installationFindings({ ...nothing, backups: { ...made, overdue: true } })[0]?.level).toBe('bad');
  expect(
    installationFindings({ ...nothing, backups: { ...made, last_at: null, error: 'The disk is full.' } }),
  ).toEqual([
    {
      level: 'bad',
      text: 'There is no scheduled backup yet; one is made every 24 h. The last attempt failed: The disk is full.',
    },
  ]);
});

it('has nothing to say where nothing is missing, or the warehouse could not be asked', () => {
  expect(installationFindings({ missing_rights: [], untrusted_proxy: null, overdue_erasures: null })).toEqual(
    [],
  );
  expect(
    installationFindings({ missing_rights: null, untrusted_proxy: null, overdue_erasures: null }),
  ).toEqual([]);
});

/** Of a service that has nothing; `/readyz` alone may say otherwise. */
const run = async (ready: object, env: Readonly<Record<string, string>> = {}) => {
  const answers: Record<string, unknown> = {
    '/api/v1/spool': {
      ...{ pending_rows: 0, oldest_seconds: 0, last_error: null, parked_batches: 0, damages: [] },
      acknowledged_on: 'node',
    },
    '/api/v1/installation/checks': { missing_rights: null, untrusted_proxy: null, overdue_erasures: null },
    '/api/v1/lists': { version: 1, sources: [] },
    '/api/v1/properties': { items: [] },
  };
  return await doctor.run({
    argument: () => '',
    arguments: () => [],
    option: () => undefined,
    number: () => undefined,
    flag: () => false,
    config: readConfig({ BASE_URL: 'https://in.example', DATA_DIR: tmpdir(), ...env }, tmpdir()),
    print: () => {},
    service: {
      ask: async () => ({ status: 503, body: ready }),
      call: async (_, path) => answers[path],
    },
  });
};

it('asks the provider of sign-ins, if there is one', async () => {
  const provider = await startTestProvider();
  try {
    const oidc = (issuer: string) => ({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'ghostlight' });
    const said = async (env: Readonly<Record<string, string>>) =>
      (await run({ checks: { database: 'ok' } }, env))?.text;
    expect(await said(oidc(provider.issuer))).toContainEqual(
      expect.stringContaining(`${provider.issuer} answers as sign-in needs it.`),
    );
    expect(await said(oidc(`${provider.issuer}/other`))).toContainEqual(
      expect.stringContaining('returns 404. Check OIDC_ISSUER.'),
    );
    expect(`${await said({})}`).not.toContain('sign-in');
  } finally {
    await provider.close();
  }
});

it('says why a node takes no work, which it answers with 503', async () => {
  const reasons = { spool: 'This node is not accepting hits: it is being drained.' };
  const answer = await run({ checks: { spool: 'failing', database: 'ok' }, reasons });
  expect(answer?.text).toContainEqual(
    expect.stringContaining('This node is not accepting hits: it is being drained. The log'),
  );
  expect(answer?.failed).toMatch(/^\d+ problems? to fix\.$/);
});
