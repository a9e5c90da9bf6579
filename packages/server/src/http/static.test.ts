import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadStaticFiles, type StaticFiles } from './static.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ghostlight-static-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** As the build leaves it: a page, and what it loads under names of this version. */
async function build(version: number, assets = 12): Promise<void> {
  await rm(join(directory, 'assets'), { recursive: true, force: true });
  await rm(join(directory, 'index.html'), { force: true });
  await mkdir(join(directory, 'assets'));
  const names = Array.from({ length: assets }, (_, index) => `/assets/${index}-${version}.js`);
  for (const name of names) await writeFile(join(directory, name), 'export {};');
  await writeFile(join(directory, 'index.html'), names.join('\n'));
}
const ask = (files: StaticFiles, path: string, headers: Record<string, string> = {}) =>
  files.respond(new Request(`http://x${path}`, { headers }), path);

describe('the dashboard’s files', () => {
  it('are served: hashed names for a year, the page for every path that is none of the service’s', async () => {
    await build(1);
    const files = await loadStaticFiles(directory);
    const asset = ask(files, '/assets/0-1.js');
    expect(asset?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(asset?.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(ask(files, '/p/whatever')?.headers.get('cache-control')).toBe('no-cache');
    expect(ask(files, '/', { 'Accept-Encoding': 'br' })?.headers.get('content-encoding')).toBe('br');
    for (const path of ['/api/v1/nothing', '/assets/gone.js', '/metrics'])
      expect(ask(files, path), path).toBeNull();
    const etag = ask(files, '/')?.headers.get('etag') ?? '';
    expect(ask(files, '/', { 'If-None-Match': etag })?.status).toBe(304);
  });

  it('are sent as gzip, again and again, to a client that takes nothing better', async () => {
    await build(1);
    const files = await loadStaticFiles(directory);
    const whole = await ask(files, '/')?.text();
    for (const turn of [1, 2]) {
      const answer = ask(files, '/', { 'Accept-Encoding': 'gzip' });
      expect(answer?.headers.get('content-encoding'), `${turn}`).toBe('gzip');
      expect(gunzipSync(await (answer as Response).arrayBuffer()).toString(), `${turn}`).toBe(whole);
    }
  });

  it('hold the documentation: each page at its own address, another one for an address that is none', async () => {
    await build(1);
    await mkdir(join(directory, 'docs/decisions'), { recursive: true });
    for (const name of ['index', 'reports', 'decisions/0001-first', '404'])
      await writeFile(join(directory, 'docs', `${name}.html`), `<p>${name}</p>`);
    const files = await loadStaticFiles(directory);
    for (const [path, name] of [
      ['/docs', 'index'],
      ['/docs/', 'index'],
      ['/docs/reports', 'reports'],
      ['/docs/reports.md', 'reports'],
      ['/docs/decisions/0001-first', 'decisions/0001-first'],
    ] as const) {
      const answer = ask(files, path);
      expect([answer?.status, await answer?.text()], path).toEqual([200, `<p>${name}</p>`]);
      expect(answer?.headers.get('content-security-policy'), path).toContain("script-src 'self'");
    }
    for (const path of ['/docs/nothing', '/docs/nothing.md', '/docs/assets/x.js', '/docs/../index']) {
      const answer = ask(files, path);
      expect([answer?.status, await answer?.text()], path).toEqual([404, '<p>404</p>']);
    }
    expect(await ask(files, '/docsy')?.text()).toContain('/assets/');
  });

  it('are sent as the build compressed them, where it did', async () => {
    await build(1);
    await writeFile(join(directory, 'assets/0-1.js.br'), 'compressed by the build');
    const files = await loadStaticFiles(directory);
    const answer = ask(files, '/assets/0-1.js', { 'Accept-Encoding': 'br' });
    expect([answer?.headers.get('content-encoding'), await answer?.text()]).toEqual([
      'br',
      'compressed by the build',
    ]);
    expect(await ask(files, '/assets/0-1.js')?.text()).toBe('export {};');
    expect(ask(files, '/assets/0-1.js.br')).toBeNull();
  });

  it('that were never built are asked for in a sentence, at once', async () => {
    for (const place of [directory, join(directory, 'absent')]) {
      const answer = ask(await loadStaticFiles(place), '/');
      expect(answer?.status).toBe(503);
      expect(await answer?.text()).toContain('npm run build');
    }
  });

  it('are of one build, whole, when they are rebuilt while the service starts', async () => {
    await build(0);
    let isOver = false;
    const builder = (async () => {
      for (let version = 1; !isOver; version += 1) {
        await build(version);
        await sleep(300);
      }
    })();
    try {
      for (let start = 0; start < 8; start += 1) {
        const files = await loadStaticFiles(directory);
        const page = (await ask(files, '/')?.text()) ?? '';
        const names = page.split('\n');
        expect(names, page).toHaveLength(12);
        for (const name of names) expect(ask(files, name)?.status, name).toBe(200);
      }
    } finally {
      isOver = true;
      await builder;
    }
  });

  it('are said to be missing where the build was broken off', async () => {
    await build(1);
    await rm(join(directory, 'index.html'));
    const files = await loadStaticFiles(directory);
    expect(ask(files, '/')?.status).toBe(503);
    expect(ask(files, '/api/v1/nothing')).toBeNull();
  });
});
