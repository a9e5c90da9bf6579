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
