import { expect, it } from 'vitest';
import { findLockfiles } from './lockfile.ts';

const manifest = { dependencies: { isbot: '5.1.0' } };
const sound = { version: '5.1.0', resolved: 'https://packages.example/isbot.tgz', integrity: 'sha512-AAAA' };
const lock = (isbot: object, rest: object = {}) => ({
  version: '0.4.0',
  lockfileVersion: 3,
  packages: { '': manifest, 'node_modules/isbot': isbot },
  ...rest,
});
const reason = (content: unknown) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return findLockfiles(new Map([['package-lock.json', { kind: 'file', text }]]), manifest)[0]?.brokenBecause;
};

it('a sound lockfile is not called broken, whatever it links, bundles or fetches from git', () => {
  expect(reason(lock(sound))).toBeNull();
  expect(reason(lock({ link: true, resolved: 'packages/isbot' }))).toBeNull();
  expect(reason(lock({ version: '5.1.0', inBundle: true }))).toBeNull();
  expect(
    reason(lock({ version: '5.1.0', resolved: 'git+ssh://git@forge.example/isbot.git#abc' })),
  ).toBeNull();
  expect(reason({ version: '0.4.0', lockfileVersion: 1, dependencies: {} })).toBeNull();
});

it.each([
  ['it is no JSON', '<<<<<<< HEAD'],
  ['of release 0.3.0', lock(sound, { version: '0.3.0' })],
  ['no entry for the repository', { version: '0.4.0', lockfileVersion: 3, packages: {} }],
  ['its dependencies are others', lock(sound, { packages: { '': { dependencies: { isbot: '4.0.0' } } } })],
  ['node_modules/isbot has no version', lock({ ...sound, version: undefined })],
  ['node_modules/isbot has no checksum', lock({ ...sound, integrity: undefined })],
])('broken: %s', (because, content) => {
  expect(reason(content)).toContain(because);
});

it('of other package managers the file is known, and nothing claimed', () => {
  const found = findLockfiles(new Map([['yarn.lock', { kind: 'file', text: null }]]), manifest);
  expect(found).toEqual([{ path: 'yarn.lock', manager: 'yarn', brokenBecause: null }]);
});
