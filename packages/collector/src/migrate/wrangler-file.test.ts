import fc from 'fast-check';
import { stringify } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { planMigration } from './plan.ts';
import { recognise } from './recognise.ts';
import type { Repository } from './repository.ts';
import { OLD_JSONC, OLD_TOML, oldRepository } from './testing/old-repositories.ts';
import { editWranglerFile, readWranglerFile } from './wrangler-file.ts';

const BUILD = ['build', 'no_bundle', 'tsconfig'];

describe('an edit changes one thing and no other byte', () => {
  it('of TOML', () => {
    const file = readWranglerFile('wrangler.toml', OLD_TOML);
    expect(editWranglerFile(file, { main: 'src/index.js', remove: BUILD })).toBe(
      OLD_TOML.replace('index.ts', 'index.js'),
    );
  });

  it('of JSON with comments and trailing commas', () => {
    const file = readWranglerFile('wrangler.jsonc', OLD_JSONC);
    expect(editWranglerFile(file, { main: 'src/index.js', remove: BUILD })).toBe(
      OLD_JSONC.replace('index.ts', 'index.js'),
    );
  });

  it('of TOML with Windows line ends and without a main', () => {
    const text = OLD_TOML.replace(/main = .*\n/, '').replaceAll('\n', '\r\n');
    const edited = editWranglerFile(readWranglerFile('wrangler.toml', text), {
      main: 'src/index.js',
      remove: [],
    });
    expect(edited).toBe(`main = "src/index.js"\r\n${text}`);
  });
});

describe('a build of its own goes', () => {
  it.each([
    ['a table', `[build]\ncommand = "make"\n\n[build.upload]\nformat = "modules"\n`],
    ['a dotted table', `["build"]\ncommand = "make" # with [vars] in it\n`],
  ])('%s of TOML', (_, table) => {
    const edited = editWranglerFile(readWranglerFile('wrangler.toml', `${OLD_TOML}${table}`), {
      main: 'src/index.ts',
      remove: BUILD,
    });
    expect(edited).toBe(OLD_TOML);
  });

  it('values of the root table of TOML', () => {
    const text = `no_bundle = true\nbuild.command = "make"\ntsconfig = "tsconfig.json"\n${OLD_TOML}`;
    expect(
      editWranglerFile(readWranglerFile('wrangler.toml', text), { main: 'src/index.ts', remove: BUILD }),
    ).toBe(OLD_TOML);
  });

  it('members of JSON', () => {
    const text = OLD_JSONC.replace('"vars"', '"build": { "command": "make" },\n  "vars"');
    const edited = editWranglerFile(readWranglerFile('wrangler.jsonc', text), {
      main: 'src/index.ts',
      remove: BUILD,
    });
    expect(edited).not.toContain('make');
    expect(edited).toContain('// Our edge collector.');
  });

  it('or, where a text edit would break more than that, a message asks the person to do it', () => {
    const text = `${OLD_TOML}[build]\ncommand = """\n[vars]\n"""\n`;
    expect(() =>
      editWranglerFile(readWranglerFile('wrangler.toml', text), { main: 'src/index.ts', remove: BUILD }),
    ).toThrow(/can't be edited by this command: .* remove build by hand/);
  });
});

it.each([
  ['wrangler.toml', 'name = "a"\nmain = [\n', /^wrangler\.toml:\d+ is no TOML/],
  ['wrangler.jsonc', '{\n  "name": "a"\n  "main": 1\n}', /^wrangler\.jsonc:3 is no JSON: CommaExpected/],
  ['wrangler.json', '[]', /holds no JSON object/],
])('tells where %s can’t be read', (path, text, sentence) => {
  expect(() => readWranglerFile(path, text)).toThrow(sentence);
});

describe('variables, routes and bindings are the same before and after', () => {
  const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,12}$/).filter((key) => key !== '__proto__');
  // Quotes, brackets, comment signs and line ends are what would mislead an edit of text.
  const value = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.constantFrom('#', '[vars]', '"', "'", 'a\nmain = "x"', '//', '/*', ','),
  );
  const host = fc.constantFrom('shop.example', 'www.shop.example');
  const file = fc.record(
    {
      main: fc.constantFrom('src/index.ts', './src/index.ts', 'dist/worker.js'),
      name,
      account_id: fc.constant('ab12'),
      build: fc.record({ command: value }),
      no_bundle: fc.boolean(),
      routes: fc.array(fc.record({ pattern: host.map((text) => `*.${text}/*`), zone_name: host }), {
        maxLength: 3,
      }),
      vars: fc.dictionary(name, fc.oneof(value, fc.boolean(), fc.integer({ min: 0, max: 1000 }))),
      kv_namespaces: fc.array(fc.record({ binding: name, id: value }), { maxLength: 2 }),
      env: fc.dictionary(name, fc.record({ vars: fc.dictionary(name, value) }), { maxKeys: 2 }),
    },
    { requiredKeys: [] },
  );
  const written = fc.constantFrom(
    { path: 'wrangler.toml', write: (values: object) => `# ours\n${stringify(values)}# end\n` },
    {
      path: 'wrangler.jsonc',
      write: (values: object) => `// ours\n${JSON.stringify(values, null, 2)} /* end */\n`,
    },
    { path: 'wrangler.json', write: (values: object) => JSON.stringify(values).replaceAll('\n', '\r\n') },
  );

  it('whatever they are', () => {
    fc.assert(
      fc.property(file, written, (values, { path, write }) => {
        const text = write(values);
        const { 'wrangler.toml': _, ...files } = oldRepository('0.4.2', 'toml');
        const repository: Repository = new Map(
          Object.entries({ ...files, [path]: text }).map(([name, content]) => [
            name,
            { kind: 'file', text: content },
          ]),
        );
        const recognised = recognise(repository, null);
        if (recognised.state !== 'old') throw new Error(JSON.stringify(recognised));
        const plan = planMigration(repository, recognised, null);
        const action = plan.actions.find((candidate) => candidate.path === path);
        expect(plan.obstacles).toEqual([]);
        const after = action !== undefined && 'text' in action ? action.text : text;
        const {
          main: mainBefore,
          build: _build,
          no_bundle: _bundle,
          ...before
        } = readWranglerFile(path, text).values;
        const { main, ...rest } = readWranglerFile(path, after).values;
        expect(rest).toEqual(before);
        const built = 'build' in values || values.main === 'dist/worker.js';
        if (built) expect(main).toBe('src/index.js');
        else expect(main).toBe(mainBefore ?? 'src/index.ts');
        if (!built && !('no_bundle' in values) && values.main !== undefined) expect(after).toBe(text);
      }),
      { numRuns: 400 },
    );
  });
});
