/** The command line as a person uses it: beside a running service and without one, and every refusal with its sentence. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectConservation } from '../harness/conservation.ts';
import { TestService, workerHit } from '../harness/service.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

/** Runs a command that must succeed, and have nothing to complain of. @returns what it printed */
async function good(service: TestService, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await service.run(words);
  expect(code, `${words.join(' ')}\n${stdout}${stderr}`).toBe(0);
  expect(stderr).toBe('');
  return stdout.trimEnd();
}

/** Every command that reads or changes something, in the order of a first day. */
async function aDayAtTheTerminal(service: TestService): Promise<void> {
  expect(await good(service, 'properties', 'list')).not.toContain('terminal.example');
  const id = await good(service, 'properties', 'create', '--name', 'Terminal', '--domain=terminal.example');
  expect(id).toMatch(new RegExp(`^${UUID.source}$`));
  expect(await good(service, 'properties')).toMatch(new RegExp(`${id} +Terminal +terminal\\.example`));

  const issued = await good(service, 'keys', 'issue', '--name', 'From the terminal', '--property', id);
  const [key = '', advice] = issued.split('\n');
  expect(key).toMatch(/^svc_cf_[0-9A-Za-z]{43}$/);
  expect(advice).toContain('not shown again');
  const listed = await good(service, 'keys', 'list');
  expect(listed).toContain('From the terminal');
  expect(listed).toContain(key.slice(0, 12));
  expect(listed).not.toContain(key);
  const keyId =
    UUID.exec(listed.split('\n').find((line) => line.includes('From the terminal')) ?? '')?.[0] ?? '';
  expect(await good(service, 'doctor')).toContain('The warehouse answers.');
  const rotated = (await good(service, 'keys', 'rotate', keyId, '--overlap', '3600')).split('\n')[0] ?? '';
  expect(rotated).toMatch(/^svc_cf_[0-9A-Za-z]{43}$/);
  expect(rotated).not.toBe(key);
  // Of the two keys of this name, the old one ends.
  expect(await good(service, 'keys', 'list')).toMatch(new RegExp(`${keyId}.* 20\\d\\d-\\d\\d-.*Z`));
  expect(await good(service, 'keys', 'revoke', keyId)).toBe(`Revoked ${keyId}.`);

  expect(await good(service, 'lists', 'status')).toMatch(/^Bot list version \d+\n(.|\n)*SOURCE/);
  expect(await good(service, 'lists', 'status')).toMatch(
    /^applebot +[1-9]\d* +with this version, as of 20\d\d-/m,
  );
  expect(await good(service, 'spool', 'status')).toMatch(
    /^Waiting: [\d,]+ hits? and [\d,]+ browser events?, [\d.,]+ (bytes|[KMG]iB), the oldest for \d+ s\.$/,
  );
  expect(await good(service, 'properties', 'delete', id)).toBe(`Deleted ${id}.`);

  const gone = await service.run(['properties', 'delete', id]);
  expect(gone).toMatchObject({ code: 1, stdout: '' });
  expect(gone.stderr).toMatch(/^There is no such property/);
  const incomplete = await service.run(['properties', 'create', '--name', 'No domain']);
  expect(incomplete.code).toBe(2);
  expect(incomplete.stderr).toContain('--domain is missing');
}

it('ends without an error when its output is no longer read', async () => {
  const script = `"${process.execPath}" packages/server/bin/ghostlight.js --help | true; exit "\${PIPESTATUS[0]}"`;
  const { stderr } = await promisify(execFile)('bash', ['-c', script], { cwd: ROOT });
  expect(stderr).toBe('');
});

