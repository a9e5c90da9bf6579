import { expect, it } from 'vitest';
import type { EdgeCache } from '../platform.ts';
import { createDirectories } from './directories.ts';
import { createSigner } from './testing.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const SITE = 'https://shop.example';
const URL_OF = (n: number) => `https://a${n}.example/keys`;
const { key } = await createSigner(NOW);
const other = (await createSigner(NOW)).key;

/** An isolate whose cache takes what it is given as long as `isWritable`. */
function isolate() {
  const state = { now: NOW, published: [key], isWritable: true, asked: 0 };
  const copies = new Map<string, Response>();
  const cache: EdgeCache = {
    match: async (name) => copies.get(name)?.clone(),
    put: async (name, copy) => {
      if (!state.isWritable) throw new Error('full');
      copies.set(name, copy);
    },
    delete: async (name) => copies.delete(name),
  };
  const directories = createDirectories({
    fetch: async () => {
      state.asked++;
      return Response.json({ keys: state.published });
    },
    openCache: async () => cache,
    now: () => state.now,
    log: () => {},
    refusedKeys: new Set(),
  });
  return { state, directories };
}

it('sixty-four directories are held, and those that are asked for stay', async () => {
  const { directories } = isolate();
  for (let n = 0; n < 64; n++) await directories.read(URL_OF(n), SITE, true);
  expect(directories.held(URL_OF(0))).not.toBeNull();
  await directories.read(URL_OF(64), SITE, true);
  expect(directories.held(URL_OF(0))).not.toBeNull();
  expect(directories.held(URL_OF(1))).toBeNull();
  expect(directories.held(URL_OF(2))).not.toBeNull();
});

it('a cache that can not be written neither fails a reading nor brings old keys back', async () => {
  const { state, directories } = isolate();
  await directories.read(URL_OF(0), SITE, true);
  Object.assign(state, { now: NOW + 10 * 60_000, published: [other], isWritable: false });
  await directories.read(URL_OF(0), SITE, true);
  await directories.lookIntoCache(URL_OF(0), SITE);
  expect(directories.held(URL_OF(0))?.keys).toEqual([other]);
  expect(state.asked).toBe(2);
});
