import { expect, it } from 'vitest';
import { planUpdateBot } from './update-bot.ts';

const PATH = '.github/dependabot.yml';
const plan = (text: string) => planUpdateBot(new Map([[PATH, { kind: 'file', text }]]), {}, '');
const NPM = ['- package-ecosystem: "npm"', '  directory: "/"', '  schedule:', '    interval: "weekly"'];
const npm = (indent: string) => NPM.map((line) => `${indent}${line}\n`).join('');

it.each([
  ['the usual', 'version: 2\nupdates:\n  - package-ecosystem: npm\n    directory: "/"\n'],
  [
    'quoted, with the directory first',
    `version: 2\nupdates:\n- directory: '/' # all\n  package-ecosystem: 'npm'\n`,
  ],
  [
    'a list of directories',
    'updates:\n  - package-ecosystem: "npm"\n    directories:\n      - "/"\n      - "/site"\n',
  ],
  ['all directories', 'updates:\n  - package-ecosystem: "npm"\n    directories: ["**/*", "/**"]\n'],
])('leaves alone one that watches npm already: %s', (_, text) => {
  expect(plan(text)).toEqual({ state: 'present', path: PATH, bot: 'Dependabot' });
});

it.each([
  ['at its end', 'version: 2\nupdates:\n  - package-ecosystem: docker\n    directory: /\n', '', '  '],
  [
    'before what follows',
    'updates:\n- package-ecosystem: npm\n  directory: /site\n',
    '\n# who\nregistries:\n  x: 1\n',
    '',
  ],
  ['to an empty list', 'version: 2\nupdates:\n', '', '  '],
])('adds the entry %s, in the list’s own indentation', (_, before, after, indent) => {
  expect(plan(`${before}${after}`)).toMatchObject({
    state: 'write',
    text: `${before}${npm(indent)}${after}`,
  });
});

it('keeps Windows line ends and opens an empty list', () => {
  const outcome = plan('version: 2\r\nupdates: []\r\n');
  expect(outcome).toMatchObject({ text: `version: 2\r\nupdates:\r\n${npm('  ').replaceAll('\n', '\r\n')}` });
});

it.each([['updates: [{package-ecosystem: docker}]\n'], ['version: 2\n'], ['updates:\n  docker: yes\n']])(
  'leaves a form that it doesn’t know to its owner: %s',
  (text) => {
    expect(plan(text)).toMatchObject({ state: 'by-hand', entry: expect.stringContaining('npm') });
  },
);

it('takes Renovate for enough, in a file or in the package file', () => {
  const file = new Map([['.github/renovate.json5', { kind: 'file' as const, text: null }]]);
  expect(planUpdateBot(file, {}, '')).toMatchObject({ state: 'present', bot: 'Renovate' });
  expect(planUpdateBot(new Map(), { renovate: {} }, '')).toMatchObject({ path: 'package.json' });
});
