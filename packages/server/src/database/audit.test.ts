import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CHANGE_ACTIONS, changesOf, hidden, prefixed } from './index.ts';

describe('what a change was', () => {
  it('is the values before and after, of what differs', () => {
    const before = { name: 'Shop', domain: 'shop.example', enabled: true, kinds: null, days: 7 };
    const after = { name: 'Shop 2', domain: 'shop.example', enabled: false, kinds: ['spike'], days: 30 };
    expect(changesOf(before, after)).toEqual([
      { what: 'name', before: 'Shop', after: 'Shop 2' },
      { what: 'enabled', before: true, after: false },
      { what: 'kinds', before: null, after: '["spike"]' },
      { what: 'days', before: 7, after: 30 },
    ]);
    expect(changesOf(before, before)).toEqual([]);
    expect(changesOf({ kept: 1, gone: 2 }, { kept: 1 })).toEqual([{ what: 'gone', before: 2, after: null }]);
  });

  it('has texts of bounded length, cut between characters', () => {
    const [change] = changesOf({ name: '' }, { name: '😀'.repeat(500) });
    expect(String(change?.after).length).toBeLessThanOrEqual(201);
    expect(String(change?.after).isWellFormed()).toBe(true);
  });

  it('shows where long texts differ, wherever that is', () => {
    const hosts = Array.from({ length: 12 }, (_, n) => `shop-${n}.somewhere.example`);
    expect(changesOf({ hosts }, { hosts })).toEqual([]);
    const [added] = changesOf({ hosts: hosts.slice(0, -1) }, { hosts });
    expect(added?.before).not.toContain('shop-11');
    expect(added?.after).toContain('"shop-11.somewhere.example"]');
    const [removed] = changesOf({ hosts }, { hosts: hosts.slice(1) });
    expect([removed?.before, removed?.after]).toEqual([
      expect.stringMatching(/^\["shop-0\..*…$/),
      expect.stringMatching(/^\["shop-1\..*…$/),
    ]);
  });

  it('says of a secret that it was set, replaced or removed, and never the secret', () => {
    const before = prefixed('credentials', {
      token: hidden('s3cret-1'),
      same: hidden('s3cret-2'),
      old: hidden('s3cret-3'),
    });
    const after = prefixed('credentials', {
      token: hidden('s3cret-4'),
      same: hidden('s3cret-2'),
      new: hidden('s3cret-5'),
    });
    const changes = changesOf(before, after);
    expect(changes).toEqual([
      { what: 'credentials.token', before: null, after: 'replaced' },
      { what: 'credentials.new', before: null, after: 'set' },
      { what: 'credentials.old', before: null, after: 'removed' },
    ]);
    expect(changesOf({ secret: hidden(null) }, { secret: hidden(undefined) })).toEqual([]);
    expect(changesOf({ secret: hidden('s3cret-1') }, { secret: null })).toEqual([
      { what: 'secret', before: null, after: 'removed' },
    ]);
    // Also where it is a part of something that is shown.
    const nested = changesOf({ list: [] }, { list: [hidden('s3cret-6')] });
    expect(JSON.stringify([changes, nested])).not.toContain('s3cret');
  });
});

describe('the register of changes', () => {
  /** Of a person, or of their password: the log says that it was changed, and not to what. */
  const WITHOUT_VALUES = ['password.changed', 'person.renamed'];
  const root = new URL('../', import.meta.url);
  const sources = globSync('**/*.ts', { cwd: root, exclude: ['**/*.test.ts', 'database/audit.ts'] })
    .map((path) => readFileSync(new URL(path, root), 'utf8'))
    .filter((text) => /\baudit(?:Change|Person)?\(/.test(text))
    .join('\n');

  it('has every action whose name says that settings were changed', () => {
    const named =
      sources.match(
        /(?<=['`])[a-z_]{3,}\.(?:\w*updated|\w*changed|set|limited|renamed|configured|rotated)(?=['`])/g,
      ) ?? [];
    const known = new Set<string>([...CHANGE_ACTIONS, ...WITHOUT_VALUES]);
    expect(named.filter((action) => !known.has(action))).toEqual([]);
    expect(named.length).toBeGreaterThan(10);
  });

  it('has no action that nothing writes', () => {
    const made = (action: string) => sources.includes(`'${action}'`) || /^member\.made_/.test(action);
    expect(CHANGE_ACTIONS.filter((action) => !made(action))).toEqual([]);
  });
});
