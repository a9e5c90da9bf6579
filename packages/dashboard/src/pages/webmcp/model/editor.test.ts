import { describe, expect, it } from 'vitest';
import { hostOf, suggestedHost } from '../editor/HostsEditor.tsx';
import type { Tool } from '../types.ts';
import { differenceOf, isSame, summaryOf } from './difference.ts';
import { declarationOf, type Edit, EMPTY_EDITOR, edit } from './editor.ts';
import { TEMPLATES } from './templates.ts';

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  description: 'Does it.',
  inputSchema: { type: 'object', properties: {} },
  ...more,
});
const PUBLISHED = { hosts: ['shop.example'], tools: [tool('a'), tool('b'), tool('c')] };
const LOADED = edit(EMPTY_EDITOR, { type: 'load', declaration: PUBLISHED, edited: false });
const names = (editor: typeof LOADED) => editor.tools.map((each) => each.tool.name).join(' ');
const apply = (...actions: Edit[]) => actions.reduce(edit, LOADED);

describe('the editor', () => {
  it('returns what it loaded, including unknown members', () => {
    const declaration = {
      hosts: ['a.example'],
      tools: [{ ...tool('a'), outputSchema: { type: 'object' } }],
    };
    const loaded = edit(EMPTY_EDITOR, { type: 'load', declaration, edited: false });
    expect(declarationOf(loaded)).toEqual(declaration);
    expect(loaded).toMatchObject({ revision: 0, selected: 't1' });
  });

  it('moves within bounds, and keeps the open tool open', () => {
    const moved = apply({ type: 'select', key: 't3' }, { type: 'move', key: 't3', to: -4 });
    expect(names(moved)).toBe('c a b');
    expect(moved.selected).toBe('t3');
    expect(names(edit(moved, { type: 'move', key: 't3', to: 99 }))).toBe('a b c');
  });

  it('opens the neighbour of a removed tool, and restores it at its place', () => {
    const removed = apply({ type: 'select', key: 't2' }, { type: 'remove', key: 't2' });
    expect([names(removed), removed.selected]).toEqual(['a c', 't3']);
    const back = edit(removed, { type: 'undo-remove' });
    expect([names(back), back.selected, back.removed]).toEqual(['a b c', 't2', null]);
  });

  it('copies under a free name', () => {
    const twice = apply({ type: 'duplicate', key: 't1' }, { type: 'duplicate', key: 't1' });
    expect(names(twice)).toBe('a a_copy_2 a_copy b c');
    expect(new Set(twice.tools.map(({ key }) => key)).size).toBe(5);
  });

  it('counts edits, but not a change of notation', () => {
    const input = { mode: 'json', text: '{}' } as const;
    expect(apply({ type: 'input', key: 't1', input, same: true }).revision).toBe(0);
    expect(apply({ type: 'input', key: 't1', input }).revision).toBe(1);
  });

  it('keeps a tool that is being edited when the same content is loaded again', () => {
    const schema = { properties: {}, type: 'object' };
    const input = { mode: 'json', text: JSON.stringify(schema) } as const;
    const edited = apply({ type: 'select', key: 't2' }, { type: 'input', key: 't2', input });
    const tools = [tool('b', { inputSchema: { type: 'object', properties: {} } }), tool('b'), tool('a')];
    const again = edit(edited, { type: 'load', declaration: { hosts: [], tools }, edited: false });
    expect(again.tools.map(({ key }) => key)).toEqual(['t2', 't5', 't1']);
    expect(again.tools[0]?.input).toEqual(input);
    expect(again.selected).toBe('t2');
  });

  it('keeps invalid schema text in the draft', () => {
    const broken = apply({ type: 'input', key: 't1', input: { mode: 'json', text: '{"' } });
    const declaration = declarationOf(broken);
    expect(declaration.tools[0]?.inputSchema).toBe('{"');
    const again = edit(EMPTY_EDITOR, { type: 'load', declaration, edited: false });
    expect(again.tools[0]?.input).toEqual({ mode: 'json', text: '{"' });
  });
});

describe('what publishing would change', () => {
  it('is nothing when only the order of members differs', () => {
    const schema = { properties: {}, type: 'object' };
    const same = { ...PUBLISHED, tools: [tool('a', { inputSchema: schema }), tool('b'), tool('c')] };
    expect(isSame(differenceOf(PUBLISHED, same))).toBe(true);
    expect(summaryOf(differenceOf(PUBLISHED, same))).toBe('');
  });

  it('names what was added, changed, removed, moved', () => {
    const difference = differenceOf(PUBLISHED, {
      hosts: ['www.shop.example'],
      tools: [tool('c'), tool('a', { title: 'A', page: 'https://shop.example/' }), tool('d')],
    });
    expect(difference).toEqual({
      added: ['d'],
      removed: ['b'],
      changed: [{ name: 'a', members: ['title', 'page'] }],
      reordered: true,
      hostsAdded: ['www.shop.example'],
      hostsRemoved: ['shop.example'],
    });
    expect(summaryOf(difference)).toBe('1 added, 1 changed, 1 removed, reordered, hosts changed');
  });
});

it.each([
  ['https://Shop.Example/cart?x=1', 'shop.example'],
  [' WWW.shop.example ', 'www.shop.example'],
  ['shop.example:8443', 'shop.example'],
  ['not a host', 'not a host'],
  ['', ''],
])('reads the host of %j', (typed, host) => {
  expect(hostOf(typed)).toBe(host);
});

it('suggests the property’s domain first, then its www. host, never a parent domain', () => {
  expect(suggestedHost([], 'shop.example')).toBe('shop.example');
  expect(suggestedHost(['shop.example'], 'shop.example')).toBe('www.shop.example');
  expect(suggestedHost(['www.shop.example'], 'www.shop.example')).toBeNull();
  expect(suggestedHost(['shop.example', 'www.shop.example'], 'shop.example')).toBeNull();
});

it('offers complete templates for the host of the site', () => {
  for (const { tool: make } of TEMPLATES) {
    const made = make('shop.example');
    expect(made.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(made.description.length).toBeGreaterThan(60);
    expect(made.page).toMatch(/^https:\/\/shop\.example\//);
  }
});
