import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSecretCipher, DecryptError } from './index.ts';

const OLD = 'an old secret of thirty-two chars';
const NEW = 'a new secret of thirty-two chars!';

test('whatever is encrypted can be decrypted, never twice in the same bytes, and shows nothing of itself', () => {
  const cipher = createSecretCipher(NEW);
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
      (plain) => {
        const sealed = cipher.encrypt(plain, 'test');
        expect(cipher.decrypt(sealed, 'test')).toBe(plain);
        expect(cipher.encrypt(plain, 'test')).not.toBe(sealed);
      },
    ),
    { numRuns: 50 },
  );
});

test('an encrypted value opens with the previous secret while a rotation is under way, and says that it is stale', () => {
  const sealed = createSecretCipher(OLD).encrypt('credential', 'test');
  const rotated = createSecretCipher(NEW, OLD);
  expect(rotated.decrypt(sealed, 'test')).toBe('credential');
  expect(rotated.isStale(sealed)).toBe(true);
  expect(rotated.isStale(rotated.encrypt('credential', 'test'))).toBe(false);
  expect(() => createSecretCipher(NEW).decrypt(sealed, 'test')).toThrow('SECRET_KEY_PREVIOUS');
});

test('a value that was moved, altered, cut or is none at all does not open', () => {
  const cipher = createSecretCipher(NEW);
  const sealed = cipher.encrypt('credential', 'destination:1');
  expect(() => cipher.decrypt(sealed, 'destination:2')).toThrow(DecryptError);
  const [format, id, body = ''] = sealed.split('.');
  for (let at = 0; at < body.length - 1; at += 1) {
    const altered = `${body.slice(0, at)}${body[at] === 'A' ? 'B' : 'A'}${body.slice(at + 1)}`;
    expect(() => cipher.decrypt(`${format}.${id}.${altered}`, 'destination:1')).toThrow(DecryptError);
  }
  for (const wrong of ['', 'v1', `${format}.${id}.`, `${format}.${id}.AAAA`, `v2.${id}.${body}`]) {
    expect(() => cipher.decrypt(wrong, 'destination:1')).toThrow(DecryptError);
  }
});
