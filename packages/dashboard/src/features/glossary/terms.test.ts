import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { definitionOf, readTerms } from './terms.ts';

const SOURCE = fileURLToPath(new URL('../../', import.meta.url));

describe('the glossary', () => {
  it('has the first paragraph of each term, as plain text', () => {
    expect(definitionOf('Spoofed')).toMatch(
      /^The visit claims to be a bot that it is not: .* beside the figures\.$/,
    );
    expect(definitionOf('nothing like that')).toBe('');
    const terms = readTerms(
      '# G\n\n## A term\n\nOne *two*\n[three](x.md#y).\n\nMore.\n\n## Other\n\nFour.\n',
    );
    expect([...terms]).toEqual([
      ['a term', 'One two three.'],
      ['other', 'Four.'],
    ]);
  });

  it('defines every term that a page names', () => {
    const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.tsx'),
    );
    const named = files.flatMap((file) =>
      [...readFileSync(`${SOURCE}${file}`, 'utf8').matchAll(/<Term name="([^"]+)"/g)].map(
        ([, name = '']) => name,
      ),
    );
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => definitionOf(name) === '')).toEqual([]);
  });
});
