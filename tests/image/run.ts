/**
 * Builds the image, runs it as shut off as compose.yaml does, and uses it: `npm run image:test`. With Docker where its daemon answers, else
 * with Debian's buildah and debootstrap (as root).
 *
 * `--image NAME` tests an image that exists (Docker only); `--folder FOLDER` keeps base and image for the next run, which may then be
 * `--built` (buildah only).
 */
import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildah } from './buildah.ts';
import { docker } from './docker.ts';
import type { Container, Engine } from './engine.ts';
import { run } from './program.ts';
import { visit } from './visit.ts';

const CONTEXT = fileURLToPath(new URL('../../', import.meta.url));
const READY_LIMIT_MS = 300_000;
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const done = (text: string) => console.log(`✓ ${text}`);

const { values } = parseArgs({
  options: { image: { type: 'string' }, folder: { type: 'string' }, built: { type: 'boolean' } },
});
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'ghostlight-image-'));
const engine = await choose();
try {
  if (values.image === undefined && values.built !== true) {
    const began = performance.now();
    await engine.build();
    done(`built by ${engine.name} in ${seconds(performance.now() - began)}`);
  }
  await describe(engine);
  const token = await firstStart(engine);
  await secondStart(engine, token);
  await demo(engine);
} finally {
  await engine.dispose();
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}

async function choose(): Promise<Engine> {
  const answers = async (program: string, ...words: readonly string[]) =>
    (await run(program, words).catch(() => ({ code: 1 }))).code === 0;
  if (await answers('docker', 'info')) return docker(values.image ?? 'ghostlight:test', CONTEXT);
  if (values.image !== undefined) throw new Error('Docker does not answer; only Docker has images by name.');
  for (const program of ['buildah', 'debootstrap'])
    if (!(await answers(program, '--version')))
      throw new Error('Start Docker, or install buildah and debootstrap.');
  return buildah('localhost/ghostlight:test', CONTEXT, folder);
}

async function describe(engine: Engine): Promise<void> {
  const { user, volumes, stopSignal, entrypoint, command, bytes } = await engine.describe();
  match(user, /^[1-9]\d*:[1-9]\d*$/);
  deepStrictEqual({ volumes, stopSignal }, { volumes: ['/data'], stopSignal: 'SIGTERM' });
  deepStrictEqual([...entrypoint, ...command], ['ghostlight', 'serve']);
  done(`runs as ${user}, ${Math.round(bytes / 1e6)} MB unpacked`);
}

/** @returns the admin token */
async function firstStart(engine: Engine): Promise<string> {
  const service = await engine.run([], 'data');
  done(`ready after ${seconds(await ready(service))} on an empty volume`);
  await shutOff(service);
  const token = (await inside(service, 'cat', '/data/admin-token')).trim();
  await visit(service.address, token);
  done('a hit is acknowledged, and in Live');
  for (const path of ['/', '/sdk.js'])
    strictEqual((await fetch(`${service.address}${path}`)).status, 200, path);
  match(await inside(service, 'ghostlight', 'properties', 'list'), /Image/);
  match(await inside(service, 'ghostlight', 'keys', 'list'), /Edge/);
  const { stdout } = await service.execute(['ghostlight', 'doctor']);
  match(stdout, /The spool takes hits/);
  await inside(service, 'node', '/app/image/health.js', '/readyz');
  done('commands reach the service, and it is healthy');
  await stops(service);
  return token;
}

async function secondStart(engine: Engine, token: string): Promise<void> {
  const service = await engine.run(['serve'], 'data');
  done(`ready after ${seconds(await ready(service))} on a volume with data`);
  const answer = await fetch(`${service.address}/api/v1/properties`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  match(await answer.text(), /"Image"/);
  await stops(service);
}

async function demo(engine: Engine): Promise<void> {
  const service = await engine.run(['demo'], 'demo');
  const port = await until(
    service,
    async () => /Demo shop +http:\/\/localhost:(\d+)/.exec(await service.log())?.[1],
  );
  const shop = `http://127.0.0.1:${await service.portFromHere(Number(port))}`;
  const page = await fetch(`${shop}/products/ghost-light`, { headers: { 'User-Agent': 'GPTBot/1.3' } });
  strictEqual(page.status, 200);
  match(await page.text(), /Ghost Light Lamps/);
  done('the demo’s shop answers behind the collector in workerd');
  await stops(service);
}

/** No root, nothing to write to besides /data and /tmp, and the code that Node compiled when the image was built. */
async function shutOff(service: Container): Promise<void> {
  notStrictEqual((await inside(service, 'id', '-u')).trim(), '0');
  match(await inside(service, 'cat', '/proc/1/status'), /^CapEff:\s+0+$/m);
  match(await inside(service, 'cat', '/proc/1/status'), /^NoNewPrivs:\s+1$/m);
  notStrictEqual((await service.execute(['touch', '/app/x'])).code, 0);
  const script = 'find / -xdev -writable ! -type l ! -path /data ! -path /tmp 2>/dev/null; true';
  strictEqual((await inside(service, 'sh', '-c', script)).trim(), '', 'writable places of the image');
  const cache = 'console.log(require("node:module").getCompileCacheDir())';
  match(await inside(service, 'node', '-e', cache), /^\/app\/compiled\//);
  done('without root or capabilities, on a read-only file system; compiled code is found');
}

async function stops(service: Container): Promise<void> {
  const { code, ms } = await service.stop();
  strictEqual(code, 0, await service.log());
  done(`stopped in order after ${seconds(ms)}`);
}

async function inside(service: Container, ...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await service.execute(words);
  strictEqual(code, 0, `${words.join(' ')}: ${stderr}`);
  return stdout;
}

/** @returns how long it took, from its start */
async function ready(service: Container): Promise<number> {
  const began = performance.now();
  await until(service, async () => {
    const answer = await fetch(`${service.address}/readyz`).catch(() => null);
    return answer?.ok === true ? true : undefined;
  });
  return performance.now() - began;
}

async function until<T>(service: Container, look: () => Promise<T | undefined>): Promise<T> {
  for (const began = performance.now(); ; await sleep(50)) {
    const found = await look();
    if (found !== undefined) return found;
    ok(!(await service.ended()), `the container ended: ${await service.log()}`);
    ok(performance.now() - began < READY_LIMIT_MS, `nothing in time: ${await service.log()}`);
  }
}
