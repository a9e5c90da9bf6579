/** Apache with the command at the end of a pipe, as docs/tail-and-import.md has it. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { FakeService } from '../../packages/tail/src/testing/service.ts';
import { binaryOf, startServer, type WebServer } from './servers.ts';

const COMMAND = fileURLToPath(new URL('../../packages/tail/dist/ghostlight-tail.js', import.meta.url));

let folder = '';
let server: WebServer | null = null;
let service: FakeService | null = null;
afterEach(async () => {
  await server?.stop();
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

it.skipIf(binaryOf('apache') === null)(
  'a piped log of Apache is reported, and its end loses nothing',
  async () => {
    folder = mkdtempSync(join(tmpdir(), 'ghostlight-pipe-'));
    chmodSync(folder, 0o755);
    service = await new FakeService().start();
    writeFileSync(join(folder, 'key'), 'gl_test_key\n');
    const command = `${process.execPath} ${COMMAND} --to ${service.address} --key-file ${folder}/key --format apache`;
    server = await startServer('apache', folder, `CustomLog "|${command}" vhost_combined`);
    const visit = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${server?.port}${path}`, {
        headers: { 'User-Agent': 'GPTBot/1.3' },
      });
      await answer.text();
    };
    await visit('/page?first');
    await expect.poll(() => service?.visits().length, { timeout: 20_000 }).toBe(1);
    await visit('/page?last');
    await server.stop();
    server = null;
    await expect.poll(() => service?.visits().length, { timeout: 20_000 }).toBe(2);
    expect(service.visits()).toMatchObject([
      { host: 'shop.example', pathname: '/page?first', user_agent: 'GPTBot/1.3', status: 200 },
      { host: 'shop.example', pathname: '/page?last' },
    ]);
  },
);
