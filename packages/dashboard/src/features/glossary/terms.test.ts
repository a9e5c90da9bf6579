import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { INTENT_SERIES } from '../reports/figures.ts';
import { definitionOf, readTerms } from './terms.ts';

const SOURCE = fileURLToPath(new URL('../../', import.meta.url));

describe('the glossary', () => {
  it('has the first paragraph of each term, as plain text', () => {
    expect(definitionOf('Spoofed')).toMatch(
      /^The visitor claims to be a bot but isn't: .* shown separately\.$/,
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
      /(?<!\.test)\.tsx?$/.test(name),
    );
    const named = files.flatMap((file) =>
      [...readFileSync(`${SOURCE}${file}`, 'utf8').matchAll(/<Term name="([^"]+)"|\bterm: '([^']+)'/g)].map(
        ([, word, column]) => word ?? column ?? '',
      ),
    );
    const intents = INTENT_SERIES.flatMap(({ term }) => term ?? []);
    expect(intents).toEqual(['training', 'search', 'on-demand']);
    expect(named.length).toBeGreaterThan(30);
    expect([...named, ...intents].filter((name) => definitionOf(name) === '')).toEqual([]);
  });
});
