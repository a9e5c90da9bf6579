import { expect, it } from 'vitest';
import { hostNames, hostsSentence, versionText } from './senders.ts';

const host = (name: string, state: { stale?: boolean; quiet?: boolean } = {}) => ({
  ...{ host: name, stale: false, quiet: false },
  ...state,
});

it('says how many hosts send, are out of date, and are silent', () => {
  expect(hostsSentence([host('a')])).toBe('1 host sending');
  expect(hostsSentence([host('a', { stale: true })])).toBe('1 host sending, out of date');
  expect(hostsSentence([host('a'), host('b', { stale: true }), host('c', { quiet: true })])).toBe(
    '2 hosts sending, 1 of them out of date, 1 silent',
  );
  expect(hostsSentence([host('a', { quiet: true, stale: true })])).toBe('No host is sending, 1 silent');
});

it('counts a host with two senders once, by the one that sends', () => {
  expect(hostsSentence([host('a', { quiet: true }), host('a', { stale: true }), host('b')])).toBe(
    '2 hosts sending, 1 of them out of date',
  );
});

it('names three hosts, and counts the others', () => {
  expect(hostNames(['a', 'b', 'c'], 3)).toEqual({ names: 'a, b, c', more: '' });
  expect(hostNames(['a', 'b', 'c', 'd'], 1_204)).toEqual({ names: 'a, b, c', more: ' and 1,201 more' });
});

it('calls a version that was not sent unknown, not old', () => {
  expect([versionText(''), versionText('0.5.0')]).toEqual(['version unknown', '0.5.0']);
});
