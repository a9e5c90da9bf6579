import fc from 'fast-check';
import { expect, it } from 'vitest';
import { agentOf, programName } from './program-name.ts';

it.each([
  [
    'Mozilla/5.0 (compatible; FooBot/1.0; +https://www.foo.example/bot?id=1)',
    'FooBot (+https://foo.example)',
  ],
  ['foo-spider/3 (crawl@foo.example)', 'foo-spider (+https://foo.example)'],
  ['curl/8.7.1', 'curl'],
])('%s is kept as %s', (userAgent, kept) => {
  const program = programName(userAgent);
  expect(program === null ? null : agentOf(program)).toBe(kept);
});

it('finds the same name and host again in what was kept, whatever the user agent', () => {
  const words = fc.constantFrom(
    'Mozilla/5.0',
    'FooBot/1.0',
    '(compatible;',
    '+https://a.example/b)',
    'x@y.example',
    ')',
    'a-b.c',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 2_000 }),
        fc.array(words).map((all) => all.join(' ')),
      ),
      (userAgent) => {
        const program = programName(userAgent);
        if (program === null) return;
        expect(agentOf(program).length).toBeLessThanOrEqual(180);
        const again = programName(agentOf(program));
        expect(again?.contact).toBe(program.contact);
        expect(again?.name.toLowerCase()).toBe(program.name.toLowerCase());
      },
    ),
  );
});
