import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeApi } from '../composition/describe-api.ts';
import type { Option } from './command.ts';
import { usageLine } from './help.ts';
import { commandsFor } from './register.ts';
import { leaves, parseWords } from './testing.ts';

const SECTIONS = await commandsFor([]);
const all = leaves(SECTIONS.flatMap(({ commands }) => commands));
const byName = all.map(({ path, leaf }) => [path.join(' '), path, leaf] as const);

/** As a shell takes an example apart, as far as examples go. */
function wordsOf(command: string): string[] {
  const [line = ''] = command
    .replace(/^(?:[A-Z_]+=(?:\$\()?\S* ?)+(?=ghostlight)/, '')
    .split(/ \| | \|\| | < | > |\)$/);
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '').slice(1);
}

describe.each(byName)('ghostlight %s', (name, path, leaf) => {
  it('has a summary of one line, and says of each word and option what it is', () => {
    expect(leaf.summary).toMatch(/^[a-z][^\n]{4,95}[^.\n]$/);
    for (const { about } of [...(leaf.arguments ?? []), ...(leaf.options ?? [])])
      expect(about).toMatch(/^\S[^\n]{3,}[^.\n]$/);
    const [last, ...before] = (leaf.arguments ?? []).toReversed();
    expect(before.some(({ repeats }) => repeats === true)).toBe(false);
    if (last?.optional !== true) expect(before.some(({ optional }) => optional === true)).toBe(false);
  });

  it('has examples that work', async () => {
    expect(leaf.examples.length).toBeGreaterThan(0);
    for (const { command } of leaf.examples) {
      expect(command).toMatch(/\bghostlight /);
      const { call, stderr } = await parseWords(SECTIONS, wordsOf(command));
      expect([call?.command, stderr], command).toEqual([name, '']);
    }
  });

  it('is documented', () => {
    const documentation = readFileSync(new URL('../../../../docs/cli.md', import.meta.url), 'utf8');
    expect(documentation).toContain(`\`${usageLine(path, leaf).replace(/^ghostlight /, '')}\``);
  });
});

it('what --json prints is an answer of the API, or members that are named', async () => {
  const { paths } = (await describeApi()) as { paths: Record<string, Record<string, unknown>> };
  const known = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const generic = (call: string) => call.replaceAll(/\{\w+\}/g, '{}');
  const calls = all.flatMap(({ leaf: { json } }) => (json?.startsWith('{') === false ? [json] : []));
  expect(calls.length).toBeGreaterThan(20);
  for (const call of calls) expect(known.map(generic)).toContain(generic(call));
  // Those that run until they are stopped.
  expect(all.filter(({ leaf }) => leaf.json === undefined).map(({ path }) => path.join(' '))).toEqual([
    'serve',
    'demo',
  ]);
});

it('only the command that is called is loaded, and all where the words name none', async () => {
  const names = async (...argv: string[]) =>
    (await commandsFor(argv)).flatMap(({ commands }) => commands.map(({ name }) => name));
  const everything = await names();
  expect(everything.length).toBeGreaterThan(10);
  // The name in the register is the name in the entry.
  for (const name of everything) expect(await names(name, '--json')).toEqual([name]);
  expect(await names('help', 'keys', 'issue')).toEqual(['keys']);
  for (const argv of [['help'], ['kes'], ['--json', 'keys'], ['constructor']])
    expect(await names(...argv)).toEqual(everything);
});

it('an option takes a value everywhere or nowhere, so that it may stand before the command', () => {
  const kinds = new Map<string, boolean>();
  for (const { name, value } of all.flatMap(({ leaf }): readonly Option[] => leaf.options ?? [])) {
    expect(kinds.get(name) ?? value !== undefined, name).toBe(value !== undefined);
    kinds.set(name, value !== undefined);
  }
});

