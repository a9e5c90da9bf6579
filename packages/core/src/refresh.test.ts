import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatListFile, readListFiles } from '../../../scripts/lists/files.ts';
import { describeRefresh, ROBOTS_URL, refresh } from '../../../scripts/lists/refresh.ts';
import { readUpstream } from '../../../scripts/lists/upstream.ts';

const DATA = fileURLToPath(new URL('../data/', import.meta.url));

let directory: string;
let server: Server;
/** URL → what the upstream answers; everything else is 404. */
let answers: Map<string, string>;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ghostlight-lists-'));
  cpSync(DATA, directory, { recursive: true });
  answers = new Map([[ROBOTS_URL, JSON.stringify(robots())]]);
  server = createServer((request, response) => {
    const answer = answers.get(decodeURIComponent((request.url ?? '').slice(1)));
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  rmSync(directory, { recursive: true, force: true });
  await new Promise((resolve) => server.close(resolve));
});

/** What upstream holds when nothing is new: our names and the denied ones. */
function robots(): Record<string, unknown> {
  const { bots } = readListFiles(DATA);
  const taken = bots.bots.filter(({ source }) => source === 'ai.robots.txt').map(({ name }) => name);
  return Object.fromEntries([...taken, ...Object.keys(bots.denied)].map((name) => [name, { operator: 'x' }]));
}

const run = (write = true) => {
  const { port } = server.address() as AddressInfo;
  const read = (url: string) => readUpstream(`http://127.0.0.1:${port}/${encodeURIComponent(url)}`);
  return refresh({ directory, read, today: '2026-12-01', write });
};
const bytes = (name: string): string => readFileSync(join(directory, name), 'utf8');
const vendorFile = (prefixes: string[]): string =>
  JSON.stringify({ prefixes: prefixes.map((prefix) => ({ ipv4Prefix: prefix })) });

