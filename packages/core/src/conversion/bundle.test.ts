import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

async function bundle(names: string): Promise<string> {
  const resolveDir = fileURLToPath(new URL('.', import.meta.url));
  const built = await build({
    stdin: { contents: `export { ${names} } from '../index.ts';`, resolveDir, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    minify: true,
  });
  return built.outputFiles[0]?.text ?? '';
}

const CURRENCIES = 'BIF CLP DJF';
const SOURCES = 'facebook.com';
const PAYMENTS = 'paypal.com';
const BOTS = 'GPTBot';

it('describing arrivals brings neither currencies nor the schema', async () => {
  const script = await bundle('describeArrival, needsTouch');
  for (const needed of [SOURCES, PAYMENTS]) expect(script).toContain(needed);
  for (const trace of [CURRENCIES, BOTS, 'conversion_id']) expect(script).not.toContain(trace);
  expect(script.length).toBeLessThan(16_000);
});

it('reading events brings neither the channels’ lists nor attribution', async () => {
  const script = await bundle('readBrowserEvent, readConversion');
  expect(script).toContain(CURRENCIES);
  for (const trace of [SOURCES, PAYMENTS, BOTS, 'time_decay']) expect(script).not.toContain(trace);
  expect(script.length).toBeLessThan(18_000);
});

it('money and attribution bring nothing else', async () => {
  const script = await bundle('addDecimal, attribute, credit');
  for (const trace of [CURRENCIES, SOURCES, PAYMENTS, BOTS, 'conversion_id'])
    expect(script).not.toContain(trace);
});

it('other parts of core bring nothing of conversions', async () => {
  const script = await bundle('truncateIp, compileReferrers');
  for (const trace of [CURRENCIES, SOURCES, PAYMENTS, 'conversion_id', 'gclid'])
    expect(script).not.toContain(trace);
});