/** As scripts have called us since before commander: these words, and what they ask for. */
const OLD: readonly [line: string, command: string, given: Record<string, string | true>][] = [
  ['serve', 'serve', {}],
  ['demo', 'demo', {}],
  ['doctor', 'doctor', {}],
  ['migrate', 'migrate', {}],
  ['rollup', 'rollup', {}],
  ['rollup --date 2026-11-20', 'rollup', { '--date': '2026-11-20' }],
  ['spool', 'spool status', {}],
  ['spool status', 'spool status', {}],
  ['spool drain', 'spool drain', {}],
  ['lists', 'lists status', {}],
  ['lists status', 'lists status', {}],
  ['lists refresh', 'lists refresh', {}],
  ['people', 'people list', {}],
  ['people list --organization org', 'people list', { '--organization': 'org' }],
  ['people --organization org', 'people list', { '--organization': 'org' }],
  [
    'people invite bob@shop.example --role viewer',
    'people invite',
    { EMAIL: 'bob@shop.example', '--role': 'viewer' },
  ],
  ['people invite bob@shop.example', 'people invite', { EMAIL: 'bob@shop.example' }],
  [
    'people role a@b.c owner --organization=o',
    'people role',
    { EMAIL: 'a@b.c', ROLE: 'owner', '--organization': 'o' },
  ],
  ['people remove a@b.c', 'people remove', { EMAIL: 'a@b.c' }],
  ['people reset a@b.c', 'people reset', { EMAIL: 'a@b.c' }],
  ['people reset a@b.c --second-factor-off', 'people reset', { EMAIL: 'a@b.c', '--second-factor-off': true }],
  ['people reset --second-factor-off a@b.c', 'people reset', { EMAIL: 'a@b.c', '--second-factor-off': true }],
  ['people welcome', 'people welcome', {}],
  ['properties', 'properties list', {}],
  ['properties list', 'properties list', {}],
  [
    'properties create --name S --domain=s.example',
    'properties create',
    { '--name': 'S', '--domain': 's.example' },
  ],
  ['properties delete ID', 'properties delete', { ID: 'ID' }],
  ['keys', 'keys list', {}],
  ['keys list', 'keys list', {}],
  ['keys issue --name N', 'keys issue', { '--name': 'N' }],
  [
    'keys issue --name N --provider edge_logpush --property P',
    'keys issue',
    { '--name': 'N', '--provider': 'edge_logpush', '--property': 'P' },
  ],
  ['keys --name N issue', 'keys issue', { '--name': 'N' }],
  ['keys revoke ID', 'keys revoke', { ID: 'ID' }],
  [
    'manifest verify http://x/manifest --trust http://localhost:8080 --host shop.example',
    'manifest verify',
    { TARGET: 'http://x/manifest', '--trust': 'http://localhost:8080', '--host': 'shop.example' },
  ],
  [
    'manifest verify x --trust https://a --trust https://b --trust-dns --json',
    'manifest verify',
    { TARGET: 'x', '--trust': 'https://a,https://b', '--trust-dns': true, '--json': true },
  ],
  [
    'manifest --json --trust-dns verify x',
    'manifest verify',
    { TARGET: 'x', '--trust-dns': true, '--json': true },
  ],
  ['manifest show P', 'manifest show', { PROPERTY: 'P' }],
  ['manifest publish P file.json', 'manifest publish', { PROPERTY: 'P', FILE: 'file.json' }],
  ['manifest rotate P', 'manifest rotate', { PROPERTY: 'P' }],
  ['manifest unpublish P', 'manifest unpublish', { PROPERTY: 'P' }],
  ['webhooks show P', 'webhooks show', { PROPERTY: 'P' }],
  ['webhooks enable P', 'webhooks enable', { PROPERTY: 'P' }],
  ['webhooks --lookback 30 enable P', 'webhooks enable', { PROPERTY: 'P', '--lookback': '30' }],
  ['webhooks disable P --lookback 7', 'webhooks disable', { PROPERTY: 'P', '--lookback': '7' }],
  ['webhooks keys list P', 'webhooks keys list', { PROPERTY: 'P' }],
  ['webhooks keys issue P --name S', 'webhooks keys issue', { PROPERTY: 'P', '--name': 'S' }],
  [
    'webhooks keys issue P --name S --rate-limit 60',
    'webhooks keys issue',
    { PROPERTY: 'P', '--name': 'S', '--rate-limit': '60' },
  ],
  ['webhooks keys limit P K 600', 'webhooks keys limit', { PROPERTY: 'P', KEY_ID: 'K', PER_MINUTE: '600' }],
  ['webhooks keys revoke P K', 'webhooks keys revoke', { PROPERTY: 'P', KEY_ID: 'K' }],
  ['destinations list P', 'destinations list', { PROPERTY: 'P' }],
  ['destinations test P D', 'destinations test', { PROPERTY: 'P', DESTINATION_ID: 'D' }],
  [
    'destinations test P D --topic lead --code C --live',
    'destinations test',
    { PROPERTY: 'P', DESTINATION_ID: 'D', '--topic': 'lead', '--code': 'C', '--live': true },
  ],
  [
    'destinations test --live P D',
    'destinations test',
    { PROPERTY: 'P', DESTINATION_ID: 'D', '--live': true },
  ],
  ['destinations pause P D', 'destinations pause', { PROPERTY: 'P', DESTINATION_ID: 'D' }],
  ['destinations resume P D', 'destinations resume', { PROPERTY: 'P', DESTINATION_ID: 'D' }],
  [
    'deliveries list P --status dead --platform meta --limit 5 --destination d',
    'deliveries list',
    { PROPERTY: 'P', '--status': 'dead', '--platform': 'meta', '--limit': '5', '--destination': 'd' },
  ],
  [
    'deliveries replay P dlv_1 --confirm-duplicate',
    'deliveries replay',
    { PROPERTY: 'P', DELIVERY_ID: 'dlv_1', '--confirm-duplicate': true },
  ],
  [
    'deliveries replay P --dead --platform meta --destination d --reason r',
    'deliveries replay',
    { PROPERTY: 'P', '--dead': true, '--platform': 'meta', '--destination': 'd', '--reason': 'r' },
  ],
  [
    'alerts list P --state open --kind spike --limit 2',
    'alerts list',
    {
      PROPERTY: 'P',
      '--state': 'open',
      '--kind': 'spike',
      '--limit': '2',
    },
  ],
  ['alerts rules P --repeat 48', 'alerts rules', { PROPERTY: 'P', '--repeat': '48' }],
  ['alerts rule P spike 5', 'alerts rule', { PROPERTY: 'P', KIND: 'spike', SETTING: '5' }],
  ['alerts rule P spike default', 'alerts rule', { PROPERTY: 'P', KIND: 'spike', SETTING: 'default' }],
  ['alerts channels list P', 'alerts channels list', { PROPERTY: 'P' }],
  [
    'alerts channels add P webhook https://ops.example/alerts --name On-call --everywhere',
    'alerts channels add',
    {
      PROPERTY: 'P',
      TYPE: 'webhook',
      TARGET: 'https://ops.example/alerts',
      '--name': 'On-call',
      '--everywhere': true,
    },
  ],
  ['alerts channels off P C', 'alerts channels off', { PROPERTY: 'P', CHANNEL_ID: 'C' }],
  ['alerts channels on P C', 'alerts channels on', { PROPERTY: 'P', CHANNEL_ID: 'C' }],
  ['alerts channels remove P C', 'alerts channels remove', { PROPERTY: 'P', CHANNEL_ID: 'C' }],
  ['alerts test P C', 'alerts test', { PROPERTY: 'P', CHANNEL_ID: 'C' }],
  ['alerts look', 'alerts look', {}],
  ['backup /var/backups/', 'backup create', { FILE: '/var/backups/' }],
  ['visitors erase P a@b.c', 'visitors erase', { PROPERTY: 'P', VISITOR: 'a@b.c' }],
];

