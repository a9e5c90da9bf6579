import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { findRunning } from '../cli/socket.ts';
import { type Control, startControl } from './control.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'control-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

async function begin(): Promise<Control> {
  const control = await startControl(dataDir, async (request) => {
    const { pathname, search } = new URL(request.url);
    const said = request.headers.get('authorization');
    return Response.json({ path: `${pathname}${search}`, said, body: await request.text() });
  });
  onTestFinished(() => control.close(0));
  announce(control.path);
  return control;
}

const announce = (socket: string) =>
  writeFileSync(
    join(dataDir, 'service.json'),
    JSON.stringify({ pid: 1, address: 'http://127.0.0.1:1', socket, token: 'the-token', startedAt: '' }),
  );

it('a command asks over a socket that its owner alone may use, with method, query, headers and body', async () => {
  const control = await begin();
  expect(control.path).toBe('control.sock');
  expect(statSync(join(dataDir, control.path)).mode & 0o777).toBe(0o600);
  const running = await findRunning(dataDir);
  expect(running).toMatchObject({ token: 'the-token' });
  const asked = new Request('http://127.0.0.1:1/api/v1/x?y=1', {
    method: 'POST',
    headers: { Authorization: 'Bearer t' },
    body: '{"é":1}',
  });
  const answer = await running?.send(asked);
  expect(await answer?.json()).toEqual({ path: '/api/v1/x?y=1', said: 'Bearer t', body: '{"é":1}' });
});

it('a socket that a killed service left behind is replaced, and gone after the stop', async () => {
  writeFileSync(join(dataDir, 'control.sock'), '');
  const control = await begin();
  expect(await findRunning(dataDir)).not.toBeNull();
  await control.close(0);
  expect(existsSync(join(dataDir, 'control.sock'))).toBe(false);
  expect(await findRunning(dataDir)).toBeNull();
});

it('a data directory whose path is too long for a socket has it in a private folder elsewhere, which goes with it', async () => {
  const parent = dataDir;
  dataDir = mkdtempSync(join(parent, 'x'.repeat(120)));
  const control = await begin();
  expect(isAbsolute(control.path)).toBe(true);
  expect(statSync(dirname(control.path)).mode & 0o777).toBe(0o700);
  expect(await findRunning(dataDir)).not.toBeNull();
  await control.close(0);
  expect(existsSync(dirname(control.path))).toBe(false);
  dataDir = parent;
});

it('a command tells nothing to a listener at an address that is left over, nor to a socket in a folder that is open to others', async () => {
  const heard: string[] = [];
  const listen = (where: string | 0) =>
    new Promise<Server>((resolve) => {
      const server = createServer((socket) => socket.on('data', (data) => heard.push(String(data))));
      onTestFinished(() => void server.close());
      server.listen(where, () => resolve(server));
    });
  const port = ((await listen(0)).address() as { port: number }).port;
  const old = { pid: 1, address: `http://127.0.0.1:${port}`, token: 'the-token', startedAt: '' };
  writeFileSync(join(dataDir, 'service.json'), JSON.stringify(old));
  expect(await findRunning(dataDir)).toBeNull();

  const open = mkdtempSync(join(tmpdir(), 'open-'));
  onTestFinished(() => rmSync(open, { recursive: true, force: true }));
  const path = join(open, 'control.sock');
  await listen(path);
  chmodSync(open, 0o777);
  announce(path);
  expect(await findRunning(dataDir)).toBeNull();
  expect(heard).toEqual([]);
  expect(readFileSync(join(dataDir, 'service.json'), 'utf8')).toContain(path);
});
