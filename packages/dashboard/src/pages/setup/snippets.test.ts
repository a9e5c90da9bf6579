import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { LogSource } from '../../api/types.ts';
import { shellQuote } from '../../format/visible.ts';
import { chosenSlug, readWay } from './search.ts';
import {
  BUNDLE_COMMANDS,
  curlHit,
  DEPLOY_COMMANDS,
  LOGPUSH_FIELDS,
  logpushDestination,
  logpushFilter,
  logpushJob,
  type SnippetValues,
  workerConfiguration,
  workerVariables,
  zoneOf,
} from './snippets.ts';

const TEMPLATE = fileURLToPath(new URL('../../../../../templates/collector/', import.meta.url));
const VALUES: SnippetValues = {
  baseUrl: 'https://in.example',
  appBaseUrl: 'https://app.example',
  propertyId: '0b6f1d1e-7d7c-4a39-9d6c-6f2f6f1c1a11',
  domain: 'shop.example',
  searchEngines: false,
  key: 'svc_cf_abc+/=',
};

describe('the worker', () => {
  it('gets exactly the six variables of its configuration, without trailing slashes', () => {
    const variables = workerVariables(VALUES);
    expect(variables.map(({ name }) => name)).toEqual([
      'SERVICE_INGEST_URL',
      'SERVICE_ATTRIBUTION_ID',
      'SERVICE_BOTLIST_URL',
      'SERVICE_SAMPLE_RATE',
      'SERVICE_MANIFEST_URL',
      'SERVICE_API_KEY',
    ]);
    expect(variables[0]?.value).toBe('https://in.example/v1/logs/edge_worker');
    expect(variables[4]?.value).toBe('https://app.example/api/v1/webmcp');
  });

  it('requests search crawlers when the property stores them', () => {
    const url = (searchEngines: boolean) => workerVariables({ ...VALUES, searchEngines })[2]?.value;
    expect(url(false)).toBe('https://in.example/v1/config/ai-bots');
    expect(url(true)).toBe('https://in.example/v1/config/ai-bots?search_engines=1');
  });

  it('has its secret outside the configuration file, and routes for the apex and all below it', () => {
    const text = workerConfiguration(VALUES);
    expect(text).not.toContain('svc_cf_');
    expect(JSON.parse(text).routes).toEqual([
      { pattern: 'shop.example/*', zone_name: 'shop.example' },
      { pattern: '*.shop.example/*', zone_name: 'shop.example' },
    ]);
  });

  it('gets the file of the template, with this property’s values', () => {
    const template = readFileSync(`${TEMPLATE}wrangler.jsonc`, 'utf8')
      .replace(/^\s*\/\/.*$/gm, '')
      .replaceAll('<your domain>', VALUES.domain)
      .replaceAll('<your service>', 'in.example')
      .replace('<attribution ID of your property>', VALUES.propertyId);
    const oneHost = { ...VALUES, appBaseUrl: VALUES.baseUrl };
    expect(JSON.parse(workerConfiguration(oneHost))).toEqual(JSON.parse(template));
  });

  it('is deployed by commands that the template has, and pasted from the file that the package makes', () => {
    const { scripts } = JSON.parse(readFileSync(`${TEMPLATE}package.json`, 'utf8'));
    const called = [...DEPLOY_COMMANDS.matchAll(/^npm run (\S+)$/gm)].map((match) => match[1]);
    expect(called).toEqual(['check', 'deploy']);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(called));
    const readme = readFileSync(`${TEMPLATE}README.md`, 'utf8');
    expect(readme).toContain(BUNDLE_COMMANDS.split(' ').at(-1));
  });
});

