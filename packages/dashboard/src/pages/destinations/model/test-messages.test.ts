import { expect, it } from 'vitest';
import type { TestResult } from '../../../features/destinations/api.ts';
import { resultMessage } from './test-messages.ts';

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
  [{ mode: 'validate' }, 'good', 'The platform accepted it as valid'],
  [
    { mode: 'validate', verdict: { kind: 'accepted', code: null, message: 'Later.' } },
    'good',
    'The platform accepted it as valid',
  ],
  [{ mode: 'code' }, 'good', 'Accepted as a test event'],
  [
    { mode: 'live', verdict: { kind: 'accepted', code: null, message: null } },
    'wait',
    'Accepted as a real event',
  ],
  [{ verdict: { kind: 'auth', code: '190', message: 'Expired.' } }, 'bad', 'The credentials were rejected'],
  [{ mode: 'shown', sent: false, verdict: null }, 'unknown', 'Not sent'],
  [{ verdict: null, skip: { reason: 'no_mapping', message: 'Choose one.' } }, 'off', 'It would be skipped'],
])('says of %o', (more, tone, title) => {
  expect(resultMessage(result(more))).toMatchObject({ tone, title });
});
