import { describe, expect, test } from 'vitest';
import { createCookies } from './cookies.ts';

const cookies = createCookies(() => 'https://dash.example');
const plain = { ip: '203.0.113.9', protocol: 'http' } as const;
const request = (headers: Record<string, string>) => new Request('http://app.example/', { headers });
const written = (host: string, protocol: 'http' | 'https' = 'http') =>
  cookies.write(request({ Host: host }), { ...plain, protocol }, 'session', 'abc', 60);

describe('a cookie of the dashboard', () => {
  test('is this host’s alone and goes over https alone, wherever https is', () => {
    const secure = '__Host-session=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure';
    expect(written('anything.example', 'https')).toBe(secure);
    // A proxy ends https in front of us and does not say so.
    expect(written('dash.example')).toBe(secure);
  });

  test('works without https where the service is called directly', () => {
    expect(written('10.0.0.5:8080')).toBe('session=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax');
  });

  test('is read under the name that it is written under: over https a planted plain one is none', () => {
    const read = (cookie: string, protocol: 'http' | 'https') =>
      cookies.read(request({ Cookie: cookie }), { ...plain, protocol }, 'session');
    expect(read('session=planted; __Host-session=mine; c=d', 'https')).toBe('mine');
    expect(read('session=planted', 'https')).toBeUndefined();
    expect(read('a=b; session=mine', 'http')).toBe('mine');
    expect(read('other_session=x; session=', 'http')).toBeUndefined();
    expect(read('', 'http')).toBeUndefined();
  });
});
