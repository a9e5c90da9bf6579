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
  it('offers what was open last, then commands, the pages in their order and properties, each once', () => {
    const known = [
      ...['Overview', 'Bots', 'Live', 'Visits', 'Pages', 'Trust', 'Settings'].map((name) =>
        entry('page', name),
      ),
      entry('page', 'Failures', { parent: 'Pages' }),
      entry('setting', 'Name'),
      entry('property', 'Other shop'),
      entry('action', 'Copy'),
      entry('action', 'Rotate a key', { isRare: true }),
    ];
    expect(listed(offeredAtFirst([entry('page', 'Bots')], known))).toEqual([
      ['Recent', 'Bots'],
      ['Commands', 'Copy'],
      ['Go to', 'Overview', 'Live', 'Visits', 'Pages', 'Trust', 'Settings', 'Failures'],
      ['Properties', 'Other shop'],
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
      ['Go to', 'Set'],
      ['Settings', 'Setting one'],
    ]);
    const found = [entry('docs', 'Set'), entry('path', '/set'), entry('page', 'Set')];
    expect(listed(offeredFor('set', known, found))).toEqual([
      ...before,
      ['Site pages', '/set'],
      ['Docs', 'Set'],
    ]);
  });

  it('has each kind once, and what can be done before what can be read', () => {
    const some = [entry('docs', 'Set', { words: 'set' }), entry('action', 'Set up'), entry('bot', 'Setbot')];
    const found = [entry('bot', 'Old setbot'), entry('docs', 'Setting')];
    expect(listed(offeredFor('set', some, found))).toEqual([
      ['Commands', 'Set up'],
      ['Bots', 'Setbot', 'Old setbot'],
      ['Docs', 'Set', 'Setting'],
    ]);
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
