import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CollectorEnv } from '../platform.ts';
import { API_KEY, ATTRIBUTION_ID, ENV } from '../testing/values.ts';
import { createSettingsReader, readSettings } from './index.ts';

const withEnv = (changes: Record<string, unknown>): ReturnType<typeof readSettings> =>
  readSettings({ ...ENV, ...changes } as CollectorEnv);

describe('a collector that is set up right', () => {
  it('forwards with what the variables say, and has nothing to remark', () => {
    expect(withEnv({ SERVICE_SAMPLE_RATE: '0.5' })).toEqual({
      problems: [],
      settings: {
        forwarding: {
          ingestUrl: ENV.SERVICE_INGEST_URL,
          apiKey: API_KEY,
          attributionId: ATTRIBUTION_ID,
          botlistUrl: ENV.SERVICE_BOTLIST_URL,
          sampleRate: 0.5,
        },
        manifest: null,
        ownHosts: new Set(['service.ghostlight.example']),
      },
    });
  });

  it('knows its service by all the hosts that it is reached at', () => {
    const { settings } = withEnv({
      SERVICE_BOTLIST_URL: 'https://lists.example:8443/v1/config/ai-bots',
      SERVICE_MANIFEST_URL: 'https://app.example/api/v1/webmcp',
    });
    expect(settings.ownHosts).toEqual(
      new Set(['service.ghostlight.example', 'lists.example:8443', 'app.example']),
    );
  });
});

describe('the sample rate', () => {
  it.each([
    [undefined, 0.02],
    ['', 0.02],
    ['  ', 0.02],
    ['a lot', 0.02],
    ['-0.1', 0.02],
    [-1, 0.02],
    [Number.NaN, 0.02],
    [true, 0.02],
    ['0', 0],
    [0, 0],
    ['0.02', 0.02],
    [0.25, 0.25],
    ['0.000001', 0.000001],
    ['0.0000001', 0],
    ['1', 1],
    ['1.5', 1],
    ['Infinity', 1],
    [100, 1],
  ])('%j means %d', (given, rate) => {
    expect(withEnv({ SERVICE_SAMPLE_RATE: given }).settings.forwarding?.sampleRate).toBe(rate);
  });
});

it('a site that is called like an example is none', () => {
  for (const host of ['your-store.com', 'replacements.example', 'yourservice.example'])
    expect(withEnv({ SERVICE_INGEST_URL: `https://${host}/v1/logs/edge_worker` }).problems).toEqual([]);
});

describe('a variable that can be corrected is corrected, and a sentence says so', () => {
  it.each([
    ['SERVICE_INGEST_URL', `${ENV.SERVICE_INGEST_URL}/`],
    ['SERVICE_INGEST_URL', `${ENV.SERVICE_INGEST_URL}///`],
    ['SERVICE_INGEST_URL', ` ${ENV.SERVICE_INGEST_URL}\n`],
    ['SERVICE_API_KEY', ` ${API_KEY}`],
    ['SERVICE_API_KEY', `${API_KEY}\r\n`],
  ])('%s %j', (variable, given) => {
    const { settings, problems } = withEnv({ [variable]: given });
    expect(settings).toEqual(readSettings(ENV).settings);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(variable);
  });

  it('the attribution ID counts in any letter case, without a word', () => {
    const { settings, problems } = withEnv({ SERVICE_ATTRIBUTION_ID: ` ${ATTRIBUTION_ID.toUpperCase()} ` });
    expect(settings.forwarding?.attributionId).toBe(ATTRIBUTION_ID);
    expect(problems).toEqual([]);
  });

  it('an unusual ingest path is only remarked on', () => {
    const { settings, problems } = withEnv({ SERVICE_INGEST_URL: 'https://gateway.example/hits' });
    expect(settings.forwarding?.ingestUrl).toBe('https://gateway.example/hits');
    expect(problems.join()).toContain('/v1/logs/edge_worker');
  });

  it('http is taken, with a warning unless it stays on the machine', () => {
    const local = 'http://127.0.0.1:8080/v1/logs/edge_worker';
    expect(withEnv({ SERVICE_INGEST_URL: local }).problems).toEqual([]);
    const remote = withEnv({ SERVICE_INGEST_URL: 'http://ghostlight.internal/v1/logs/edge_worker' });
    expect(remote.settings.forwarding).not.toBeNull();
    expect(remote.problems.join()).toContain('https');
  });
});

