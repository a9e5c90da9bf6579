import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import golden from '../../vectors/manifest.json' with { type: 'json' };
import { isPortableToolName } from './manifest.ts';
import { checkManifestBody, formatManifestTime, parseManifestTime } from './shape.ts';

const [search, add] = golden.body.tools;
const body = (members: object) => ({ ...golden.body, ...members });
const tool = (members: object) => body({ tools: [{ ...search, ...members }] });
const schema = (members: object) => tool({ inputSchema: { type: 'object', ...members } });
const nested = (depth: number): object => (depth === 1 ? {} : { items: nested(depth - 1) });
const pointers = (value: unknown) => checkManifestBody(value).map(({ pointer }) => pointer);

describe('checkManifestBody', () => {
  it.each<[string, unknown]>([
    ['the golden manifest', golden.body],
    ['a later minor version with a member that we do not know', body({ version: '1.7', tags: ['a'] })],
    ['no tools', body({ tools: [] })],
    ['fifty tools', body({ tools: Array.from({ length: 50 }, (_, i) => ({ ...search, name: `t${i}` })) })],
    ['both page and endpoint', tool({ endpoint: 'https://mcp.example/' })],
    ['a name of 128 characters', tool({ name: 'a'.repeat(128) })],
    ['a description of 1024 characters', tool({ description: 'é'.repeat(1024) })],
    ['a schema of depth 10', schema({ items: nested(9) })],
    ['local references', schema({ $defs: { a: {} }, properties: { x: { $ref: '#/$defs/a' } } })],
    ['the dialect by its name', schema({ $schema: 'https://json-schema.org/draft/2020-12/schema' })],
    ['an output schema', tool({ outputSchema: { type: 'object' } })],
    ['a host of one label', body({ hosts: ['localhost'], tools: [add] })],
    ['an internationalized host', body({ hosts: ['xn--gre-zna5q.example'], tools: [] })],
  ])('takes %s', (_, value) => {
    expect(checkManifestBody(value)).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['an array', [], ''],
    ['null', null, ''],
    ['a signature', body({ signature: 'x..y' }), '/signature'],
    ['version 2.0', body({ version: '2.0' }), '/version'],
    ['version 1', body({ version: '1' }), '/version'],
    [
      'an upper-case id',
      body({ attribution_id: golden.body.attribution_id.toUpperCase() }),
      '/attribution_id',
    ],
    ['no id', body({ attribution_id: null }), '/attribution_id'],
    ['a time with an offset', body({ issued_at: '2026-11-21T03:00:00+00:00' }), '/issued_at'],
    ['a time with a fraction', body({ issued_at: '2026-11-21T03:00:00.5Z' }), '/issued_at'],
    ['a day that is none', body({ expires_at: '2027-02-30T03:00:00Z' }), '/expires_at'],
    ['an end before the start', body({ expires_at: golden.body.issued_at }), '/expires_at'],
    ['no hosts', body({ hosts: [], tools: [] }), '/hosts'],
    [
      '101 hosts',
      body({ hosts: Array.from({ length: 101 }, (_, i) => `h${i}.example`), tools: [] }),
      '/hosts',
    ],
    ['a wildcard', body({ hosts: ['shop.example', '*.shop.example'] }), '/hosts/1'],
    ['an upper-case host', body({ hosts: ['shop.example', 'Shop.example'] }), '/hosts/1'],
    ['a host with a port', body({ hosts: ['shop.example', 'a.example:443'] }), '/hosts/1'],
    ['a host with a trailing dot', body({ hosts: ['shop.example', 'a.example.'] }), '/hosts/1'],
    ['a host with a newline', body({ hosts: ['shop.example', 'a.example\n'] }), '/hosts/1'],
    ['a URL for a host', body({ hosts: ['shop.example', 'https://a.example'] }), '/hosts/1'],
    ['a host twice', body({ hosts: ['shop.example', 'shop.example'] }), '/hosts/1'],
    [
      '51 tools',
      body({ tools: Array.from({ length: 51 }, (_, i) => ({ ...search, name: `t${i}` })) }),
      '/tools',
    ],
    ['a tool that is a text', body({ tools: ['search'] }), '/tools/0'],
    ['a blank in a name', tool({ name: 'search products' }), '/tools/0/name'],
    ['an empty name', tool({ name: '' }), '/tools/0/name'],
    ['a name of 129 characters', tool({ name: 'a'.repeat(129) }), '/tools/0/name'],
    ['a name with a newline at its end', tool({ name: 'search\n' }), '/tools/0/name'],
    ['one name for two tools', body({ tools: [search, { ...add, name: search?.name }] }), '/tools/1/name'],
    ['an empty title', tool({ title: '' }), '/tools/0/title'],
    ['a blank description', tool({ description: ' ' }), '/tools/0/description'],
    ['a description of 1025 characters', tool({ description: 'x'.repeat(1025) }), '/tools/0/description'],
    ['no schema', tool({ inputSchema: null }), '/tools/0/inputSchema'],
    ['an array for a schema', tool({ inputSchema: [] }), '/tools/0/inputSchema'],
    ['a root that is no object', tool({ inputSchema: { type: 'string' } }), '/tools/0/inputSchema/type'],
    ['an output that is no object', tool({ outputSchema: {} }), '/tools/0/outputSchema/type'],
    [
      'an older dialect',
      schema({ $schema: 'http://json-schema.org/draft-07/schema#' }),
      '/tools/0/inputSchema/$schema',
    ],
    [
      'a reference over the network',
      schema({ properties: { a: { $ref: 'https://evil.example/s' } } }),
      '/tools/0/inputSchema/properties/a/$ref',
    ],
    [
      'a dynamic reference over the network',
      schema({ items: [{ $dynamicRef: 'x#y' }] }),
      '/tools/0/inputSchema/items/0/$dynamicRef',
    ],
    ['a schema of depth 11', schema({ items: nested(10) }), `/tools/0/inputSchema${'/items'.repeat(10)}`],
    ['a schema of more than 16 KiB', schema({ title: 'x'.repeat(16 * 1024) }), '/tools/0/inputSchema'],
    [
      'a hint that is a text',
      tool({ annotations: { readOnlyHint: 'yes' } }),
      '/tools/0/annotations/readOnlyHint',
    ],
    ['annotations that are a list', tool({ annotations: [] }), '/tools/0/annotations'],
    ['a tool without a place', tool({ page: undefined }), '/tools/0/page'],
    ['a tool that no one can call', body({ tools: [{ ...search, page: null }] }), '/tools/0/page'],
    ['a page on another host', tool({ page: 'https://evil.example/' }), '/tools/0/page'],
    [
      'a page on a host that only begins alike',
      tool({ page: 'https://shop.example.evil.example/' }),
      '/tools/0/page',
    ],
    ['a page over http', tool({ page: 'http://shop.example/' }), '/tools/0/page'],
    ['a page with credentials', tool({ page: 'https://u:p@shop.example/' }), '/tools/0/page'],
    ['a script for a page', tool({ page: 'javascript:alert(1)' }), '/tools/0/page'],
    ['an endpoint over http', tool({ endpoint: 'http://mcp.example/' }), '/tools/0/endpoint'],
    [
      'a fraction',
      schema({ properties: { a: { multipleOf: 0.01 } } }),
      '/tools/0/inputSchema/properties/a/multipleOf',
    ],
    ['an integer beyond 2^53', schema({ maxProperties: 2 ** 53 }), '/tools/0/inputSchema/maxProperties'],
    ['half a character', tool({ description: '\ud800' }), '/tools/0/description'],
    ['a DEL, which jq writes in its own way', tool({ description: 'a\u007f' }), '/tools/0/description'],
    ['a member name beyond ASCII', schema({ properties: { größe: {} } }), '/tools/0/inputSchema/properties'],
    ['a value that is no JSON', tool({ added: new Date(0) }), '/tools/0/added'],
    ['more than 255 KiB', body({ note: 'x'.repeat(255 * 1024) }), ''],
  ])('refuses %s', (_, value, pointer) => {
    expect(pointers(value)).toEqual([pointer]);
  });

  it('takes a tool of nothing but a name and an input schema', () => {
    expect(pointers(body({ tools: [{ name: 'search', inputSchema: { type: 'object' } }] }))).toEqual([]);
  });

  it('answers for any value, with twenty problems at most', () => {
    let bomb: unknown = 1;
    for (let depth = 0; depth < 50_000; depth++) bomb = [bomb];
    expect(pointers(body({ bomb }))).toEqual(['']);
    expect(pointers(body({ tools: Array.from({ length: 50 }, () => ({})) }))).toHaveLength(20);
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom('hosts', 'tools', 'issued_at', 'x'), (value, member) => {
        expect(checkManifestBody(value).length).toBeGreaterThan(0);
        expect(checkManifestBody(body({ [member]: value })).length).toBeLessThanOrEqual(20);
      }),
    );
  });
});

describe('times', () => {
  it('are read back as they were written, to the second', () => {
    const instant = fc.integer({ min: 0, max: 4_102_444_800 });
    fc.assert(
      fc.property(instant, (s) => {
        expect(parseManifestTime(formatManifestTime(s * 1000 + 999))).toBe(s * 1000);
      }),
    );
    for (const text of ['2026-11-21', '2026-11-21T24:00:00Z', '2026-11-21t03:00:00z', 7, null])
      expect(parseManifestTime(text)).toBe(null);
  });
});

it('knows the names that every model API takes', () => {
  expect(['search_products', 'cart.add', 'a'.repeat(65)].map(isPortableToolName)).toEqual([
    true,
    false,
    false,
  ]);
});
