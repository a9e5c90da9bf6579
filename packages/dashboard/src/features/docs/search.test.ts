import { describe, expect, it } from 'vitest';
import { type DocSection, searchDocs } from './search.ts';

const section = (heading: string, text = '', more: Partial<DocSection> = {}): DocSection => ({
  ...{ path: 'reports', title: 'Reports', anchor: heading.toLowerCase(), heading, text },
  ...more,
});
const found = (sections: DocSection[], text: string) =>
  searchDocs(sections, text, 5).map(({ heading }) => heading);

describe('the search in the docs', () => {
  it('finds sections that contain every word, in the heading before the text', () => {
    const sections = [
      section('Days', 'A day ends at midnight of the time zone.'),
      section('Time zones', 'Of a property.'),
      section('Pages', 'Nothing of the sort.'),
    ];
    expect(found(sections, 'zone time')).toEqual(['Time zones', 'Days']);
    expect(found(sections, 'zone nothing')).toEqual([]);
    expect(found(sections, '   ')).toEqual([]);
  });

  it('prefers the heading that is exactly the query, and the glossary', () => {
    const sections = [
      section('Verified or not'),
      section('Verified', '', { path: 'glossary', title: 'Glossary' }),
      section('Verified'),
    ];
    expect(searchDocs(sections, 'VERIFIED', 3).map(({ href }) => href)).toEqual([
      '/docs/glossary#verified',
      '/docs/reports#verified',
      '/docs/reports#verified or not',
    ]);
  });

  it('names a decision as one, and its sections by it', () => {
    const decision = { path: 'decisions/0003-the-state', title: '3. The state' };
    const sections = [
      section('3. The state', '', { ...decision, anchor: '' }),
      section('Why', 'State.', decision),
    ];
    expect(searchDocs(sections, 'state', 2).map(({ heading, page }) => [heading, page])).toEqual([
      ['Decision 3: The state', ''],
      ['Why', 'Decision 3: The state'],
    ]);
  });

  it('shows the words around the match', () => {
    const text = `${'before '.repeat(40)}needle ${'after '.repeat(40)}`;
    const [hit] = searchDocs([section('Hay', text)], 'needle', 1);
    expect(hit?.snippet).toMatch(/^… .*needle.* …$/);
    expect(hit?.snippet.length).toBeLessThan(130);
  });

  it('ignores accents and case, and survives any text', () => {
    expect(found([section('Café')], 'cafe')).toEqual(['Café']);
    expect(found([section('a.b*c')], '.*')).toEqual([]);
    expect(found([section('x')], 'x '.repeat(10_000))).toEqual(['x']);
  });
});
