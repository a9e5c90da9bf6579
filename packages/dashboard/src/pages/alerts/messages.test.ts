import { describe, expect, it } from 'vitest';
import {
  failureText,
  isNews,
  lastedText,
  lastWords,
  markOf,
  sentenceOf,
  targetOf,
  thresholdLabel,
  timesBaseline,
  toldText,
  unitOf,
  viewOf,
} from './messages.ts';
import { readAlertsSearch } from './search.ts';

describe('the text of an alert', () => {
  it('says how far beyond its baseline it was, where that is a number of visits or a share', () => {
    const times = (now: number, usual: number | null, unit: 'visits' | 'share' | 'hours' = 'visits') =>
      timesBaseline({ now, usual, unit });
    expect(times(1_343, 209)).toBe('6.4');
    expect(times(193, 4)).toBe('48');
    expect(times(0.4, 0.2, 'share')).toBe('2');
    for (const [now, usual] of [
      [5, null],
      [5, 0],
      [0, 31],
    ] as const)
      expect(times(now, usual)).toBeNull();
    expect(times(7, 1, 'hours')).toBeNull();
  });

  it('says how long it lasted, in its two largest units', () => {
    const minute = 60_000;
    expect(lastedText(10_000)).toBe('1 min');
    expect(lastedText(255 * minute)).toBe('4 h 15 min');
    expect(lastedText(120 * minute)).toBe('2 h');
    expect(lastedText(67 * 60 * minute)).toBe('2 d 19 h');
  });

  it('counts one of a unit in the singular', () => {
    expect(unitOf({ unit: 'visits' }, 1)).toBe('visit');
    expect(unitOf({ unit: 'visits a day' }, 1)).toBe('visit a day');
    expect(unitOf({ unit: 'visits' }, 2)).toBe('visits');
    expect(unitOf({ unit: '% of responses' }, 1)).toBe('% of responses');
  });

  it('is red only for an open problem, not for an info alert', () => {
    expect(markOf({ kind: 'spike', state: 'open' })?.tone).toBe('bad');
    expect(markOf({ kind: 'spike', state: 'resolved' })).toBeNull();
    expect(markOf({ kind: 'new_bot', state: 'open' })).toBeNull();
    expect(isNews({ kind: 'new_bot' })).toBe(true);
    expect(isNews({ kind: 'drop_to_zero' })).toBe(false);
  });

  it('names what its link opens', () => {
    expect(viewOf({ kind: 'spike', subject: 'GPTBot' })).toBe('View GPTBot');
    expect(viewOf({ kind: 'spoof_surge', subject: '' })).toBe('View spoofed visits');
    expect(viewOf({ kind: 'forwarding_failing', subject: 'dst_1' })).toBe('View the destination');
  });

  it('labels the field of a threshold by the side from which it is reached', () => {
    expect(thresholdLabel({ fires: 'at_least' })).toBe('Alert at');
    expect(thresholdLabel({ fires: 'below' })).toBe('Alert below');
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