describe('refresh', () => {
  it('writes nothing when upstream has nothing new, and keeps ranges that could not be read', async () => {
    const report = await run();
    expect(report.written).toEqual([]);
    expect(report.bots).toMatchObject({ added: [], removed: [] });
    expect(report.ranges.refused).toHaveLength(readListFiles(DATA).ranges.sets.length);
    expect(bytes('bots.json')).toBe(readFileSync(join(DATA, 'bots.json'), 'utf8'));
  });

  it('adds a new name with a first guess, bumps version and date, and shows the difference', async () => {
    answers.set(
      ROBOTS_URL,
      JSON.stringify({ ...robots(), 'NewThing-Bot': { operator: '[New Thing](https://new.example)' } }),
    );
    const before = readListFiles(directory).bots;
    const report = await run();
    expect(report.written).toEqual(['bots.json']);
    expect(describeRefresh(report)).toContain('+ NewThing-Bot');
    const { bots } = readListFiles(directory);
    expect(bots).toMatchObject({ version: before.version + 1, updated: '2026-12-01' });
    expect(bots.bots.find(({ token }) => token === 'newthing-bot')).toEqual({
      token: 'newthing-bot',
      name: 'NewThing-Bot',
      vendor: 'New Thing',
      engine: 'newthing',
      intent: 'other',
      tier: 'listed',
      source: 'ai.robots.txt',
    });
    expect(bots.sources[0]).toMatchObject({ name: 'ai.robots.txt', retrieved: '2026-12-01' });
    expect(bots.sources[0]).not.toHaveProperty('commit');
    expect(Object.keys(bots.denied)).toEqual(Object.keys(before.denied));
  });

  it('only shows the difference without --write', async () => {
    answers.set(ROBOTS_URL, JSON.stringify({ ...robots(), 'NewThing-Bot': {} }));
    const report = await run(false);
    expect(report.bots.added).toEqual(['NewThing-Bot']);
    expect(bytes('bots.json')).not.toContain('newthing-bot');
  });

  it('refuses words, short names, odd characters and what a known browser would match', async () => {
    const names = [
      'Muse',
      'Cat-1',
      'Assistant',
      'Bo\u200bt-Crawler',
      'Chrome/131.0.0.0',
      'AppleWebKit/537.36',
      'a1',
    ];
    answers.set(
      ROBOTS_URL,
      JSON.stringify({ ...robots(), ...Object.fromEntries(names.map((name) => [name, {}])) }),
    );
    const { bots } = await run();
    expect(bots.added).toEqual(['Cat-1']);
    expect(Object.fromEntries(bots.refused.map(({ name, reason }) => [name, reason.split(':')[0]]))).toEqual({
      Muse: 'too short',
      Assistant: 'a plain word',
      'Bo\u200bt-Crawler': 'not lower-case printable ASCII that begins and ends with a letter or digit',
      'Chrome/131.0.0.0': 'part of a known user agent that isn’t an AI bot',
      'AppleWebKit/537.36': 'part of a known user agent that isn’t an AI bot',
      a1: 'too short',
    });
  });

  it('drops a name that upstream dropped, unless a vendor documents it', async () => {
    const { CragCrawler, GPTBot, ...rest } = robots();
    expect([CragCrawler, GPTBot]).not.toContain(undefined);
    answers.set(ROBOTS_URL, JSON.stringify(rest));
    const report = await run();
    expect(report.bots.removed).toEqual(['CragCrawler']);
    expect(bytes('bots.json')).toContain('"gptbot"');
    expect(bytes('bots.json')).not.toContain('"cragcrawler"');
  });

  it('refuses a change that breaks a vector, and writes nothing at all', async () => {
    const { Timpibot: _, ...rest } = robots();
    answers.set(ROBOTS_URL, JSON.stringify(rest));
    const { ranges } = readListFiles(directory);
    answers.set(ranges.sets[0]?.url ?? '', vendorFile(['192.0.2.0/24', ...(ranges.sets[0]?.prefixes ?? [])]));
    await expect(run()).rejects.toThrow(/break 1 of the vectors: user agent Timpibot/);
    expect(bytes('ip-ranges.json')).toBe(readFileSync(join(DATA, 'ip-ranges.json'), 'utf8'));
  });

  it('refuses an empty, broken, truncated or missing list', async () => {
    for (const answer of [
      '',
      '{}',
      '[]',
      'null',
      '<html>',
      JSON.stringify({ GPTBot: {} }),
      JSON.stringify(robots()).slice(0, 900),
    ]) {
      answers.set(ROBOTS_URL, answer);
      await expect(run()).rejects.toThrow(/not taken/);
    }
    const filler = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`Filler-${i}x`, {}]));
    answers.set(ROBOTS_URL, JSON.stringify(filler));
    await expect(run()).rejects.toThrow(/lacks \d+ names/);
    answers.delete(ROBOTS_URL);
    await expect(run()).rejects.toThrow(/answered 404/);
    expect(bytes('bots.json')).toBe(readFileSync(join(DATA, 'bots.json'), 'utf8'));
  });

  it('replaces each set of ranges on its own, and makes an incomplete one whole', async () => {
    const url = (id: string) => readListFiles(DATA).ranges.sets.find((set) => set.id === id)?.url ?? '';
    answers.set(url('anthropic'), vendorFile(Array.from({ length: 26 }, (_, i) => `192.0.2.${i}/32`)));
    answers.set(url('openai-gptbot'), '<html>Just a moment…</html>');
    answers.set(url('openai-chatgpt-user'), vendorFile(['192.0.2.0/24']));
    answers.set(
      url('amazonbot'),
      `<html><pre>${JSON.stringify({ prefixes: [{ ip_prefix: '192.0.2.7/32' }] })}</pre>`,
    );
    const { ranges, written } = await run();
    expect(written).toEqual(['ip-ranges.json']);
    expect(ranges.changed.map(({ id }) => id)).toEqual(['anthropic', 'amazonbot']);
    const reasons = Object.fromEntries(ranges.refused.map(({ id, reason }) => [id, reason]));
    expect(reasons['openai-gptbot']).toContain('unparsable');
    expect(reasons['openai-chatgpt-user']).toContain('shrank from 204 to 1');
    const after = readListFiles(directory).ranges;
    expect(after).toMatchObject({ version: readListFiles(DATA).ranges.version + 1, updated: '2026-12-01' });
    expect(after.sets.find(({ id }) => id === 'anthropic')).toMatchObject({
      complete: true,
      as_of: '2026-12-01',
    });
    expect(after.sets.find(({ id }) => id === 'openai-gptbot')).toEqual(
      readListFiles(DATA).ranges.sets.find(({ id }) => id === 'openai-gptbot'),
    );
  });

  it('writes files that read back as they were', () => {
    const { bots } = readListFiles(DATA);
    expect(JSON.parse(formatListFile(bots))).toEqual(bots);
  });
});
