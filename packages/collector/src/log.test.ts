import { expect, it } from 'vitest';
import { createLog } from './log.ts';

it('each sentence is said once, as a line under the product’s name', () => {
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line));
  for (const sentence of ['one thing', 'another', 'one thing']) log(sentence);
  expect(lines).toEqual(['ghostlight: one thing', 'ghostlight: another']);
});

it('an isolate that has said a hundred things falls silent', () => {
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line));
  for (let n = 0; n < 1_000; n++) log(`fault ${n}`);
  expect(lines).toHaveLength(100);
});
