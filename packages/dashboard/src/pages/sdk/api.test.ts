import { expect, it } from 'vitest';
import { scriptCheck } from './api.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const origin = (accepted: number, refused = 0, last_at = '2026-11-21T11:59:59Z') => ({
  ...{ origin: 'x.example', foreign: refused > 0, accepted, refused, last_at },
});
const server = { ...origin(9), origin: '' };

it.each([
  [[], 'waiting'],
  [[server], 'waiting'],
  [[origin(0, 3)], 'refused'],
  [[server, origin(0, 3)], 'refused'],
  [[origin(1, 3)], 'active'],
  [[origin(1), origin(0, 3)], 'active'],
  [[server, origin(1, 0, '2026-11-20T11:59:59Z')], 'stale'],
])('a script of which %j arrived is %s', (origins, state) => {
  expect(scriptCheck({ origins }, NOW).state).toBe(state);
});

it('is dated by the last event that a page sent', () => {
  const older = origin(1, 0, '2026-11-21T09:00:00Z');
  const newer = origin(1, 0, '2026-11-21T10:00:00Z');
  expect(scriptCheck({ origins: [newer, older, server] }, NOW).lastAt).toBe(newer.last_at);
});
