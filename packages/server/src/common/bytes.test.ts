import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isUniform } from './bytes.ts';

it('recognises bytes that are all equal', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), fc.nat(255), fc.nat(40), (others, byte, times) => {
      const bytes = Buffer.concat([Buffer.alloc(times, byte), others]);
      expect(isUniform(bytes)).toBe(bytes.length > 1 && bytes.every((one) => one === bytes[0]));
    }),
  );
});
