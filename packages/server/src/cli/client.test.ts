import { expect, it } from 'vitest';
import { refusal } from './client.ts';

const problem = { detail: 'Try again.', request_id: 'abc-1' };

it('names the request by which the log is searched where the service failed, and only there', () => {
  expect(refusal(problem, 500)).toBe('Try again.\n  request id: abc-1');
  expect(refusal(problem, 503)).toBe('Try again.\n  request id: abc-1');
  expect(refusal({ ...problem, errors: [{ pointer: '/name', message: 'Too long.' }] }, 422)).toBe(
    'Try again.\n  /name: Too long.',
  );
  expect(refusal({ detail: 'Try again.' }, 500)).toBe('Try again.');
  expect(refusal(null, 502)).toBe('The service answered 502.');
});