describe('a variable that can not be used switches forwarding off, and a sentence names it', () => {
  it.each([
    ['SERVICE_INGEST_URL', undefined],
    ['SERVICE_INGEST_URL', ''],
    ['SERVICE_INGEST_URL', 'service.example/v1/logs/edge_worker'],
    ['SERVICE_INGEST_URL', 'ftp://service.example/v1/logs/edge_worker'],
    ['SERVICE_INGEST_URL', 'https://<base_url>/v1/logs/edge_worker'],
    ['SERVICE_INGEST_URL', 'https://your-service.example/v1/logs/edge_worker'],
    ['SERVICE_INGEST_URL', 'https://replace-me.example/v1/logs/edge_worker'],
    ['SERVICE_INGEST_URL', 'https://ada:secret@service.example/v1/logs/edge_worker'],
    ['SERVICE_INGEST_URL', `https://service.example/${'a'.repeat(3_000)}`],
    ['SERVICE_INGEST_URL', { url: 'https://service.example' }],
    ['SERVICE_ATTRIBUTION_ID', 'replace-me'],
    ['SERVICE_ATTRIBUTION_ID', `${ATTRIBUTION_ID}0`],
    ['SERVICE_API_KEY', undefined],
    ['SERVICE_API_KEY', 'svc_cf_<random>'],
    ['SERVICE_API_KEY', `Bearer ${API_KEY}`],
    ['SERVICE_API_KEY', `bearer\t${API_KEY}`],
    ['SERVICE_API_KEY', 'svc_wh_aaaa'],
    ['SERVICE_API_KEY', 'svc_cf_'],
    ['SERVICE_API_KEY', 'svc_cf_aa bb'],
    ['SERVICE_API_KEY', 'svc_cf_ключ'],
    ['SERVICE_API_KEY', 7],
  ])('%s %j', (variable, given) => {
    const { settings, problems } = withEnv({ [variable]: given });
    expect(settings.forwarding).toBeNull();
    expect(problems[0]).toContain(variable);
    expect(problems.at(-1)).toContain('Nothing is forwarded');
  });
});

describe('as the original collector does', () => {
  it.each([undefined, '', 'your-botlist-url', '/v1/config/ai-bots'])(
    'with the list URL %j it forwards by the lists that it carries, and says so',
    (given) => {
      const { settings, problems } = withEnv({ SERVICE_BOTLIST_URL: given });
      expect(settings.forwarding?.botlistUrl).toBeNull();
      expect(problems.join()).toContain('SERVICE_BOTLIST_URL');
      expect(problems.join()).not.toContain('Nothing is forwarded');
    },
  );

  it.each([undefined, '', ' '])(
    'with the attribution ID %j it forwards for the default property of the key, and says so',
    (given) => {
      const { settings, problems } = withEnv({
        SERVICE_ATTRIBUTION_ID: given,
        SERVICE_MANIFEST_URL: 'https://app.example/api/v1/webmcp',
      });
      expect(settings.forwarding?.attributionId).toBe('');
      expect(settings.manifest).toBeNull();
      expect(problems).toEqual([
        expect.stringContaining('default property of the ingest key'),
        expect.stringContaining('The manifest is not served'),
      ]);
    },
  );

  it('takes a manifest URL with the placeholder in pointed brackets', () => {
    const { settings, problems } = withEnv({
      SERVICE_MANIFEST_URL: 'https://app.example/api/v1/webmcp/<attribution_id>',
    });
    expect(settings.manifest?.url).toBe(`https://app.example/api/v1/webmcp/${ATTRIBUTION_ID}`);
    expect(problems).toEqual([]);
  });
});

