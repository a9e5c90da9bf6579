import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

describe('configuration', () => {
  it('starts without a single variable, on loopback and embedded stores', () => {
    const config = readConfig({}, '/srv/ghostlight');
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      baseUrl: 'http://localhost:8080',
      appBaseUrl: 'http://localhost:8080',
      dataDir: '/srv/ghostlight/data',
      databaseUrl: null,
      clickhouseUrl: null,
      retentionDays: 400,
      trustProxy: { kind: 'none' },
    });
  });

  it('strips trailing slashes from base addresses', () => {
    expect(readConfig({ BASE_URL: 'https://in.example/ghost//' }).baseUrl).toBe('https://in.example/ghost');
  });

  it('lets APP_BASE_URL default to BASE_URL', () => {
    expect(readConfig({ BASE_URL: 'https://in.example' }).appBaseUrl).toBe('https://in.example');
  });

  it.each([
    ['PORT', '80a'],
    ['PORT', '70000'],
    ['RETENTION_DAYS', '0'],
    ['BACKUP_EVERY', '0'],
    ['BACKUP_KEEP', '0'],
    ['BACKUP_PASSPHRASE', 'short'],
    ['DATABASE_URL', 'mysql://x/y'],
    ['CLICKHOUSE_URL', 'localhost:8123'],
    ['BASE_URL', 'ftp://x'],
    ['BASE_URL', 'https://x/?a=1'],
    ['ADMIN_TOKEN', 'short'],
    ['SECRET_KEY', 'short'],
    ['TRUST_PROXY', 'yes'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['ROLES', 'ingest,sleep'],
    ['LOG_LEVEL', 'loud'],
    ['DESTINATION_HOSTS', '["x"]'],
    ['DESTINATION_HOSTS', '{"x":"not a url"}'],
    ['SPOOL_MAX_BYTES', '12'],
    ['LISTS_REFRESH', 'maybe'],
    ['SMTP_URL', 'mail.example:25'],
  ])('refuses %s=%s with a sentence that names the variable', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}: .+\\.$`));
  });

  it('traces only where a collector is named, by the variables of OpenTelemetry', () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:4318';
    expect(readConfig({ OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'xray' }).tracing).toBeNull();
    for (const off of [{ OTEL_SDK_DISABLED: 'True' }, { OTEL_TRACES_EXPORTER: 'none' }])
      expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, ...off }).tracing).toBeNull();
    const OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = 'https://otel.example/v1/traces';
    expect(readConfig({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, PORT: '1' }).tracing).toEqual({
      sampler: 'parentbased_always_on',
      ratio: 1,
      fromCallers: true,
      variables: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT },
    });
    for (const [name, value] of [
      ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
      ['OTEL_TRACES_SAMPLER', 'xray'],
      ['OTEL_TRACES_SAMPLER_ARG', '1.1'],
      ['OTEL_TRACES_SAMPLER_ARG', 'half'],
      ['OTEL_EXPORTER_OTLP_ENDPOINT', '127.0.0.1:4317'],
    ] as const)
      expect(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, [name]: value })).toThrow(
        new RegExp(`^${name}: .+\\.$`),
      );
  });

  it('takes mail settings together, with an address to send from', () => {
    const SMTP_URL = 'smtp://ghost:hunter2@mail.example:587';
    expect(readConfig({}).mail).toBeNull();
    expect(() => readConfig({ SMTP_URL })).toThrow(/^MAIL_FROM: /);
    expect(() => readConfig({ MAIL_FROM: 'g@shop.example' })).toThrow(/^SMTP_URL: /);
    for (const MAIL_FROM of ['ghostlight', 'a@b, c@d', 'Ghost <g@shop.example>\r\nBcc: <e@evil.example>'])
      expect(() => readConfig({ SMTP_URL, MAIL_FROM }), MAIL_FROM).toThrow(/^MAIL_FROM: /);
    for (const from of ['g@shop.example', 'Ghostlight <g@shop.example>'])
      expect(readConfig({ SMTP_URL, MAIL_FROM: from }).mail).toEqual({ url: SMTP_URL, from });
  });

  it('never repeats a password of a bad database address', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://u:hunter2@h/d' })).toThrow(/^(?!.*hunter2)/);
  });

  it('refuses DATABASE_URL without both shared secrets, because nodes could not read each other', () => {
    const shared = { DATABASE_URL: 'postgres://u:p@h/d' };
    expect(() => readConfig(shared)).toThrow(/^SECRET_KEY: /);
    expect(() => readConfig({ ...shared, SECRET_KEY: 'k'.repeat(32) })).toThrow(/^ADMIN_TOKEN: /);
    expect(
      readConfig({ ...shared, SECRET_KEY: 'k'.repeat(32), ADMIN_TOKEN: 't'.repeat(16) }).databaseUrl,
    ).not.toBeNull();
  });

  it('puts the spool into PostgreSQL only where all nodes reach the same stores', () => {
    const stores = {
      ...{ DATABASE_URL: 'postgres://u:p@h/d', CLICKHOUSE_URL: 'http://h:8123/d' },
      ...{ SECRET_KEY: 'k'.repeat(32), ADMIN_TOKEN: 't'.repeat(16) },
    };
    const SPOOL_DATABASE_URL = 'postgres://u:hunter2@other/spool';
    expect(readConfig(stores).spoolDatabaseUrl).toBeNull();
    expect(readConfig({ ...stores, SPOOL: 'file' }).spoolDatabaseUrl).toBeNull();
    expect(readConfig({ ...stores, SPOOL: 'postgres' }).spoolDatabaseUrl).toBe(stores.DATABASE_URL);
    expect(readConfig({ ...stores, SPOOL: 'postgres', SPOOL_DATABASE_URL }).spoolDatabaseUrl).toBe(
      SPOOL_DATABASE_URL,
    );
    expect(() => readConfig({ ...stores, SPOOL_DATABASE_URL })).toThrow(/^SPOOL_DATABASE_URL: (?!.*hunter2)/);
    expect(() => readConfig({ ...stores, SPOOL: 'redis' })).toThrow(/^SPOOL: must be one of file, postgres/);
    for (const missing of ['DATABASE_URL', 'CLICKHOUSE_URL'])
      expect(() => readConfig({ ...stores, [missing]: '', SPOOL: 'postgres', SPOOL_DATABASE_URL })).toThrow(
        /^SPOOL: can be postgres only with DATABASE_URL and CLICKHOUSE_URL/,
      );
  });

  it('reads how long classes of data are kept, and names what it does not know', () => {
    const { retentionByClass, auditRetentionDays } = readConfig({
      RETENTION_CLASSES: ' samples=30, deliveries = 90 ,audit=730',
    });
    expect(retentionByClass).toEqual({ samples: 30, deliveries: 90 });
    expect(auditRetentionDays).toBe(730);
    expect(readConfig({})).toMatchObject({ retentionByClass: {}, auditRetentionDays: null });
    for (const value of ['sample=30', 'samples=6', 'samples', 'samples=x', 'samples=3651'])
      expect(() => readConfig({ RETENTION_CLASSES: value })).toThrow(`not "${value}"`);
  });

  it('reads how people sign in at the company’s provider, and refuses what would leave a door open', () => {
    const set = { OIDC_ISSUER: 'https://idp.example/realms/a/', OIDC_CLIENT_ID: 'g' };
    expect(readConfig({}).oidc).toBeNull();
    expect(readConfig(set).oidc).toEqual({
      ...{ issuer: 'https://idp.example/realms/a/', clientId: 'g', clientSecret: null },
      ...{ name: 'single sign-on', scopes: 'openid email profile', groupsClaim: 'groups', groups: [] },
      ...{ allowedDomains: [], trustEmail: false, only: false, sessionHours: 12 },
    });
    const id = '8A6E0804-2BD0-4672-B79D-D97027F9071A';
    const OIDC_GROUPS = JSON.stringify([
      { group: 'admins, all', role: 'admin' },
      { group: 'g', role: 'viewer', organization: id, properties: [{ attribution_id: id, role: 'editor' }] },
    ]);
    const { oidc } = readConfig({ ...set, OIDC_GROUPS, OIDC_ALLOWED_DOMAINS: '@Shop.example, b.example' });
    expect(oidc?.allowedDomains).toEqual(['shop.example', 'b.example']);
    expect(oidc?.groups).toEqual([
      {
        ...{ group: 'admins, all', role: 'admin', properties: null },
        organizationId: '00000000-0000-4000-8000-000000000001',
      },
      {
        ...{ group: 'g', role: 'viewer', organizationId: id.toLowerCase() },
        properties: [{ attributionId: id.toLowerCase(), role: 'editor' }],
      },
    ]);
    expect(readConfig({ ...set, OIDC_ISSUER: 'http://localhost:8081/realms/a' }).oidc).not.toBeNull();
    for (const [wrong, words] of [
      [{ OIDC_ISSUER: 'http://idp.example' }, /^OIDC_ISSUER: must begin with https/],
      [{ OIDC_ISSUER: 'https://idp.example?x=1' }, /^OIDC_ISSUER: /],
      [{ OIDC_ISSUER: '' }, /^OIDC_ISSUER: must be given with OIDC_CLIENT_ID/],
      [{ OIDC_CLIENT_ID: '' }, /^OIDC_CLIENT_ID: /],
      [{ OIDC_SCOPES: 'email' }, /^OIDC_SCOPES: must contain openid/],
      [{ OIDC_ALLOWED_DOMAINS: 'shop' }, /^OIDC_ALLOWED_DOMAINS: .*not "shop"/],
      [{ OIDC_TRUST_EMAIL: 'on' }, /^OIDC_TRUST_EMAIL: needs OIDC_ALLOWED_DOMAINS/],
      [{ OIDC_SESSION_HOURS: '0' }, /^OIDC_SESSION_HOURS: /],
      [{ OIDC_GROUPS: '{}' }, /^OIDC_GROUPS: is not a list/],
      [{ OIDC_GROUPS: 'x' }, /^OIDC_GROUPS: is not valid JSON/],
      [{ OIDC_GROUPS: '[{"group":"a","role":"editor"}]' }, /^OIDC_GROUPS: has no role .* entry 1/],
      [{ OIDC_GROUPS: '[{"group":"a","role":"admin","x":1}]' }, /^OIDC_GROUPS: .*unknown member/],
      [{ OIDC_GROUPS: '[{"group":"a","role":"admin","properties":[]}]' }, /^OIDC_GROUPS: .*only viewers/],
      [{ OIDC_GROUPS: '[{"group":"a","role":"viewer","properties":["x"]}]' }, /^OIDC_GROUPS: /],
    ] as const)
      expect(() => readConfig({ ...set, ...wrong }), JSON.stringify(wrong)).toThrow(words);
    // Half a setting would leave passwords on.
    expect(() => readConfig({ OIDC_ONLY: 'on' })).toThrow(/^OIDC_ONLY: needs OIDC_ISSUER/);
  });

  it('refuses split roles on embedded stores', () => {
    expect(() => readConfig({ ROLES: 'ingest' })).toThrow(/^ROLES: /);
  });

  it('reads TRUST_PROXY as hop count or networks', () => {
    expect(readConfig({ TRUST_PROXY: '2' }).trustProxy).toEqual({ kind: 'hops', count: 2 });
    const trust = readConfig({ TRUST_PROXY: '10.0.0.0/8, fd00::/8' }).trustProxy;
    expect(trust.kind === 'networks' && trust.networks.check('10.1.2.3')).toBe(true);
    expect(trust.kind === 'networks' && trust.networks.check('fd12::1', 'ipv6')).toBe(true);
    expect(trust.kind === 'networks' && trust.networks.check('11.1.2.3')).toBe(false);
  });
});

it('two listeners on one port are refused with the name of the second', () => {
  expect(() => readConfig({ PORT: '8455', METRICS_PORT: '8455' })).toThrow(
    /^METRICS_PORT: must differ from PORT \(8455\)/,
  );
  expect(readConfig({ PORT: '0', METRICS_PORT: '0' }).metricsPort).toBe(0);
});

it('schedules backups only with what they need', () => {
  const scheduled = { BACKUP_DIR: 'backups', BACKUP_PASSPHRASE: 'correct horse battery' };
  expect(readConfig({ BACKUP_EVERY: '6' }, '/srv').backupSchedule).toBeNull();
  expect(readConfig({ ...scheduled, BACKUP_EVERY: '6' }, '/srv').backupSchedule).toEqual({
    ...{ directory: '/srv/backups', everyHours: 6, keep: 7 },
  });
  expect(() => readConfig({ BACKUP_DIR: 'backups' })).toThrow(/^BACKUP_PASSPHRASE: must be set/);
  const server = { ...scheduled, CLICKHOUSE_URL: 'http://db:8123' };
  expect(() => readConfig(server)).toThrow(/^BACKUP_WAREHOUSE_TO: must be set/);
});
