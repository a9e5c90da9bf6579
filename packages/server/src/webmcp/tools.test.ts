import { generateSigningKey, importSigningKey, type ManifestBody, signManifest } from '@ghostlight/core';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { base64url, compactVerify, importJWK } from 'jose';
import { describe, expect, it } from 'vitest';
import { isDeeperThan } from './bounded-json.ts';
import { createPatternCheck } from './pattern-check.ts';
import { createSchemaCheck } from './schema-check.ts';
import { checkDeclaration, type Declaration } from './tools.ts';
import { tryTool } from './try-tool.ts';
import { createWatchdog } from './watchdog.ts';

const PROPERTY = { id: '3f2b8c1e-7a4d-4c52-9b0e-5d6f7a8b9c01', domain: 'shop.example' };
const NOW = Date.UTC(2026, 10, 21, 3);
const watchdog = createWatchdog();
const checkSchema = createSchemaCheck({ watchdog, checkPattern: createPatternCheck(watchdog) });
const check = (declaration: Declaration) => checkDeclaration(declaration, PROPERTY, NOW, checkSchema);
const tool = (inputSchema: unknown, more: object = {}) => ({
  name: 'search',
  description: 'Finds products.',
  page: 'https://shop.example/search',
  inputSchema,
  ...more,
});
const declare = (...tools: unknown[]): Declaration => ({ hosts: ['shop.example'], tools });
const withSchema = (members: object) => declare(tool({ type: 'object', ...members }));
const text = { type: 'string', description: 'Words' };

