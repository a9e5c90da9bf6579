import { describe, expect, it } from 'vitest';
import {
  failureText,
  figureLabel,
  figureText,
  isNews,
  lastWords,
  markOf,
  sentenceOf,
  targetOf,
  thresholdLabel,
  toldText,
} from './messages.ts';
import { readAlertsSearch } from './search.ts';

describe('the text of an alert', () => {
  it('shows figures with their unit', () => {
    expect(figureText(1_240, 'visits')).toBe('1,240 visits');
    expect(figureText(1, 'hours')).toBe('1 hour');
    expect(figureText(0, 'hours')).toBe('under 1 hour');
    expect(figureText(0.425, 'share')).toBe('42.5%');
    expect(figureText(0, 'deliveries')).toBe('0 deliveries lost');
  });

  it('is red only for an open problem, not for an info alert', () => {
    expect(markOf({ kind: 'spike', state: 'open' })?.tone).toBe('bad');
    expect(markOf({ kind: 'spike', state: 'resolved' })).toBeNull();
    expect(markOf({ kind: 'new_bot', state: 'open' })).toBeNull();
    expect(isNews({ kind: 'new_bot' })).toBe(true);
    expect(isNews({ kind: 'drop_to_zero' })).toBe(false);
  });

  it('labels the field of a threshold by what it counts', () => {
    expect(thresholdLabel({ unit: 'visits', fires: 'at_least' })).toBe('Alert at this many visits');
    expect(thresholdLabel({ unit: '% of answers', fires: 'at_least' })).toBe('Alert at this % of answers');
    expect(thresholdLabel({ unit: '% accepted', fires: 'below' })).toBe('Alert below this % accepted');
  });

  it('labels its figure', () => {
    const figures = { now: 3, usual: null, unit: 'visits' } as const;
    expect(figureLabel({ kind: 'spike', state: 'open', figures })).toBe('Peak');
    expect(figureLabel({ kind: 'ai_referral_first', state: 'open', figures })).toBe('Within a day');
    const gone = { kind: 'drop_to_zero', figures: { ...figures, now: 0 } } as const;
    expect(figureLabel({ ...gone, state: 'open' })).toBe('Now');
    expect(figureLabel({ ...gone, state: 'resolved' })).toBeNull();
    const failing = { kind: 'forwarding_failing', state: 'open' } as const;
    const lost = (now: number) => ({ ...figures, now, unit: 'deliveries' }) as const;
    expect(figureLabel({ ...failing, figures: lost(0) })).toBeNull();
    expect(figureLabel({ ...failing, figures: lost(2) })).toBe('Peak');
  });

  it('inserts the threshold into the sentence of its rule', () => {
    const rule = { description: 'At least {n} visits.', threshold: 1_000 } as Parameters<
      typeof sentenceOf
    >[0];
    expect(sentenceOf(rule)).toEqual(['At least ', '1,000', ' visits.']);
    expect(sentenceOf({ ...rule, description: '{n}% or more.' })).toEqual(['', '1,000%', ' or more.']);
  });
});

describe('the outcome of a notification', () => {
  const told = { channel: 'c', name: 'Ops', type: 'slack', phase: 'opened', at: '', attempts: 1 } as const;
  it('says what to do, or shows an unknown error code', () => {
    expect(failureText('http_410')).toContain('the address no longer exists');
    expect(failureText('http_503')).toBe('It answered 503.');
    expect(failureText('mail_EAUTH')).toContain('SMTP_URL');
    expect(failureText('mail_EENVELOPE')).toContain('EENVELOPE');
    expect(failureText('odd')).toBe('It failed (odd).');
  });

  it('distinguishes a queued notification from a failed one', () => {
    expect(toldText({ ...told, ok: true, error: null })).toBe('sent');
    expect(toldText({ ...told, ok: null, error: null, attempts: 0 })).toBe('queued');
    expect(toldText({ ...told, ok: null, error: 'timeout' })).toContain('retried');
    expect(toldText({ ...told, ok: false, error: 'timeout', phase: 'resolved' })).toMatch(
      /^not sent \(resolved\)\./,
    );
  });

  it('of a channel’s last alert is a sign beside its text', () => {
    const at = '2026-11-24T00:00:00.000Z';
    expect(lastWords(null)).toMatchObject({ tone: 'off', title: 'No alert sent yet' });
    expect(lastWords({ at, ok: true, error: null }).tone).toBe('good');
    expect(lastWords({ at, ok: false, error: 'http_410' }).tone).toBe('bad');
    expect(lastWords({ at, ok: null, error: null }).title).toBe('Alert being sent');
    expect(lastWords({ at, ok: null, error: 'http_503' }).title).toContain('again');
  });
});

it('the address opens an existing view only', () => {
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

it('a destination is opened by its id; an unknown page is not a link', () => {
  expect(targetOf('/destinations/dst_1')).toEqual({ to: 'destination', destinationId: 'dst_1' });
  expect(targetOf('/settings?view=data&from=2026-11-07&to=2026-11-21')).toEqual({ to: 'quota' });
  expect(targetOf('/policy?from=2026-11-07')).toBeNull();
});
