import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BotLists, embeddedLists } from '@ghostlight/core';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signedList } from '../../../../scripts/lists/sign.ts';
import { silentLog as log, openTestDatabases } from '../database/testing.ts';
import { createDownload } from '../outbound/index.ts';
import { createLists } from './index.ts';
import { readPublishedList } from './published-list.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const pair = generateKeyPairSync('ed25519');
const { x: KEY = '' } = pair.publicKey.export({ format: 'jwk' });
const URL_OF_LIST = 'https://lists.example/bots.json';

let server: Server;
let text = '';
let signature: string | null = null;
beforeEach(async () => {
  server = createServer((request, response) => {
    const own = sign(null, Buffer.from(text), pair.privateKey).toString('base64');
    response.end(request.url?.endsWith('.sig') ? `${signature ?? own}\n` : text);
  });
  signature = null;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

describe.each(databases.backends)('lists on $name', (backend) => {
  const open = async () => {
    const test = await backend.fresh();
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const node = async () => {
      const lists = createLists({
        database: await test.node(),
        download: createDownload({ hosts: new Map([['lists.example', base]]) }),
        clock: Date.now,
        log,
        sources: [],
        published: { url: URL_OF_LIST, key: KEY },
      });
      await lists.start();
      return lists;
    };
    return { test, node };
  };
  const nameOf = (lists: Awaited<ReturnType<Awaited<ReturnType<typeof open>>['node']>>, userAgent: string) =>
    lists.current().tokens.match(userAgent)?.bot_name ?? null;

  it('carry the operator’s own bots to every node and collector, until they are removed', async () => {
    const { test, node } = await open();
    const [a, b] = [await node(), await node()];
    const { version } = a.current();
    const bot = { token: 'intranetbot', name: 'Intranet Bot', vendor: 'Us & Co', intent: 'search' } as const;
    await a.addCustomBot('root', bot);
    expect(nameOf(a, 'IntranetBot/1.0')).toBe('Intranet Bot');
    await b.poll();
    expect(nameOf(b, 'IntranetBot/1.0')).toBe('Intranet Bot');
    const served = JSON.parse(b.publication().body.toString()) as BotLists;
    expect(served.version).toBe(version + 1);
    expect(served.bot_patterns.filter(({ custom }) => custom === true)).toEqual([
      {
        ...{ pattern: 'intranetbot', bot_name: 'Intranet Bot', intent: 'search' },
        ...{ engine: 'custom-us-co', vendor: 'Us & Co', custom: true },
      },
    ]);
    expect(await b.customBots()).toMatchObject([bot]);
    await b.removeCustomBot('root', 'intranetbot');
    await a.poll();
    expect([nameOf(a, 'IntranetBot/1.0'), await a.customBots()]).toEqual([null, []]);
    await expect(a.removeCustomBot('root', 'intranetbot')).rejects.toThrow('no bot of its own');
    await Promise.all([a.close(), b.close()]);
    await test.remove();
  });

  it('refuse an own bot that would mislead, each with its sentence', async () => {
    const { test, node } = await open();
    const lists = await node();
    const add = (token: string, name = 'Some Bot') =>
      lists.addCustomBot('root', { token, name, vendor: 'Us', intent: 'other' });
    await expect(add('bot')).rejects.toThrow('too short');
    await expect(add('operator')).rejects.toThrow('a plain word');
    await expect(add('applewebkit/537.36')).rejects.toThrow('isn’t an AI bot: Mozilla');
    await expect(add('gptbot')).rejects.toThrow('already has this token, for GPTBot');
    await expect(add('some-new-bot', 'gptbot')).rejects.toThrow('already has a bot with this name');
    for (let n = 0; n < 100; n++) await add(`own-bot-${n}`, `Own ${n}`);
    await expect(add('one-too-many-bot')).rejects.toThrow('100 bots of its own');
    await lists.close();
    await test.remove();
  });

  it('take a signed list over the one of the code, and keep it whatever is served next', async () => {
    const { test, node } = await open();
    const lists = await node();
    const { version, generated_at, bot_patterns, ai_referrer_domains, ai_referrer_apps } = embeddedLists();
    const rest = { generated_at, ai_referrer_domains, ai_referrer_apps };
    const row = (pattern: string) => ({
      ...{ pattern, bot_name: pattern, intent: 'training', engine: 'new', vendor: 'New' },
    });
    const serve = (changes: object) => {
      text = JSON.stringify({ version: version + 3, bot_patterns, ...rest, ...changes });
    };
    serve({ bot_patterns: [...bot_patterns, row('brandnewbot')] });
    expect(await lists.refresh()).toMatchObject({ changed: true, failed: 0 });
    expect(nameOf(lists, 'BrandNewBot/1')).toBe('brandnewbot');
    const refused: [string, object, string?][] = [
      ['bad_signature', {}, 'AAAA'],
      ['older', { version: version + 2 }],
      ['too short', { bot_patterns: [...bot_patterns, row('bots')] }],
      ['a plain word', { bot_patterns: [...bot_patterns, row('mozilla')] }],
      ['isn’t an AI bot', { bot_patterns: [...bot_patterns, row('applewebkit/537.36')] }],
      ['drops', { bot_patterns: bot_patterns.slice(0, 90) }],
      ['twice', { bot_patterns: [...bot_patterns, row('gptbot')] }],
      ['ai_referrer_domains', { ai_referrer_domains: [] }],
    ];
    for (const [word, changes, signed = null] of refused) {
      serve(changes);
      signature = signed;
      expect(await lists.refresh()).toMatchObject({ changed: false, failed: 1 });
      expect((await lists.status())[0]?.error).toContain(word);
      expect(nameOf(lists, 'BrandNewBot/1')).toBe('brandnewbot');
    }
    await lists.close();
    await test.remove();
  });
});

it('takes what the signing script makes, and not a byte more', () => {
  const made = signedList(String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })));
  expect(made.key).toBe(KEY);
  const standing = { embedded: embeddedLists(), last: null };
  expect(readPublishedList(made.text, made.signature, KEY, standing)).toMatchObject({
    list: { bot_patterns: embeddedLists().bot_patterns },
  });
  expect(readPublishedList(`${made.text} `, made.signature, KEY, standing)).toEqual({
    error: 'bad_signature',
  });
});
