import { expect, it } from 'vitest';
import { deadScripts } from './package-scripts.ts';

it.each([
  ['wrangler deploy --env staging'],
  ['CI=1 npx wrangler tail'],
  ['echo ok && wrangler dev'],
  ['./scripts/notify.sh'],
  ['npm run other'],
  ['yarn install'],
])('%s still runs', (script) => {
  expect([...deadScripts({ script, other: 'wrangler types' })]).toEqual([]);
});

it.each([
  ['vitest run'],
  ['wrangler deploy && tsc'],
  ['npm test'],
  ['npm run missing'],
  ['pnpm lint'],
  ['node ./src/build.js'],
  ['wrangler dev src/index.ts'],
  ['npx --yes eslint .'],
  [''],
])('"%s" does not', (script) => {
  expect([...deadScripts({ script })]).toEqual(['script']);
});

it('one that calls a dead one is dead too, through any number of others, and a circle ends', () => {
  const dead = deadScripts({
    a: 'npm run b',
    b: 'npm run c && wrangler dev',
    c: 'jest',
    round: 'npm run round',
  });
  expect([...dead].sort()).toEqual(['a', 'b', 'c']);
});
