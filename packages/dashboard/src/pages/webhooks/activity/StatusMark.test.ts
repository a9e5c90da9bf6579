import { expect, it } from 'vitest';
import { statusWords } from './StatusMark.tsx';

it('names the outcome of a request, and shows an unknown status as received', () => {
  expect(statusWords('auth_error')).toEqual({ tone: 'bad', title: 'Key rejected' });
  expect(statusWords('held_back')).toEqual({ tone: 'unknown', title: 'held back' });
});
