import { describe, expect, it } from 'vitest';
import { findingsOf } from './findings.ts';
import { ATTRIBUTION_ID, OLD_JSONC, OLD_TOML } from './testing/old-repositories.ts';
import { readWranglerFile } from './wrangler-file.ts';

const toml = (text: string) => findingsOf(readWranglerFile('wrangler.toml', text));
const jsonc = (text: string) => findingsOf(readWranglerFile('wrangler.jsonc', text));
const routesLine = (text: string) => text.split('\n').findIndex((line) => /routes"?\s*[=:]/.test(line)) + 1;
const lineOf = (text: string, part: string) => text.slice(0, text.indexOf(part)).split('\n').length;

it('finds nothing in a file that is filled in', () => {
  expect(toml(OLD_TOML)).toEqual([]);
  expect(jsonc(OLD_JSONC)).toEqual([]);
});

describe.each([
  ['wrangler.toml', OLD_TOML, toml],
  ['wrangler.jsonc', OLD_JSONC, jsonc],
])('%s', (_, sound, find) => {
  it.each([
    [
      'https://service.ghostlight.example/v1/logs/edge_worker',
      'nonsense',
      'SERVICE_INGEST_URL',
      'is no http(s) address',
    ],
    ['logs/edge_worker', 'logs/edge_worker/', 'SERVICE_INGEST_URL', 'ends in a slash'],
    ['logs/edge_worker', 'logs/worker', 'SERVICE_INGEST_URL', 'does not end in /v1/logs/edge_worker'],
    [ATTRIBUTION_ID, 'my shop', 'SERVICE_ATTRIBUTION_ID', 'is not a UUID'],
    [ATTRIBUTION_ID, '<the id>', 'SERVICE_ATTRIBUTION_ID', 'placeholder <the id>'],
    ['"shop.example/*"', '"<yours>/*"', 'shop.example', 'placeholder <yours>'],
  ])('%s → %s', (was, is, near, sentence) => {
    const text = sound.replace(was, is);
    const line = near.startsWith('SERVICE') ? lineOf(text, near) : lineOf(text, is);
    expect(find(text)).toContainEqual({ line, sentence: expect.stringContaining(sentence) });
  });

  it('a missing variable is reported at the block of variables', () => {
    const text = sound.replace(/.*SERVICE_BOTLIST_URL.*\n/, '');
    expect(find(text)).toEqual([
      {
        line: lineOf(text, text.includes('[vars]') ? '[vars]' : '"vars"'),
        sentence: expect.stringContaining('SERVICE_BOTLIST_URL is missing'),
      },
    ]);
  });

  it('a route for the subdomains alone leaves the bare domain out', () => {
    const text = sound.replace(/.*"shop\.example\/\*".*\n/, '');
    expect(find(text)).toEqual([
      { line: routesLine(text), sentence: expect.stringContaining('bare domain') },
    ]);
  });

  it('no route at all', () => {
    const text = sound.replace(/("?routes"?) ?(=|:) \[[^\]]*\]/, '$1$2 []');
    expect(find(text)).toEqual([{ line: routesLine(text), sentence: expect.stringContaining('no route') }]);
  });

  it('a custom domain', () => {
    const text = sound.replace(
      /"?zone_name"?( =|:) "shop.example"/,
      (zone) => `${zone}, ${zone.includes(':') ? '"custom_domain":' : 'custom_domain ='} true`,
    );
    expect(find(text)).toEqual([
      { line: routesLine(text), sentence: expect.stringContaining('custom domain') },
    ]);
  });

  it('a key in the file is reported by its line, never quoted', () => {
    const text = sound.replace(/( *)("?)SERVICE_SAMPLE_RATE"?( =|:) "0"/, (rate, indent, quote, sign) => {
      const key = `${indent}${quote}SERVICE_API_KEY${quote}${sign} "svc_cf_verysecret"`;
      return quote === '' ? `${key}\n${rate}` : `${key},\n${rate}`;
    });
    const findings = find(text);
    expect(findings).toEqual([
      { line: lineOf(text, 'SERVICE_API_KEY'), sentence: expect.stringContaining('wrangler secret put') },
    ]);
    expect(JSON.stringify(findings)).not.toContain('verysecret');
  });
});

it('looks at each environment with its own variables and the routes that it inherits', () => {
  const staging = `\n[env.staging.vars]\nSERVICE_INGEST_URL = "<staging>"\n`;
  const text = `${OLD_TOML}${staging}`;
  const at = lineOf(text, '[env.staging.vars]');
  const findings = toml(text);
  expect(findings).toContainEqual({
    line: at + 1,
    sentence: expect.stringContaining('placeholder <staging>'),
  });
  expect(findings).toContainEqual({
    line: at,
    sentence: expect.stringContaining('SERVICE_BOTLIST_URL is missing'),
  });
  expect(findings.some(({ sentence }) => sentence.includes('route'))).toBe(false);
});

it('takes one route for host and subdomains alike', () => {
  expect(toml(OLD_TOML.replace(/routes = \[[^\]]*\]/, 'route = "*shop.example/*"'))).toEqual([]);
});

it('names the line of an inline table, whose values have none', () => {
  const text = 'name = "x"\nroute = "*shop.example/*"\nvars = { SERVICE_INGEST_URL = "<yours>" }\n';
  const findings = toml(text);
  expect(findings).not.toEqual([]);
  expect(findings.map(({ line }) => line)).toEqual(findings.map(() => 3));
});

it('misses no variable that may be set in the dashboard, where the file says that those are kept', () => {
  const bare = OLD_TOML.replace(/SERVICE_\w+_URL = .*\n/g, '');
  expect(toml(bare)).not.toEqual([]);
  expect(toml(`keep_vars = true\n${bare}`)).toEqual([]);
});
