import { expect, it } from 'vitest';
import { changesOf, draftOf, type SourceSetting, worksUntil } from './source-settings.ts';

const setting = (name: string, kind: SourceSetting['kind']): SourceSetting => ({
  name,
  kind,
  title: name,
  about: '',
});
const FIELDS = [
  setting('ids', 'list'),
  setting('verify', 'text'),
  setting('secret', 'secret'),
  setting('names', 'mapping'),
];
const KEY = { settings: { ids: ['a', 'b'], verify: 'v1', secret: true, names: { ip: ['x', 'y'] } } };
const NONE = new Set<string>();

it('shows a list as lines and a mapping as JSON, and of a secret nothing', () => {
  expect(draftOf(FIELDS, KEY)).toEqual({
    ids: 'a\nb',
    verify: 'v1',
    secret: '',
    names: '{\n  "ip": [\n    "x",\n    "y"\n  ]\n}',
  });
  expect(draftOf(FIELDS, { settings: {} })).toEqual({ ids: '', verify: '', secret: '', names: '' });
});

it('sends what was changed, and leaves a secret that was not entered', () => {
  const draft = draftOf(FIELDS, KEY);
  expect(changesOf(FIELDS, KEY, draft, NONE)).toEqual({ changes: {}, problems: {} });
  const edited = { ...draft, ids: ' a \n\n c', secret: ' new secret ', names: '{"ip":"z"}' };
  expect(changesOf(FIELDS, KEY, edited, NONE).changes).toEqual({
    ids: ['a', 'c'],
    secret: 'new secret',
    names: { ip: 'z' },
  });
});

it('removes what was emptied, and a secret only where that was asked for', () => {
  const empty = { ids: '', verify: ' ', secret: '', names: '' };
  expect(changesOf(FIELDS, KEY, empty, NONE).changes).toEqual({ ids: null, verify: null, names: null });
  expect(changesOf(FIELDS, KEY, draftOf(FIELDS, KEY), new Set(['secret'])).changes).toEqual({ secret: null });
});

it.each(['{', '[]', '"ip"', 'null'])('says at its field that %s is no mapping', (names) => {
  const { changes, problems } = changesOf(FIELDS, KEY, { ...draftOf(FIELDS, KEY), names }, NONE);
  expect(changes).toEqual({});
  expect(Object.keys(problems)).toEqual(['names']);
});

it('knows until when a replaced key works: never longer than it would have', () => {
  const at = '2026-03-01T00:00:00.000Z';
  expect(worksUntil({ expires_at: null }, at, 3_600)).toBe(Date.parse('2026-03-01T01:00:00Z'));
  expect(worksUntil({ expires_at: '2026-03-01T00:10:00.000Z' }, at, 3_600)).toBe(
    Date.parse('2026-03-01T00:10:00Z'),
  );
});
