import { expect, it } from 'vitest';
import { statusWords } from './StatusMark.tsx';

it('says what became of a request, and shows a word of tomorrow as it came', () => {
  expect(statusWords('auth_error')).toEqual({ tone: 'bad', title: 'Key refused' });
  expect(statusWords('held_back')).toEqual({ tone: 'unknown', title: 'held back' });
});
