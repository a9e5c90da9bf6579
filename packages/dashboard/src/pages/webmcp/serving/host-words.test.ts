import { expect, it } from 'vitest';
import { troubleOf, wordsFor } from './host-words.ts';

const served = { state: 'current', record: 'found' } as const;
const untrusted = { state: 'current', record: 'not_found' } as const;
const missing = { state: 'not_served', record: 'not_found' } as const;

it('has one state for a document that is served, but that agents do not trust', () => {
  expect(wordsFor(served)).toMatchObject({ tone: 'good', notes: ['DNS record found'] });
  expect(wordsFor(untrusted)).toMatchObject({
    tone: 'wait',
    title: 'Not trusted yet: DNS record not found',
    notes: ['Document up to date'],
  });
  expect(wordsFor(missing)).toMatchObject({
    tone: 'bad',
    title: 'Not served',
    notes: ['DNS record not found'],
  });
});

it('says what is wrong with any host', () => {
  expect(troubleOf([])).toBeNull();
  expect(troubleOf([served, { state: 'private_address', record: 'not_checked' }])).toBeNull();
  expect(troubleOf([served, untrusted])).toBe('not trusted yet');
  expect(troubleOf([untrusted, missing])).toBe('1 host has a problem');
  expect(troubleOf([missing, missing])).toBe('2 hosts have a problem');
});
