import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { snippet } from './snippet.ts';

const SAMPLE = snippet({
  attributionId: '3f2b8c1e-7a4d-4c52-9b0e-5d6f7a8b9c01',
  endpoint: 'https://ghostlight.shop.example/',
});

it.each(['packages/sdk/README.md', 'docs/sdk.md'])('%s shows it as it is', (path) => {
  expect(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')).toContain(SAMPLE);
});

it('can’t be left by what it is filled with', () => {
  const text = snippet({ attributionId: '</script><script>alert(1)', endpoint: 'https://x"+alert(1)+"' });
  expect(text.match(/<\/?script/g)).toEqual(['<script', '</script']);
  expect(text).toContain('"https://x\\"+alert(1)+\\""');
});
