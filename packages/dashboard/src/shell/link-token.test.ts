import { describe, expect, it } from 'vitest';
import { createLinkToken } from './link-token.ts';

describe('the token of a link', () => {
  it('is taken from the fragment, with or without #', () => {
    const link = createLinkToken();
    expect(link.take('#token=abc-_1')).toBe(true);
    expect(link.current()).toBe('abc-_1');
    expect(link.take('token=second')).toBe(true);
    expect(link.current()).toBe('second');
  });

  it.each(['', '#', '#page', '#token=', `#token=${'x'.repeat(1_025)}`])('is not found in %j', (hash) => {
    const link = createLinkToken();
    expect(link.take(hash)).toBe(false);
    expect(link.current()).toBeNull();
  });

  it('survives the redirect to the address without it', () => {
    const link = createLinkToken();
    link.take('#token=abc');
    expect(link.take('')).toBe(false);
    expect(link.current()).toBe('abc');
  });
});