describe('a declaration', () => {
  it('that is sound has no problem, and becomes the body that is signed', async () => {
    const { problems, body, document } = await check({
      hosts: ['https://WWW.shop.example/', 'shop.example'],
      tools: [tool({ type: 'object', properties: { query: text }, required: ['query'] })],
    });
    expect(problems).toEqual([]);
    expect(body).toMatchObject({
      version: '1.0',
      attribution_id: PROPERTY.id,
      hosts: ['www.shop.example', 'shop.example'],
      issued_at: '2026-11-21T03:00:00Z',
      expires_at: '2026-11-22T03:00:00Z',
    });
    expect(document).toBe(canonicalize(body));
  });

  it('needs a name and an input schema alone; what agents want besides is recommended', async () => {
    const { problems, body } = await check(
      declare(
        { name: 'search', inputSchema: { query: 'string' } },
        { ...tool({}), name: 'find', description: '' },
      ),
    );
    expect(problems.map(({ pointer, severity }) => [pointer, severity])).toEqual([
      ['/tools/0/description', 'warning'],
      ['/tools/0/page', 'warning'],
      ['/tools/1/description', 'warning'],
    ]);
    expect(body?.tools[0]).toMatchObject({ name: 'search', page: 'https://shop.example/' });
    expect(body?.tools.map((one) => 'description' in one)).toEqual([false, false]);
  });

  it('may say its inputs in the short form', async () => {
    const { body, problems } = await check(declare(tool({ sku: 'string', quantity: 'number' })));
    expect(problems).toEqual([]);
    expect(body?.tools[0]?.inputSchema).toEqual({
      type: 'object',
      properties: { sku: { type: 'string' }, quantity: { type: 'number' } },
      required: ['sku', 'quantity'],
      additionalProperties: false,
    });
  });

  it.each<[string, Declaration, string, RegExp]>([
    ['no host', { hosts: [], tools: [] }, '/hosts', /1 to 100/],
    [
      'a foreign host',
      { hosts: ['shop.example', 'evil.example'], tools: [] },
      '/hosts/1',
      /shop\.example or one of its subdomains/,
    ],
    [
      'a host that only ends alike',
      { hosts: ['notshop.example'], tools: [] },
      '/hosts/0',
      /one of its subdomains/,
    ],
    ['a host that is no text', { hosts: [7], tools: [] }, '/hosts/0', /exact host name/],
    ['two tools of one name', declare(tool({}), tool({})), '/tools/1/name', /two tools/],
    ['a wrong name', declare(tool({}, { name: 'a b' })), '/tools/0/name', /letters/],
    [
      '51 tools',
      declare(...Array.from({ length: 51 }, (_, n) => tool({}, { name: `t${n}` }))),
      '/tools',
      /at most 50/,
    ],
    ['a page elsewhere', declare(tool({}, { page: 'https://www.shop.example/' })), '/tools/0/page', /hosts/],
    ['a keyword that is none', withSchema({ foo: 1 }), '/tools/0/inputSchema/foo', /"foo" is not a keyword/],
    [
      'an extension of one validator',
      withSchema({ properties: { a: { type: 'string', nullable: true } } }),
      '/tools/0/inputSchema/properties/a/nullable',
      /not a keyword/,
    ],
    [
      'a type that is none',
      withSchema({ properties: { a: { type: 'strin' } } }),
      '/tools/0/inputSchema/properties/a/type',
      /not a valid JSON Schema/,
    ],
    [
      'a remote reference',
      withSchema({ properties: { a: { $ref: 'https://evil.example/s' } } }),
      '/tools/0/inputSchema/properties/a/$ref',
      /local/,
    ],
    [
      'a dangling reference',
      withSchema({ properties: { a: { $ref: '#/$defs/no' } } }),
      '/tools/0/inputSchema',
      /does not compile/,
    ],
    [
      'an endless reference',
      withSchema({ allOf: [{ $ref: '#' }] }),
      '/tools/0/inputSchema',
      /itself endlessly/,
    ],
    ['an id', withSchema({ $id: 'https://shop.example/s' }), '/tools/0/inputSchema/$id', /Remove \$id/],
    [
      'a pattern that backtracks',
      withSchema({ properties: { a: { type: 'string', pattern: '^(a+)+$' } } }),
      '/tools/0/inputSchema/properties/a/pattern',
      /backtrack/,
    ],
    [
      'one in patternProperties',
      withSchema({ patternProperties: { '^(a|a)*$': {} } }),
      '/tools/0/inputSchema/patternProperties/^(a|a)*$',
      /backtrack/,
    ],
    [
      'one beyond analysis',
      withSchema({ properties: { a: { type: 'string', pattern: '(a{1000}){1000}' } } }),
      '/tools/0/inputSchema/properties/a/pattern',
      /too complex/,
    ],
    [
      'one that is none',
      withSchema({ properties: { a: { type: 'string', pattern: '[' } } }),
      '/tools/0/inputSchema/properties/a/pattern',
      /not a regular expression/,
    ],
    [
      'a wrong output schema',
      declare(tool({}, { outputSchema: { type: 'object', foo: 1 } })),
      '/tools/0/outputSchema/foo',
      /not a keyword/,
    ],
    [
      'a fraction',
      withSchema({ properties: { a: { type: 'number', multipleOf: 0.01 } } }),
      '/tools/0/inputSchema/properties/a/multipleOf',
      /integers/,
    ],
  ])('with %s is refused at its place', async (_what, declaration, pointer, sentence) => {
    const { problems, body } = await check(declaration);
    expect(body).toBeNull();
    const found = problems.find((problem) => problem.pointer === pointer);
    expect(found, JSON.stringify(problems)).toMatchObject({
      severity: 'error',
      message: expect.stringMatching(sentence),
    });
  });

  it('with one error behind any number of warnings is refused nevertheless', async () => {
    const doubtful = (name: string) =>
      tool(
        {
          type: 'object',
          properties: Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`p${n}`, { minLength: n }])),
        },
        { name },
      );
    const wrong = tool({ type: 'object', foo: 1 }, { name: 'wrong' });
    const { problems, body } = await check(declare(...['a', 'b', 'c', 'd', 'e', 'f'].map(doubtful), wrong));
    expect(problems).toHaveLength(100);
    expect(problems[0]).toMatchObject({ severity: 'error', pointer: '/tools/6/inputSchema/foo' });
    expect(body).toBeNull();
  });

  it('with a schema that is too deep or too large never reaches the compiler', async () => {
    const deep = Array.from({ length: 40 }).reduce((inner: object) => ({ properties: { a: inner } }), {});
    const large = { type: 'object', properties: { a: { enum: ['x'.repeat(17_000)] } } };
    for (const schema of [{ type: 'object', ...deep }, large]) {
      const { problems } = await check(declare(tool(schema)));
      expect(problems.length).toBeGreaterThan(0);
      expect(problems.map(({ message }) => message).join()).toMatch(/deep|KiB/);
    }
  });

  it('whose patterns would keep the service busy is refused instead', async () => {
    const slow = Array.from({ length: 300 }, (_, n) => `(.*${n}){20}`);
    const { problems } = await check(
      withSchema({ patternProperties: Object.fromEntries(slow.map((p) => [p, {}])) }),
    );
    expect(problems.length).toBeLessThanOrEqual(100);
    expect(problems.length).toBeGreaterThan(0);
  });

  it('is advised on names and descriptions, which keeps nothing from being published', async () => {
    const { problems, body } = await check(
      declare(tool({ type: 'object', properties: { sku: { type: 'string' } } }, { name: 'shop.search' })),
    );
    expect(body).not.toBeNull();
    expect(problems).toMatchObject([
      { severity: 'warning', pointer: '/tools/0/name' },
      { severity: 'warning', pointer: '/tools/0/inputSchema/properties/sku' },
    ]);
  });
});

