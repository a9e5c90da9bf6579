import { describe, expect, it } from 'vitest';
import {
  failureText,
  figureLabel,
  figureText,
  isNews,
  sentenceOf,
  stateMark,
  targetOf,
  toldText,
} from './messages.ts';
import { readAlertsSearch } from './search.ts';

describe('an alert in words', () => {
  it('says how much, in what it counts', () => {
    expect(figureText(1_240, 'visits')).toBe('1,240 visits');
    expect(figureText(1, 'hours')).toBe('1 hour');
    expect(figureText(0.425, 'share')).toBe('42.5\u00a0%');
    expect(figureText(0, 'deliveries')).toBe('0 deliveries lost');
  });

  it('is red only while there is trouble, and news is none', () => {
    expect(stateMark({ state: 'open' }).tone).toBe('bad');
    expect(stateMark({ state: 'resolved' }).tone).toBe('good');
    expect(isNews({ kind: 'new_bot' })).toBe(true);
    expect(isNews({ kind: 'drop_to_zero' })).toBe(false);
  });

  it('says what its figure is', () => {
    const figures = { now: 3, usual: null, unit: 'visits' } as const;
    expect(figureLabel({ kind: 'spike', state: 'open', figures })).toBe('At its worst');
    expect(figureLabel({ kind: 'ai_referral_first', state: 'open', figures })).toBe('Within a day');
    const gone = { kind: 'drop_to_zero', figures: { ...figures, now: 0 } } as const;
    expect(figureLabel({ ...gone, state: 'open' })).toBe('Now');
    expect(figureLabel({ ...gone, state: 'resolved' })).toBe('At its worst');
  });

  it('puts the threshold into the sentence of its rule', () => {
    const rule = { description: 'At least {n} visits.', threshold: 1_000 } as Parameters<
      typeof sentenceOf
    >[0];
    expect(sentenceOf(rule)).toEqual(['At least ', '1,000', ' visits.']);
  });
});

describe('what became of a message', () => {
  const told = { channel: 'c', name: 'Ops', type: 'slack', phase: 'opened', at: '', attempts: 1 } as const;
  it('says what helps, and the word itself where nothing is known', () => {
    expect(failureText('http_410')).toContain('the address is gone');
    expect(failureText('http_503')).toBe('It answered 503.');
    expect(failureText('mail_EAUTH')).toContain('SMTP_URL');
    expect(failureText('mail_EENVELOPE')).toContain('EENVELOPE');
    expect(failureText('odd')).toBe('It failed (odd).');
  });

  it('tells what waits from what failed', () => {
    expect(toldText({ ...told, ok: true, error: null })).toBe('told');
    expect(toldText({ ...told, ok: null, error: null, attempts: 0 })).toBe('waits for its turn');
    expect(toldText({ ...told, ok: null, error: 'timeout' })).toContain('tried again');
    expect(toldText({ ...told, ok: false, error: 'timeout', phase: 'resolved' })).toMatch(
      /^not told that it is over\./,
    );
  });
});

it('an address opens a view that there is', () => {
  expect(readAlertsSearch({ view: 'rules' })).toEqual({ view: 'rules' });
  for (const view of ['alerts', 'elsewhere', ['rules'], null]) expect(readAlertsSearch({ view })).toEqual({});
});

it('a report is opened with the filters and days of the link', () => {
  expect(targetOf('/bots?bot=A+%26+B&from=2026-11-07&to=2026-11-21')).toEqual({
    to: 'report',
    page: 'bots',
    search: { bot: 'A & B', from: '2026-11-07', to: '2026-11-21' },
  });
  expect(targetOf('/trust?include=spoofed&from=2026-11-07&to=2026-11-21')).toMatchObject({
    page: 'trust',
    search: { include: 'spoofed' },
  });
});

it('a destination is opened as it is; a page of a later version is no link', () => {
  expect(targetOf('/destinations/dst_1')).toEqual({ to: 'destination', destinationId: 'dst_1' });
  expect(targetOf('/policy?from=2026-11-07')).toBeNull();
});
