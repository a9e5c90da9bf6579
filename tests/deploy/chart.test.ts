/**
 * The Helm chart, as far as it can be checked without Helm: values, schema, and that each template reads only values that exist. Where Helm
 * is installed, `sh deploy/helm/render.sh` renders it in every form; CI does, and validates the result (`npm run deploy:check`).
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { ROOT, read, readYaml } from './files.ts';

const CHART = 'deploy/helm/ghostlight';
const values = readYaml<Record<string, unknown>>(`${CHART}/values.yaml`);
const schema = JSON.parse(read(`${CHART}/values.schema.json`)) as object;
const valid = new Ajv({ strict: true, allowUnionTypes: true }).compile(schema);
const templates = readdirSync(`${ROOT}${CHART}/templates`);

/** Dotted paths of a value, down to what has no fixed members. */
function pathsOf(value: unknown, path = ''): string[] {
  const members =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  return [
    path,
    ...members.flatMap(([name, inner]) => pathsOf(inner, path === '' ? name : `${path}.${name}`)),
  ];
}

describe('values', () => {
  it('are what the schema describes', () => {
    expect(valid(values), JSON.stringify(valid.errors)).toBe(true);
  });

  it.each([
    ['no replica', { replicas: 0 }],
    ['a setting that is no string', { settings: { RETENTION_DAYS: 180 } }],
    ['a setting that is no variable', { settings: { retention: '180' } }],
    ['a misspelt value', { replica: 2 }],
    ['a digest that is none', { image: { repository: 'ghostlight', digest: 'latest' } }],
    ['an address as host', { ingress: { host: 'https://shop.example' } }],
  ])('with %s are refused', (_, changed) => {
    expect(valid({ ...values, ...changed })).toBe(false);
  });

  it('are all used by a template', () => {
    const text = templates.map((name) => read(`${CHART}/templates/${name}`)).join('\n');
    for (const name of Object.keys(values)) expect(text, name).toContain(`.Values.${name}`);
  });
});

describe.each(templates)('the template %s', (name) => {
  const text = read(`${CHART}/templates/${name}`);

  it('reads only values that values.yaml has', () => {
    const known = new Set(pathsOf(values));
    for (const [, path = ''] of text.matchAll(/\.Values\.([\w.]+)/g)) expect(known, path).toContain(path);
  });

  it('closes every block and every action, and includes only what is defined', () => {
    const actions = [...text.matchAll(/\{\{-?\s*(.*?)\s*-?\}\}/gs)].map((match) => match[1] ?? '');
    expect(text.replaceAll(/\{\{.*?\}\}/gs, '')).not.toMatch(/\{\{|\}\}/);
    const opened = actions.filter((action) => /^(if|with|range|define)\b/.test(action)).length;
    expect(actions.filter((action) => action === 'end').length).toBe(opened);
    const defined = read(`${CHART}/templates/_helpers.tpl`);
    for (const [, helper = ''] of text.matchAll(/include "([^"]+)"/g))
      expect(defined).toContain(`define "${helper}"`);
  });
});

it('installs the alerting rules of the project', () => {
  expect(read(`${CHART}/files/alerts.yaml`)).toBe(read('deploy/prometheus/alerts.yaml'));
});

// Helm is no package of Debian.
if (spawnSync('helm', ['version']).error === undefined)
  it('renders in every form, and refuses what can’t work', () => {
    const words = [`${ROOT}deploy/helm/render.sh`];
    const { status, stdout, stderr } = spawnSync('sh', words, { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    for (const document of parseAllDocuments(stdout)) expect(document.errors).toEqual([]);
  });