describe('beside a running service', () => {
  const service = new TestService();
  beforeAll(async () => {
    await service.start();
  });
  afterAll(async () => {
    await service.dispose();
  });

  it('every command does its work through it', async () => {
    await aDayAtTheTerminal(service);
    expect(service.alive).toBe(true);
  });

  it('prints what the API answers as JSON, and nothing else', async () => {
    const { id } = await service.property('As data', 'data.example');
    const json = async (...words: string[]) => JSON.parse(await good(service, ...words, '--json')) as unknown;
    expect(await json('properties', 'list')).toEqual((await service.api('GET', '/api/v1/properties')).body);
    expect(await json('webhooks', 'enable', id)).toMatchObject({ enabled: true });
    expect(await json('deliveries', 'list', id)).toMatchObject({ items: [] });
    expect(await json('spool')).toMatchObject({ pending_rows: expect.any(Number) });
    const { code, stdout } = await service.run(['doctor', '--json']);
    const { findings, bad } = JSON.parse(stdout) as {
      findings: { level: string; text: string }[];
      bad: number;
    };
    expect(code).toBe(bad === 0 ? 0 : 1);
    expect(findings).toContainEqual({ level: 'good', text: 'The warehouse answers.' });
    expect(stdout).not.toContain('below');
    expect(await json('properties', 'delete', id)).toEqual({ id, deleted: true });
  });

  it('a command that needs the stores to itself names the process that holds them', async () => {
    const { code, stderr } = await service.run(['migrate']);
    expect(code).toBe(1);
    expect(stderr).toContain(`process ${service.pid}`);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('tells the doctor of a key that arrives in a wrong form, and of a proxy that is not trusted', async () => {
    const { key } = await service.property();
    await service.call('POST', '/v1/logs/edge_worker', {
      headers: { 'X-API-Key': `Bearer ${key}`, 'X-Forwarded-For': '203.0.113.9' },
      body: '[]',
    });
    // What went wrong is written down once a second.
    const doctor = async () => (await service.run(['doctor'])).stdout;
    await expect.poll(doctor, { timeout: 20_000, interval: 300 }).toMatch(/Bearer/);
    expect((await doctor()).match(/TRUST_PROXY is empty/g)).toHaveLength(1);
  });

  it('shows destinations and deliveries, pauses, tries and repeats them', async () => {
    const { id: property } = await service.property('Forwarding', 'forwarding.example');
    expect(await good(service, 'destinations', 'list', property)).toBe('No destinations yet.');
    const created = await service.api('POST', `/api/v1/properties/${property}/destinations`, {
      platform: 'webhook',
      name: 'Receiver',
      config: { url: 'https://receiver.example/hook' },
      credentials: { signing_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    });
    const { id } = created.body as { id: string };
    expect(await good(service, 'destinations', 'pause', property, id)).toBe(
      'Receiver is paused; 0 deliveries wait.',
    );
    expect(await good(service, 'destinations', 'list', property)).toMatch(
      new RegExp(`${id} +webhook +Receiver +paused +0 +–`),
    );
    expect(await good(service, 'destinations', 'resume', property, id)).toMatch(/^Receiver is active/);
    const tried = await good(service, 'destinations', 'test', property, id, '--topic', 'lead');
    expect(tried).toMatch(/^Would send: POST https:\/\/receiver\.example\/…/);
    expect(tried).not.toContain('MfKQ9r8');
    expect(await good(service, 'deliveries', 'list', property, '--status', 'dead')).toBe('No deliveries.');
    expect(await good(service, 'deliveries', 'replay', property, '--dead')).toBe(
      '0 deliveries wait for their turn.',
    );
    const absent = await service.run(['deliveries', 'replay', property, 'dlv_0']);
    expect([absent.code, absent.stderr]).toEqual([1, expect.stringMatching(/^There is no such delivery/)]);
    const metrics = await service.metrics();
    expect(metrics.get('ghostlight_deliveries_oldest_seconds')).toBe(0);
    expect(metrics.get('ghostlight_destinations_alarmed{platform="webhook"}')).toBe(0);
    expect(metrics.get('ghostlight_webhook_requests_total{status="success"}')).toBe(0);
  });

  it('shows alerts, changes rules, and adds, tests and removes channels', async () => {
    const { id: property } = await service.property('Watched', 'watched.example');
    expect(await good(service, 'alerts', 'list', property, '--state', 'open')).toBe('No alerts.');
    expect(await good(service, 'alerts', 'rule', property, 'spike', '5')).toMatch(
      /^spike +yes +5 +times the baseline +3$/m,
    );
    const rules = await good(service, 'alerts', 'rules', property, '--repeat', '48');
    expect(rules).toMatch(/^spike +yes +5 /m);
    expect(rules).toContain('after 48 hours');
    expect(await good(service, 'alerts', 'rule', property, 'spike', 'off')).toMatch(/^spike +no +5 /m);

    const target = 'https://watch.invalid/alerts?key=hidden';
    const named = ['add', property, 'webhook', target, '--name', 'On-call'];
    const [channel = '', secret] = (await good(service, 'alerts', 'channels', ...named)).split('\n');
    expect(secret).toMatch(/^whsec_/);
    const tried = await service.run(['alerts', 'test', property, channel]);
    expect([tried.code, tried.stderr]).toEqual([
      1,
      expect.stringMatching(/^The channel did not accept the test: \w+\.\n$/),
    ]);
    expect(await good(service, 'alerts', 'channels', 'off', property, channel)).toBe('On-call is off.');
    const listed = await good(service, 'alerts', 'channels', 'list', property);
    expect(listed).toMatch(
      new RegExp(`^${channel} +webhook +On-call +watch\\.invalid +off +this property +none$`, 'm'),
    );
    expect(listed).not.toContain('hidden');
    expect(await good(service, 'alerts', 'channels', 'remove', property, channel)).toBe(
      `Removed ${channel}.`,
    );
    expect((await service.run(['alerts', 'rule', property, 'spike', 'loud'])).stderr).toMatch(
      /^Usage: ghostlight alerts rule /m,
    );

    expect(await good(service, 'alerts', 'look')).toBe('Every property was evaluated.');
    const metrics = await service.metrics();
    expect(metrics.get('ghostlight_alerts_open{kind="spike"}')).toBe(0);
    expect(metrics.get('ghostlight_alert_looks_total{outcome="failed"}')).toBe(0);
    expect(metrics.get('ghostlight_alerts_last_round_timestamp_seconds')).toBeGreaterThan(1_700_000_000);
  });

  it('drains: closes intake, ships what waits, and says that the node can be removed', async () => {
    const { key } = await service.property('Last', 'last.example');
    for (let hit = 0; hit < 20; hit += 1) {
      expect((await service.hits(key, workerHit({ pathname: `/last/${hit}` }))).status).toBe(204);
    }
    expect(await good(service, 'spool', 'drain')).toContain('you can remove this node');
    const refused = await service.hits(key, workerHit());
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    const { stored } = await expectConservation(service, 0);
    expect(stored).toBe(20);
  });
});

describe('without a running service', () => {
  const service = new TestService();
  afterAll(async () => {
    await service.dispose();
  });

  it('every command opens the stores itself and leaves them in order', async () => {
    expect(await good(service, 'migrate')).toBe('Both stores are up to date.');
    const id = await good(service, 'properties', 'create', '--name', 'Kept', '--domain', 'kept.example');
    const issued = await good(service, 'keys', 'issue', '--name', 'Kept', '--property', id);
    expect(await good(service, 'doctor')).toContain('The warehouse answers.');
    expect(await good(service, 'spool', 'drain')).toContain('you can remove this node');
    // What was done is there for the service that starts afterwards, and it takes hits again.
    await service.start();
    expect((await service.api('GET', `/api/v1/properties/${id}`)).body).toMatchObject({ name: 'Kept' });
    expect((await service.hits(issued.split('\n')[0] ?? '', workerHit())).status).toBe(204);
    await expectConservation(service);
  });

  it('explains itself, and refuses what it does not know', async () => {
    for (const words of [[], ['help'], ['--help']]) {
      const { code, stdout } = await service.run(words);
      expect(code).toBe(0);
      for (const name of ['serve', 'demo', 'doctor', 'properties', 'keys', 'lists', 'spool', 'migrate'])
        expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    }
    expect(await good(service, 'keys', '--help')).toContain('issue --name NAME');
    expect((await service.run(['dance'])).code).toBe(2);
    expect(await service.run(['keys', 'isue'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^Unknown command 'isue'\. Did you mean issue\?$/m),
    });
    expect(await good(service, '--version')).toMatch(/^\d+\.\d+\.\d+$/);
    for (const words of [
      ['keys', 'melt'],
      ['properties', 'delete'],
      ['lists', 'burn'],
      ['spool', 'dry'],
    ]) {
      const { code, stderr } = await service.run(words);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^Usage: ghostlight /m);
    }
  });

  it('names the setting that is wrong, in one sentence and without its value’s secrets', async () => {
    const wrong: [Record<string, string>, RegExp][] = [
      [{ PORT: 'http' }, /^PORT: must be a whole number/],
      [{ ADMIN_TOKEN: 'short' }, /^ADMIN_TOKEN: must have at least/],
      [{ DATABASE_URL: 'mysql://u:hunter2@db/x' }, /^DATABASE_URL: must be a URL/],
      [{ TRUST_PROXY: '10.0.0.0/99' }, /^TRUST_PROXY: /],
      [{ ROLES: 'ingest' }, /^ROLES: can only be split/],
      [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL: must be one of/],
    ];
    const runs = wrong.map(([environment]) => service.run(['serve'], environment));
    for (const [index, [, sentence]] of wrong.entries()) {
      const { code, stdout, stderr } = (await runs[index]) ?? { code: -1, stdout: '', stderr: '' };
      expect(code).toBe(1);
      expect(stdout).toBe('');
      expect(stderr).toMatch(sentence);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).not.toContain('hunter2');
    }
  });
});
