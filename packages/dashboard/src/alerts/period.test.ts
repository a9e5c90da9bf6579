import { expect, it } from 'vitest';
import { alertDays } from './period.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

it('an alert of long ago opens its report where it happened, with the two weeks before', () => {
  const alert = { at: '2026-03-10T08:00:00Z', resolved_at: '2026-03-11T08:00:00Z' };
  expect(alertDays(alert, 'UTC', NOW)).toEqual({ from: '2026-02-24', to: '2026-03-11' });
});

it('one that is open reaches to today, at most a month on', () => {
  expect(alertDays({ at: '2026-11-19T08:00:00Z', resolved_at: null }, 'UTC', NOW).to).toBe('2026-11-21');
  expect(alertDays({ at: '2026-08-01T08:00:00Z', resolved_at: null }, 'UTC', NOW).to).toBe('2026-08-31');
});

it('its days are those of the property', () => {
  const alert = { at: '2026-11-20T23:30:00Z', resolved_at: '2026-11-20T23:45:00Z' };
  expect(alertDays(alert, 'Asia/Kolkata', NOW)).toEqual({ from: '2026-11-07', to: '2026-11-21' });
});
