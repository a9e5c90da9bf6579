import { describe, expect, test } from 'vitest';
import { assertUncommon } from './password-choice.ts';

const choose = (password: string, words: string[] = ['Ada Lovelace', 'ada@shop.example']) =>
  assertUncommon(password, words, '/password');

describe('a password that is being chosen', () => {
  test.each([
    'passwordpassword',
    'password1234',
    'qwertyuiop12',
    '123456789012',
    'aaaaaaaaaaaa',
    'iloveyou1234',
    'ghostlightghostlight',
    'ada@shop.example',
    'AdaLovelace1',
    'x'.repeat(128),
    'ab1'.repeat(42),
  ])('%s is refused, with what to do instead', async (password) => {
    await expect(choose(password)).rejects.toMatchObject({
      code: 'invalid',
      errors: [{ pointer: '/password', message: expect.stringContaining('easy to guess') }],
    });
  });

  test.each(['correct horse battery', 'another good phrase', 'xkq9fj2mz7pw', 'Fünf Äpfel im Korb'])(
    '%s is taken',
    async (password) => {
      await expect(choose(password)).resolves.toBeUndefined();
    },
  );
});