const names = fc.oneof(fc.constantFrom('search', 'a.b', '', 'x'.repeat(129), '__proto__'), fc.string());
const keywords = fc.constantFrom(
  ...[
    'type',
    'properties',
    'required',
    'items',
    'pattern',
    'enum',
    '$ref',
    '$defs',
    'allOf',
    'minimum',
    'format',
    'x',
  ],
);
const { schema: schemas } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small' },
    fc.jsonValue(),
    fc.constantFrom('string', 'object', '#', '#/$defs/a', '^[a-z]+$', true, {}),
    fc.dictionary(keywords, tie('schema'), { maxKeys: 5 }),
    fc.dictionary(fc.string(), tie('schema'), { maxKeys: 3 }),
  ),
}));
const tools = fc.record(
  {
    name: names,
    description: fc.oneof(fc.string(), fc.jsonValue()),
    page: fc.constantFrom('https://shop.example/a', 'http://shop.example', 'x'),
    inputSchema: fc.oneof(
      schemas,
      fc.dictionary(fc.string(), fc.constantFrom('string', 'number', 'integer', 'boolean')),
      fc
        .dictionary(
          fc.stringMatching(/^[a-z]{1,9}$/),
          fc.constantFrom({ type: 'string' }, { type: 'integer', minimum: 1 }),
        )
        .map((properties) => ({ type: 'object', properties })),
    ),
    annotations: fc.option(fc.record({ readOnlyHint: fc.boolean(), title: fc.string({ unit: 'binary' }) })),
  },
  { requiredKeys: [] },
);

