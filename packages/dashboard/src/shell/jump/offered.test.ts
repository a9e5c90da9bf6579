import { describe, expect, it } from 'vitest';
import type { Entry } from './entries.tsx';
import type { Kind } from './kinds.tsx';
import { offeredAtFirst, offeredFor, piecesOf } from './offered.ts';

const entry = (kind: Kind, text: string, more: Partial<Entry> = {}): Entry => ({
  ...{ kind, text, value: `${kind} ${text}`, href: `/${text}` },
  ...more,
});
const listed = (groups: ReturnType<typeof offeredFor>) =>
  groups.map(({ title, entries }) => [title, ...entries.map(({ text }) => text)]);

describe('without a text', () => {
  it('offers what was open last, then pages, then actions, each once', () => {
    const known = [
      entry('page', 'Bots'),
      entry('page', 'Pages'),
      entry('setting', 'Name'),
      entry('action', 'Copy'),
      entry('action', 'Rotate a key', { isRare: true }),
    ];
    expect(listed(offeredAtFirst([entry('page', 'Bots')], known))).toEqual([
      ['Recent', 'Bots'],
      ['Pages', 'Pages'],
      ['Actions', 'Copy'],
    ]);
  });
});

describe('with a text', () => {
  const known = [
    entry('setting', 'Setting one'),
    entry('page', 'Set', {}),
    entry('page', 'Sharing', { parent: 'Settings' }),
  ];

  it('orders groups by their best entry, and appends what is found later, the docs at last', () => {
    const before = listed(offeredFor('set', known, []));
    expect(before).toEqual([
      ['Pages', 'Set'],
      ['Settings', 'Setting one'],
    ]);
    const found = [entry('docs', 'Set'), entry('path', '/set'), entry('page', 'Set')];
    expect(listed(offeredFor('set', known, found))).toEqual([...before, ['Paths', '/set'], ['Docs', 'Set']]);
  });

  it('marks what was typed in the name, whatever its case', () => {
    expect(piecesOf('Data settings', 'SET data')).toEqual([
      { text: 'Data', isMatch: true },
      { text: ' ', isMatch: false },
      { text: 'set', isMatch: true },
      { text: 'tings', isMatch: false },
    ]);
    expect(piecesOf('Bots', 'x')).toEqual([{ text: 'Bots', isMatch: false }]);
  });
});
