import { expect, it } from 'vitest';
import { alertLink } from './link.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const at = (text: string) => Date.parse(text);
const alert = (began: string, over: string | null, link = '/failures') => ({
  ...{ kind: 'bot_errors', link, at: at(began), resolved_at: over === null ? null : at(over) },
});
const days = (...[began, over, zone]: [string, string | null, string?]) =>
  alertLink(alert(began, over), zone ?? 'UTC', NOW).replace('/failures?', '');

it('an alert of long ago opens its report where it happened, with the two weeks before', () => {
  expect(days('2026-03-10T08:00:00Z', '2026-03-11T08:00:00Z')).toBe('from=2026-02-24&to=2026-03-11');
});

it('one that is open reaches to today, at most a month on', () => {
  expect(days('2026-11-19T08:00:00Z', null)).toBe('from=2026-11-05&to=2026-11-21');
  expect(days('2026-08-01T08:00:00Z', null)).toBe('from=2026-07-18&to=2026-08-31');
});

it('its days are those of the property, also where clocks change in between', () => {
  const [began, over] = ['2026-11-20T23:30:00Z', '2026-11-20T23:45:00Z'];
  expect(days(began, over, 'Asia/Kolkata')).toBe('from=2026-11-07&to=2026-11-21');
  expect(days(began, over)).toBe('from=2026-11-06&to=2026-11-20');
  expect(days('2026-11-02T04:30:00Z', '2026-11-02T05:30:00Z', 'America/New_York')).toBe(
    'from=2026-10-18&to=2026-11-02',
  );
});

it('the settings of a quota and a destination have no days', () => {
  for (const [kind, link] of [
    ['quota', '/settings'],
    ['forwarding_failing', '/destinations/dst_1'],
  ] as const)
    expect(alertLink({ ...alert('2026-11-19T08:00:00Z', null, link), kind }, 'UTC', NOW)).toBe(link);
});

it('the filters of the report stay', () => {
  const link = alertLink(alert('2026-11-19T08:00:00Z', null, '/bots?bot=A+%26+B'), 'UTC', NOW);
  expect(Object.fromEntries(new URLSearchParams(link.split('?')[1]))).toEqual({
    bot: 'A & B',
    from: '2026-11-05',
    to: '2026-11-21',
  });
});