describe('whatever is sent', () => {
  it('is answered with problems or becomes a body that verifies with a library that is not ours', async () => {
    const { privateJwk, publicJwk, kid } = await generateSigningKey();
    const privateKey = await importSigningKey(privateJwk);
    const publicKey = await importJWK({ ...publicJwk });
    let accepted = 0;
    const declarations = fc.record({
      hosts: fc.oneof(
        fc.constant(['shop.example']),
        fc.array(fc.oneof(fc.domain(), fc.jsonValue()), { maxLength: 3 }),
      ),
      tools: fc.oneof(
        fc.array(fc.oneof(tools, fc.jsonValue()), { maxLength: 4 }),
        fc
          .string({ maxLength: 20 })
          .map((description) => [
            tool({ type: 'object', properties: { query: text } }, { description: `What: ${description}` }),
          ]),
      ),
    });
    await fc.assert(
      fc.asyncProperty(declarations, async (declaration) => {
        const { body, problems } = await check(declaration);
        for (const { pointer, message } of problems) {
          expect(pointer).toMatch(/^(\/|$)/);
          expect(message).not.toBe('');
        }
        expect(body === null).toBe(problems.some(({ severity }) => severity === 'error'));
        if (body === null) return;
        accepted += 1;
        const jku = 'https://app.example/jwks.json';
        const { signature, ...signed } = JSON.parse(
          await signManifest(body as ManifestBody, { privateKey, kid, jku }),
        );
        const jws = signature.replace('..', `.${base64url.encode(canonicalize(signed) ?? '')}.`);
        expect((await compactVerify(jws, publicKey)).protectedHeader).toMatchObject({ alg: 'EdDSA', kid });
      }),
      { numRuns: 300 },
    );
    expect(accepted).toBeGreaterThan(20);
  });

  it('has its depth measured without recursion', () => {
    let deep: unknown = {};
    for (let level = 0; level < 200_000; level += 1) deep = [deep];
    expect(isDeeperThan(64, deep)).toBe(true);
    expect(isDeeperThan(2, { a: [1] })).toBe(false);
    expect(isDeeperThan(2, { a: [[1]] })).toBe(true);
  });
});

describe('trying a tool', () => {
  const attempt = (schema: unknown, args: unknown) =>
    tryTool({ inputSchema: schema }, args, PROPERTY, { checkSchema, watchdog });

  it('says at which argument the schema stops it', async () => {
    const short = { sku: 'string', quantity: 'number' };
    expect(await attempt(short, { sku: 'a', quantity: 1 })).toEqual({ valid: true, errors: [] });
    const { valid, errors } = await attempt(short, { quantity: '1', colour: 'red' });
    expect(valid).toBe(false);
    expect(errors.map(({ pointer }) => pointer).sort()).toEqual(['/colour', '/quantity', '/sku']);
    expect(await attempt(short, [])).toMatchObject({ valid: false, errors: [{ pointer: '' }] });
  });

  it('ends where references double at every step', async () => {
    const levels = Array.from({ length: 60 }, (_, n) => [
      `d${n}`,
      { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
    ]);
    const schema = {
      type: 'object',
      $defs: { ...Object.fromEntries(levels), d60: { type: 'integer' } },
      properties: { a: { $ref: '#/$defs/d0' } },
    };
    await expect(attempt(schema, { a: 1 })).rejects.toMatchObject({
      code: 'invalid',
      errors: [{ pointer: '/tool/inputSchema', message: expect.stringContaining('References multiply') }],
    });
    const { problems } = await check(declare(tool(schema)));
    expect(problems).toContainEqual(
      expect.objectContaining({ pointer: '/tools/0/inputSchema', severity: 'error' }),
    );
  });

  it('takes definitions that are shared, and recursion with a place to stop', async () => {
    const node = {
      type: 'object',
      properties: { left: { $ref: '#/$defs/node' }, right: { $ref: '#/$defs/node' } },
    };
    const address = { type: 'object', properties: { city: { type: 'string' }, street: { type: 'string' } } };
    const names = Array.from({ length: 40 }, (_, n) => [`a${n}`, { $ref: '#/$defs/address' }]);
    const schema = {
      type: 'object',
      $defs: { node, address },
      properties: { tree: { $ref: '#/$defs/node' }, ...Object.fromEntries(names) },
    };
    expect(await attempt(schema, { tree: { left: {} }, a0: { city: 'x' } })).toEqual({
      valid: true,
      errors: [],
    });
  });

  it('sends a wrong schema back with places in the tool', async () => {
    await expect(attempt({ type: 'object', foo: 1 }, {})).rejects.toMatchObject({
      code: 'invalid',
      errors: [{ pointer: '/tool/inputSchema/foo' }],
    });
  });
});