describe('the log push job', () => {
  it('has key and attribution ID encoded in its destination', () => {
    const url = new URL(logpushDestination(VALUES));
    expect(url.search).toContain('svc_cf_abc%2B%2F%3D');
    expect(url.searchParams.get('header_X-API-Key')).toBe(VALUES.key);
    expect(url.searchParams.get('attribution_id')).toBe(VALUES.propertyId);
  });

  it('asks for the fields that deduplicate and drop subrequests, in bounded uploads', () => {
    const job = JSON.parse(logpushJob(VALUES, { botManagement: false, filter: false }));
    expect(job.output_options.field_names).toEqual([...LOGPUSH_FIELDS]);
    expect(job.output_options.field_names).toEqual(expect.arrayContaining(['RayID', 'WorkerSubrequest']));
    expect(job.max_upload_bytes).toBeLessThanOrEqual(50_000_000);
    expect(job).not.toHaveProperty('filter');
  });

  it('filters by the three categories and the five referrers', () => {
    const job = JSON.parse(logpushJob(VALUES, { botManagement: true, filter: true }));
    expect(job.filter).toBe(logpushFilter());
    const { or } = JSON.parse(job.filter).where;
    expect(or[0].value).toEqual(['AI_CRAWLER', 'AI_ASSISTANT', 'AI_SEARCH']);
    expect(or.slice(1).map(({ value }: { value: string }) => value)).toEqual([
      'chatgpt',
      'perplexity',
      'claude.ai',
      'gemini',
      'copilot',
    ]);
  });
});

describe('the curl line', () => {
  it('becomes a JSON array in a shell, for any domain', () => {
    const domain = `it's "$(odd)" \\ \`shop\``;
    const line = curlHit({ ...VALUES, domain }).replace(/^curl -i/, 'printf "%s\\n"');
    const words = execFileSync('sh', ['-c', line], { encoding: 'utf8' }).split('\n');
    expect(words.slice(0, 3)).toEqual([
      'https://in.example/v1/logs/edge_worker',
      '-H',
      `X-API-Key: ${VALUES.key}`,
    ]);
    const [hit] = JSON.parse(words.slice(6).join('\n'));
    expect(hit).toMatchObject({
      attribution_id: VALUES.propertyId,
      host: domain,
      pathname: '/hello-ghostlight',
      test: true,
    });
    expect(Math.abs(hit.timestamp - Date.now())).toBeLessThan(60_000);
  });

  it('shows a placeholder while no key is held', () => {
    expect(curlHit({ ...VALUES, key: null })).toContain("'X-API-Key: <INGEST_KEY>'");
  });

  it('escapes single quotes for a shell', () => {
    expect(shellQuote("it's")).toBe(`'it'\\''s'`);
  });
});

it('reads the way from the address, and nothing else', () => {
  expect(readWay({ via: 'logpush', x: 1 })).toEqual({ via: 'logpush' });
  expect(readWay({ via: ['logpush'] })).toEqual({});
  expect(readWay({ via: '<b>' })).toEqual({});
});

it('takes the slug of a source or of the test visit, and no other', () => {
  const named = (name: LogSource['name'], slug: string): LogSource => ({
    ...{ name, title: name, key_hint: '', kind: 'log', path: '', latest_version: null, auth: [] },
    ...{ group: 'edge', summary: '', settings: [] },
    setup: { slug, about: '', steps: [] },
  });
  const sources = [named('edge_worker', 'worker'), named('edge_logpush', 'logpush')];
  expect(chosenSlug('logpush', sources)).toBe('logpush');
  expect(chosenSlug('curl', sources)).toBe('curl');
  expect(chosenSlug('pigeon', sources)).toBeUndefined();
  expect(chosenSlug(undefined, sources)).toBeUndefined();
});

describe('the zone', () => {
  it.each([
    ['shop.example', 'shop.example'],
    ['www.shop.example', 'shop.example'],
    ['www.shop.co.example', 'shop.co.example'],
    ['help.shop.example', 'help.shop.example'],
    ['www.example', 'www.example'],
  ])('the routes of %s are those of %s and all below it', (domain, zone) => {
    expect(zoneOf(domain)).toBe(zone);
  });
});
