import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { VectorReport } from '../vectors/run.ts';

const ENTRY = `
import { isbot } from 'isbot';
import { embeddedLists, hitId } from './index.ts';
import { runVectors } from '../vectors/run.ts';
export default {
  fetch: () => Response.json({
    report: runVectors(embeddedLists(), isbot),
    id: hitId('0e9b2c54-7c0a-4a1e-9a53-2f6f6d1c8b11', '8f2d1c0b9a8e7d6c'),
  }),
};`;

let runtime: Miniflare;

beforeAll(async () => {
  const bundle = await build({
    stdin: { contents: ENTRY, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    // Neither `node` nor any built-in: what needs one fails to bundle.
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'import'],
  });
  const script = bundle.outputFiles[0]?.text ?? '';
  runtime = new Miniflare({ modules: true, script, compatibilityDate: '2026-04-01' });
});

afterAll(() => runtime.dispose());

it('vectors are all met inside workerd, and ids are the same as in Node', async () => {
  const { hitId } = await import('./index.ts');
  const response = await runtime.dispatchFetch('http://vectors.example/');
  const { report, id } = (await response.json()) as { report: VectorReport; id: string };
  expect(report.failures).toEqual([]);
  expect(report.ran).toBeGreaterThan(300);
  expect(id).toBe(hitId('0e9b2c54-7c0a-4a1e-9a53-2f6f6d1c8b11', '8f2d1c0b9a8e7d6c'));
});
