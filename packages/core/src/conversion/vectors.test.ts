import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { expect, it } from 'vitest';
import channelVectors from '../../vectors/conversion-channels.json' with { type: 'json' };
import { type ConversionVectorReport, runConversionVectors } from '../../vectors/run-conversion.ts';
import { CHANNELS } from './channels.ts';

it('conversion vectors are all met in Node', () => {
  const report = runConversionVectors();
  expect(report.failures).toEqual([]);
  expect(report.ran).toBeGreaterThan(200);
});

it('conversion vectors are all met inside workerd', async () => {
  const built = await build({
    stdin: {
      contents: `
        import { runConversionVectors } from '../../vectors/run-conversion.ts';
        export default { fetch: () => Response.json(runConversionVectors()) };`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'esm',
    // Neither `node` nor any built-in: what needs one fails to bundle.
    platform: 'neutral',
  });
  const script = built.outputFiles[0]?.text ?? '';
  const runtime = new Miniflare({ modules: true, script, compatibilityDate: '2026-04-01' });
  try {
    const response = await runtime.dispatchFetch('http://vectors.example/');
    const report = (await response.json()) as ConversionVectorReport;
    expect(report.failures).toEqual([]);
    expect(report.ran).toBeGreaterThan(200);
  } finally {
    await runtime.dispose();
  }
});

it('every channel has a vector', () => {
  const covered = new Set(channelVectors.cases.map(({ expect: facts }) => facts?.channel));
  expect(Object.keys(CHANNELS).filter((channel) => !covered.has(channel))).toEqual([]);
});
