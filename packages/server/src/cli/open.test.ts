import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CommandContext } from './command.ts';
import { browserCommand, OTHER_PAGES, openWith, PROPERTY_PAGES } from './open.ts';

const SHOP = { id: '0a1b2c3d-0000-4000-8000-000000000001', domain: 'shop.example' };
const BLOG = { id: '0a1b2c3d-0000-4000-8000-000000000002', domain: 'blog.example' };

async function opened(
  { page = '', ...options }: { page?: string; property?: string; print?: true },
  { items = [SHOP], starts = true }: { items?: (typeof SHOP)[]; starts?: boolean } = {},
) {
  const launched: string[] = [];
  const command = openWith(async (url) => {
    launched.push(url);
    return starts;
  });
  const answers: Record<string, unknown> = {
    '/api/v1/config': { app_base_url: 'https://ghost.example/' },
    '/api/v1/properties': { items },
  };
  const context = {
    argument: () => page,
    option: () => options.property,
    flag: (name: string) => name === 'print' && options.print === true,
    service: { call: async (_method: string, path: string) => answers[path] },
  } as unknown as CommandContext;
  return { launched, answer: await command.run(context) };
}

describe('ghostlight open', () => {
  it.each([
    [{}, 'https://ghost.example/'],
    [{ page: 'live' }, `https://ghost.example/p/${SHOP.id}/live`],
    [{ property: 'Shop.Example' }, `https://ghost.example/p/${SHOP.id}/overview`],
    [{ page: 'keys', property: SHOP.id.toUpperCase() }, `https://ghost.example/p/${SHOP.id}/keys`],
    [{ page: 'members' }, 'https://ghost.example/organization/members'],
    [{ page: 'docs' }, 'https://ghost.example/docs'],
  ])('with %j opens %s', async (words, url) => {
    const { launched, answer } = await opened(words);
    expect(launched).toEqual([url]);
    expect(answer).toEqual({ data: { url, opened: true }, text: `Opened ${url}` });
  });

  it('prints the address where that is asked for, and where no browser starts', async () => {
    const url = 'https://ghost.example/';
    const asked = await opened({ print: true });
    expect(asked).toEqual({ launched: [], answer: { data: { url, opened: false }, text: url } });
    const without = await opened({}, { starts: false });
    expect(without.answer).toEqual({ data: { url, opened: false }, text: url });
  });

  it('says what to do where the property is not clear', async () => {
    const both = { items: [SHOP, BLOG] };
    await expect(opened({ page: 'live' }, both)).rejects.toThrow(/several properties/);
    await expect(opened({ page: 'live' }, { items: [] })).rejects.toThrow(/no property yet/);
    await expect(opened({ page: 'live', property: 'other.example' }, both)).rejects.toThrow(
      /No property has/,
    );
    await expect(opened({ page: 'audit', property: SHOP.id })).rejects.toThrow(/of no property/);
    expect((await opened({ property: 'blog.example' }, both)).launched).toEqual([
      `https://ghost.example/p/${BLOG.id}/overview`,
    ]);
  });

  it('knows every page of the dashboard', () => {
    const read = (path: string) =>
      readFileSync(new URL(`../../../dashboard/src/${path}`, import.meta.url), 'utf8');
    const pages = [...read('features/page/pages.tsx').matchAll(/\bname: '(\w+)'/g)].map(([, name]) => name);
    expect([...PROPERTY_PAGES].sort()).toEqual(pages.sort());
    const routes = read('shell/router.tsx');
    for (const path of Object.values(OTHER_PAGES).filter((path) => path !== '/docs'))
      expect(routes).toContain(`path: '${path}'`);
  });
});

describe('the program that opens an address', () => {
  const URL = 'https://ghost.example/p/x/visits?a=1&b=2';

  it.each([
    ['darwin', {}, ['open', URL]],
    ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler', URL]],
    ['linux', { DISPLAY: ':0' }, ['xdg-open', URL]],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open', URL]],
    ['linux', { WSL_DISTRO_NAME: 'Debian' }, ['rundll32.exe', 'url.dll,FileProtocolHandler', URL]],
    ['linux', {}, null],
    ['linux', { DISPLAY: '' }, null],
    ['linux', { DISPLAY: 'localhost:10.0', SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22' }, null],
    ['darwin', { SSH_TTY: '/dev/ttys001' }, null],
  ] as const)('on %s with %j is %j', (platform, env, command) => {
    expect(browserCommand(platform, env, URL)).toEqual(command);
  });
});
