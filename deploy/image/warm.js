/**
 * Starts the service once on a new data directory, asks for what a start serves, and stops it in order: only then does Node keep what it
 * compiled. Also the first proof that the image works. What it prints for people, such as its token, is not in the build's log.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const LIMIT_MS = 300_000;
const dataDir = mkdtempSync(join(tmpdir(), 'warm-'));
const env = { ...process.env, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', LISTS_REFRESH: 'off' };
const service = spawn('ghostlight', ['serve'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
const limit = setTimeout(() => service.kill('SIGKILL'), LIMIT_MS);
const ended = new Promise((resolve) => service.once('exit', (code, signal) => resolve({ code, signal })));

for await (const line of createInterface(service.stderr)) {
  process.stderr.write(`${line}\n`);
  if (!line.includes('"listening"')) continue;
  const { address } = JSON.parse(line);
  for (const path of ['/readyz', '/', '/sdk.js', '/metrics']) {
    const answer = await fetch(new URL(path, address));
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`);
    await answer.arrayBuffer();
  }
  service.kill('SIGTERM');
}
const { code, signal } = await ended;
clearTimeout(limit);
rmSync(dataDir, { recursive: true });
if (code !== 0) throw new Error(`The service ended with ${code ?? signal}.`);
