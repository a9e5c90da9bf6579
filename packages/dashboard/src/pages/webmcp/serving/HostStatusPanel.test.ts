import { expect, it } from 'vitest';
import { timeIn } from './HostStatusPanel.tsx';

it('finds the time in the sentence of a host', () => {
  expect(timeIn('Served and verified; signed at 2026-11-21T14:03:27Z.')).toEqual({
    before: 'Served and verified; signed at ',
    time: '2026-11-21T14:03:27Z',
    after: '.',
  });
});

it('leaves a sentence without a time as it is', () => {
  const detail = 'The host answers 404 on 2026-11-21.';
  expect(timeIn(detail)).toEqual({ before: detail, time: '', after: '' });
});
