import { expect, it } from 'vitest';
import type { TestResult } from '../../../features/destinations/api.ts';
import { resultWords } from './test-words.ts';

const result = (more: Partial<TestResult>): TestResult => ({
  mode: 'code',
  sent: true,
  event_name: 'Purchase',
  skip: null,
  request: null,
  response: null,
  verdict: { kind: 'delivered', code: null, message: null },
  explanation: '',
  notes: [],
  ...more,
});

it.each<[Partial<TestResult>, string, string]>([
  [{ mode: 'validate' }, 'good', 'The platform found it right'],
  [
    { mode: 'validate', verdict: { kind: 'accepted', code: null, message: 'Later.' } },
    'good',
    'The platform found it right',
  ],
  [{ mode: 'code' }, 'good', 'Taken as a test event'],
  [
    { mode: 'live', verdict: { kind: 'accepted', code: null, message: null } },
    'wait',
    'Taken as a real event',
  ],
  [{ verdict: { kind: 'auth', code: '190', message: 'Expired.' } }, 'bad', 'The credentials were refused'],
  [{ mode: 'shown', sent: false, verdict: null }, 'unknown', 'Not sent'],
  [{ verdict: null, skip: { reason: 'no_mapping', message: 'Choose one.' } }, 'off', 'It would be skipped'],
])('says of %o', (more, tone, title) => {
  expect(resultWords(result(more))).toMatchObject({ tone, title });
});
