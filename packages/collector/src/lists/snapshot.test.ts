import { gzipSync } from 'node:zlib';
import { embeddedLists, validateLists } from '@ghostlight/core';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { listDataPlugin } from '../../build/list-data.ts';
import { SOURCE_ROOT } from '../testing/bundle.ts';
import { snapshotLists } from './snapshot.ts';

const ENTRY = `import { snapshotLists } from './lists/snapshot.ts'; export default JSON.stringify(snapshotLists());`;

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: SOURCE_ROOT, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    plugins: [listDataPlugin()],
  });
  return outputFiles[0]?.text ?? '';
}

it('the snapshot is the embedded list without address ranges, and a list that the collector would take', () => {
  const { ip_ranges: _, version: __, generated_at: ___, ...rest } = embeddedLists();
  expect(snapshotLists()).toMatchObject({ ...rest, ip_ranges: [] });
  expect(validateLists(snapshotLists())).toHaveProperty('lists');
});

it('the bundle carries the same snapshot, and neither evidence nor ranges', async () => {
  const text = await bundled();
  const module = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as { default: string };
  expect(JSON.parse(module.default)).toEqual(snapshotLists());
  for (const evidence of ['"tier"', 'tier:', 'source', 'denied', 'ai.robots.txt', '/24', 'licence']) {
    expect(text).not.toContain(evidence);
  }
  expect(gzipSync(text, { level: 9 }).length).toBeLessThan(5_000);
});
