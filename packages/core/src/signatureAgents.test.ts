import { describe, expect, it } from 'vitest';
import { compileUrlPattern, directoryUrl } from './signatureAgents.ts';

describe('directoryUrl', () => {
  it('gives a bare origin the well-known path, and drops query and fragment', () => {
    const directory = 'https://chatgpt.com/.well-known/http-message-signatures-directory';
    for (const identity of [
      'https://chatgpt.com',
      'https://CHATGPT.com/',
      'https://chatgpt.com:443/?a#b',
      directory,
    ]) {
      expect(directoryUrl(identity)).toBe(directory);
    }
    expect(directoryUrl('https://chatgpt.com/keys')).toBe('https://chatgpt.com/keys');
  });

  it('takes only https on its own port without credentials', () => {
    for (const identity of [
      '',
      'chatgpt.com',
      'http://chatgpt.com',
      'https://chatgpt.com:8443',
      'https://a@chatgpt.com',
      'data:x',
    ]) {
      expect(directoryUrl(identity)).toBe(null);
    }
  });
});

describe('compileUrlPattern', () => {
  const matches = (pattern: string, url: string): boolean => compileUrlPattern(pattern)?.test(url) ?? false;

  it('lets a star stand for a label or part of one, never for a dot, nothing, or a path', () => {
    const pattern = 'https://*.keys.eu-*.vendor.example/d.json';
    expect(matches(pattern, 'https://a-1.keys.eu-west-1.vendor.example/d.json')).toBe(true);
    expect(matches(pattern, 'https://a.b.keys.eu-west.vendor.example/d.json')).toBe(false);
    expect(matches(pattern, 'https://.keys.eu-west.vendor.example/d.json')).toBe(false);
    expect(matches(pattern, 'https://evil.example/a.keys.eu-w.vendor.example/d.json')).toBe(false);
    expect(matches(pattern, 'https://a.keys.eu-w.vendor.example/dxjson')).toBe(false);
    expect(matches(pattern, 'https://a.keys.eu-w.vendor.example/d.json.evil')).toBe(false);
  });

  it('refuses what would trust too much or could be made slow', () => {
    const bad = [
      'https://*/x',
      'https://*.example/x',
      'https://a.*.example/x',
      'https://**.a.b.example/x',
      'https://*-*.a.b.example/x',
    ];
    for (const pattern of [
      ...bad,
      'http://*.a.example/x',
      'https://*.a.example',
      'https://*.a.example/(x+)+',
      'https://*..a.example/x',
    ]) {
      expect([pattern, compileUrlPattern(pattern)]).toEqual([pattern, null]);
    }
  });
});
