import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSealer, SealError } from './index.ts';

const OLD = 'an old secret of thirty-two chars';
const NEW = 'a new secret of thirty-two chars!';

test('whatever is sealed opens again, never twice in the same bytes, and shows nothing of itself', () => {
  const sealer = createSealer(NEW);
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
      (plain) => {
        const sealed = sealer.seal(plain, 'test');
        expect(sealer.open(sealed, 'test')).toBe(plain);
        expect(sealer.seal(plain, 'test')).not.toBe(sealed);
      },
    ),
    { numRuns: 50 },
  );
});

test('a sealed value opens under the previous secret while a rotation is under way, and says that it is stale', () => {
  const sealed = createSealer(OLD).seal('credential', 'test');
  const rotated = createSealer(NEW, OLD);
  expect(rotated.open(sealed, 'test')).toBe('credential');
  expect(rotated.isStale(sealed)).toBe(true);
  expect(rotated.isStale(rotated.seal('credential', 'test'))).toBe(false);
  expect(() => createSealer(NEW).open(sealed, 'test')).toThrow('SECRET_KEY_PREVIOUS');
});

test('a value that was moved, altered, cut or is none at all does not open', () => {
  const sealer = createSealer(NEW);
  const sealed = sealer.seal('credential', 'destination:1');
  expect(() => sealer.open(sealed, 'destination:2')).toThrow(SealError);
  const [format, id, body = ''] = sealed.split('.');
  for (let at = 0; at < body.length - 1; at += 1) {
    const altered = `${body.slice(0, at)}${body[at] === 'A' ? 'B' : 'A'}${body.slice(at + 1)}`;
    expect(() => sealer.open(`${format}.${id}.${altered}`, 'destination:1')).toThrow(SealError);
  }
  for (const wrong of ['', 'v1', `${format}.${id}.`, `${format}.${id}.AAAA`, `v2.${id}.${body}`]) {
    expect(() => sealer.open(wrong, 'destination:1')).toThrow(SealError);
  }
});
