import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MIGRATIONS } from './index.ts';

const names = Object.keys(MIGRATIONS);

// They run in the order of their names: of two with one number the alphabet would say which is first.
it('numbers the migrations one after the other, each with a number of its own', () => {
  const numbers = names.map((name) => /^(\d{4})-[a-z-]+$/.exec(name)?.[1]);
  expect(numbers).toEqual(names.map((_, index) => String(index + 1).padStart(4, '0')));
});

it('runs each file of the folder under the name that it has', () => {
  const files = readdirSync(import.meta.dirname).filter((file) => /^\d/.test(file));
  expect(files.map((file) => file.replace(/\.ts$/, '')).sort()).toEqual(names);
});