describe('what scripts call', () => {
  it.each(OLD)('%s', async (line, command, given) => {
    const { call, stderr } = await parseWords(SECTIONS, line.split(' '));
    expect(stderr).toBe('');
    expect(call).toEqual({ command, given });
  });
});

/** In text: a command may be named without what follows it. In a block, it is one to type. */
const DOCUMENTS = [
  '../../../../README.md',
  ...readdirSync(new URL('../../../../docs/', import.meta.url))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `../../../../docs/${name}`),
];
const OF_ALL = ['--json', '--help', '--version'];

it.each(DOCUMENTS)('%s names commands and options that there are', async (document) => {
  const text = readFileSync(new URL(document, import.meta.url), 'utf8').replaceAll(/\\\n\s*/g, '');
  const blocks = [...text.matchAll(/```text\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.split('\n'));
  for (const line of blocks) {
    const [command] = /^(?:[A-Z_]+=\S+ )*(?:npx )?ghostlight .*/.exec(line) ?? [];
    if (command === undefined) continue;
    const { call, stderr } = await parseWords(SECTIONS, wordsOf(command.replace('npx ', '')));
    expect([call === null, stderr], command).toEqual([false, '']);
  }
  for (const [, words = ''] of text.matchAll(/`(?:[A-Z_]+=\S+ )*(?:npx )?ghostlight ([^`\n]+)`/g)) {
    const [first = '', ...rest] = words.split(/\s+/);
    if (first === 'help' || !/^[a-z]/.test(first)) continue;
    const named = all.filter(({ path }) => path[0] === first && (path[1] ?? rest[0]) === rest[0]);
    const group = all.filter(({ path }) => path[0] === first);
    const found = named.length > 0 ? named : rest.length === 0 || rest[0]?.startsWith('-') ? group : [];
    expect(
      found.map(({ path }) => path.join(' ')),
      words,
    ).not.toEqual([]);
    const options = found.flatMap(({ leaf }) => (leaf.options ?? []).map(({ name }) => `--${name}`));
    for (const [option] of words.matchAll(/--[a-z][a-z-]*/g))
      expect([...OF_ALL, ...options], words).toContain(option);
  }
});
