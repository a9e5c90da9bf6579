import { describe, expect, it } from 'vitest';
import { observedHit } from '../vectors/run.ts';
import { classify, compileLists } from './classify.ts';
import { embeddedLists } from './embedded.ts';
import type { ObservedHit, StoredHit } from './hit.ts';
import { toStoredHit, weightOf } from './store.ts';

const lists = compileLists(embeddedLists());
const context = {
  id: '00000000-0000-4000-8000-0000000000aa',
  organizationId: '00000000-0000-4000-8000-000000000001',
  attributionId: '0e9b2c54-7c0a-4a1e-9a53-2f6f6d1c8b11',
  receivedAt: 1_796_000_001_000,
  isBot: (userAgent: string) => userAgent.includes('curl'),
};
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
const query = new Map([
  ['utm_source', 'chatgpt.com'],
  ['email', 'ada@example.com'],
]);

function store(members: Partial<ObservedHit>): StoredHit {
  const hit = observedHit(members);
  const verdict = classify(hit, lists, context.isBot);
  if (verdict.class === 'dropped') throw new Error('the hit was dropped');
  return toStoredHit(hit, verdict, lists, context);
}

describe('toStoredHit', () => {
  it('keeps no address of a bot, and uses it for the verdict', () => {
    const row = store({
      userAgent: 'GPTBot/1.3',
      ip: '20.171.206.9',
      query,
      referrer: 'https://shop.example/a?b=c',
    });
    expect(row).toMatchObject({
      class: 'ai_bot',
      bot_name: 'GPTBot',
      vendor: 'OpenAI',
      engine: 'openai',
      intent: 'training',
    });
    expect(row).toMatchObject({
      verified: true,
      verified_by: 'server_cidr',
      sample_ip: '',
      list_version: lists.version,
    });
    expect(row.query_params).toEqual(Object.fromEntries(query));
    expect(row.referrer).toBe('https://shop.example/a?b=c');
    expect(JSON.stringify(row)).not.toContain('20.171.206');
  });

  it("keeps of a referral the engine, campaign tags and the referrer's host, and no address", () => {
    const row = store({
      userAgent: CHROME,
      ip: '203.0.113.77',
      query,
      referrer: 'https://chatgpt.com/c/secret-chat',
    });
    expect(row).toMatchObject({
      class: 'ai_referral',
      referrer_engine: 'ChatGPT',
      referral_signal: 'referrer',
    });
    expect(row).toMatchObject({
      referrer: 'chatgpt.com',
      sample_ip: '',
      verified: null,
      verified_by: '',
      bot_name: '',
      intent: '',
    });
    expect(row.query_params).toEqual({ utm_source: 'chatgpt.com' });
    expect(JSON.stringify(row)).not.toMatch(/203\.0\.113|secret-chat|ada@/);
  });

  it('truncates the address of a sample again and keeps neither query nor referring page', () => {
    const row = store({
      userAgent: CHROME,
      ip: '203.0.113.77',
      query: new Map([['q', 'x']]),
      referrer: 'https://mail.example/inbox?id=7',
      sampleRate: 0.02,
    });
    expect(row).toMatchObject({
      class: 'sample',
      sample_ip: '203.0.113.0',
      referrer: 'mail.example',
      weight: 50,
      sample_rate: 0.02,
    });
    expect(row.query_params).toEqual({});
    expect(JSON.stringify(row)).not.toContain('113.77');
  });

  it('tells programs among samples from people', () => {
    expect(store({ userAgent: 'curl/8', sampleRate: 0.5 }).other_bot).toBe(true);
    expect(store({ userAgent: CHROME, sampleRate: 0.5 }).other_bot).toBe(false);
    expect(store({ userAgent: 'GPTBot/1.3 curl', sampleRate: 0.5 }).other_bot).toBe(false);
  });

  it('keeps nothing of a sample whose address is none', () => {
    expect(store({ userAgent: CHROME, ip: 'unknown', sampleRate: 1 }).sample_ip).toBe('');
    expect(store({ userAgent: CHROME, sampleRate: 1 }).sample_ip).toBe('');
  });

  it('lets a sample that turned out to be a bot or a referral keep its weight', () => {
    expect(store({ userAgent: 'ClaudeBot/1.0', ip: '203.0.113.0', sampleRate: 0.1 })).toMatchObject({
      class: 'ai_bot',
      weight: 10,
      sample_rate: 0.1,
      sample_ip: '',
    });
    expect(store({ userAgent: CHROME, referrer: 'https://claude.ai/', sampleRate: 0.5 })).toMatchObject({
      class: 'ai_referral',
      weight: 2,
    });
  });

  it('finds the referral in a sample that carries its bare referring host, and in no other hit', () => {
    const cut = { userAgent: CHROME, referrer: 'chatgpt.com', ip: '203.0.113.0' };
    expect(store({ ...cut, sampleRate: 0.02 })).toMatchObject({
      class: 'ai_referral',
      referrer_engine: 'ChatGPT',
      referral_signal: 'referrer',
      referrer: 'chatgpt.com',
      sample_ip: '',
      weight: 50,
    });
    const app = { ...cut, referrer: 'com.openai.chatgpt', sampleRate: 0.02 };
    expect(store(app)).toMatchObject({ class: 'ai_referral', referral_signal: 'app', weight: 50 });
    expect(store({ ...cut, userAgent: 'curl/8.7.1', sampleRate: 0.02 })).toMatchObject({ class: 'sample' });
    expect(store({ ...cut, referrer: 'www.google.com', sampleRate: 0.02 })).toMatchObject({
      class: 'sample',
      referrer: 'www.google.com',
    });
    expect(classify(observedHit(cut), lists, () => false)).toEqual({ class: 'dropped', reason: 'not_ai' });
  });

  it('concludes nothing from the truncated address of a sample', () => {
    for (const ip of ['20.171.206.0', '203.0.113.0'])
      expect(store({ userAgent: 'GPTBot/1.3', ip, sampleRate: 0.02 })).toMatchObject({
        class: 'ai_bot',
        verified: null,
        verified_by: '',
      });
  });

  it('cannot be led astray by a parameter called __proto__', () => {
    const row = store({ userAgent: 'GPTBot/1.3', query: new Map([['__proto__', 'x']]) });
    expect(JSON.stringify(row.query_params)).toBe('{"__proto__":"x"}');
  });
});

describe('weightOf', () => {
  it('is 1 unless a rate in (0, 1] is given', () => {
    expect([null, 0, -1, 2, Number.NaN].map((sampleRate) => weightOf({ sampleRate }))).toEqual([
      1, 1, 1, 1, 1,
    ]);
    expect(weightOf({ sampleRate: 0.25 })).toBe(4);
  });
});