describe('the manifest', () => {
  const sourceOf = (url: unknown): string | undefined =>
    withEnv({ SERVICE_MANIFEST_URL: url }).settings.manifest?.url;

  it.each([
    ['https://app.example/api/v1/webmcp', `https://app.example/api/v1/webmcp/${ATTRIBUTION_ID}/manifest/`],
    ['https://app.example/api/v1/webmcp/', `https://app.example/api/v1/webmcp/${ATTRIBUTION_ID}/manifest/`],
    ['https://app.example/m?of={attribution_id}', `https://app.example/m?of=${ATTRIBUTION_ID}`],
    ['https://app.example/{attribution_id}.json', `https://app.example/${ATTRIBUTION_ID}.json`],
  ])('%s is read from %s', (given, url) => expect(sourceOf(given)).toBe(url));

  it.each(['', '  ', undefined])('%j serves none, without a word', (given) => {
    const { settings, problems } = withEnv({ SERVICE_MANIFEST_URL: given });
    expect(settings.manifest).toBeNull();
    expect(problems).toEqual([]);
  });

  it.each(['nonsense', 'https://<app_base_url>/api/v1/webmcp'])(
    '%j serves none, and hits still go',
    (given) => {
      const { settings, problems } = withEnv({ SERVICE_MANIFEST_URL: given });
      expect(settings.manifest).toBeNull();
      expect(settings.forwarding).not.toBeNull();
      expect(problems.join()).toContain('SERVICE_MANIFEST_URL');
    },
  );

  it('is served without a key to forward with', () => {
    const { settings } = withEnv({ SERVICE_API_KEY: '', SERVICE_MANIFEST_URL: 'https://app.example/m' });
    expect(settings.manifest?.attributionId).toBe(ATTRIBUTION_ID);
  });
});

const VARIABLES = [
  'SERVICE_INGEST_URL',
  'SERVICE_ATTRIBUTION_ID',
  'SERVICE_BOTLIST_URL',
  'SERVICE_SAMPLE_RATE',
  'SERVICE_MANIFEST_URL',
  'SERVICE_API_KEY',
];

describe('whatever the platform hands in', () => {
  const anyEnv = fc.record(
    Object.fromEntries(
      VARIABLES.map((name) => [name, fc.oneof(fc.anything(), fc.webUrl(), fc.string({ unit: 'binary' }))]),
    ),
    { requiredKeys: [] },
  );

  it('nothing throws, and what is on is usable', () => {
    fc.assert(
      fc.property(anyEnv, (env) => {
        const { settings } = readSettings(env as CollectorEnv);
        const rate = settings.forwarding?.sampleRate ?? 0;
        expect(rate >= 0 && rate <= 1).toBe(true);
        if (settings.manifest !== null) expect(URL.canParse(settings.manifest.url)).toBe(true);
      }),
    );
  });

  it('no sentence holds the key, in whichever variable it was pasted', () => {
    const secret = 'svc_cf_Zq8secretsecret';
    fc.assert(
      fc.property(
        fc.subarray(VARIABLES),
        fc.constantFrom('', ' ', 'Bearer ', 'https://', '<'),
        (variables, prefix) => {
          const env = {
            ...ENV,
            ...Object.fromEntries(variables.map((name) => [name, `${prefix}${secret}`])),
          };
          expect(readSettings(env).problems.join()).not.toContain('Zq8');
        },
      ),
    );
  });
});

describe('the reader', () => {
  it('parses once while the values stay the same, and says each problem once', () => {
    const said: string[] = [];
    const read = createSettingsReader((sentence) => said.push(sentence));
    const first = read({ ...ENV, SERVICE_API_KEY: '' });
    expect(read({ ...ENV, SERVICE_API_KEY: '' })).toBe(first);
    expect(said).toEqual(readSettings({ ...ENV, SERVICE_API_KEY: '' }).problems);
    expect(read({ ...ENV }).forwarding).not.toBeNull();
  });
});
