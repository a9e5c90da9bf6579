import { expect, it } from 'vitest';
import { createProgress } from './progress.ts';

it('counts the rows and the time of copying steps alone, whatever their words are', () => {
  let now = 0;
  const lines: string[] = [];
  const progress = createProgress(
    (line) => lines.push(line),
    () => now,
  );
  const step = (kind: 'copy' | 'compare', rows: number, ms: number): void => {
    progress.begin(kind, 'One store', rows);
    now += ms;
    progress.done('hits', rows);
  };
  step('copy', 30, 1_000);
  step('compare', 30, 5_000);
  step('copy', 10, 3_000);
  expect(progress.rate()).toEqual({ rows: 40, seconds: 4 });
  expect(lines[0]).toBe('One store: 30 rows.');
  expect(lines.at(-1)).toContain('hits: 10 of 10 rows');
});
