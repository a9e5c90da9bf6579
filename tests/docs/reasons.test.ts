import { readFile } from 'node:fs/promises';
import { VERDICT_REASONS } from '@ghostlight/core';
import { expect, it } from 'vitest';

it.each(['reports.md', 'sending-data.md'])('%s names every verification reason', async (file) => {
  const text = await readFile(new URL(`../../docs/${file}`, import.meta.url), 'utf8');
  expect(Object.keys(VERDICT_REASONS).filter((reason) => !text.includes(`\`${reason}\``))).toEqual([]);
});
