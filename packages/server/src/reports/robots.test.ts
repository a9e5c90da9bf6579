/** The cases of Google's open parser (robots_test.cc), and those of RFC 9309. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRobots, robotsRules } from './robots.ts';

const allows = (text: string, bot: string, path: string) => readRobots(text).allows(bot, path);

describe('a robots.txt', () => {
  it('allows everything where it says nothing', () => {
    expect(allows('', 'FooBot', '/')).toBe(true);
    expect(allows('user-agent: FooBot\ndisallow: /\n', '', '/')).toBe(true);
    expect(allows('foo: FooBot\nbar: /\n', 'FooBot', '/x')).toBe(true);
    expect(allows('User-agent: FooBot\nDisallow:\n', 'FooBot', '/x')).toBe(true);
  });

  it('is read whatever the letter case of its words, with and without a colon', () => {
    for (const text of [
      'USER-AGENT: FooBot\nDISALLOW: /x/\n',
      'user-agent:FooBot\ndisallow:/x/\n',
      'user-agent FooBot\ndisallow /x/\n',
      '\uFEFFUser-agent: foobot\r\nDisallow: /x/ # comment\r\n',
      'User-agent: FooBot/2.1\nDissallow: /x/\n',
    ]) {
      expect(allows(text, 'FooBot', '/x/y'), text).toBe(false);
      expect(allows(text, 'FOOBOT', '/a/b'), text).toBe(true);
      expect(allows(text, 'BarBot', '/x/y'), text).toBe(true);
    }
  });

  it('has groups for several crawlers, and adds up those of one', () => {
    const text = `allow: /foo/bar/

user-agent: FooBot
disallow: /
allow: /x/
user-agent: BarBot
disallow: /
allow: /y/

allow: /w/
user-agent: BazBot

user-agent: FooBot
allow: /z/
disallow: /
`;
    for (const [bot, path, expected] of [
      ...([
        ['FooBot', '/x/b', true],
        ['FooBot', '/z/d', true],
        ['FooBot', '/y/c', false],
      ] as const),
      ...([
        ['BarBot', '/y/c', true],
        ['BarBot', '/w/a', true],
        ['BarBot', '/z/d', false],
      ] as const),
      // Lines before any group belong to no crawler, and a name without rules shares those of the next.
      ...([
        ['FooBot', '/foo/bar/', false],
        ['BazBot', '/z/', true],
      ] as const),
    ])
      expect(allows(text, bot, path), `${bot} ${path}`).toBe(expected);
  });

  it('counts the rules for all only for crawlers that it does not name', () => {
    const text = 'user-agent: *\nallow: /x/\nuser-agent: FooBot\ndisallow: /\n';
    expect(allows(text, 'FooBot', '/x/y')).toBe(false);
    expect(allows(text, 'BarBot', '/x/y')).toBe(true);
    expect(allows('user-agent: *\ndisallow: /\nuser-agent: FooBot\n', 'FooBot', '/')).toBe(true);
    expect(allows('user-agent: *\ndisallow: /\n', 'BarBot', '/robots.txt')).toBe(true);
  });

  it.each([
    ['allow: /x/page.html\ndisallow: /x/\n', '/x/page.html', true],
    ['disallow: /x/page.html\nallow: /x/\n', '/x/page.html', false],
    ['disallow: /x/page.html\nallow: /x/\n', '/x/', true],
    ['disallow: \nallow: \n', '/x/page.html', true],
    ['disallow: /\nallow: /\n', '/x/page.html', true],
    ['disallow: /x\nallow: /x/\n', '/x', false],
    ['disallow: /x\nallow: /x/\n', '/x/', true],
    ['disallow: /x/page.html\nallow: /x/page.html\n', '/x/page.html', true],
    ['allow: /page\ndisallow: /*.html\n', '/page.html', false],
    ['allow: /page\ndisallow: /*.html\n', '/page', true],
    ['allow: /x/page.\ndisallow: /*.html\n', '/x/page.html', true],
    ['disallow: /foo/bar/quz\nallow: /foo/*/qux\n', '/foo/bar/quz', false],
    ['disallow: /foo/bar/quz\nallow: /foo/*/qux\n', '/foo/quz', true],
    ['disallow: /foo/bar/quz\nallow: /foo/*/qux\n', '/foo/bax/quz', true],
    ['disallow: /foo/bar$\n', '/foo/bar', false],
    ['disallow: /foo/bar$\n', '/foo/bar/', true],
    ['disallow: /foo/bar$\n', '/foo/bar/qux', true],
    ['disallow: /*.php$\n', '/a.php', false],
    ['disallow: /*.php$\n', '/a.php?b', true],
    ['disallow: /*.php$\n', '/a.php/b.php', false],
    ['disallow: /\nallow: /foo/bar/ツ\n', '/foo/bar/%E3%83%84', true],
    ['disallow: /\nallow: /foo/bar/%E3%83%84\n', '/foo/bar/%e3%83%84', true],
    ['disallow: /\nallow: /foo/bar/%62%61%7A\n', '/foo/bar/baz', false],
    ['disallow: X\n', '/foo', true],
    ['disallow: /foo\n', '/Foo', true],
  ])('with %j for a path, says of %s: %s', (rules, path, expected) => {
    const text = `user-agent: FooBot\n${rules}`;
    expect(allows(text, 'FooBot', path)).toBe(expected);
    expect(allows(robotsRules(text), 'FooBot', path)).toBe(expected);
  });

  it('is read in a moment, whatever it says', () => {
    const stars = `user-agent: *\ndisallow: /${'*a'.repeat(2_000)}$\n`;
    expect(allows(stars, 'FooBot', `/${'a'.repeat(1_000)}b`)).toBe(true);
    const blanks = `user-agent: *\ndisallow: /a${' '.repeat(400_000)}b`;
    expect(allows(blanks, 'FooBot', '/a')).toBe(false);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.string(), (text, path) => {
        expect(typeof allows(`user-agent: *\n${text}`, 'FooBot', `/${path}`)).toBe('boolean');
      }),
    );
  });
});
