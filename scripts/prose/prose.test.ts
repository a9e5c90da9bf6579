import { describe, expect, it } from 'vitest';
import { Checker } from './check-text.ts';
import { proseOfCode, proseOfMarkdown } from './prose-of.ts';
import { RULES } from './rules.ts';

/** What begins a value within a template; written so that the linter sees no template in a string. */
const OPEN = '$' + '{';

const checker = new Checker(RULES);
const found = (path: string, text: string) =>
  checker.check(path, text).map(({ line, found }) => `${line} ${found}`);
const words = (prose: string) => prose.split(/\s+/).filter((word) => word !== '');

describe('the prose of code', () => {
  it.each([
    ['a line comment', 'const gone = 1; // one two', ['//', 'one', 'two']],
    ['a block comment without its stars', '/**\n * one\n * two\n */', ['/**', 'one', 'two', '*/']],
    ['a string with a blank', "f('one two', held)", ["'one", "two'"]],
    ['no string without a blank: it is a name', "f('nobody')", []],
    ['no name', 'const nobody = whoever.anybody;', []],
    ['no quoted name', '// the column `nobody`', ['//', 'the', 'column']],
    [
      'a template, and strings within it',
      `\`one ${OPEN}f('two three')} four\``,
      ['one', "'two", "three'", 'four'],
    ],
    [
      'what follows an object within a template',
      `\`a ${OPEN}f({ b: \`c d\` })} e\`; // f`,
      ['a', 'c', 'd', 'e', '//', 'f'],
    ],
    ['what follows a regular expression with quotes', "s.replace(/['\"`/]/g, 'a b')", ["'a", "b'"]],
    ['what follows a division', "x / 2; f('a b'); y / 3", ["'a", "b'"]],
    ['a string that an escaped quote does not end', "f('a \\' b'); nobody", ["'a", "\\'", "b'"]],
    ['no more than a line of a string without an end', "f('a b\nnobody()", ["'a", 'b']],
  ])('has %s', (_, code, expected) => {
    expect(words(proseOfCode(code))).toEqual(expected);
  });

  it('keeps every character in its place', () => {
    const code = `const a = 'one two';\n/* three\n * four */ f(\`five ${OPEN}six} seven\`);\n`;
    expect(proseOfCode(code)).toHaveLength(code.length);
    expect(proseOfCode(code).indexOf('four')).toBe(code.indexOf('four'));
  });

  it('has the text between tags', () => {
    expect(words(proseOfCode('<p className={nobody}>One {name} two</p>', true))).toEqual(['One', 'two']);
  });
});

it('the prose of Markdown has no code and no addresses of links', () => {
  const text = '# One\n```sh\nnobody\n```\ntwo `whoever` [three](docs/nobody.md)\n';
  expect(words(proseOfMarkdown(text))).toEqual(['#', 'One', 'two', '[three']);
});

describe('a finding', () => {
  it('names line and word, and says what to write instead', () => {
    expect(checker.check('a.ts', '\n// Nobody is told.\n')).toEqual([
      { line: 2, found: 'Nobody', instead: expect.stringContaining('name the actor') },
      { line: 2, found: 'told', instead: expect.stringContaining('say what happens') },
    ]);
  });

  it('is a construction over two lines of a comment', () => {
    expect(found('a.ts', '/**\n * It is\n * told so.\n */')).toEqual(['3 told']);
  });

  it('is no part of another word, and no code', () => {
    expect(found('a.ts', "// unmended-looking, sealant\nseal('mend');")).toEqual([]);
  });

  it('is a long line of documentation, a row of a table and a command among them, and no long address', () => {
    const long = 'word '.repeat(40).trim();
    expect(found('a.md', `${long}\n| ${long} |\n\`\`\`sh\n${long}\n\`\`\`\n${'x'.repeat(300)}\n`)).toEqual([
      '1 199 columns',
      '2 203 columns',
      '4 199 columns',
    ]);
    expect(found('a.ts', `// ${long}`)).toEqual([]);
  });

  it('is not made where an exception allows it', () => {
    const strict = new Checker([{ out: 'nobody', instead: 'no one', allow: ['user nobody'] }]);
    expect(strict.check('a.ts', '// as the user nobody of this machine')).toEqual([]);
    expect(strict.check('a.ts', '// nobody else')).toHaveLength(1);
  });
});

describe('the rules', () => {
  it.each(RULES.map((rule) => [rule.out, rule] as const))(
    '%s compiles, and says what to write',
    (_, rule) => {
      expect(() => new Checker([rule]).check('a.ts', '// nothing')).not.toThrow();
      expect(rule.instead).not.toBe('');
    },
  );
});
