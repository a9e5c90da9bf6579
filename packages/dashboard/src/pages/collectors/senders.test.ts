import { expect, it } from 'vitest';
import { countHosts, hostNames, isBeforeMigration, versionText } from './senders.ts';

it('counts a host with two senders once', () => {
  expect(countHosts([])).toBe(0);
  expect(countHosts([{ host: 'a' }, { host: 'a' }, { host: 'b' }])).toBe(2);
});

it('knows which versions have to be migrated first, and of which it is unknown', () => {
  expect(['0.3.1', '0.4.99'].map(isBeforeMigration)).toEqual([true, true]);
  expect(['0.5.0', '0.5.1', '0.10.0', '1.0.0'].map(isBeforeMigration)).toEqual([false, false, false, false]);
  expect(['', 'dev'].map(isBeforeMigration)).toEqual([null, null]);
});

it('names three hosts, and counts the others', () => {
  expect(hostNames(['a', 'b', 'c'], 3)).toEqual({ names: 'a, b, c', more: '' });
  expect(hostNames(['a', 'b', 'c', 'd'], 1_204)).toEqual({ names: 'a, b, c', more: ' and 1,201 more' });
});

it('calls a version that was not sent unknown, not old', () => {
  expect([versionText(''), versionText('0.5.0')]).toEqual(['version unknown', '0.5.0']);
});
